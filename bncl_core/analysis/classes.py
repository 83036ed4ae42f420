"""Class shares among the images of a dimension, beside what chance would give for as many images."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bncl_core.analysis.examples import Kind, pool
from bncl_core.analysis.index import Index
from bncl_core.metrics.chance import consistency_null


@dataclass(frozen=True, eq=False)
class ClassShares:
    """How often each class occurs among some images.

    counts          `[C]` labelled images of each class
    images          images looked at, labelled or not
    null_mean, null_high   mean and 95 % point of the largest share that permuted labels give for as many labelled
                    images; NaN where there are none
    """

    counts: np.ndarray
    images: int
    null_mean: float
    null_high: float

    @property
    def labelled(self) -> int:
        """Labelled images: the n of every share."""
        return int(self.counts.sum())

    @property
    def top(self) -> int:
        """Id of the most frequent class, the first of equals; -1 where nothing is labelled."""
        return int(self.counts.argmax()) if self.labelled else -1

    @property
    def consistency(self) -> float:
        """Share of the most frequent class, 0…1; NaN where nothing is labelled."""
        return float(self.counts.max() / self.labelled) if self.labelled else float("nan")


def class_counts(index: Index, dimension: int, kind: Kind) -> np.ndarray:
    """Labelled images of each class in the pool of this `kind`, `[C]`; empty when the images have no labels."""
    if index.labels is None:
        return np.zeros(0, np.int64)
    chosen = pool(index, dimension, kind) & (index.labels >= 0)
    return np.bincount(index.labels[chosen], minlength=len(index.classes))


def class_shares(index: Index, dimension: int, kind: Kind, seed: int = 0) -> ClassShares:
    """The classes of the images in the pool of this `kind` (see `examples.pool`), with their chance level."""
    counts = class_counts(index, dimension, kind)
    images, labelled = int(pool(index, dimension, kind).sum()), int(counts.sum())
    if index.labels is None or not labelled:
        return ClassShares(counts, images, float("nan"), float("nan"))
    sizes = np.bincount(index.labels[index.labels >= 0], minlength=len(index.classes))
    null = consistency_null(sizes, labelled, seed)
    return ClassShares(counts, images, float(null.mean), float(null.high))
