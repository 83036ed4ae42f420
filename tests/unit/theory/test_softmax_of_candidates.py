"""Fixed candidates against a softmax over explicit logits: shifts, limits, and where the pull peaks."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bncl_core.theory.candidates import Candidates, peak_temperature


def losses(logits: np.ndarray) -> np.ndarray:
    """−log softmax of column 0 of every row, in nats; logits `[n candidates]`."""
    top = logits.max(axis=1, keepdims=True)
    return (top + np.log(np.exp(logits - top).sum(axis=1, keepdims=True)) - logits)[:, 0]


def fixed(negatives: int, temperature: float, rows: int = 1) -> np.ndarray:
    logits = np.zeros((rows, 1 + negatives))
    logits[:, 0] = 1 / temperature
    return logits


def test_shift_of_a_row_is_invisible_and_shift_of_a_candidate_is_not() -> None:
    logits = fixed(15, 0.2, rows=4)
    exact = Candidates(15, 0.2).values()["loss"]
    assert losses(logits) == pytest.approx(exact, abs=1e-14)
    rows = np.array([[123.456], [-50.0], [0.5], [1e3]])
    assert losses(logits + rows) == pytest.approx(exact, abs=1e-12)
    one = np.zeros(16)
    one[3] = 1.0
    assert (losses(logits + one) > exact + 0.01).all()


@pytest.mark.parametrize(("negatives", "limit"), [(3, 1.3863), (15, 2.7726), (63, 4.1589)])
def test_limits_in_temperature(negatives: int, limit: float) -> None:
    hot = Candidates(negatives, 1e6).values()
    assert hot["loss"] == pytest.approx(limit, abs=6e-5)
    assert hot["loss"] == pytest.approx(math.log(1 + negatives), abs=2e-6)
    assert hot["positive_probability"] == pytest.approx(1 / (1 + negatives), abs=1e-6)
    cold = Candidates(negatives, 0.005).values()
    assert cold["loss"] == pytest.approx(negatives * math.exp(-200), rel=1e-12)
    assert cold["gradient_positive"] == pytest.approx(-200 * negatives * math.exp(-200), rel=1e-12)


@given(st.integers(1, 5000), st.integers(1, 5000), st.floats(0.05, 10))
def test_more_negatives_more_loss_and_an_earlier_peak(one: int, other: int, temperature: float) -> None:
    few, many = sorted((one, other))
    low, high = (Candidates(count, temperature).values() for count in (few, many))
    assert low["loss"] <= high["loss"]
    assert low["peak_temperature"] >= high["peak_temperature"]


@given(st.integers(1, 5000))
def test_pull_rises_to_its_peak_and_then_falls(negatives: int) -> None:
    columns = Candidates(negatives).curve()
    pull, before = -columns["gradient_positive"], columns["temperature"] < peak_temperature(negatives)
    assert (np.diff(pull[before]) >= 0).all()
    assert (np.diff(pull[~before]) <= 0).all()


@given(st.floats(0.01, 100))
def test_curve_covers_its_own_temperature(temperature: float) -> None:
    drawn = Candidates(15, temperature).curve()["temperature"]
    assert drawn[0] < temperature < drawn[-1]
