"""Examples of a dimension are the full sorts of the right pool, and the random ones a fair, repeatable sample."""

from pathlib import Path

import numpy as np
import pytest

from bncl_core.analysis.examples import examples, is_signed, pool
from bncl_core.analysis.index import ACTIVE
from tests.unit.analysis.stored import random_index


@pytest.mark.parametrize("kind", ["ste", "soft", "none"])
def test_pools_are_what_a_loop_over_the_images_finds(kind: str, tmp_path: Path) -> None:
    index = random_index(tmp_path, kind)
    for dimension in range(index.k):
        values, mask = index.values_of(dimension), index.mask_of(dimension)
        active = {i for i in range(index.n) if abs(values[i]) > ACTIVE}
        wanted = {
            "strongest": {i for i in active if mask[i]},
            "negative": {i for i in active if mask[i] and values[i] < 0},
            "vetoed": {i for i in active if not mask[i]},
            "random": active,
        }
        for name, ids in wanted.items():
            assert set(np.flatnonzero(pool(index, dimension, name)).tolist()) == ids
            assert set(examples(index, dimension, name, index.n).tolist()) == ids
            assert len(examples(index, dimension, name, 3)) == min(3, len(ids))
        assert is_signed(index, dimension) == any(values < -ACTIVE)


@pytest.mark.parametrize("kind", ["ste", "soft"])
def test_order_is_strongest_first_and_a_shorter_list_is_its_beginning(kind: str, tmp_path: Path) -> None:
    index = random_index(tmp_path, kind)
    for dimension in range(index.k):
        gated, values = index.gated_of(dimension), index.values_of(dimension)
        strength = {"strongest": gated, "negative": -gated, "vetoed": np.abs(values)}
        for name, by in strength.items():
            ids = examples(index, dimension, name, index.n)
            assert (np.diff(by[ids]) <= 0).all()
            assert ids[:4].tolist() == examples(index, dimension, name, 4).tolist()


def test_random_examples_depend_on_seed_and_dimension_alone(tmp_path: Path) -> None:
    index = random_index(tmp_path)
    again = [examples(index, 0, "random", 8, seed).tolist() for seed in (0, 0, 1)]
    assert again[0] == again[1] != again[2]
    assert len(set(again[0])) == 8
    assert not len(examples(index, 1, "random", 8)), "the dead dimension has none"
