"""Training curves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from app.theme import COLOURS, frame

LABELS = {
    "total": "loss (nats)",
    "nt_xent": "contrastive loss (nats)",
    "kl": "weighted KL (nats)",
    "open_rate": "share of gates open",
    "zero_rows": "empty rows since the last line",
    "images_per_second": "images per second",
    "rate": "learning rate",
}
DASHES = ("solid", "dash", "dot", "dashdot")
"""Every ten lines the colours start again with the next dash."""


def label_of(column: str) -> str:
    """What a column of the history is called; a term of a new objective keeps its own name."""
    return LABELS.get(column, f"{column} (loss term, nats)")


def recorded(histories: dict[str, pd.DataFrame]) -> list[str]:
    """The columns that at least one history holds: the known ones first, then what other objectives record."""
    found = {column for history in histories.values() for column in history if column not in ("step", "epoch")}
    return [column for column in LABELS if column in found] + sorted(found - set(LABELS))


def curves(histories: dict[str, pd.DataFrame], column: str, chosen: str = "") -> go.Figure:
    """One line a run: `column` against the epoch; the run `chosen` is drawn thicker.

    A value that is not finite leaves a gap and a cross at the height of the last finite one.
    """
    figure = go.Figure()
    drawn = {name: history for name, history in histories.items() if column in history and "epoch" in history}
    for number, (name, history) in enumerate(drawn.items()):
        values = history[column].to_numpy(dtype=float)
        finite = np.isfinite(values)
        line = {"color": COLOURS[number % 10], "dash": DASHES[number // 10 % len(DASHES)]}
        line["width"] = 3.5 if name == chosen else 1.6
        figure.add_scatter(
            x=history["epoch"],
            y=np.where(finite, values, np.nan),
            mode="lines",
            name=name,
            line=line,
            hovertemplate=f"{name}, epoch %{{x:.2f}}: %{{y:.4g}}<extra></extra>",
        )
        if not finite.all():
            last = pd.Series(np.where(finite, values, np.nan)).ffill().bfill().fillna(0).to_numpy()
            figure.add_scatter(
                x=history["epoch"][~finite],
                y=last[~finite],
                mode="markers",
                name=f"{name}: {int((~finite).sum())} not finite",
                marker={"symbol": "x", "size": 10, "color": line["color"]},
            )
    figure.update_layout(title=f"{label_of(column).capitalize()}, {len(drawn)} run{'s' * (len(drawn) != 1)}")
    figure.update_layout(showlegend=True)
    figure.update_xaxes(title_text="epoch", rangemode="tozero")
    figure.update_yaxes(title_text=label_of(column))
    if column == "open_rate":
        figure.update_yaxes(range=[-0.03, 1.03], tickformat=".0%")
    return frame(figure, 380)
