"""Chance: the null of consistency and of adjusted mutual information."""

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bncl_core.metrics import dimension_table, measure, measure_arrays
from bncl_core.metrics.chance import consistency_null
from tests.reference import metrics_loops as loops


def partitions(n: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Ways to write n as a sum of numbers that do not grow."""
    if n == 0:
        yield ()
    for first in range(min(n, largest), 0, -1):
        for rest in partitions(n - first, first):
            yield (first, *rest)


def expected_share(classes: int, size: int, n: int) -> float:
    """E[largest class share] of n images out of classes of one size, from the number of draws behind each partition."""
    draws = weighted = 0
    for parts in partitions(n, size):
        ways = math.perm(classes, len(parts)) * math.prod(math.comb(size, part) for part in parts)
        ways //= math.prod(math.factorial(times) for times in Counter(parts).values())
        draws, weighted = draws + ways, weighted + ways * parts[0]
    assert draws == math.comb(classes * size, n)
    return float(Fraction(weighted, draws)) / n


@pytest.mark.parametrize("n", [1, 2, 5, 10, 20])
@pytest.mark.parametrize(("classes", "size"), [(100, 100), (10, 1000), (3, 7)])
def test_expected_share_is_exact(classes: int, size: int, n: int) -> None:
    assert consistency_null([size] * classes, n).mean == pytest.approx(expected_share(classes, size, n), abs=1e-9)


@pytest.mark.parametrize(("classes", "size"), [(100, 100), (10, 1000)])
def test_many_images_agree_with_labels_drawn_at_random(classes: int, size: int) -> None:
    """Beyond a handful of images: against 1,000 plain draws, within five standard errors of the two."""
    generator, labels = np.random.default_rng(9), np.repeat(np.arange(classes), size)
    for n in (50, 100, 300):
        drawn = [np.bincount(generator.choice(labels, n, replace=False)).max() / n for _ in range(1000)]
        null, error = consistency_null([size] * classes, n), np.std(drawn) / 1000**0.5
        assert null.mean == pytest.approx(np.mean(drawn), abs=5 * math.hypot(error, null.error))
        assert np.mean(np.array(drawn) > null.high + 1e-12) < 0.08


def test_rare_dimensions_score_far_above_one_over_c() -> None:
    """What a published consistency near 10 % on 100 classes may amount to: chance at 20 images."""
    null = consistency_null([100] * 100, [5, 10, 20, 50, 100])
    assert null.mean == pytest.approx([0.219, 0.138, 0.098, 0.059, 0.042], abs=0.001)


@given(sizes=st.lists(st.integers(1, 3), min_size=1, max_size=3), part=st.floats(0, 1))
def test_small_samples_are_exact(sizes: list[int], part: float) -> None:
    n = max(1, round(part * sum(sizes)))
    null, every = consistency_null(sizes, n), loops.null_shares(sizes, n)
    assert null.mean == pytest.approx(np.mean(every), abs=1e-9)
    assert np.mean(np.array(every) > null.high + 1e-12) <= 0.05 + 1e-9
    below = [share for share in sorted(set(every)) if share < null.high - 1e-12]
    assert not below or np.mean(np.array(every) > below[-1] + 1e-12) > 0.05
    assert null.error == 0


def test_permutations_agree_with_the_exact_null() -> None:
    """63 images of equal classes are exact, 65 drawn: the curve has no step larger than its error."""
    null = consistency_null([50] * 10, [63, 64, 65, 66])
    assert (null.error[:2] == 0).all()
    assert (null.error[2:] > 0).all()
    assert abs(null.mean[2] - null.mean[1]) < 0.001 + 5 * null.error[2]


def test_the_ends() -> None:
    null = consistency_null([30, 10], [0, 1, 40])
    assert np.isnan(null.mean[0])
    assert null.mean[1:] == pytest.approx([1, 0.75])
    with pytest.raises(ValueError, match="allowed: 0 … 40"):
        consistency_null([30, 10], 41)


def test_one_answer_does_not_depend_on_what_else_is_asked() -> None:
    sizes = [37, 50, 80, 12]
    together, alone = consistency_null(sizes, [70, 90, 120], seed=4), consistency_null(sizes, 90, seed=4)
    assert together.mean[1] == pytest.approx(alone.mean, abs=1e-12)  # the order of a sum is NumPy's choice
    assert together.high[1] == alone.high
    assert consistency_null(sizes, 90, seed=5).mean != alone.mean


@pytest.mark.parametrize(("classes", "density"), [(10, 0.01), (10, 0.1), (100, 0.02)])
def test_shuffled_labels_stay_below_the_line(classes: int, density: float) -> None:
    """At most one dimension in twenty exceeds its own 95 % line, give or take three standard errors of the count."""
    generator = np.random.default_rng(classes)
    codes = np.abs(generator.normal(size=(1000, 1500))) * (generator.random((1000, 1500)) < density)
    labels = generator.permutation(np.arange(1000) % classes)
    result = measure_arrays(codes, labels, names=["consistency", "consistency_chance", "consistency_above_chance"])
    above, live = result["chance"]["consistency_above_chance"], result["live"]
    assert above <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / live)
    assert result["corrected"]["consistency"] == pytest.approx(result["chance"]["consistency_chance"], abs=0.01)


def test_labels_that_mean_something_rise_above_the_line() -> None:
    labels = np.repeat(np.arange(10), 30)
    codes = (
        np.random.default_rng(0).random((300, 50)) < np.where(np.arange(50) % 10 == labels[:, None], 0.6, 0.05)
    ) * 1.0
    result = measure(codes, labels, ["consistency_above_chance", "adjusted_mutual_information"])
    assert result["consistency_above_chance"] == 1
    assert result["adjusted_mutual_information"] > 0.05


def test_adjusted_information_is_that_of_scikit_learn() -> None:
    judge = pytest.importorskip("sklearn.metrics")
    generator = np.random.default_rng(2)
    labels = generator.choice(6, 150, p=[0.4, 0.2, 0.2, 0.1, 0.05, 0.05])
    active = generator.random((150, 12)) < generator.random(12)
    expected = [judge.adjusted_mutual_info_score(labels, column) for column in active.T]
    found = dimension_table(active * 1.0, labels)["adjusted_information"]
    assert found == pytest.approx(expected, abs=1e-9)


def test_adjusted_information_of_shuffled_labels_is_zero() -> None:
    generator = np.random.default_rng(3)
    codes = (generator.random((400, 600)) < 0.05) * 1.0
    value = measure(codes, generator.permutation(np.arange(400) % 8), ["adjusted_mutual_information"])
    assert abs(value["adjusted_mutual_information"]) < 0.001


def test_the_table_agrees_with_the_means() -> None:
    generator = np.random.default_rng(4)
    codes, labels = (generator.random((200, 30)) < 0.1) * 1.0, np.arange(200) % 5
    codes[:, 3] = 0
    table = dimension_table(codes, labels)
    names = ["consistency", "consistency_chance", "consistency_chance_95", "consistency_ceiling", "entropy_count"]
    found = measure(codes, labels, names)
    columns = ["consistency", "chance", "line_95", "ceiling", "entropy_count"]
    assert [found[name] for name in names] == pytest.approx([np.nanmean(table[column]) for column in columns])
    assert table["top_class"][3] == -1
    assert np.isnan(table["consistency"][3])
