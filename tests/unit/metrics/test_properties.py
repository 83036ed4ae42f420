"""What has to hold for every metric: ranges, invariances, and the ends of the scale."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bncl_core.metrics import measure, measure_arrays, metrics

PURE = [name for name in metrics.names() if not metrics[name].needs_train]
DRAWN = {"consistency_chance_spread", "entropy_sum_chance", "entropy_mean_chance"}
"""Estimated from a few permutations of the labels, so another order of the images is another draw."""
BY_POSITION = {"retrieval_k_p1_p3_p5_p10"}
"""The published code settles ties by position."""
EXACT = [name for name in PURE if name not in DRAWN | BY_POSITION]


def sparse(seed: int, n: int = 60, k: int = 36, classes: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Non-negative sparse float64 codes and labels that have something to do with each other."""
    generator = np.random.default_rng(seed)
    labels = np.arange(n) % classes
    means = generator.random((classes, k)) < 0.3
    active = generator.random((n, k)) < np.where(means[labels], 0.5, 0.08)
    return np.abs(generator.normal(size=(n, k))) * active, labels


def flat(value: Any) -> list[float]:
    if value is None:
        return []
    return [x for row in value for x in row[1:]] if isinstance(value, list) else [float(value)]


def same(one: dict[str, Any], two: dict[str, Any], tolerance: float = 1e-6) -> None:
    for name in one:
        assert flat(two[name]) == pytest.approx(flat(one[name]), abs=tolerance), name


@given(seed=st.integers(0, 10**6), signed=st.booleans(), classes=st.integers(1, 6))
def test_every_value_is_in_its_range_or_none_with_a_reason(seed: int, signed: bool, classes: int) -> None:
    codes, labels = sparse(seed, 40, 33, classes)
    if signed:
        codes = np.random.default_rng(seed).normal(size=codes.shape)
    result = measure_arrays(codes, labels)
    for group in ("published", "corrected", "chance", "probe"):
        for name, value in result[group].items():
            assert value is not None or result["undefined"][name]
            low, high = metrics[name].low, metrics[name].high
            for number in flat(value):
                assert low is None or number >= low - 1e-9, name
                assert high is None or number <= high + 1e-9, name


@given(seed=st.integers(0, 10**6))
def test_the_order_of_images_and_dimensions_says_nothing(seed: int) -> None:
    codes, labels = sparse(seed)
    generator = np.random.default_rng(seed)
    images, dimensions = generator.permutation(len(codes)), generator.permutation(codes.shape[1])
    before = measure(codes, labels, EXACT)
    same(before, measure(codes[images], labels[images], EXACT))
    without_ties = [name for name in EXACT if not name.startswith("retrieval")]  # equal masses keep their order
    same({name: before[name] for name in without_ties}, measure(codes[:, dimensions], labels, without_ties))


@given(seed=st.integers(0, 10**6))
def test_names_of_classes_say_nothing(seed: int) -> None:
    codes, labels = sparse(seed)
    names = np.array([40, -1, 7, -300])
    same(measure(codes, labels, EXACT), measure(codes, names[labels], EXACT))


@given(seed=st.integers(0, 10**6), scale=st.floats(1e-3, 1e6))
def test_the_length_of_a_row_says_nothing(seed: int, scale: float) -> None:
    codes, labels = sparse(seed)
    same(measure(codes, labels, EXACT), measure(codes * scale, labels, EXACT))


def test_duplicating_the_data_set_changes_nothing_but_chance_and_neighbours() -> None:
    unchanged = [name for name in EXACT if metrics[name].group in ("published", "corrected")]
    unchanged = [name for name in unchanged if name not in {"retrieval", "adjusted_mutual_information"}]
    for seed in range(10):
        codes, labels = sparse(seed)
        same(measure(codes, labels, unchanged), measure(np.tile(codes, (3, 1)), np.tile(labels, 3), unchanged))


def test_chance_falls_when_the_data_set_grows() -> None:
    codes, labels = sparse(0)
    chance = [measure(np.tile(codes, (r, 1)), np.tile(labels, r), ["consistency_chance"]) for r in (1, 2, 4)]
    values = [c["consistency_chance"] for c in chance]
    assert values[0] > values[1] > values[2] > 0.25


def test_one_dimension_a_class_is_perfect() -> None:
    labels = np.repeat(np.arange(40), 15)
    codes = np.eye(40)[labels]
    result = measure_arrays(codes, labels)
    published, corrected, chance = result["published"], result["corrected"], result["chance"]
    assert published["semantic_consistency"] == corrected["consistency"] == corrected["consistency_weighted"] == 1
    assert corrected["entropy_sum"] == corrected["entropy_mean"] == corrected["entropy_count"] == 0
    assert corrected["orthogonality"] == pytest.approx(0, abs=1e-12)
    assert corrected["effective_rank"] == pytest.approx(40)
    assert corrected["retrieval"][0][0] == 32
    assert chance["consistency_above_chance"] == chance["consistency_ceiling"] == 1
    assert chance["consistency_chance"] < 0.2
    assert published["sparsity"] == pytest.approx(1 - 1 / 40)


def test_perfect_retrieval_and_neighbours() -> None:
    labels = np.repeat(np.arange(32), 22)
    result = measure_arrays(np.eye(32)[labels], labels)
    assert flat(result["corrected"]["retrieval"]) == pytest.approx([1, 1, 1, 1])
    assert result["probe"]["knn"] == 1
    assert result["chance"]["retrieval_chance"] == pytest.approx(21 / (32 * 22 - 1))


def test_two_classes_split_exactly_have_adjusted_information_one() -> None:
    labels = np.repeat([0, 1], 25)
    value = measure(np.eye(2)[labels], labels, ["adjusted_mutual_information"])
    assert value["adjusted_mutual_information"] == pytest.approx(1)


def test_a_dense_code_tells_nothing() -> None:
    labels = np.repeat(np.arange(10), 12)
    result = measure_arrays(np.ones((120, 34)), labels)
    assert result["published"]["semantic_consistency"] == pytest.approx(0.1)
    assert result["corrected"]["entropy_sum"] == pytest.approx(math.log(10))
    assert result["corrected"]["effective_rank"] == pytest.approx(1)
    assert result["corrected"]["orthogonality"] == pytest.approx(1)
    assert result["chance"]["consistency_chance"] == pytest.approx(0.1)
    assert result["chance"]["consistency_above_chance"] == 0
    assert "adjusted_mutual_information" in result["undefined"]


def test_independent_signed_codes_score_one_over_c() -> None:
    """Every value is active but for the few that fall within eps of zero."""
    codes = np.random.default_rng(0).normal(size=(1000, 40))
    assert measure(codes, np.arange(1000) % 10, ["consistency"])["consistency"] == pytest.approx(0.1, abs=1e-4)
