"""Lift: how many times its chance level the consistency is."""

from __future__ import annotations

import numpy as np

from bncl_core.metrics import Sample, metric, metrics
from bncl_core.metrics.chance import dimension_null
from bncl_core.metrics.consistency import consistencies, never_active


@metrics.register("consistency_lift")
@metric(
    title="Consistency over chance",
    low=0,
    high=None,
    better="higher",
    group="chance",
    unit="",
    needs_labels=True,
    undefined=never_active,
)
def consistency_lift(sample: Sample) -> float:
    """`consistency` divided by `consistency_chance`, 0 … C: 1 is chance whatever the number of images a dimension is
    active in, 2 is twice the share that meaningless labels would give."""
    return float(np.nanmean(consistencies(sample.counts)) / np.nanmean(sample.once(dimension_null).mean))
