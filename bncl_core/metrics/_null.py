"""The label-permutation null of consistency: the largest class share of n images whose labels mean nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bncl_core.metrics._hypergeometric import maxima_by_permutation, maximum_distribution

EXACT = 64
"""Computed exactly while n × (number of different class sizes) is at most this; by permutation beyond."""
DRAWS = 1000


@dataclass(frozen=True, eq=False)
class Null:
    """Chance level of consistency at one n (numbers) or several (arrays).

    mean    expected largest class share
    high    its 95 % point: the smallest share that at most 5 % of label permutations exceed
    error   standard error of `mean`; 0 where it is exact
    """

    mean: Any
    high: Any
    error: Any


def consistency_null(class_sizes: Any, n: Any, seed: int = 0, draws: int = DRAWS) -> Null:
    """The null at `n` images (a number, or an array of any shape): multivariate hypergeometric, NaN where n is 0.

    class_sizes   `[C]` labelled images of each class
    Small n are exact; the others use `draws` permutations of the labels. The answer at one n depends on
    (class_sizes, n, seed, draws) alone, whatever else is asked for, so ask for many n at once: it costs one pass.
    Raises ValueError when an n lies outside 0 … number of labelled images (METHOD: chance).
    """
    sizes = np.sort(np.asarray(class_sizes, dtype=np.int64).ravel())  # so that class order changes no draw
    asked = np.asarray(n)
    if asked.size and not 0 <= asked.min() <= asked.max() <= sizes.sum():
        raise ValueError(
            f"n lies in {asked.min()} … {asked.max()}; with {sizes.sum()} labelled images allowed: 0 … {sizes.sum()}"
        )
    values, where = np.unique(asked, return_inverse=True)
    table = np.full((3, len(values)), np.nan)
    different = len(np.unique(sizes[sizes > 0]))
    exact = (values > 0) & ((values * different <= EXACT) | (values == sizes.sum()))
    for column in np.flatnonzero(exact):
        table[:, column] = _exact(sizes, int(values[column]))
    drawn = (values > 0) & ~exact
    if drawn.any():
        table[:, drawn] = _drawn(sizes, values[drawn].astype(np.int64), draws, seed)
    mean, high, error = (row[where].reshape(asked.shape) for row in table)
    if asked.ndim == 0:
        return Null(float(mean), float(high), float(error))
    return Null(mean, high, error)


def _exact(sizes: np.ndarray, n: int) -> tuple[float, float, float]:
    below = maximum_distribution(sizes, n)
    mean = float((1 - below).sum()) / n  # E[max] = Σ P(max > m)
    high = int(np.argmax(below >= 0.95 - 1e-9))
    return mean, high / n, 0.0


def _drawn(sizes: np.ndarray, n: np.ndarray, draws: int, seed: int) -> np.ndarray:
    shares = np.sort(maxima_by_permutation(sizes, n, draws, seed), axis=0) / n
    high = shares[int(np.ceil(0.95 * draws)) - 1]
    error = shares.std(axis=0, ddof=1) / np.sqrt(draws) if draws > 1 else np.full(len(n), np.nan)
    return np.stack([shares.mean(axis=0), high, error])
