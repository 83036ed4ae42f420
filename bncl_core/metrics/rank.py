"""Effective rank: over how many directions the codes spread."""

from __future__ import annotations

import math

import numpy as np

from bncl_core.metrics import Sample, metric, metrics

FLOOR = 1e-7
"""Singular values below this share of the largest one are rounding of a squared matrix, and count as 0."""


def spectrum(sample: Sample) -> np.ndarray:
    """Singular values of the row-normalised codes divided by their sum, `[min(n, live)]`; NaN when all are 0.

    They come from the eigenvalues of the smaller of FᵀF and FFᵀ in float64: right to about 1e-8 of the largest one.
    """
    if sample.n < sample.live.sum():
        rows = sample.rows.astype(np.float64)
        squared = np.linalg.eigvalsh(rows @ rows.T)
    else:
        squared = np.linalg.eigvalsh(sample.gram)
    values = np.sqrt(np.maximum(squared, 0))
    if not values.size or values.max() == 0:
        return np.array([np.nan])
    values[values < FLOOR * values.max()] = 0
    return values / values.sum()


@metrics.register("effective_rank_entropy")
@metric(title="Effective rank, entropy", low=0, high=None, better="higher", group="published", unit="nats")
def effective_rank_entropy(sample: Sample) -> float:
    """Entropy in nats of the singular values divided by their sum, 0 … ln k; the published "effective rank".

    It is the logarithm of the effective rank of Roy & Vetterli (2007). As published: −Σ p ln(p + 1e-6).
    """
    p = sample.once(spectrum)
    return float(-(p * np.log(p + 1e-6)).sum())


@metrics.register("effective_rank")
@metric(title="Effective rank", low=1, high=None, better="higher", unit="count")
def effective_rank(sample: Sample) -> float:
    """exp of the entropy of the normalised singular values: the number of equally strong directions, 1 … min(n, k).

    Roy & Vetterli (2007). Codes that are random and dense score close to k, a collapsed code 1.
    """
    p = sample.once(spectrum)
    return math.exp(-float((p[p > 0] * np.log(p[p > 0])).sum()))
