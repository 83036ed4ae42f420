"""Colours and number formats, one place for both themes."""

from __future__ import annotations

import math

import plotly.graph_objects as go

OPEN, CLOSED, SILENT, CHANCE, CHOSEN = "#0F8299", "#E08A1E", "#9AA7B2", "#B06AD0", "#D6336C"
"""Open, closed by the gate, silent, what chance gives, what the visitor chose. Told apart by colour-blind readers."""

BEFORE = "#A9C9D3"
"""A value before the gate, beside OPEN: the same value after it."""

COLOURS = (
    "#3F55BA", "#62950E", "#C960AA", "#5DBEE9", "#186100", "#E09D9C", "#883170", "#876A60", "#8487F5", "#B8B91C",
)  # fmt: skip
"""Ten categorical colours, the same as in .streamlit/config.toml (fewer would fall back to plotly's own): found by a
search for a large smallest difference under each kind of colour blindness, among those seen on both backgrounds."""

SCALE = "Cividis"
"""The one sequential colour scale: readable without colour vision."""


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage; only exactly 0 and 1 read `0 %` and `100 %`, NaN reads `undefined`."""
    if math.isnan(share):
        return "undefined"
    if share in (0, 1):
        return f"{share:.0%}".replace("%", " %")
    least = 10.0**-digits / 100
    if 0 < share < least / 2:
        return f"< {least:.{digits}%}".replace("%", " %")
    if 1 > share > 1 - least / 2:
        return f"> {1 - least:.{digits}%}".replace("%", " %")
    return f"{share:.{digits}%}".replace("%", " %")


def count_of(count: int, n: int, digits: int = 2) -> str:
    """`37 of 10,000 (0.37 %)`: the exact count, its denominator, and the share."""
    share = percent(count / n, digits) if n else "undefined"
    return f"{count:,} of {n:,} ({share})"


def number(value: float, digits: int = 2) -> str:
    """A number with a true minus sign; NaN reads `undefined`."""
    return "undefined" if math.isnan(value) else f"{value:,.{digits}f}".replace("-", "−")


def frame(figure: go.Figure, height: int = 310) -> go.Figure:
    """The common look: no background of its own (both themes shine through), small margins, and the legend below,
    where it covers nothing on a phone."""
    return figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 40, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        colorway=list(COLOURS),
        font={"size": 13},
        title={"font": {"size": 14}, "x": 0, "xanchor": "left"},
        legend={"orientation": "h", "y": -0.26, "x": 0, "xanchor": "left", "yanchor": "top", "title": None},
        bargap=0.08,
        bargroupgap=0,
    )


BAR_ROOM = 160
"""Pixels above and below the plot of a figure with a colour bar."""


def colour_bar(title: str, height: int) -> dict[str, object]:
    """A flat colour bar of shares under the axis of a figure of this `height`: the plot keeps the width of a phone."""
    return {
        "title": {"text": title, "side": "top", "font": {"size": 12}},
        "tickformat": ".0%",
        "orientation": "h",
        "thickness": 10,
        "len": 0.6,
        "x": 0,
        "xanchor": "left",
        "y": -62 / (height - BAR_ROOM),
        "yanchor": "top",
        "ypad": 0,
        "outlinewidth": 0,
    }
