"""One pass over the codes: for each dimension and class, how many images are active and how much they add up to.

Images are visited class by class in blocks that stay in the processor's cache, so the time hardly depends on the number
of classes, and each value is read from memory once for every class metric together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bncl_core.metrics._checks import check_codes, check_finite, check_labels

EPS = 1e-5
"""A normalised value counts as active when it is further from zero than this (the published eps)."""
SHORTEST = 1e-12
"""A row is divided by its length, or by this when it is shorter."""
BLOCK = 1 << 17
"""Values a block holds: half a MiB of float32."""


@dataclass(frozen=True, eq=False)
class ClassTables:
    """Sums over the images of each group (a class, or the images without a label), from codes with rows of length 1.

    counts     `[k g]` int64: images with |value| > eps
    mass       `[k g]` float64: sum of |value|
    sizes      `[g]` int64: images
    negative   number of values below 0, over all images and dimensions
    zero_rows  number of images whose code has no length
    """

    counts: np.ndarray
    mass: np.ndarray
    sizes: np.ndarray
    negative: int
    zero_rows: int


def normalise(rows: np.ndarray) -> np.ndarray:
    """Divide each row by its length in place, as `x / max(‖x‖, 1e-12)`; returns the divisors `[n]`."""
    length = lengths(rows)
    huge = ~np.isfinite(length)
    if huge.any():  # the squares overflowed: the direction is what matters, so shrink the row first
        rows[huge] /= np.abs(rows[huge]).max(axis=1, keepdims=True)
        length[huge] = lengths(rows[huge])
    rows /= length[:, None]
    return length


def lengths(rows: np.ndarray) -> np.ndarray:
    """max(‖x‖, 1e-12) of each row `[n]`; infinite or NaN where the row is not finite or its square overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.maximum(np.sqrt(np.vecdot(rows, rows)), SHORTEST)


def _step(k: int) -> int:
    """Rows of a block: at most 255, so that its counts fit into a byte."""
    return max(1, min(255, BLOCK // k))


def _blocks(groups: np.ndarray, sizes: np.ndarray, step: int) -> Iterator[tuple[int, np.ndarray]]:
    """(group, rows) until every row was seen once."""
    order = np.argsort(groups, kind="stable")
    stop = 0
    for group, size in enumerate(sizes):
        start, stop = stop, stop + int(size)
        for at in range(start, stop, step):
            yield group, order[at : min(at + step, stop)]


def class_tables(codes: np.ndarray, groups: np.ndarray, group_count: int, name: str = "codes") -> ClassTables:
    """The sums above for codes `[n k]` and group numbers `[n]` in 0 … group_count − 1. Rows need not be normalised.

    Raises ValueError for NaN and infinite values.
    """
    k = codes.shape[1]
    sizes = np.bincount(groups, minlength=group_count)
    counts, mass = np.zeros((group_count, k), np.int64), np.zeros((group_count, k))
    negative = zero_rows = 0
    step = _step(k)
    block_of, active_of = np.empty((step, k), codes.dtype), np.empty((step, k), bool)
    for group, rows in _blocks(groups, sizes, step):
        block, active = block_of[: len(rows)], active_of[: len(rows)]
        np.take(codes, rows, axis=0, out=block, mode="clip")
        length = lengths(block)
        if not np.isfinite(length).all():
            check_finite(codes, name)
            normalise(block)
            length = lengths(block)
        zero_rows += int((length <= SHORTEST).sum())
        if block.min() < 0:
            negative += int(np.count_nonzero(block < 0))
            np.abs(block, out=block)
        # |x| > eps·‖x‖ and a product with 1/‖x‖ spare a division of every value
        np.greater(block, (EPS * length)[:, None], out=active)
        counts[group] += active.view(np.uint8).sum(axis=0, dtype=np.uint8)
        mass[group] += (1 / length) @ block
    return ClassTables(counts.T, mass.T, sizes, negative, zero_rows)


def class_counts(codes: Any, labels: Any, classes: int | None = None) -> np.ndarray:
    """In how many images of each class each dimension is active: int64 `[k C]`.

    codes     `[n k]`: boolean (active or not), or numbers, whose rows are normalised and compared with eps = 1e-5
    labels    `[n]` whole numbers. Without `classes` column c is the c-th smallest label that occurs; with it labels
              have to lie in 0 … classes − 1 and column c is class c
    Raises ValueError for anything else (METHOD: semantic consistency).
    """
    array = np.asarray(codes)
    mask = array.dtype == np.bool_
    if not mask or array.ndim != 2:
        array = check_codes(array)
    ids = check_labels(labels, len(array))
    if classes is None:
        names, ids = np.unique(ids, return_inverse=True)
        classes = len(names)
    elif ids.size and not 0 <= ids.min() <= ids.max() < classes:
        raise ValueError(f"labels lie in {ids.min()} … {ids.max()}; with {classes} classes allowed: 0 … {classes - 1}")
    if not mask:
        return class_tables(array, ids, classes).counts
    counts = np.zeros((classes, array.shape[1]), np.int64)
    for group, rows in _blocks(ids, np.bincount(ids, minlength=classes), _step(array.shape[1])):
        counts[group] += array[rows].view(np.uint8).sum(axis=0, dtype=np.uint8)
    return counts.T
