"""Charts of the gate: every dimension, every class, one image."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from app.theme import BAR_ROOM, BEFORE, CHOSEN, CLOSED, OPEN, SCALE, colour_bar, frame

MOST = 256
"""Columns of the heat map: more would be thinner than a pixel."""

OUTLINE = "rgba(128,140,150,0.6)"

ORDERS = {"rate": "highest first", "group": "by the group where it is highest"}


def open_against_frequency(table: pd.DataFrame, n: int, chosen: int | None = None) -> go.Figure:
    """Open rate of each live dimension against its frequency π; colour is the vetoed share of its active images.

    `table` is `dimensions.parquet`; customdata carries the dimension's number. `chosen` gets a ring.
    """
    live = table[table["active"] > 0]
    figure = go.Figure(
        go.Scatter(
            x=live["active"] / n,
            y=live["open"] / n,
            mode="markers",
            customdata=live[["dimension", "vetoed", "active", "open"]]
            .to_numpy()
            .tolist(),  # as an array a click would return it as a dict
            marker={
                "size": 10,
                "opacity": 0.85,
                "color": live["vetoed"] / live["active"],
                "colorscale": SCALE,
                "cmin": 0,
                "cmax": 1,
                "colorbar": colour_bar("share of its active images that the gate vetoes", 460),
                "line": {"width": 0.8, "color": OUTLINE},
            },
            unselected={"marker": {"opacity": 0.85}},
            hovertemplate="dimension %{customdata[0]}<br>active in %{customdata[2]:,} images (%{x:.2%})<br>"
            "open in %{customdata[3]:,} images (%{y:.2%})<br>vetoed in %{customdata[1]:,} images<extra></extra>",
        )
    )
    ring = live[live["dimension"] == chosen]
    if len(ring):
        figure.add_scatter(
            x=ring["active"] / n,
            y=ring["open"] / n,
            mode="markers",
            hoverinfo="skip",
            marker={"size": 18, "color": "rgba(0,0,0,0)", "line": {"width": 3, "color": CHOSEN}},
        )
    dead = len(table) - len(live)
    figure.update_layout(
        title=f"{len(live)} live dimensions ({dead} never active), n = {n:,} images", showlegend=False, dragmode=False
    )
    figure.update_xaxes(title_text="frequency π: share of images where active", tickformat=".0%", rangemode="tozero")
    figure.update_yaxes(title_text="share of images where open", tickformat=".0%", range=[-0.04, 1.04])
    return frame(figure, 460)


def in_order(rates: pd.DataFrame, by: str) -> list[int]:
    """Dimensions (rows of `rates`) in the order of `ORDERS`: by their mean over groups, or grouped by their highest."""
    mean = rates.mean(axis=1)
    if by == "rate":
        return [int(d) for d in mean.sort_values(ascending=False, kind="stable").index]
    same = (rates.max(axis=1) == rates.min(axis=1)).to_numpy()  # belongs to no group: these come last
    highest = np.where(same, rates.shape[1], rates.fillna(-1).to_numpy().argmax(axis=1))
    keys = pd.DataFrame({"group": highest, "height": -rates.max(axis=1)})
    return [int(d) for d in keys.sort_values(["group", "height"], kind="stable").index]


def rate_matrix(rates: pd.DataFrame, what: str, group: str, n: int, order: str = "rate") -> go.Figure:
    """Heat map: one row a group (class or factor value), one column a dimension.

    `rates` 0…1: index the dimensions, columns the groups. Beyond 256 dimensions those whose rate differs most between
    groups are shown, and the title says so.
    """
    spread = (rates.max(axis=1) - rates.min(axis=1)).sort_values(ascending=False, kind="stable")
    part = rates.loc[sorted(spread.index[:MOST])]
    part = part.loc[in_order(part, order)]
    height = BAR_ROOM + round(part.shape[1] * min(24, max(8, 900 / part.shape[1])))
    figure = go.Figure(
        go.Heatmap(
            z=part.T.to_numpy(),
            x=[str(d) for d in part.index],
            y=[str(name) for name in part.columns],
            colorscale=SCALE,
            zmin=0,
            zmax=1 if not part.size or part.max().max() > 0.5 else max(float(part.max().max()), 0.01),
            colorbar=colour_bar(f"{what}: share of the group's images", height),
            hovertemplate=f"dimension %{{x}}, {group} %{{y}}: {what} %{{z:.2%}}<extra></extra>",
        )
    )
    shown = f"{len(part)} dimensions" if len(part) == len(rates) else f"{len(part)} of {len(rates)} dimensions"
    figure.update_xaxes(title_text=f"dimension, {ORDERS[order]}", type="category", tickfont_size=10)
    figure.update_yaxes(title_text=group, autorange="reversed", type="category")
    figure.update_layout(title=f"{what.capitalize()}, {shown}, n = {n:,} images")
    return frame(figure, height)


def before_and_after(table: pd.DataFrame, has_gate: bool = True, top: int = 24) -> go.Figure:
    """One image: its strongest dimensions before the gate and in the gated code; closed ones are orange.

    Without a gate there is one value, not two. `table` comes from `analysis.gates.before_and_after`; customdata carries
    the dimension's number.
    """
    part = table.head(top)
    names = part["dimension"].astype(str)
    opened = part["open"].to_numpy(dtype=bool)
    figure = go.Figure()
    series = [
        ("before the gate", part["value"], opened, BEFORE),
        ("before the gate, closed", part["value"], ~opened, CLOSED),
        ("after the gate", part["gated"], opened, OPEN),
    ]
    for name, values, rows, colour in series if has_gate else [("value, no gate", part["value"], opened, OPEN)]:
        if not rows.any():
            continue
        figure.add_bar(
            x=names,
            y=np.where(rows, values, np.nan),
            name=name,
            marker_color=colour,
            offsetgroup=name[:5],
            customdata=part[["dimension", "gate"]].to_numpy().tolist(),
            hovertemplate=f"dimension %{{x}}: %{{y:.3f}}, gate %{{customdata[1]:.2f}}<extra>{name}</extra>",
        )
    shown = f"{len(part)} strongest of {len(table)}" if len(table) > len(part) else f"all {len(table)}"
    figure.update_layout(title=f"Dimensions active in this image: {shown}", barmode="group", dragmode=False)
    figure.update_xaxes(title_text="dimension, strongest first", type="category", categoryarray=list(names))
    figure.update_yaxes(title_text="value in the code of length 1")
    return frame(figure, 340)
