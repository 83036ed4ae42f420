"""The binary channel against the enumeration of all sixteen cells."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bncl_core.theory.channel import Channel

EXACT = {0.05: 0.7136030428840437, 0.1: 0.5310044064107188, 0.25: 0.18872187554086717, 0.375: 0.04556599707503495}


@pytest.mark.parametrize(("q", "bits"), EXACT.items())
def test_information_in_bits(q: float, bits: float) -> None:
    assert Channel(q).values()["information_bits"] == pytest.approx(bits, abs=1e-15)


def test_the_quarter() -> None:
    values = Channel(0.25).values()
    assert values["pair_agreement"] == 0.625
    assert values["bayes_accuracy"] == 0.75
    assert values["information_nats"] == pytest.approx(0.13081203594113697, abs=1e-15)
    assert values["nuisance_alignment"] == 1


@given(st.floats(0, 0.5))
def test_formulas_are_the_enumeration(q: float) -> None:
    agree = same_s = right = 0.0
    joint: dict[tuple[int, int], float] = {}
    for y, s, f1, f2 in itertools.product((0, 1), repeat=4):
        p = 0.25 * (q if f1 else 1 - q) * (q if f2 else 1 - q)
        v1, v2 = (y ^ f1, s), (y ^ f2, s)
        agree += p * (v1[0] == v2[0])
        same_s += p * (v1[1] == v2[1])
        right += p * (v1[0] == y)
        joint[y, v1[0]] = joint.get((y, v1[0]), 0) + p
    information = sum(p * math.log2(p / 0.25) for p in joint.values() if p > 0)
    values = Channel(q).values()
    assert values["pair_agreement"] == pytest.approx(agree, abs=1e-12)
    assert values["bayes_accuracy"] == pytest.approx(right, abs=1e-12)
    assert values["nuisance_alignment"] == pytest.approx(same_s, abs=1e-12)
    assert values["information_bits"] == pytest.approx(information, abs=1e-9)


def test_ends() -> None:
    assert Channel(0.0).values()["information_bits"] == 1
    assert Channel(0.5).values()["information_bits"] == 0
    assert Channel(0.5).values()["bayes_accuracy"] == 0.5


@pytest.mark.parametrize("q", [-0.1, 0.6, float("nan")])
def test_other_q_is_refused(q: float) -> None:
    with pytest.raises(ValueError, match=r"it is a flip probability, 0 … 0\.5"):
        Channel(q)
