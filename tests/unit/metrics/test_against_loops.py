"""Every metric against the slow float64 loop written from its equation."""

import math

import numpy as np
import pytest
from hypothesis import given

from bncl_core.metrics import Sample, measure
from bncl_core.metrics.knn import knn_accuracy
from bncl_core.metrics.retrieval import DEPTHS
from tests.reference import metrics_loops as loops
from tests.unit.metrics.strategies import Arrays, measured

PAIRWISE = {"orthogonality_mean", "orthogonality_median", "orthogonality"}
OF_CODES = {"act_dim", "sparsity", "non_neg", "effective_rank_entropy", "effective_rank", *PAIRWISE}
OF_CLASSES = {
    "semantic_consistency": loops.consistency,
    "consistency": loops.consistency,
    "consistency_weighted": loops.consistency_weighted,
    "entropy_sum_activation": lambda rows, labels: loops.published_entropy(rows, labels, "sum"),
    "entropy_mean_activation": lambda rows, labels: loops.published_entropy(rows, labels, "mean"),
    "entropy_frequency": lambda rows, labels: loops.published_entropy(rows, labels, "count"),
    "entropy_sum": lambda rows, labels: loops.corrected_entropy(rows, labels, "sum"),
    "entropy_mean": lambda rows, labels: loops.corrected_entropy(rows, labels, "mean"),
    "entropy_count": lambda rows, labels: loops.corrected_entropy(rows, labels, "count"),
}


@given(measured())
def test_metrics_of_codes(arrays: Arrays) -> None:
    codes, _ = arrays
    rows = loops.unit_rows(codes)
    live = loops.act_dim(rows)
    found = measure(codes, None, OF_CODES)
    for name in OF_CODES:
        if (live == 0 and name.startswith("effective")) or (live < 2 and name in PAIRWISE):
            assert found[name] is None
        else:
            assert found[name] == pytest.approx(getattr(loops, name)(rows), abs=2e-6), name


@given(measured())
def test_metrics_of_classes(arrays: Arrays) -> None:
    codes, labels = arrays
    rows = loops.unit_rows(codes)
    found = measure(codes, labels, OF_CLASSES)
    for name, loop in OF_CLASSES.items():
        if loops.act_dim(rows) == 0:
            assert found[name] == (0.0 if name in list(OF_CLASSES)[3:6] else None), name
        else:
            assert found[name] == pytest.approx(loop(rows, labels.tolist()), abs=1e-9), name


@given(measured(min_n=5))
def test_knn(arrays: Arrays) -> None:
    codes, labels = arrays
    for neighbours in (1, 3):
        expected = loops.knn(loops.unit_rows(codes), labels.tolist(), neighbours)
        assert knn_accuracy(codes, labels, neighbours=neighbours) == pytest.approx(expected, abs=1e-6)


@given(measured(min_n=11, max_n=16, min_k=32, max_k=34))
def test_retrieval(arrays: Arrays) -> None:
    codes, labels = arrays
    width, *found = measure(codes, labels, ["retrieval"])["retrieval"][0]
    rows = loops.unit_rows(codes)
    mass = np.abs(np.array(rows)).sum(axis=0)
    if len(np.unique(mass.round(9))) < len(mass) and codes.shape[1] > width:
        return  # which of several equally strong dimensions is left out is a matter of rounding
    expected = [loops.retrieval(rows, labels.tolist(), width, depth) for depth in DEPTHS]
    assert found == pytest.approx(expected, abs=1e-6)


def test_unlabelled_images_are_left_out_of_class_metrics_alone() -> None:
    generator = np.random.default_rng(3)
    codes, labels = generator.random((60, 40)) * (generator.random((60, 40)) < 0.3), generator.integers(-1, 4, 60)
    known = labels >= 0
    for name in (*OF_CLASSES, "retrieval", "knn", "adjusted_mutual_information", "consistency_chance"):
        partly, alone = (
            measure(codes, labels, [name], unlabelled=-1)[name],
            measure(codes[known], labels[known], [name])[name],
        )
        np.testing.assert_allclose(partly, alone, atol=1e-9, err_msg=name)
    assert measure(codes, labels, ["sparsity"], unlabelled=-1) == measure(codes, None, ["sparsity"])
    assert Sample.of(codes, labels, unlabelled=-1).classes == 4
    assert Sample.of(codes, labels).classes == 5


def test_huge_and_tiny_values_keep_their_direction() -> None:
    """Squares of 1e30 overflow float32; the row still points somewhere."""
    codes = np.array([[3e30, 4e30], [3e-5, 4e-5], [0, 0]], np.float32)
    np.testing.assert_allclose(Sample.of(codes).rows, [[0.6, 0.8], [0.6, 0.8], [0, 0]], rtol=1e-6)
    assert Sample.of(codes).tables.counts.sum() == 4
    assert Sample.of(codes).tables.zero_rows == 1
    assert math.isfinite(measure(codes * 0 + 3e38, None, ["effective_rank"])["effective_rank"])
