"""What the binary channel leaves out, by enumeration: more views, pairs of views, and every one-bit encoder."""

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Hashable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bncl_core.theory.channel import Channel

Cell = tuple[int, int, tuple[int, ...]]  # label, nuisance, label bit as each view shows it
Reading = Callable[[Cell], Hashable]


def cells(q: float, views: int) -> dict[Cell, float]:
    """Probability of every cell of (Y, S, label bits of the views)."""
    table: dict[Cell, float] = {}
    for y, s, *flips in itertools.product((0, 1), repeat=2 + views):
        seen = tuple(y ^ flip for flip in flips)
        table[y, s, seen] = 0.25 * math.prod(q if flip else 1 - q for flip in flips)
    return table


def information(table: dict[Cell, float], one: Reading, other: Reading) -> float:
    """Mutual information of two readings of a cell, in bits."""
    joint, left, right = defaultdict(float), defaultdict(float), defaultdict(float)
    for cell, p in table.items():
        joint[one(cell), other(cell)] += p
        left[one(cell)] += p
        right[other(cell)] += p
    return sum(p * math.log2(p / left[a] / right[b]) for (a, b), p in joint.items() if p > 0)


def accuracy(table: dict[Cell, float], evidence: Reading) -> float:
    """Best accuracy for Y from the evidence: the likelier label wherever it is seen."""
    seen = defaultdict(lambda: [0.0, 0.0])
    for cell, p in table.items():
        seen[evidence(cell)][cell[0]] += p
    return sum(max(pair) for pair in seen.values())


def label(cell: Cell) -> int:
    return cell[0]


def nuisance(cell: Cell) -> int:
    return cell[1]


def shown(cell: Cell) -> Hashable:
    """Everything the views show."""
    return cell[1], cell[2]


ENCODERS = list(itertools.product((0, 1), repeat=4))
"""Every one-bit encoder of (label bit shown, nuisance), as its output at 00, 01, 10, 11."""


def reading(encoder: tuple[int, ...], view: int) -> Reading:
    return lambda cell: encoder[2 * cell[2][view] + cell[1]]


def alignment(table: dict[Cell, float], encoder: tuple[int, ...]) -> float:
    return sum(p for cell, p in table.items() if reading(encoder, 0)(cell) == reading(encoder, 1)(cell))


def test_cells_at_the_quarter() -> None:
    table = cells(0.25, 2)
    assert len(table) == 16
    assert sum(table.values()) == 1
    for (y, _, seen), p in table.items():
        assert p == {0: 0.140625, 1: 0.046875, 2: 0.015625}[sum(bit != y for bit in seen)]


AGREEMENT = {0.0: 1.0, 0.05: 0.905, 0.1: 0.82, 0.25: 0.625, 0.375: 0.53125, 0.4: 0.52, 0.5: 0.5}


@pytest.mark.parametrize(("q", "agreement"), AGREEMENT.items())
def test_agreement_and_its_inverse(q: float, agreement: float) -> None:
    value = Channel(q).values()["pair_agreement"]
    assert value == pytest.approx(agreement, abs=1e-15)
    assert (1 - math.sqrt(2 * agreement - 1)) / 2 == pytest.approx(q, abs=1e-12)
    assert alignment(cells(q, 2), (0, 0, 1, 1)) == pytest.approx(value, abs=1e-15)


def test_information_loss_is_the_log_loss_and_bends_as_it_should() -> None:
    at, step = 0.25, 1e-4
    log_loss = math.log(2) - Channel(at).values()["information_nats"]
    assert log_loss == pytest.approx(0.5623351446188083, abs=1e-15)
    low, mid, high = (Channel(at + d).values()["information_bits"] for d in (-step, 0, step))
    assert (high - low) / (2 * step) == pytest.approx(math.log2(1 / 3), abs=1e-6)
    assert (high - 2 * mid + low) / step**2 == pytest.approx(1 / (0.1875 * math.log(2)), abs=1e-4)


def test_second_view_adds_information_but_no_accuracy() -> None:
    one, two, three = (cells(0.25, views) for views in (1, 2, 3))
    assert accuracy(one, shown) == accuracy(two, shown) == Channel(0.25).values()["bayes_accuracy"]
    assert accuracy(three, shown) == pytest.approx(0.84375, abs=1e-15)
    assert information(two, label, shown) == pytest.approx(0.3318777540066993, abs=1e-14)


@given(st.floats(0, 0.5))
def test_second_view_at_every_flip_rate(q: float) -> None:
    values, two = Channel(q).values(), cells(q, 2)
    assert accuracy(two, shown) == pytest.approx(values["bayes_accuracy"], abs=1e-14)
    both = information(two, label, shown)
    assert values["information_bits"] - 1e-12 <= both <= 2 * values["information_bits"] + 1e-12


@given(st.floats(0, 0.5))
def test_views_share_the_nuisance_and_a_twice_flipped_label(q: float) -> None:
    """I(V1; V2) = 1 + 1 − h₂(2q(1 − q)): its label part is the channel with both flips in a row."""
    table = cells(q, 2)
    between = information(table, lambda c: (c[1], c[2][0]), lambda c: (c[1], c[2][1]))
    label_part = Channel(2 * q * (1 - q)).values()["information_bits"]
    assert between == pytest.approx(1 + label_part, abs=1e-12)
    assert label_part <= Channel(q).values()["information_bits"] + 1e-12


def test_what_views_share_at_the_quarter_is_mostly_nuisance() -> None:
    label_part = Channel(0.375).values()["information_bits"]
    assert 1 + label_part == pytest.approx(1.0455659970750348, abs=1e-14)
    assert 1 / (1 + label_part) == pytest.approx(0.956, abs=5e-4)


FRONTIER = {
    "constant": ((0, 0, 0, 0), 1.0, 0.0, 0.0),
    "nuisance": ((0, 1, 0, 1), 1.0, 0.0, 1.0),
    "label bit": ((0, 0, 1, 1), 0.625, 0.188722, 0.045566),
    "xor": ((0, 1, 1, 0), 0.625, 0.0, 0.045566),
    "and": ((0, 0, 0, 1), 0.8125, 0.062279, 0.164996),
}


@pytest.mark.parametrize(("encoder", "aligned", "kept", "between"), FRONTIER.values(), ids=FRONTIER)
def test_frontier_at_the_quarter(encoder: tuple[int, ...], aligned: float, kept: float, between: float) -> None:
    table = cells(0.25, 2)
    assert alignment(table, encoder) == pytest.approx(aligned, abs=1e-15)
    assert information(table, label, reading(encoder, 0)) == pytest.approx(kept, abs=1e-6)
    assert information(table, reading(encoder, 0), reading(encoder, 1)) == pytest.approx(between, abs=1e-6)


def test_an_and_encoder_keeps_some_of_both_bits() -> None:
    table, encoder = cells(0.25, 2), (0, 0, 0, 1)
    assert information(table, nuisance, reading(encoder, 0)) == pytest.approx(0.311278, abs=1e-6)
    assert accuracy(table, reading(encoder, 0)) == 0.625


@given(st.floats(0.01, 0.49))
def test_only_the_label_bit_keeps_all_and_full_alignment_keeps_nothing(q: float) -> None:
    table, best = cells(q, 2), Channel(q).values()["information_bits"]
    for encoder in ENCODERS:
        kept = information(table, label, reading(encoder, 0))
        if encoder in ((0, 0, 1, 1), (1, 1, 0, 0)):
            assert kept == pytest.approx(best, abs=1e-12)
        else:
            assert kept < best - 1e-5
        if alignment(table, encoder) > 1 - 1e-12:
            assert kept == pytest.approx(0, abs=1e-12)


def test_at_one_half_no_encoder_sees_the_label_and_the_nuisance_is_still_aligned() -> None:
    table, values = cells(0.5, 2), Channel(0.5).values()
    assert (values["bayes_accuracy"], values["information_bits"], values["nuisance_alignment"]) == (0.5, 0, 1)
    assert {accuracy(table, reading(encoder, 0)) for encoder in ENCODERS} == {0.5}
    assert alignment(table, (0, 1, 0, 1)) == 1
