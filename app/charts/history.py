"""Training curves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from app.theme import frame

LABELS = {
    "total": "loss (nats)",
    "nt_xent": "contrastive loss (nats)",
    "kl": "weighted KL (nats)",
    "open_rate": "share of gates open",
    "zero_rows": "empty rows since the last line",
    "images_per_second": "images per second",
    "rate": "learning rate",
}


def curves(histories: dict[str, pd.DataFrame], column: str) -> go.Figure:
    """One line a run: `column` against the epoch. A value that is not finite is marked where it happened."""
    figure = go.Figure()
    for name, history in histories.items():
        if column not in history:
            continue
        values = history[column].to_numpy(dtype=float)
        figure.add_scatter(x=history["epoch"], y=values, mode="lines", name=name)
        bad = ~np.isfinite(values)
        if bad.any():
            figure.add_scatter(
                x=history["epoch"][bad],
                y=np.zeros(bad.sum()),
                mode="markers",
                name=f"{name}: not finite",
                marker={"symbol": "x", "size": 10},
            )
    figure.update_xaxes(title_text="epoch", rangemode="tozero")
    figure.update_yaxes(title_text=LABELS.get(column, column))
    if column == "open_rate":
        figure.update_yaxes(range=[-0.03, 1.03], tickformat=".0%")
    return frame(figure, 360)
