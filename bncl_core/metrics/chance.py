"""Chance: what the class metrics would be if the labels meant nothing.

A dimension that is active in few images has a high largest class share and a low entropy whatever it stands for, so
every class metric stands beside its value under permuted labels, at the same number of images.
"""

from __future__ import annotations

import numpy as np

from bncl_core.metrics import Sample, metric, metrics
from bncl_core.metrics._class_tables import class_tables
from bncl_core.metrics._hypergeometric import expected_sums
from bncl_core.metrics._null import DRAWS, Null, consistency_null
from bncl_core.metrics.consistency import consistencies, never_active
from bncl_core.metrics.entropy import mean_entropy
from bncl_core.seeds import rng

__all__ = ["DRAWS", "Null", "consistency_null"]

PERMUTATIONS = 20
"""Label permutations behind the chance level of the entropies by mass and the spread of the headline."""


def dimension_null(sample: Sample) -> Null:
    """The null of every dimension's consistency, at its own number of labelled active images: arrays `[k]`."""
    return consistency_null(sample.sizes, sample.labelled_active, sample.seed)


@metrics.register("consistency_chance")
@metric(
    title="Consistency by chance",
    low=0,
    high=1,
    better="neither",
    group="chance",
    needs_labels=True,
    undefined=never_active,
)
def consistency_chance(sample: Sample) -> float:
    """What `consistency` would be if the labels meant nothing: the expected largest class share of as many images as
    each dimension is active in, averaged over the active dimensions; 1/C … 1. A consistency at this level says nothing.

    Multivariate hypergeometric at matched n, exact for small n and by label permutation beyond.
    """
    return float(np.nanmean(sample.once(dimension_null).mean))


@metrics.register("consistency_chance_95")
@metric(
    title="Consistency by chance, 95 % line",
    low=0,
    high=1,
    better="neither",
    group="chance",
    needs_labels=True,
    undefined=never_active,
)
def consistency_chance_95(sample: Sample) -> float:
    """The share that one dimension exceeds by chance at most once in 20, averaged over the active dimensions; 1/C … 1.

    It is a line for single dimensions; the mean over many dimensions scatters much less (`consistency_chance_spread`).
    """
    return float(np.nanmean(sample.once(dimension_null).high))


@metrics.register("consistency_above_chance")
@metric(
    title="Dimensions above their 95 % line",
    low=0,
    high=1,
    better="higher",
    group="chance",
    needs_labels=True,
    undefined=never_active,
)
def consistency_above_chance(sample: Sample) -> float:
    """Share of the active dimensions whose consistency exceeds the 95 % point of their own null, 0 … 1.

    0.05 or less is chance (less, because counts of few images come in steps); 1 means every dimension tells something
    of the classes.
    """
    shares, line = consistencies(sample.counts), sample.once(dimension_null).high
    active = sample.labelled_active > 0
    return float((shares[active] > line[active] + 1e-12).mean())


@metrics.register("consistency_weighted_chance")
@metric(
    title="Weighted consistency by chance",
    low=0,
    high=1,
    better="neither",
    group="chance",
    needs_labels=True,
    undefined=never_active,
)
def consistency_weighted_chance(sample: Sample) -> float:
    """What `consistency_weighted` would be if the labels meant nothing; 1/C … 1."""
    images = sample.labelled_active
    return float(np.nansum(images * sample.once(dimension_null).mean) / images.sum())


@metrics.register("consistency_ceiling")
@metric(
    title="Consistency at best",
    low=0,
    high=1,
    better="neither",
    group="chance",
    needs_labels=True,
    undefined=never_active,
)
def consistency_ceiling(sample: Sample) -> float:
    """The consistency that dimensions active in so many images could reach at best: the mean of min(1, largest class
    size / images); 0 … 1. A dimension active in more images than a class has cannot score 1."""
    active = sample.labelled_active[sample.labelled_active > 0]
    return float(np.minimum(1, sample.sizes.max() / active).mean())


@metrics.register("entropy_count_chance")
@metric(
    title="Semantic entropy by count, by chance",
    low=0,
    high=None,
    better="neither",
    group="chance",
    unit="nats",
    needs_labels=True,
    undefined=never_active,
)
def entropy_count_chance(sample: Sample) -> float:
    """What `entropy_count` would be if the labels meant nothing, in nats: the exact expectation at each dimension's
    number of images, averaged over the active dimensions; 0 … ln C."""
    active = sample.labelled_active[sample.labelled_active > 0]
    values, times = np.unique(active, return_counts=True)
    return float(np.average(expected_sums(sample.sizes, values)[0], weights=times))


def permuted(sample: Sample) -> np.ndarray:
    """Consistency, entropy_sum and entropy_mean under `PERMUTATIONS` permutations of all labels: `[permutations 3]`."""
    generator = rng(sample.seed, "headline permutations")
    rows = sample.labelled_rows
    out = []
    for _ in range(PERMUTATIONS):
        tables = class_tables(rows, generator.permutation(sample.labels), sample.classes)
        shares = np.nanmean(consistencies(tables.counts))
        out.append((shares, mean_entropy(tables.mass), mean_entropy(tables.mass / tables.sizes)))
    return np.array(out)


@metrics.register("consistency_chance_spread")
@metric(
    title="Consistency by chance, spread",
    low=0,
    high=1,
    better="neither",
    group="chance",
    needs_labels=True,
    undefined=never_active,
)
def consistency_chance_spread(sample: Sample) -> float:
    """Standard deviation of `consistency` over 20 permutations of the labels of all images: how far it strays from
    `consistency_chance` by luck alone. Dimensions that are active together stray together, and this counts it in."""
    return float(sample.once(permuted)[:, 0].std(ddof=1))


_ENTROPY = {
    "low": 0,
    "high": None,
    "better": "neither",
    "group": "chance",
    "unit": "nats",
    "needs_labels": True,
    "undefined": never_active,
}


@metrics.register("entropy_sum_chance")
@metric(title="Semantic entropy by mass, by chance", **_ENTROPY)
def entropy_sum_chance(sample: Sample) -> float:
    """What `entropy_sum` would be if the labels meant nothing, in nats: its mean over 20 label permutations; 0 … ln C.
    It is below ln C because a rare dimension reaches few classes."""
    return float(sample.once(permuted)[:, 1].mean())


@metrics.register("entropy_mean_chance")
@metric(title="Semantic entropy by class mean, by chance", **_ENTROPY)
def entropy_mean_chance(sample: Sample) -> float:
    """What `entropy_mean` would be if the labels meant nothing, in nats: its mean over 20 label permutations;
    0 … ln C."""
    return float(sample.once(permuted)[:, 2].mean())
