"""Adjusted mutual information: how much of the class a dimension's being active tells, chance taken off."""

from __future__ import annotations

import numpy as np

from bncl_core.metrics import Sample, metric, metrics
from bncl_core.metrics._hypergeometric import expected_sums
from bncl_core.metrics.entropy import entropies


def mutual_information(counts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Mutual information in nats of "active" with the class, from counts `[k C]` and class sizes `[C]`: `[k]`."""
    total = sizes.sum()
    joint = np.stack([counts, sizes - counts], axis=2) / total  # [k C 2]
    independent = joint.sum(axis=1, keepdims=True) * (sizes / total)[None, :, None]
    some = joint > 0
    terms = joint * np.log(np.where(some, joint, 1.0) / np.where(some, independent, 1.0))
    return np.maximum(np.where(some, terms, 0.0).sum(axis=(1, 2)), 0.0)


def adjusted_information(counts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Adjusted mutual information of "active" with the class, one a dimension `[k]`; see the metric.

    (I − E I) / (½ (H(active) + H(class)) − E I), E over permuted labels, exact (Vinh, Epps & Bailey 2010). NaN for a
    dimension that is active in no image or in all, and where every labelling tells the same.
    """
    total, active = int(sizes.sum()), counts.sum(axis=1)
    varies = (active > 0) & (active < total)
    out = np.full(len(counts), np.nan)
    if not varies.any():
        return out
    values, where = np.unique(active[varies], return_inverse=True)
    expected = expected_sums(sizes, values)[1][where]
    two = np.stack([active[varies], total - active[varies]], axis=1)
    mean_entropy = (entropies(two) + entropies(sizes[None])[0]) / 2
    room = mean_entropy - expected
    some = room > 1e-12  # no room: every labelling tells the same
    found = mutual_information(counts[varies], sizes) - expected
    out[varies] = np.divide(found, room, out=np.full(len(room), np.nan), where=some)
    return out


def _nothing_varies(sample: Sample) -> str:
    active = sample.labelled_active
    if ((active > 0) & (active < len(sample.labels))).any():
        return ""
    return "every dimension is active in all labelled images or in none, so being active tells nothing"


@metrics.register("adjusted_mutual_information")
@metric(
    title="Adjusted mutual information",
    low=-1,
    high=1,
    better="higher",
    needs_labels=True,
    undefined=_nothing_varies,
)
def adjusted_mutual_information(sample: Sample) -> float:
    """How much a dimension's being active tells of the class, chance taken off, averaged over the dimensions that are
    active in some images but not all; 0 is chance at any rarity, 1 would take two classes and an exact split.

    Mutual information of (active, class), adjusted by its exact expectation under permuted labels (Vinh, Epps & Bailey
    2010, arithmetic mean); a little below 0 is possible.
    """
    shares = adjusted_information(sample.counts, sample.sizes)
    return float(np.nanmean(shares)) if np.isfinite(shares).any() else float("nan")
