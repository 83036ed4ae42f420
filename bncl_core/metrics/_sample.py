"""Sample: codes and labels, checked, with what several metrics need worked out once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from bncl_core.metrics._checks import check_codes, check_labels, number_classes
from bncl_core.metrics._class_tables import ClassTables, class_tables, normalise

T = TypeVar("T")
NO_LABELS = "there are no labels: give one class id an image"


@dataclass(frozen=True, eq=False)
class Sample:
    """What every metric is a function of. Class metrics look at the labelled images alone, the others at all images.

    codes      `[n k]` float32 or float64, as given
    tables     sums by class; the last column is the images without a label
    ids        `[n]` class numbers 0 … C−1, −1 where unlabelled
    class_ids  the label each class number stands for
    no_labels  why there are no classes; "" when there are some
    train      the sample that probes learn from, None when none was given
    seed       of every random number a metric draws
    """

    codes: np.ndarray
    tables: ClassTables
    ids: np.ndarray
    class_ids: tuple[int, ...]
    no_labels: str = ""
    train: Sample | None = None
    seed: int = 0
    _known: dict[Any, Any] = field(default_factory=dict, repr=False)

    def once(self, compute: Callable[[Sample], T]) -> T:
        """`compute(self)`, worked out the first time only: for what two metrics of one file share."""
        if compute not in self._known:
            self._known[compute] = compute(self)
        found: T = self._known[compute]
        return found

    @classmethod
    def of(
        cls,
        codes: Any,
        labels: Any = None,
        *,
        unlabelled: int | None = None,
        train: Sample | None = None,
        seed: int = 0,
        name: str = "",
    ) -> Sample:
        """Check and number. Raises ValueError with a sentence for unusable codes or labels, and when the codes of
        `train` have another number of dimensions."""
        array = check_codes(codes, f"{name}codes")
        n = len(array)
        ids, class_ids, reason = np.full(n, -1), tuple[int, ...](), NO_LABELS
        if train is not None and train.k != array.shape[1]:
            raise ValueError(f"training codes have {train.k} dimensions, the codes {array.shape[1]}; they must agree")
        if labels is not None:
            ids, class_ids = number_classes(check_labels(labels, n, f"{name}labels"), unlabelled)
            reason = "" if class_ids else f"none of the {n} images is labelled (all labels are {unlabelled})"
        groups = np.where(ids < 0, len(class_ids), ids)
        tables = class_tables(array, groups, len(class_ids) + 1, name=f"{name}codes")
        return cls(array, tables, ids, class_ids, reason, train, seed)

    @property
    def n(self) -> int:
        """Number of images."""
        return len(self.codes)

    @property
    def k(self) -> int:
        """Number of dimensions."""
        return int(self.codes.shape[1])

    @property
    def classes(self) -> int:
        """Number of classes that occur."""
        return len(self.class_ids)

    @cached_property
    def rows(self) -> np.ndarray:
        """Codes with rows of length 1 `[n k]`."""
        rows = self.codes.copy()
        normalise(rows)
        return rows

    @cached_property
    def labelled(self) -> np.ndarray:
        """Row numbers of the labelled images."""
        return np.flatnonzero(self.ids >= 0)

    @cached_property
    def labels(self) -> np.ndarray:
        """Class numbers of the labelled images."""
        return self.ids[self.labelled]

    @cached_property
    def labelled_rows(self) -> np.ndarray:
        """`rows` of the labelled images."""
        return self.rows if len(self.labelled) == self.n else self.rows[self.labelled]

    @property
    def sizes(self) -> np.ndarray:
        """Labelled images of each class `[C]`."""
        return self.tables.sizes[: self.classes]

    @property
    def counts(self) -> np.ndarray:
        """Active images of each class `[k C]`."""
        return self.tables.counts[:, : self.classes]

    @property
    def mass(self) -> np.ndarray:
        """Sum of |normalised value| over each class `[k C]`."""
        return self.tables.mass[:, : self.classes]

    @cached_property
    def labelled_active(self) -> np.ndarray:
        """Labelled images in which each dimension is active `[k]`."""
        return self.counts.sum(axis=1)

    @cached_property
    def labelled_live(self) -> np.ndarray:
        """Dimensions that are not 0 in every labelled image `[k]`."""
        return np.asarray((self.mass > 0).any(axis=1))

    @cached_property
    def live(self) -> np.ndarray:
        """Dimensions that are not 0 in every image `[k]`."""
        return np.asarray((self.tables.mass > 0).any(axis=1))

    @cached_property
    def gram(self) -> np.ndarray:
        """FᵀF of the live dimensions `[d d]` in float64, F the codes with rows of length 1."""
        rows = self.rows if self.live.all() else self.rows[:, self.live]
        total = np.zeros((rows.shape[1],) * 2)
        for start in range(0, self.n, 8192):
            block = rows[start : start + 8192].astype(np.float64)
            total += block.T @ block
        return total
