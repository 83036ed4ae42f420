"""Semantic consistency: does a dimension stand for one class?"""

from __future__ import annotations

import numpy as np

from bncl_core.metrics import Sample, metric, metrics


def consistencies(counts: np.ndarray) -> np.ndarray:
    """Largest class share of each row of class counts `[k C]`; NaN for a dimension that is active in no image."""
    active = counts.sum(axis=1)
    top = counts.max(axis=1) if counts.shape[1] else active
    return np.divide(top, active, out=np.full(len(counts), np.nan), where=active > 0)


def never_active(sample: Sample) -> str:
    """Why consistency is undefined although dimensions are live; "" when one is active."""
    if sample.labelled_active.any():
        return ""
    return "no dimension is active (|value| > 1e-5) in a labelled image"


@metrics.register("semantic_consistency")
@metric(
    title="Semantic consistency (published)",
    low=0,
    high=1,
    better="higher",
    group="published",
    needs_labels=True,
    undefined=never_active,
)
def semantic_consistency(sample: Sample) -> float:
    """Share of its most frequent class among the images a dimension is active in, averaged over the live dimensions.

    1/C … 1. It rewards rarity: a dimension active in 5 images of 100 balanced classes scores 0.22 by chance, one active
    in a single image scores 1. Read it beside `consistency_chance`. One class scores 1, no live dimension NaN.
    """
    shares = consistencies(sample.counts)
    shares = shares[~np.isnan(shares)]
    return float(shares.mean()) if shares.size else float("nan")


@metrics.register("consistency")
@metric(title="Consistency", low=0, high=1, better="higher", needs_labels=True, undefined=never_active)
def consistency(sample: Sample) -> float:
    """Share of its most frequent class among the images a dimension is active in, averaged over the dimensions that are
    active at all; 1/C … 1, undefined with one class. Chance: `consistency_chance`, which is far above 1/C for rare
    dimensions."""
    return float(np.nanmean(consistencies(sample.counts)))


@metrics.register("consistency_weighted")
@metric(
    title="Consistency, weighted by images",
    low=0,
    high=1,
    better="higher",
    needs_labels=True,
    undefined=never_active,
)
def consistency_weighted(sample: Sample) -> float:
    """Consistency with each dimension weighted by the images it is active in: the share of all (image, active
    dimension) pairs in which the image is of the dimension's most frequent class; 1/C … 1.

    Rare dimensions count little, so it is much less a matter of chance than the plain mean.
    """
    return float(sample.counts.max(axis=1).sum() / sample.labelled_active.sum())
