"""Charts of one dimension: its values, its gate, its classes."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.theme import CHANCE, CLOSED, OPEN, SILENT, frame, percent

BINS = 40
"""At most; fewer where few images are active."""


def value_histogram(values: np.ndarray, mask: np.ndarray, active: np.ndarray) -> go.Figure:
    """Values before the gate of the active images, open and closed stacked; the silent images as a bar of their own.

    `values` `[n]`, `mask` and `active` `[n]` bool. The silent bar has its own axis: it is often a hundred times higher.
    """
    n, silent = len(values), int((~active).sum())
    figure = make_subplots(1, 2, column_widths=[0.14, 0.86], horizontal_spacing=0.05)
    figure.add_bar(
        x=["silent"],
        y=[silent],
        marker_color=SILENT,
        name=f"silent ({silent:,})",
        hovertemplate=f"silent in {silent:,} of {n:,} images<extra></extra>",
        row=1,
        col=1,
    )
    highest = [0]
    if active.any():
        edges = np.histogram_bin_edges(values[active], bins=int(np.clip(2 * np.sqrt(active.sum()), 8, BINS)))
        middle, width = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
        for name, part, colour in (("open", active & mask, OPEN), ("closed", active & ~mask, CLOSED)):
            counts, _ = np.histogram(values[part], bins=edges)
            figure.add_bar(
                x=middle,
                y=counts,
                width=width,
                name=f"active, {name} ({int(part.sum()):,})",
                marker_color=colour,
                hovertemplate=f"value %{{x:.3f}}: %{{y:,}} images, {name}<extra></extra>",
                row=1,
                col=2,
            )
            highest.append(int(counts.max()))
    figure.update_layout(barmode="stack", title=f"Value before the gate, n = {n:,} images")
    figure.update_layout(legend_traceorder="normal")
    figure.update_xaxes(title_text="value when active (code of length 1)", row=1, col=2)
    figure.update_yaxes(title_text="images", rangemode="tozero")
    figure.update_yaxes(side="right", dtick=_whole(sum(highest)), row=1, col=2)
    figure.update_yaxes(dtick=_whole(silent), row=1, col=1)
    return frame(figure, 330)


def _whole(highest: int) -> int | None:
    """Ticks at whole numbers where there is room for them all; plotly's own choice otherwise."""
    return 1 if highest < 6 else None


def gate_histogram(gates: np.ndarray, active: np.ndarray, threshold: float) -> go.Figure:
    """Gate probabilities of all images, those where the dimension is active on top, with the threshold marked.

    `gates` `[n]` in 0…1, `active` `[n]` bool; open is above `threshold`.
    """
    edges = np.linspace(0, 1, BINS + 1)
    middle = (edges[:-1] + edges[1:]) / 2
    figure = go.Figure()
    for name, part, colour in (("active", active, OPEN), ("silent", ~active, SILENT)):
        counts, _ = np.histogram(gates[part], bins=edges)
        figure.add_bar(
            x=middle,
            y=counts,
            width=1 / BINS,
            name=f"{name} ({int(part.sum()):,})",
            marker_color=colour,
            hovertemplate=f"gate probability %{{x:.2f}}: %{{y:,}} images, {name}<extra></extra>",
        )
    figure.add_vline(threshold, line={"color": CLOSED, "dash": "dash", "width": 2})
    for text, anchor in (("← closed ", "right"), (" open →", "left")):
        figure.add_annotation(
            x=threshold,
            y=1,
            yref="paper",
            text=text,
            showarrow=False,
            xanchor=anchor,
            yanchor="bottom",
            font_color=CLOSED,
        )
    figure.update_layout(barmode="stack", title=f"Gate probability, n = {len(gates):,} images")
    figure.update_layout(legend_traceorder="normal")
    figure.update_xaxes(title_text="gate probability α", range=[0, 1])
    figure.update_yaxes(title_text="images")
    return frame(figure, 330).update_layout(margin_t=54)


def class_shares(
    counts: np.ndarray, names: list[str], null_mean: float, null_high: float, where: str, top: int = 10
) -> go.Figure:
    """Share of each class among some images, largest first, beside chance; `where` says which images.

    The lines are the largest class share that permuted labels give at the same number of images: mean and 95 % point.
    """
    total = int(counts.sum())
    order = np.argsort(-counts, kind="stable")[:top]
    shares = counts[order] / max(total, 1)
    figure = go.Figure(
        go.Bar(
            x=shares,
            y=[names[i] for i in order],
            orientation="h",
            marker_color=OPEN,
            text=[f"{count:,}" if count else "" for count in counts[order]],
            textposition="outside",
            cliponaxis=False,
            customdata=np.stack([counts[order], [percent(s) for s in shares]], axis=1),
            hovertemplate=f"%{{y}}: %{{customdata[0]}} of {total:,} (%{{customdata[1]}})<extra></extra>",
            showlegend=False,
        )
    )
    if np.isfinite(null_mean):
        for value, dash, name in ((null_mean, "dot", "chance, mean"), (null_high, "solid", "chance, 95 %")):
            figure.add_scatter(
                x=[value, value],
                y=[names[order[0]], names[order[-1]]],
                mode="lines",
                name=f"{name}: {percent(value)}",
                line={"color": CHANCE, "width": 2, "dash": dash},
                hovertemplate=f"{name}: {percent(value)} for the largest share of {total:,} images<extra></extra>",
            )
    shown = "" if len(order) == len(counts) else f", {len(order)} of {len(counts)} classes"
    figure.update_layout(title=f"Classes where {where}, n = {total:,}{shown}")
    figure.update_xaxes(title_text="share of those images", tickformat=".0%", range=[0, 1.16 * shares.max()])
    figure.update_yaxes(title_text="class", autorange="reversed")
    return frame(figure, 390).update_layout(legend_y=-0.2)
