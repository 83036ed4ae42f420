"""One row a dimension: exact counts, class metrics, chance. All dimensions at once."""

from __future__ import annotations

import numpy as np

from bncl_core.metrics._sample import Sample
from bncl_core.metrics.chance import dimension_null
from bncl_core.metrics.consistency import consistencies
from bncl_core.metrics.entropy import class_means, entropies
from bncl_core.metrics.information import adjusted_information


def table(sample: Sample) -> dict[str, np.ndarray]:
    """Columns `[k]` by name; NaN where undefined, and the class columns NaN, −1 or 0 without labels or with one class.

    active             images in which the dimension is active: |value| > 1e-5 in a row of length 1
    labelled           those with a label: the n of the class columns
    top_class          class id of its most frequent class (the smallest id of several); top_count, its images
    consistency        top_count / labelled
    chance, line_95    mean and 95 % point of that share under permuted labels
    above              consistency > line_95
    ceiling            the largest share so many images can have: min(1, largest class size / labelled)
    entropy_sum, entropy_mean, entropy_count   nats, by mass, by class mean, by count
    adjusted_information   mutual information of being active with the class, chance taken off; 0 … 1
    """
    k, nan = sample.k, np.full(sample.k, np.nan)
    columns: dict[str, np.ndarray] = {
        "dimension": np.arange(k),
        "active": sample.tables.counts.sum(axis=1),
        "labelled": sample.labelled_active,
        "top_class": np.full(k, -1),
        "top_count": np.zeros(k, np.int64),
        "above": np.zeros(k, bool),
    }
    if sample.classes < 2:
        names = ("consistency", "chance", "line_95", "ceiling", "entropy_sum", "entropy_mean", "entropy_count")
        return columns | {name: nan.copy() for name in (*names, "adjusted_information")}
    counts, active = sample.counts, sample.labelled_active
    some = active > 0
    null = sample.once(dimension_null)
    share = consistencies(counts)
    columns["top_class"] = np.where(some, np.array(sample.class_ids)[counts.argmax(axis=1)], -1)
    columns["top_count"] = counts.max(axis=1)
    columns["above"] = np.greater(share, null.high + 1e-12, where=some, out=np.zeros(k, bool))
    return columns | {
        "consistency": share,
        "chance": null.mean,
        "line_95": null.high,
        "ceiling": np.minimum(1, np.divide(sample.sizes.max(), active, where=some, out=nan)),
        "entropy_sum": entropies(sample.mass),
        "entropy_mean": entropies(class_means(sample)),
        "entropy_count": entropies(counts),
        "adjusted_information": adjusted_information(counts, sample.sizes),
    }
