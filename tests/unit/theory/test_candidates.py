"""Fixed candidates against exact numbers, autograd-free derivatives, and limits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bncl_core.theory.candidates import Candidates, loss_at, peak_temperature

LOSSES = {
    (3, 0.2): 0.020012253359627006,
    (15, 0.05): 3.091730385863853e-08,
    (15, 0.07): 9.373080336739902e-06,
    (15, 0.1): 6.807671718742678e-04,
    (15, 0.2): 0.09628171224679374,
    (15, 0.5): 1.1085722724612195,
    (15, 1.0): 1.8745969781992118,
    (63, 0.2): 0.3538143189093329,
    (255, 0.2): 0.9999612454704166,
}


@pytest.mark.parametrize(("at", "loss"), LOSSES.items())
def test_loss(at: tuple[int, float], loss: float) -> None:
    assert Candidates(*at).values()["loss"] == pytest.approx(loss, rel=1e-13)


def test_fifteen_at_a_fifth() -> None:
    values = Candidates(15, 0.2).values()
    assert values["positive_probability"] == pytest.approx(0.9082081266748885, abs=1e-15)
    assert values["gradient_positive"] == pytest.approx(-0.4589593666255576, abs=1e-14)
    assert values["gradient_negative"] == pytest.approx(0.030597291108370506, abs=1e-15)
    assert Candidates(63, 0.2).values()["gradient_positive"] == pytest.approx(-1.4899734781748546, abs=1e-14)


@pytest.mark.parametrize(
    ("negatives", "peak", "steepest"),
    [(3, 0.6236, 0.6035), (15, 0.41956, 1.38346), (63, 0.3024, 2.3071), (255, 0.2306, 3.3364)],
)
def test_peak_of_the_pull(negatives: int, peak: float, steepest: float) -> None:
    assert peak_temperature(negatives) == pytest.approx(peak, abs=6e-5)
    at = Candidates(negatives, peak_temperature(negatives)).values()
    assert -at["gradient_positive"] == pytest.approx(steepest, abs=6e-5)
    grid = Candidates(negatives).curve()
    assert (-grid["gradient_positive"] <= steepest + 1e-4).all()


@given(st.integers(1, 5000), st.floats(0.02, 50))
def test_derivatives_are_those_of_the_softmax_and_cancel(negatives: int, temperature: float) -> None:
    values = Candidates(negatives, temperature).values()

    def loss(positive: float, shift: float = 0.0) -> float:
        logits = np.array([positive, *[0.0] * negatives]) / temperature + shift
        top = logits.max()
        return float(top + np.log(np.exp(logits - top).sum()) - logits[0])

    assert loss(1.0) == pytest.approx(values["loss"], abs=1e-11)
    assert loss(1.0, 123.456) == pytest.approx(loss(1.0), abs=1e-9), "a shift of all logits changes nothing"
    step = 1e-4 * temperature
    slope = (loss(1 + step) - loss(1 - step)) / (2 * step)
    assert values["gradient_positive"] == pytest.approx(slope, rel=1e-4, abs=1e-6)
    assert values["gradient_positive"] + negatives * values["gradient_negative"] == pytest.approx(0, abs=1e-12)
    assert abs(values["gradient_positive"]) <= 1 / temperature


@given(st.integers(1, 1000), st.floats(0.02, 10), st.floats(0.02, 10))
def test_loss_grows_with_negatives_and_temperature_to_its_limit(negatives: int, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert loss_at(np.array(low), negatives) <= loss_at(np.array(high), negatives)
    assert loss_at(np.array(low), negatives) < loss_at(np.array(low), negatives + 1)
    assert loss_at(np.array(1e9), negatives) == pytest.approx(math.log(negatives + 1))


@pytest.mark.parametrize("settings", [{"negatives": 0}, {"temperature": 0.0}, {"temperature": float("inf")}])
def test_impossible_settings_are_refused(settings: dict) -> None:
    with pytest.raises(ValueError, match="must be"):
        Candidates(**settings)
