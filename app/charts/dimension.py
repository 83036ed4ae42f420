"""Charts of one dimension: its values, its gate, its classes."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.theme import CHANCE, CLOSED, OPEN, SILENT, frame


def value_histogram(values: np.ndarray, mask: np.ndarray, active: np.ndarray) -> go.Figure:
    """Values before the gate of the active images, open and closed stacked; the silent images as a bar of their own.

    `values` `[n]`, `mask` and `active` `[n]` bool. The silent bar has its own axis: it is often a hundred times higher.
    """
    n, silent = len(values), int((~active).sum())
    figure = make_subplots(1, 2, column_widths=[0.16, 0.84], horizontal_spacing=0.12)
    figure.add_bar(
        x=["silent"],
        y=[silent],
        marker_color=SILENT,
        showlegend=False,
        row=1,
        col=1,
        hovertemplate=f"%{{y:,}} of {n:,} images are silent<extra></extra>",
    )
    if active.any():
        edges = np.histogram_bin_edges(values[active], bins=40)
        middle, width = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
        for name, part, colour in (("open", active & mask, OPEN), ("closed", active & ~mask, CLOSED)):
            counts, _ = np.histogram(values[part], bins=edges)
            figure.add_bar(
                x=middle,
                y=counts,
                width=width,
                name=f"{name} ({int(part.sum()):,})",
                marker_color=colour,
                row=1,
                col=2,
                hovertemplate=f"value %{{x:.3f}}: %{{y:,}} images, {name}<extra></extra>",
            )
    figure.update_layout(barmode="stack", title=f"Value before the gate, n = {n:,}")
    figure.update_xaxes(title_text="value when active", row=1, col=2)
    figure.update_yaxes(title_text="images", row=1, col=1)
    return frame(figure)


def gate_histogram(gates: np.ndarray, active: np.ndarray, threshold: float) -> go.Figure:
    """Gate probabilities of all images, those where the dimension is active on top, with the threshold marked."""
    edges = np.linspace(0, 1, 41)
    middle = (edges[:-1] + edges[1:]) / 2
    figure = go.Figure()
    for name, part, colour in (("active", active, OPEN), ("silent", ~active, SILENT)):
        counts, _ = np.histogram(gates[part], bins=edges)
        figure.add_bar(
            x=middle,
            y=counts,
            width=1 / 40,
            name=f"{name} ({int(part.sum()):,})",
            marker_color=colour,
            hovertemplate=f"gate %{{x:.2f}}: %{{y:,}} images, {name}<extra></extra>",
        )
    figure.add_vline(threshold, line={"color": CLOSED, "dash": "dash", "width": 2})
    for text, anchor in (("closed ", "right"), (" open", "left")):
        figure.add_annotation(
            x=threshold,
            y=0.98,
            yref="paper",
            text=text,
            showarrow=False,
            xanchor=anchor,
            yanchor="top",
            font_color=CLOSED,
        )
    figure.update_layout(barmode="stack", title=f"Gate probability, n = {len(gates):,}")
    figure.update_xaxes(title_text="gate probability", range=[0, 1])
    figure.update_yaxes(title_text="images")
    return frame(figure)


def class_shares(counts: np.ndarray, names: list[str], null_mean: float, null_high: float, top: int = 10) -> go.Figure:
    """Share of each class among the images where the dimension is active and open, largest first, beside chance.

    The lines are the largest class share that permuted labels give at the same number of images: mean and 95 % point.
    """
    total = int(counts.sum())
    order = np.argsort(-counts, kind="stable")[:top]
    shares = counts[order] / max(total, 1)
    labels = [names[i] for i in order]
    figure = go.Figure(
        go.Bar(
            x=shares,
            y=labels,
            orientation="h",
            marker_color=OPEN,
            customdata=counts[order],
            hovertemplate=f"%{{y}}: %{{customdata:,}} of {total:,} (%{{x:.1%}})<extra></extra>",
        )
    )
    if np.isfinite(null_mean):
        figure.add_vline(null_mean, line={"color": CHANCE, "width": 2, "dash": "dot"})
        figure.add_vline(null_high, line={"color": CHANCE, "width": 2})
        figure.add_annotation(
            x=null_high,
            y=0,
            yref="paper",
            text=" chance: mean, 95 %",
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"color": CHANCE},
        )
    shown = "" if len(order) == len(counts) else f", {len(order)} of {len(counts)} classes"
    figure.update_layout(title=f"Classes where active and open, n = {total:,}{shown}")
    figure.update_xaxes(title_text="share of those images", tickformat=".0%", rangemode="tozero")
    figure.update_yaxes(autorange="reversed")
    return frame(figure)
