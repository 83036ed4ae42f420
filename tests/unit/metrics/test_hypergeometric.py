"""Expectations under permuted labels against every labelling of small sets, and against drawn ones of large sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bncl_core.metrics import measure
from bncl_core.metrics._hypergeometric import expected_sums, maxima_by_permutation, maximum_distribution
from bncl_core.metrics.information import mutual_information
from tests.reference import metrics_loops as loops

SIZES = st.lists(st.integers(1, 3), min_size=1, max_size=3)


@given(SIZES)
def test_expected_entropy_is_the_mean_over_every_labelling(sizes: list[int]) -> None:
    drawn = np.arange(1, sum(sizes) + 1)
    found = expected_sums(np.array(sizes), drawn)[0]
    assert found == pytest.approx([loops.expected_entropy(sizes, int(n)) for n in drawn], abs=1e-12)


@given(SIZES)
def test_expected_information_is_the_mean_over_every_labelling(sizes: list[int]) -> None:
    total, every = sum(sizes), np.array(sorted(loops.labellings(sizes)))
    classes = np.arange(len(sizes))
    for n in range(1, total + 1):
        counts = (every[:, :n, None] == classes).sum(axis=1)
        expected = mutual_information(counts, np.array(sizes)).mean()
        assert expected_sums(np.array(sizes), np.array([n]))[1][0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("sizes", [[500] * 10, [2000, 30, 7, 400], [40] * 50])
def test_large_sets_agree_with_drawn_counts(sizes: list[int]) -> None:
    generator, n = np.random.default_rng(0), np.array([3, 60, 700])
    entropy = expected_sums(np.array(sizes), n)[0]
    for column, drawn in enumerate(n):
        counts = generator.multivariate_hypergeometric(sizes, drawn, size=3000)
        found = np.array([loops.entropy([float(x) for x in row], 0.0) for row in counts])
        assert entropy[column] == pytest.approx(found.mean(), abs=5 * found.std() / len(found) ** 0.5 + 1e-9)


@pytest.mark.parametrize("n", [4, 40])
def test_drawn_maxima_follow_the_exact_distribution(n: int) -> None:
    """Kolmogorov distance of 4,000 draws below its 1e-6 point, 2.7 / √draws."""
    sizes = np.array([50, 20, 20, 9])
    drawn = maxima_by_permutation(sizes, np.array([n]), 4000, seed=1)[:, 0]
    exact = maximum_distribution(sizes, n)
    empirical = (drawn[:, None] <= np.arange(n + 1)).mean(axis=0)
    assert np.abs(empirical - exact).max() < 2.7 / 4000**0.5


def test_entropies_by_chance_are_what_shuffled_labels_give() -> None:
    generator = np.random.default_rng(5)
    codes = generator.random((500, 300)) * (generator.random((500, 300)) < 0.03)
    labels = generator.permutation(np.arange(500) % 10)
    found = measure(codes, labels)
    for name in ("entropy_sum", "entropy_mean", "entropy_count"):
        assert found[name] == pytest.approx(found[f"{name}_chance"], abs=0.02), name
        assert found[name] < 0.95 * np.log(10)
    spread = found["consistency_chance_spread"]
    assert abs(found["consistency"] - found["consistency_chance"]) < 5 * spread
    assert found["consistency_weighted"] == pytest.approx(found["consistency_weighted_chance"], abs=0.01)
