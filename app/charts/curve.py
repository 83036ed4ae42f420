"""Closed forms, drawn with the point that was chosen. Computed from a declared model: nothing here is measured."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from app.theme import CHOSEN, COLOURS, SILENT, frame
from bncl_core.theory.candidates import Candidates
from bncl_core.theory.channel import Channel

PRESETS = {3: "dash", 15: "dot", 63: "dashdot"}
"""Numbers of negatives that are always drawn, to compare with. Dashes tell them apart where colours do not."""

CHANNEL = {
    "pair_agreement": ("agreement of two views", "", "circle", "solid"),
    "bayes_accuracy": ("best accuracy from one view", "", "square-open", "dash"),
    "information_bits": ("information about the label", " bits", "diamond", "dot"),
    "nuisance_alignment": ("agreement on the nuisance", "", "cross", "longdash"),
}
"""Column → what it is called, its unit, the mark of the chosen point (all are seen where they coincide), its dash."""

TICKS = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)


def channel_figure(q: float) -> go.Figure:
    """Agreement, accuracy and information against the flip rate, marked and read off at `q` (0…½).

    Raises ValueError for another `q`.
    """
    channel = Channel(q)
    columns, values = channel.curve(), channel.values()
    figure = go.Figure()
    for (name, (title, unit, symbol, dash)), colour in zip(CHANNEL.items(), COLOURS, strict=False):
        figure.add_scatter(
            x=columns["q"],
            y=columns[name],
            mode="lines",
            name=f"{title}: {values[name]:.3f}{unit}",
            legendgroup=name,
            line={"color": colour, "dash": dash, "width": 2.5},
            hovertemplate=f"q = %{{x:.3f}}<br>{title} %{{y:.4f}}{unit}<extra></extra>",
        )
        figure.add_scatter(
            x=[q],
            y=[values[name]],
            mode="markers",
            name=f"{title} at q",
            legendgroup=name,
            showlegend=False,
            marker={"symbol": symbol, "size": 16 if "open" in symbol else 10, "color": colour, "line": {"width": 2}},
            hovertemplate=f"q = {q:g}<br>{title} {values[name]:.6f}{unit}<extra>chosen</extra>",
        )
    figure.add_vline(x=q, line={"color": CHOSEN, "width": 1, "dash": "dot"})
    figure.update_layout(title=f"Two-bit model at q = {q:g}")
    figure.update_xaxes(title_text="flip rate q of the label bit (probability)", range=[-0.01, 0.51])
    figure.update_yaxes(title_text="share, or bits", range=[-0.03, 1.05])
    return _legend_below(frame(figure, 400), -0.24)


def candidates_figure(negatives: int, temperature: float, run_temperature: float | None = None) -> go.Figure:
    """Loss and pull on the positive against temperature, for 3, 15, 63 and `negatives` negatives.

    A diamond stands where the pull is strongest, a dot at `temperature` (> 0), a vertical line at the temperature of
    the chosen run. Raises ValueError for fewer than one negative or a temperature that is not finite and above 0.
    """
    chosen = Candidates(negatives, temperature)
    run = None if run_temperature is None else Candidates(negatives, run_temperature)
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.07)
    for (count, dash), colour in zip(PRESETS.items(), (COLOURS[0], COLOURS[1], COLOURS[7]), strict=True):
        if count != negatives:
            _draw(figure, Candidates(count, temperature), f"K = {count}", {"color": colour, "dash": dash, "width": 1.8})
    _draw(figure, chosen, f"K = {negatives} (chosen)", {"color": CHOSEN, "width": 3})
    _point(figure, chosen, f"τ = {temperature:g}, K = {negatives}", "circle")
    low, high = min(TICKS[0], temperature / 2), max(TICKS[-1], temperature * 2)
    if run is not None:
        low, high = min(low, run.temperature / 2), max(high, run.temperature * 2)
        _mark_run(figure, run, late=run.temperature**2 > low * high)
    figure.update_layout(title="Similarities held fixed: positive 1, negatives 0")
    figure.update_xaxes(type="log", range=[math.log10(low), math.log10(high)], tickvals=_ticks(low, high))
    figure.update_xaxes(title_text="temperature τ (no unit, logarithmic)", row=2)
    figure.update_yaxes(rangemode="tozero")
    figure.update_yaxes(title_text="loss (nats)", row=1)
    figure.update_yaxes(title_text="pull |∂loss/∂s₊| (nats)", row=2)
    return _legend_below(frame(figure, 580), -0.14)


def _draw(figure: go.Figure, curve: Candidates, name: str, line: dict[str, object]) -> None:
    """Both lines of one number of negatives, and the diamond at its peak."""
    columns = curve.curve()
    for row, (values, what) in enumerate(((columns["loss"], "loss"), (-columns["gradient_positive"], "pull")), 1):
        figure.add_scatter(
            x=columns["temperature"],
            y=values,
            mode="lines",
            name=name,
            legendgroup=name,
            showlegend=row == 1,
            line=line,
            hovertemplate=f"{name}<br>τ = %{{x:.3g}}: {what} %{{y:.4g}}<extra></extra>",
            row=row,
            col=1,
        )
    peak = curve.values()["peak_temperature"]
    steepest = -Candidates(curve.negatives, peak).values()["gradient_positive"]
    figure.add_scatter(
        x=[peak],
        y=[steepest],
        mode="markers+text",
        text=[f"{peak:.3f}"],
        textposition="top center",
        name=f"strongest pull, {name}",
        legendgroup=name,
        showlegend=False,
        cliponaxis=False,
        marker={"symbol": "diamond", "size": 10, "color": line["color"]},
        hovertemplate=f"{name}<br>strongest pull at τ = {peak:.5f}: {steepest:.5f}<extra></extra>",
        row=2,
        col=1,
    )


def _point(figure: go.Figure, curve: Candidates, name: str, symbol: str) -> None:
    """One mark on the loss and one on the pull, at the curve's own temperature."""
    values = curve.values()
    for row, value in ((1, values["loss"]), (2, -values["gradient_positive"])):
        figure.add_scatter(
            x=[curve.temperature],
            y=[value],
            mode="markers",
            name=name,
            legendgroup="chosen",
            showlegend=row == 1,
            marker={"symbol": symbol, "size": 12, "color": CHOSEN, "line": {"width": 1.5, "color": "#fff"}},
            hovertemplate=f"{name}: %{{y:.6g}}<extra></extra>",
            row=row,
            col=1,
        )


def _mark_run(figure: go.Figure, run: Candidates, late: bool) -> None:
    """A vertical line through both panels at the run's temperature, its name on the left where it is `late`."""
    for row in (1, 2):
        figure.add_vline(x=run.temperature, line={"color": SILENT, "width": 2, "dash": "longdash"}, row=row, col=1)
    figure.add_annotation(
        x=math.log10(run.temperature),  # annotations on a logarithmic axis are placed by exponent
        y=1,
        xref="x",
        yref="y domain",
        text=f"this run: τ = {run.temperature:g}",
        showarrow=False,
        xanchor="right" if late else "left",
        xshift=-5 if late else 5,
        yanchor="top",
    )


def _ticks(low: float, high: float) -> list[float]:
    """The usual temperatures, and powers of ten where the axis reaches beyond them."""
    powers = [10.0**e for e in np.arange(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    return sorted({*TICKS, *(p for p in powers if p < TICKS[0] or p > TICKS[-1])})


def _legend_below(figure: go.Figure, below: float) -> go.Figure:
    """Legend under the axis title, where its long entries cover nothing; `below` in heights of the plot."""
    return figure.update_layout(legend={"y": below, "x": 0, "xanchor": "left", "yanchor": "top"})
