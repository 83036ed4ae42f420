"""Orthogonality: how alike two dimensions are over the images."""

from __future__ import annotations

import numpy as np

from bncl_core.metrics import Sample, metric, metrics


def column_cosines(sample: Sample) -> np.ndarray:
    """|cosine| between the live dimensions' columns of the row-normalised codes `[d d]`, with 0 on the diagonal."""
    length = np.sqrt(np.diag(sample.gram))
    length = np.maximum(length, 1e-12)
    cosines = np.abs(sample.gram / length[:, None] / length)
    np.fill_diagonal(cosines, 0)
    return cosines


@metrics.register("orthogonality_mean")
@metric(title="Orthogonality, mean (published)", low=0, high=None, better="lower", group="published", needs_live=2)
def orthogonality_mean(sample: Sample) -> float:
    """The published mean |cosine| of two dimensions: divided by d(d−1) and then averaged over d² entries, so it is the
    mean divided by d²; it falls with the number of live dimensions d whatever they do."""
    cosines = sample.once(column_cosines)
    d = len(cosines)
    return float(cosines.sum() / (d * (d - 1)) / d**2) if d > 1 else float("nan")


@metrics.register("orthogonality_median")
@metric(title="Orthogonality, median (published)", low=0, high=None, better="lower", group="published", needs_live=2)
def orthogonality_median(sample: Sample) -> float:
    """The published median |cosine| of two dimensions: the lower median of all d² entries, the zeros of the diagonal
    among them, divided by d(d−1)."""
    cosines = sample.once(column_cosines).ravel()
    d = int(sample.live.sum())
    if d < 2:
        return float("nan")
    middle = (len(cosines) - 1) // 2
    return float(np.partition(cosines, middle)[middle] / (d * (d - 1)))


@metrics.register("orthogonality")
@metric(title="Orthogonality", low=0, high=1, better="lower", needs_live=2)
def orthogonality(sample: Sample) -> float:
    """Mean |cosine| between the columns of two different live dimensions, 0 (never alike) … 1 (all the same).

    Dimensions that are active at random and independently in a share π of the images score about π, so compare it at
    equal activation rate.
    """
    cosines = sample.once(column_cosines)
    d = len(cosines)
    return float(cosines.sum() / (d * (d - 1)))
