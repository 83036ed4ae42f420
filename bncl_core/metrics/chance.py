"""What chance gives: the largest class share of a dimension whose active images are drawn without looking at labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bncl_core.seeds import rng


class Null(NamedTuple):
    """Mean and 95 % point of a score under permuted labels."""

    mean: float
    high: float


def consistency_null(class_counts: np.ndarray, active: int, draws: int = 400, seed: int = 0) -> Null:
    """Largest class share among `active` images drawn without replacement from classes of `class_counts` `[C]`.

    Consistency rewards rarity: with 100 equal classes a dimension active in 5 images scores 0.22 by chance, in 100
    images 0.042. Multivariate hypergeometric, `draws` samples with `seed`. Exact (0 spread) at 1 and at all images.
    Raises ValueError when `active` is not between 1 and the number of labelled images.
    """
    counts = np.asarray(class_counts, dtype=np.int64)
    if not 1 <= active <= counts.sum():
        raise ValueError(f"active is {active}; it must be between 1 and the {counts.sum()} labelled images")
    samples = rng(seed, "chance", active).multivariate_hypergeometric(counts, active, size=draws, method="marginals")
    shares = samples.max(axis=1) / active
    return Null(float(shares.mean()), float(np.quantile(shares, 0.95, method="higher")))
