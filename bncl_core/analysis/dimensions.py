"""One row a dimension: exact counts, and what the class labels say beside what chance would say."""

from __future__ import annotations

import numpy as np
import pandas as pd

from bncl_core.analysis.index import ACTIVE, Index
from bncl_core.metrics.chance import consistency_null


def dimension_table(index: Index, seed: int = 0) -> pd.DataFrame:
    """The columns of `dimensions.parquet`, computed from the stored float16 rows alone.

    dimension                 number of the dimension
    active                    images in which it is active before the gate; frequency π = active / n
    open                      images in which its gate is open
    active_open, vetoed       active and open; active but closed. They add up to `active`
    value_max, value_mean     of the value before the gate, over the active images (NaN when never active)
    gate_mean, gate_active    mean gate probability over all images; over the active ones (NaN when never active)
    top_class, top_class_count, consistency   most frequent class among the labelled images where it is active and
                              open, its count and share (-1, 0, NaN when there are none)
    labelled                  labelled images where it is active and open: the n of that share
    consistency_null_mean, consistency_null_95   mean and 95 % point of that share under permuted labels
    entropy_sum               entropy in nats of the gated mass per class (NaN when undefined)
    """
    rows = [_row(index, dimension) for dimension in range(index.k)]
    table = pd.DataFrame(rows)
    null = _null(table["labelled"].to_numpy(), index, seed)
    table["consistency_null_mean"], table["consistency_null_95"] = null
    return table


def _row(index: Index, dimension: int) -> dict[str, float]:
    values, gates, mask = index.values_of(dimension), index.gates_of(dimension), index.mask_of(dimension)
    active = np.abs(values) > ACTIVE
    used = active & mask
    some = bool(active.any())
    row: dict[str, float] = {
        "dimension": dimension,
        "active": int(active.sum()),
        "open": int(mask.sum()),
        "active_open": int(used.sum()),
        "vetoed": int((active & ~mask).sum()),
        "value_max": float(values[active].max()) if some else np.nan,
        "value_mean": float(values[active].mean()) if some else np.nan,
        "gate_mean": float(gates.mean()),
        "gate_active": float(gates[active].mean()) if some else np.nan,
        "top_class": -1,
        "top_class_count": 0,
        "labelled": 0,
        "consistency": np.nan,
        "entropy_sum": np.nan,
    }
    if index.labels is None:
        return row
    chosen = used & (index.labels >= 0)
    if not chosen.any():
        return row
    labels, classes = index.labels[chosen], len(index.classes)
    counts = np.bincount(labels, minlength=classes)
    mass = np.bincount(labels, weights=np.abs(index.gated_of(dimension)[chosen]), minlength=classes)
    share = mass[mass > 0] / mass.sum()
    row |= {
        "top_class": int(counts.argmax()),
        "top_class_count": int(counts.max()),
        "labelled": int(counts.sum()),
        "consistency": float(counts.max() / counts.sum()),
        "entropy_sum": float(-(share * np.log(share)).sum()),
    }
    return row


def _null(labelled: np.ndarray, index: Index, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Chance level of each dimension's consistency at its own number of labelled active images."""
    if index.labels is None:
        return np.full(len(labelled), np.nan), np.full(len(labelled), np.nan)
    sizes = np.bincount(index.labels[index.labels >= 0], minlength=len(index.classes))
    null = consistency_null(sizes, labelled, seed)
    return null.mean, null.high
