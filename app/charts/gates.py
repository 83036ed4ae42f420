"""Charts of the gate: every dimension, every class, one image."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from app.theme import CHOSEN, CLOSED, OPEN, SCALE, frame


def open_against_frequency(table: pd.DataFrame, n: int, chosen: int | None = None) -> go.Figure:
    """Open rate of each live dimension against its frequency π; colour is the vetoed share of its active images.

    `table` is `dimensions.parquet`; customdata carries the dimension's number.
    """
    live = table[table["active"] > 0]
    frequency, rate = live["active"] / n, live["open"] / n
    figure = go.Figure(
        go.Scatter(
            x=frequency,
            y=rate,
            mode="markers",
            customdata=np.stack([live["dimension"], live["vetoed"]], axis=1),
            marker={
                "size": 10,
                "color": live["vetoed"] / live["active"],
                "colorscale": SCALE,
                "cmin": 0,
                "cmax": 1,
                "colorbar": {"title": "vetoed", "tickformat": ".0%", "thickness": 12},
                "line": {"width": 0.5, "color": "#fff"},
            },
            hovertemplate="dimension %{customdata[0]}<br>active in %{x:.2%}, open in %{y:.2%}<br>"
            "vetoed in %{customdata[1]:,} images<extra></extra>",
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
    figure.update_xaxes(
        title_text="frequency π: share of images in which it is active", tickformat=".0%", rangemode="tozero"
    )
    figure.update_yaxes(
        title_text="open rate: share of images in which it is open", tickformat=".0%", range=[-0.03, 1.03]
    )
    return frame(figure, 420)


def rate_matrix(rates: pd.DataFrame, dimensions: list[int], what: str, group: str) -> go.Figure:
    """Heat map: one row a group (class or factor value), one column a dimension, in the given order."""
    part = rates.loc[dimensions]
    figure = go.Figure(
        go.Heatmap(
            z=part.T.to_numpy(),
            x=[str(d) for d in dimensions],
            y=list(part.columns),
            colorscale=SCALE,
            zmin=0,
            zmax=1,
            colorbar={"tickformat": ".0%", "thickness": 12, "title": what},
            hovertemplate=f"dimension %{{x}}, {group} %{{y}}: {what} %{{z:.1%}}<extra></extra>",
        )
    )
    figure.update_xaxes(title_text="dimension", type="category", showticklabels=len(dimensions) <= 60)
    figure.update_yaxes(title_text=group, autorange="reversed")
    figure.update_layout(title=f"{what}, {len(dimensions)} dimensions × {part.shape[1]} {group} values")
    return frame(figure, 130 + 26 * part.shape[1])


def before_and_after(table: pd.DataFrame, top: int = 24) -> go.Figure:
    """One image: its strongest dimensions before the gate and in the gated code; closed ones are orange."""
    part = table.head(top)
    names = [str(d) for d in part["dimension"]]
    gates = part["gate"].to_numpy()
    figure = go.Figure()
    figure.add_bar(
        x=names,
        y=part["value"],
        name="before the gate",
        marker_color=np.where(part["open"], "#A9C9D3", CLOSED),
        customdata=gates,
        hovertemplate="dimension %{x}: %{y:.3f}, gate %{customdata:.2f}<extra>before</extra>",
    )
    figure.add_bar(
        x=names,
        y=part["gated"],
        name="after the gate",
        marker_color=OPEN,
        customdata=gates,
        hovertemplate="dimension %{x}: %{y:.3f}, gate %{customdata:.2f}<extra>after</extra>",
    )
    shown = f"{len(part)} strongest of {len(table)}" if len(table) > len(part) else f"all {len(table)}"
    figure.update_layout(title=f"Dimensions active in this image: {shown}", barmode="group")
    figure.update_xaxes(title_text="dimension, strongest first (orange: closed)", type="category")
    figure.update_yaxes(title_text="value in the code of length 1")
    return frame(figure, 320)
