"""The one pass behind the class metrics: blocks, orders and dtypes change nothing."""

import numpy as np
import pytest

from bncl_core.metrics import Sample, class_counts, dimension_table
from bncl_core.metrics._class_tables import class_tables


def sparse(n: int, k: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(n + k)
    return generator.standard_normal((n, k)) * (generator.random((n, k)) < 0.4), generator.integers(0, classes, n)


@pytest.mark.parametrize(("n", "k", "classes"), [(1200, 3, 2), (300, 700, 3), (5, 140_000, 2), (64, 5, 64)])
def test_sums_are_those_of_plain_indexing(n: int, k: int, classes: int) -> None:
    """Classes of more images than a byte counts, rows longer than a block, classes of one image."""
    codes, labels = sparse(n, k, classes)
    rows = np.abs(codes) / np.maximum(np.linalg.norm(codes, axis=1, keepdims=True), 1e-12)
    tables = class_tables(codes, labels, classes)
    for c in range(classes):
        np.testing.assert_array_equal(tables.counts[:, c], (rows[labels == c] > 1e-5).sum(axis=0))
        np.testing.assert_allclose(tables.mass[:, c], rows[labels == c].sum(axis=0), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(tables.sizes, np.bincount(labels, minlength=classes))
    assert tables.negative == (codes < 0).sum()
    assert tables.zero_rows == (~codes.any(axis=1)).sum()
    np.testing.assert_array_equal(class_counts(codes, labels, classes), tables.counts)
    np.testing.assert_array_equal(class_counts(rows > 1e-5, labels, classes), tables.counts)


def test_dimension_major_and_single_precision_codes_give_the_same_counts() -> None:
    codes, labels = sparse(400, 30, 4)
    stored = np.ascontiguousarray(codes.T.astype(np.float32)).T
    assert not stored.flags.c_contiguous
    plain, found = Sample.of(codes, labels), Sample.of(stored, labels)
    np.testing.assert_array_equal(found.counts, plain.counts)
    np.testing.assert_allclose(found.mass, plain.mass, rtol=1e-5)


def test_counts_agree_with_the_normalised_rows() -> None:
    sample = Sample.of(*sparse(300, 20, 3))
    np.testing.assert_array_equal(sample.tables.counts.sum(axis=1), (np.abs(sample.rows) > 1e-5).sum(axis=0))
    np.testing.assert_array_equal(sample.live, sample.rows.any(axis=0))


def test_the_threshold_is_on_values_of_rows_of_length_one() -> None:
    codes = np.array([[1.0, 0.9e-5, 1.1e-5], [100.0, 0.9e-3, 1.1e-3], [1e-4, 0.9e-9, 1.1e-9]])
    np.testing.assert_array_equal(Sample.of(codes).tables.counts[:, 0], [3, 0, 3])


@pytest.mark.parametrize("labels", [None, np.zeros(400, int)])
def test_without_classes_the_table_counts_and_leaves_the_rest_open(labels: np.ndarray | None) -> None:
    codes, _ = sparse(400, 30, 4)
    table = dimension_table(codes, labels)
    np.testing.assert_array_equal(table["active"], (codes != 0).sum(axis=0))
    for name in ("consistency", "chance", "line_95", "ceiling", "entropy_sum", "adjusted_information"):
        assert np.isnan(table[name]).all(), name
    assert set(table) == set(dimension_table(*sparse(400, 30, 4)))


def test_the_table_names_classes_by_their_own_ids() -> None:
    labels = np.repeat([-5, 30], 40)
    table = dimension_table(np.eye(2)[(labels > 0).astype(int)], labels)
    assert table["top_class"].tolist() == [-5, 30]
    assert table["top_count"].tolist() == [40, 40]
    assert table["above"].all()
    assert table["ceiling"].tolist() == [1, 1]
