"""Which images stand for a dimension: where it is strongest, where the gate vetoes it, and a fair sample."""

from __future__ import annotations

from typing import Literal

import numpy as np

from bncl_core.analysis.index import ACTIVE, Index
from bncl_core.seeds import rng

Kind = Literal["strongest", "negative", "vetoed", "random"]


def pool(index: Index, dimension: int, kind: Kind) -> np.ndarray:
    """The images that `examples` chooses from, `[n]` bool.

    strongest   active and open
    negative    active and open with a value below zero (empty for non-negative codes)
    vetoed      active but closed
    random      active, open or not
    """
    values = index.values_of(dimension)
    active = np.abs(values) > ACTIVE
    if kind == "random":
        return active
    if kind == "vetoed":
        return active & ~index.mask_of(dimension)
    used = active & index.mask_of(dimension)
    return used & (values < 0) if kind == "negative" else used


def examples(index: Index, dimension: int, kind: Kind, count: int, seed: int = 0) -> np.ndarray:
    """Ids of at most `count` images of the pool of this `kind`; fewer when it holds fewer.

    strongest and negative come by gated value, vetoed by value before the gate, each strongest first, equal ones by
    id; random is a sample without replacement that depends on (seed, dimension) alone.
    """
    if kind == "strongest":
        return index.top(dimension, count, "gated")
    ids = np.flatnonzero(pool(index, dimension, kind))
    if kind == "random":
        return rng(seed, "examples", dimension).permutation(ids)[:count]
    values = index.values_of(dimension) if kind == "vetoed" else index.gated_of(dimension)
    order = np.argsort(-np.abs(values[ids]), kind="stable")
    return ids[order[:count]]


def is_signed(index: Index, dimension: int) -> bool:
    """Whether the dimension takes values below zero (CL's codes do, non-negative ones never)."""
    return bool((index.values_of(dimension) < -ACTIVE).any())
