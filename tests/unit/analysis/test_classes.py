"""Class shares count the right images, beside chance at the same number of labelled ones."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bncl_core.analysis.classes import class_counts, class_shares
from bncl_core.analysis.examples import pool
from bncl_core.metrics.chance import consistency_null
from tests.unit.analysis.stored import random_index


@pytest.mark.parametrize("kind", ["strongest", "negative", "vetoed", "random"])
def test_shares_are_the_loop_over_labelled_images(kind: str, tmp_path: Path) -> None:
    index = random_index(tmp_path)
    sizes = np.bincount(index.labels[index.labels >= 0])
    for dimension in range(index.k):
        ids = np.flatnonzero(pool(index, dimension, kind))
        counted = Counter(int(index.labels[i]) for i in ids if index.labels[i] >= 0)
        shares = class_shares(index, dimension, kind)
        assert shares.counts.tolist() == [counted[c] for c in range(3)]
        assert shares.counts.tolist() == class_counts(index, dimension, kind).tolist()
        assert (shares.images, shares.labelled) == (len(ids), sum(counted.values()))
        if not counted:
            assert np.isnan([shares.consistency, shares.null_mean, shares.null_high]).all()
            assert shares.top == -1
            continue
        assert shares.consistency == max(counted.values()) / shares.labelled
        assert counted[shares.top] == max(counted.values())
        null = consistency_null(sizes, shares.labelled)
        assert (shares.null_mean, shares.null_high) == (null.mean, null.high)


def test_open_images_agree_with_the_stored_table(tmp_path: Path) -> None:
    index = random_index(tmp_path)
    for row in index.dimensions.itertuples():
        shares = class_shares(index, row.dimension, "strongest")
        assert (shares.labelled, shares.top) == (row.labelled, row.top_class)
        assert shares.counts.max() == row.top_class_count
        np.testing.assert_equal(shares.consistency, row.consistency)
        stored = [row.consistency_null_mean, row.consistency_null_95]
        np.testing.assert_equal([shares.null_mean, shares.null_high], stored)


def test_without_labels_there_are_no_shares(tmp_path: Path) -> None:
    shares = class_shares(random_index(tmp_path, labelled=False), 0, "random")
    assert (shares.labelled, shares.top, len(shares.counts)) == (0, -1, 0)
    assert shares.images > 0
    assert np.isnan([shares.consistency, shares.null_mean]).all()
