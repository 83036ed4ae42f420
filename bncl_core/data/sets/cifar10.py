"""CIFAR-10 (Krizhevsky 2009), through torchvision."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bncl_core.data.images import ImageSet
from bncl_core.data.sets import ImageSource, image_sets
from bncl_core.data.sets._cifar import image_set, open_cifar

NORM = (0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616)


@image_sets.register("cifar10")
@dataclass(frozen=True)
class CIFAR10(ImageSource):
    """60,000 photographs of 32×32 pixels in 10 classes; 50,000 train, 10,000 test.

    root      folder that holds cifar-10-batches-py; empty: GATESCOPE_DATA, else data/ in the project
    download  fetch the files when they are absent
    """

    root: str = field(default="", metadata={"identity": False})
    download: bool = field(default=True, metadata={"identity": False})

    def load(self, split: str) -> ImageSet:
        """The official images in their official order. Raises FileNotFoundError saying what to put where."""
        self.check_split(split)
        data = open_cifar("CIFAR10", self.root, split, self.download)
        return image_set("cifar10", split, data, np.array(data.targets, np.int64), tuple(data.classes), NORM)
