"""Semantic entropy: over how many classes a dimension spreads."""

from __future__ import annotations

import numpy as np

from bncl_core.metrics import EPS, Sample, metric, metrics


def entropies(table: np.ndarray, eps: float = 0.0) -> np.ndarray:
    """Entropy in nats of each row of a non-negative table `[k C]`, terms p ≤ eps dropped; NaN where a row is all 0."""
    by_class = np.ascontiguousarray(table.T)
    total = by_class.sum(axis=0)
    p = by_class / np.where(total > 0, total, 1)
    np.copyto(p, 1.0, where=p <= eps)  # 1 ln 1 = 0: dropped
    terms = np.log(p)
    terms *= p
    return np.where(total > 0, np.abs(terms.sum(axis=0)), np.nan)


def class_means(sample: Sample) -> np.ndarray:
    """Mean |normalised value| of each class `[k C]`."""
    return sample.mass / sample.sizes


def _published(sample: Sample, table: np.ndarray) -> float:
    """Mean over the live dimensions, an all-zero row counting as 0; 0 when no dimension is live."""
    rows = np.nan_to_num(entropies(table, EPS)[sample.labelled_live])
    return float(rows.mean()) if rows.size else 0.0


_PUBLISHED = {
    "low": 0,
    "high": None,
    "better": "lower",
    "group": "published",
    "unit": "nats",
    "needs_labels": True,
}


@metrics.register("entropy_sum_activation")
@metric(title="Semantic entropy H_sum (published)", **_PUBLISHED)
def entropy_sum_activation(sample: Sample) -> float:
    """Entropy in nats of a dimension's |value| summed by class, averaged over the live dimensions; 0 … ln C.

    Low is one class. A code without a live dimension scores 0, which would be the best; a rare dimension scores low by
    chance, too.
    """
    return _published(sample, sample.mass)


@metrics.register("entropy_mean_activation")
@metric(title="Semantic entropy H_mean (published)", **_PUBLISHED)
def entropy_mean_activation(sample: Sample) -> float:
    """Entropy in nats of a dimension's mean |value| by class, averaged over the live dimensions; 0 … ln C.

    The same as H_sum when the classes are of one size; otherwise it does not favour large classes.
    """
    return _published(sample, class_means(sample))


@metrics.register("entropy_frequency")
@metric(title="Semantic entropy H_freq (published)", **_PUBLISHED)
def entropy_frequency(sample: Sample) -> float:
    """Entropy in nats of the class counts of the images a dimension is active in, averaged over the live dimensions;
    0 … ln C, low is one class."""
    return _published(sample, sample.counts)


_CORRECTED = {"low": 0, "high": None, "better": "lower", "unit": "nats", "needs_labels": True}


def mean_entropy(table: np.ndarray) -> float:
    """Mean over the rows that are not all 0; NaN when all are."""
    rows = entropies(table)
    return float(np.nanmean(rows)) if np.isfinite(rows).any() else float("nan")


@metrics.register("entropy_sum")
@metric(title="Semantic entropy, by mass", **_CORRECTED)
def entropy_sum(sample: Sample) -> float:
    """Entropy in nats of a dimension's |value| summed by class, averaged over the live dimensions; 0 (one class) …
    ln C. Undefined with one class or no live dimension. Chance is below ln C for rare dimensions."""
    return mean_entropy(sample.mass)


@metrics.register("entropy_mean")
@metric(title="Semantic entropy, by class mean", **_CORRECTED)
def entropy_mean(sample: Sample) -> float:
    """Entropy in nats of a dimension's mean |value| by class, averaged over the live dimensions; 0 (one class) … ln C.
    Undefined with one class or no live dimension."""
    return mean_entropy(class_means(sample))


@metrics.register("entropy_count")
@metric(title="Semantic entropy, by count", **_CORRECTED)
def entropy_count(sample: Sample) -> float:
    """Entropy in nats of the class counts of the images a dimension is active in, averaged over the active dimensions;
    0 (one class) … ln C. Chance: `entropy_count_chance`, which is exact."""
    return mean_entropy(sample.counts)
