"""ImageSet: `images[i]` is image i in training, in the index and on the page."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

Triple = tuple[float, float, float]


class Skipped(NamedTuple):
    """A file that could not be read, and why."""

    path: str
    reason: str


@dataclass(frozen=True, eq=False)
class ImageSet:
    """One split of an image set, with or without labels.

    images   uint8 `[n h w 3]`, resident or memory-mapped
    labels   int64 `[n]`, or None when nothing is known; -1 marks an unlabelled image in a labelled set
    classes  name of each class id; labels lie in `-1 … len(classes) - 1`
    factors  ground truth, name → `[n]`: int for a categorical factor, float for a measured one
    values   names of the values of the categorical factors
    mean, std  per-channel normalisation in 0…1 units, applied inside the encoder
    skipped  files that could not be read

    Raises ValueError when counts or shapes disagree, naming both.
    """

    name: str
    split: str
    images: np.ndarray
    labels: np.ndarray | None = None
    classes: tuple[str, ...] = ()
    factors: dict[str, np.ndarray] = field(default_factory=dict)
    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    mean: Triple = (0.5, 0.5, 0.5)
    std: Triple = (0.25, 0.25, 0.25)
    skipped: tuple[Skipped, ...] = ()

    def __post_init__(self) -> None:
        shape = self.images.shape
        if self.images.dtype != np.uint8 or len(shape) != 4 or shape[3] != 3:
            raise ValueError(f"images must be uint8 [n h w 3]; got {self.images.dtype} {list(shape)}")
        if len(self) == 0:
            raise ValueError(f"{self.name}/{self.split} holds no images")
        for what, array in [("labels", self.labels), *self.factors.items()]:
            if array is not None and array.shape != (len(self),):
                raise ValueError(f"{what} has shape {list(array.shape)} for {len(self)} images")
        if self.labels is not None:
            low, high = int(self.labels.min()), int(self.labels.max())
            if low < -1 or high >= len(self.classes):
                raise ValueError(f"labels run from {low} to {high}, but there are {len(self.classes)} classes")

    def __len__(self) -> int:
        return int(self.images.shape[0])

    @cached_property
    def fingerprint(self) -> str:
        """sha256 over shape, pixels and labels (16 hex digits): two sets with one fingerprint are one set."""
        digest = hashlib.sha256(repr(self.images.shape).encode())
        for start in range(0, len(self), 4096):
            digest.update(np.ascontiguousarray(self.images[start : start + 4096]).tobytes())
        if self.labels is not None:
            digest.update(self.labels.astype("<i8").tobytes())
        return digest.hexdigest()[:16]
