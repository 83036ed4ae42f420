"""Any chart says what its axes are and of how many images (or runs) it is; none paints a background."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from app.charts.dimension import class_shares, gate_histogram, value_histogram
from app.charts.gates import before_and_after, open_against_frequency, rate_matrix
from app.charts.history import curves

N = 200
STREAM = np.random.default_rng(0)
VALUES = np.abs(STREAM.normal(size=N)) * (STREAM.random(N) < 0.4)
GATES = STREAM.random(N)
ACTIVE, MASK = VALUES > 1e-5, GATES > 0.5
TABLE = pd.DataFrame(
    {"dimension": range(4), "active": [0, 20, 100, N], "open": [5, 0, 50, N], "vetoed": [0, 20, 70, 0]}
)
RATES = pd.DataFrame(STREAM.random((4, 3)), columns=["cat", "dog", "owl"])
IMAGE = pd.DataFrame(
    {"dimension": [3, 1], "value": [0.8, 0.6], "gate": [0.9, 0.1], "open": [True, False], "gated": [1.0, 0.0]}
)
HISTORY = pd.DataFrame({"epoch": [1.0, 2.0, 3.0], "total": [3.0, np.nan, 2.0], "open_rate": [0.5, 0.4, 0.3]})
CHARTS: dict[str, tuple[Callable[[], go.Figure], str]] = {
    "values": (lambda: value_histogram(VALUES, MASK, ACTIVE), f"n = {N} images"),
    "values, none active": (lambda: value_histogram(np.zeros(N), MASK, np.zeros(N, bool)), f"n = {N} images"),
    "gates": (lambda: gate_histogram(GATES, ACTIVE, 0.5), f"n = {N} images"),
    "classes": (lambda: class_shares(np.array([3, 0, 9]), ["cat", "dog", "owl"], 0.4, 0.6, "open"), "n = 12"),
    "scatter": (lambda: open_against_frequency(TABLE, N), f"n = {N} images"),
    "matrix": (lambda: rate_matrix(RATES, "open rate", "class", N), f"n = {N} images"),
    "image": (lambda: before_and_after(IMAGE), "all 2"),
    "history": (lambda: curves({"a": HISTORY, "b": HISTORY}, "total"), "2 runs"),
}


@pytest.mark.parametrize("name", CHARTS)
def test_axes_have_titles_and_the_number_is_in_the_title(name: str) -> None:
    make, number = CHARTS[name]
    figure = make()
    assert number in figure.layout.title.text
    silent = "xaxis" if name.startswith("values") else ""  # the bar of silent images is its own label
    for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
        assert axis.title.text or axis.plotly_name == silent
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
    assert figure.to_json()
