"""How much of the code is used: live dimensions, sparsity, sign."""

from __future__ import annotations

from bncl_core.metrics import Sample, metric, metrics


@metrics.register("act_dim")
@metric(title="Live dimensions", low=0, high=None, better="neither", group="published", unit="count", needs_live=0)
def act_dim(sample: Sample) -> int:
    """Number of dimensions that are not 0 in every image (published: "active dimensions"); 0 … k.

    One image with one tiny value is enough to count. Chance has no say in it.
    """
    return int(sample.live.sum())


@metrics.register("live_share")
@metric(title="Share of live dimensions", low=0, high=1, better="neither", needs_live=0)
def live_share(sample: Sample) -> float:
    """Live dimensions divided by all dimensions, 0 … 1; the column "Act." of the published table."""
    return float(sample.live.mean())


@metrics.register("sparsity")
@metric(title="Sparsity", low=0, high=1, better="neither", group="published", needs_live=0)
def sparsity(sample: Sample) -> float:
    """Share of all values (images × dimensions) that are not active: |value| ≤ 1e-5 in a row of length 1; 0 … 1.

    Dead dimensions and zero rows count as sparse, so 1 is also what a collapsed code scores.
    """
    return 1 - activation_share(sample)


@metrics.register("activation_rate")
@metric(title="Activation rate", low=0, high=1, better="neither", needs_live=0)
def activation_rate(sample: Sample) -> float:
    """Share of all values that are active (1 − sparsity), 0 … 1: the part of the dimensions an image uses on
    average. 1 for a dense code."""
    return activation_share(sample)


def activation_share(sample: Sample) -> float:
    """Active values over n·k, counted exactly."""
    return int(sample.tables.counts.sum()) / (sample.n * sample.k)


@metrics.register("non_neg")
@metric(title="Non-negative values", low=0, high=1, better="neither", group="published", needs_live=0)
def non_neg(sample: Sample) -> float:
    """Share of all values that are 0 or more, 0 … 1: 1 for a non-negative code, about ½ for a signed one."""
    return 1 - sample.tables.negative / (sample.n * sample.k)
