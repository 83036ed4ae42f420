"""Theory curves with the chosen point on them."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from app.theme import CHOSEN, COLOURS, SILENT, frame
from bncl_core.theory.candidates import Candidates
from bncl_core.theory.channel import Channel

CHANNEL = {
    "pair_agreement": "the two views agree on the label bit",
    "bayes_accuracy": "best accuracy from one view",
    "information_bits": "information about the label (bits)",
    "nuisance_alignment": "the two views agree on the nuisance bit",
}


def channel_figure(q: float) -> go.Figure:
    """Agreement, accuracy and information against the flip probability; the chosen q is marked on each."""
    columns, here = Channel().curve(), Channel(q).values()
    figure = go.Figure()
    for name, colour in zip(CHANNEL, COLOURS, strict=False):
        figure.add_scatter(
            x=columns["q"],
            y=columns[name],
            mode="lines",
            name=CHANNEL[name],
            line={"color": colour, "width": 2.5},
            hovertemplate=f"q %{{x:.3f}}: %{{y:.4f}}<extra>{CHANNEL[name]}</extra>",
        )
        figure.add_scatter(
            x=[q],
            y=[here[name]],
            mode="markers",
            marker={"color": colour, "size": 11, "line": {"color": "#fff", "width": 1.5}},
            showlegend=False,
            hovertemplate=f"%{{y:.4f}}<extra>{CHANNEL[name]}</extra>",
        )
    figure.add_vline(q, line={"color": SILENT, "dash": "dot"})
    figure.update_xaxes(title_text="flip probability q of the label bit in a view", range=[0, 0.5])
    figure.update_yaxes(title_text="probability, or bits", range=[-0.03, 1.05])
    return _below(frame(figure, 430))


def candidates_figure(negatives: int, temperature: float, column: str, run: float | None = None) -> go.Figure:
    """Loss or pull on the positive against temperature, for K = 3, 15, 63 and the chosen K; a run's own is a line."""
    pull = column == "gradient_positive"
    figure = go.Figure()
    for count, colour in zip(sorted({3, 15, 63, negatives}), COLOURS, strict=False):
        columns = Candidates(count).curve()
        chosen = count == negatives
        values = -columns[column] if pull else columns[column]
        figure.add_scatter(
            x=columns["temperature"],
            y=values,
            mode="lines",
            name=f"K = {count}",
            line={"color": colour, "width": 3 if chosen else 1.5},
            hovertemplate=f"τ %{{x:.3f}}: %{{y:.4f}}<extra>K = {count}</extra>",
        )
        if pull:
            peak = Candidates(count).values()["peak_temperature"]
            height = -Candidates(count, peak).values()["gradient_positive"]
            figure.add_scatter(
                x=[peak],
                y=[height],
                mode="markers",
                showlegend=False,
                marker={"color": colour, "symbol": "diamond", "size": 9},
                hovertemplate=f"steepest at τ = {peak:.4f}<extra>K = {count}</extra>",
            )
    here = Candidates(negatives, temperature).values()[column]
    figure.add_scatter(
        x=[temperature],
        y=[-here if pull else here],
        mode="markers",
        showlegend=False,
        marker={"color": CHOSEN, "size": 12, "line": {"color": "#fff", "width": 1.5}},
        hovertemplate="chosen: τ %{x:.3f}: %{y:.4f}<extra></extra>",
    )
    if run is not None:
        figure.add_vline(run, line={"color": SILENT, "dash": "dash"})
        figure.add_annotation(x=_log10(run), y=1, yref="paper", text="the run's τ", showarrow=False, yanchor="bottom")
    figure.update_xaxes(
        title_text="temperature τ (logarithmic)", type="log", tickvals=[0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]
    )
    figure.update_yaxes(title_text="pull on the positive, |∂loss/∂s₊|" if pull else "loss (nats)", rangemode="tozero")
    return _below(frame(figure, 400))


def _log10(value: float) -> float:
    """Annotations on a logarithmic axis are placed by exponent."""

    return math.log10(value)


def _below(figure: go.Figure) -> go.Figure:
    """Legend under the chart: long names would cover the curves on a phone."""
    return figure.update_layout(legend={"orientation": "h", "y": -0.22, "x": 0, "xanchor": "left", "yanchor": "top"})
