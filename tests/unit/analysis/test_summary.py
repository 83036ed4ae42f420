"""The gate in a handful of numbers, from the stored arrays themselves."""

from pathlib import Path

import numpy as np
import pytest

from bncl_core.analysis.index import ACTIVE
from bncl_core.analysis.summary import gate_summary, kinds_of
from tests.unit.analysis.stored import random_index


@pytest.mark.parametrize("kind", ["ste", "soft"])
def test_summary_counts_what_the_arrays_hold(kind: str, tmp_path: Path) -> None:
    index = random_index(tmp_path, kind)
    active = np.abs(np.asarray(index.values, np.float32)) > ACTIVE
    closed = np.asarray(index.gates, np.float32) <= 0.5
    said = gate_summary(index)
    assert said["active_per_image"] == pytest.approx(active.sum(axis=0).mean())
    assert said["vetoed_per_image"] == pytest.approx((active & closed).sum(axis=0).mean())
    assert said["closed"] == closed.sum()
    assert said["closed_silent"] == pytest.approx((closed & ~active).sum() / closed.sum())
    assert (said["always"], said["never"], said["depends"]) == (1, 1, 4)


def test_no_gate_closes_nothing(tmp_path: Path) -> None:
    said = gate_summary(random_index(tmp_path, "none"))
    assert (said["vetoed_per_image"], said["closed"], said["always"]) == (0, 0, 6)
    assert np.isnan(said["closed_silent"])


def test_kinds_partition_the_dimensions(tmp_path: Path) -> None:
    index = random_index(tmp_path)
    kinds = kinds_of(index.dimensions, index.n)
    for parts in (("live", "dead"), ("always", "never", "depends")):
        assert (sum(kinds[part].astype(int) for part in parts) == 1).all()
    assert np.flatnonzero(kinds["dead"]).tolist() == [1]
    assert np.flatnonzero(kinds["never"]).tolist() == [2]
    assert np.flatnonzero(kinds["always"]).tolist() == [3]
    assert not (kinds["vetoed"] & ~kinds["live"]).any()
    assert kinds["all"].all()
