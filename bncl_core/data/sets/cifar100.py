"""CIFAR-100 (Krizhevsky 2009), through torchvision."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from bncl_core.data.images import ImageSet
from bncl_core.data.sets import ImageSource, image_sets
from bncl_core.data.sets._cifar import image_set, open_cifar
from bncl_core.data.sets._superclasses import SUPERCLASSES

NORM = (0.5071, 0.4865, 0.4409), (0.2673, 0.2564, 0.2762)


@image_sets.register("cifar100")
@dataclass(frozen=True)
class CIFAR100(ImageSource):
    """60,000 photographs of 32×32 pixels in 100 classes of 20 kinds; 50,000 train, 10,000 test.

    labels    fine: the 100 classes; coarse: their 20 superclasses, five classes each
    root      folder that holds cifar-100-python; empty: GATESCOPE_DATA, else data/ in the project
    download  fetch the files when they are absent

    Raises ValueError for other labels.
    """

    labels: Literal["fine", "coarse"] = "fine"
    root: str = field(default="", metadata={"identity": False})
    download: bool = field(default=True, metadata={"identity": False})

    def __post_init__(self) -> None:
        if self.labels not in ("fine", "coarse"):
            raise ValueError(f"labels is {self.labels!r}; allowed: fine, coarse")

    def load(self, split: str) -> ImageSet:
        """The official images in their official order. Raises FileNotFoundError saying what to put where."""
        self.check_split(split)
        data = open_cifar("CIFAR100", self.root, split, self.download)
        numbers, classes = np.array(data.targets, np.int64), tuple(data.classes)
        if self.labels == "coarse":
            numbers, classes = coarse(classes)[numbers], tuple(SUPERCLASSES)
        return image_set("cifar100", split, data, numbers, classes, NORM)


def coarse(classes: tuple[str, ...]) -> np.ndarray:
    """The number of the superclass of each class, int64 `[classes]`. Raises ValueError for a class that has none."""
    kinds = {name: number for number, members in enumerate(SUPERCLASSES.values()) for name in members}
    unknown = sorted(set(classes) - set(kinds))
    if unknown:
        raise ValueError(f"no superclass of CIFAR-100 holds {', '.join(unknown)}")
    return np.array([kinds[name] for name in classes], np.int64)
