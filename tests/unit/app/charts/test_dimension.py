"""The bars of a dimension add up to the images there are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.charts.dimension import class_shares, gate_histogram, value_histogram


@given(st.integers(0, 10_000), st.integers(1, 300))
def test_histograms_hold_every_image_once(seed: int, n: int) -> None:
    stream = np.random.default_rng(seed)
    active, gates = stream.random(n) < stream.random(), stream.random(n)
    values, mask = stream.normal(size=n) * active, gates > 0.5
    bars = {bar.name.rsplit(" ", 1)[0]: sum(bar.y) for bar in value_histogram(values, mask, active).data}
    assert bars["silent"] == (~active).sum()
    assert bars.get("active, open", 0) == (active & mask).sum()
    assert bars.get("active, closed", 0) == (active & ~mask).sum()
    bars = {bar.name.split(" ")[0]: sum(bar.y) for bar in gate_histogram(gates, active, 0.5).data}
    assert bars == {"active": active.sum(), "silent": (~active).sum()}


def test_the_threshold_is_drawn_where_it_is() -> None:
    (line,) = gate_histogram(np.array([0.1, 0.9]), np.array([True, False]), 0.37).layout.shapes
    assert line.x0 == line.x1 == 0.37


def test_classes_come_largest_first_with_counts_and_chance() -> None:
    figure = class_shares(np.array([2, 0, 6]), ["cat", "dog", "owl"], 0.5, 0.75, "active and open")
    bar, mean, high = figure.data
    assert list(bar.y) == ["owl", "cat", "dog"]
    assert list(bar.x) == [0.75, 0.25, 0]
    assert list(bar.text) == ["6", "2", ""]
    assert (mean.x[0], high.x[0]) == (0.5, 0.75)
    assert "50.0 %" in mean.name


def test_many_classes_are_cut_and_the_title_says_so() -> None:
    counts = np.arange(100)
    figure = class_shares(counts, [f"c{i}" for i in range(100)], np.nan, np.nan, "active")
    assert "10 of 100 classes" in figure.layout.title.text
    assert len(figure.data) == 1, "no chance line where chance is unknown"
    assert figure.data[0].x[0] == pytest.approx(99 / counts.sum())
