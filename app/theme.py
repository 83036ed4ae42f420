"""Colours and number formats, one place for both themes."""

from __future__ import annotations

import math

import plotly.graph_objects as go

OPEN, CLOSED, SILENT, CHANCE, CHOSEN = "#0F8299", "#E08A1E", "#9AA7B2", "#8A6FBF", "#D6336C"
"""Open, closed by the gate, silent, what chance gives, what the visitor chose. Told apart by colour-blind readers."""

COLOURS = (
    "#0072B2", "#D97706", "#009E73", "#CC79A7", "#56B4E9", "#B45309", "#7C6BB1", "#6B7280", "#1B4965", "#A3A500",
)  # fmt: skip
"""Ten categorical colours, the same as in .streamlit/config.toml (fewer would fall back to plotly's own)."""

SCALE = "Cividis"
"""The one sequential colour scale: readable without colour vision."""


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage that is never rounded to 0 or to 100 when it is neither."""
    if math.isnan(share):
        return "undefined"
    text = f"{share:.{digits}%}".replace("%", " %")
    least = 10.0**-digits / 100
    if 0 < share < least / 2:
        return f"< {least:.{digits}%}".replace("%", " %")
    if 1 > share > 1 - least / 2:
        return f"> {1 - least:.{digits}%}".replace("%", " %")
    return text


def count_of(count: int, n: int, digits: int = 2) -> str:
    """`37 of 10,000 (0.37 %)`: the exact count, its denominator, and the share."""
    share = percent(count / n, digits) if n else "undefined"
    return f"{count:,} of {n:,} ({share})"


def number(value: float | None, digits: int = 2) -> str:
    """A number for people; "undefined" for None and NaN."""
    return "undefined" if value is None or math.isnan(value) else f"{value:,.{digits}f}"


def frame(figure: go.Figure, height: int = 310) -> go.Figure:
    """The common look: no background of its own (both themes shine through), small margins, and the legend below,
    where it covers nothing on a phone."""
    return figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 34, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        colorway=list(COLOURS),
        font={"size": 13},
        title_font_size=14,
        legend={"orientation": "h", "y": -0.26, "x": 0, "xanchor": "left", "yanchor": "top", "title": None},
        bargap=0.08,
    )
