"""CIFAR-100 (Krizhevsky 2009), through torchvision."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bncl_core.data.images import ImageSet
from bncl_core.data.sets import ImageSource, image_sets
from bncl_core.data.sets._cifar import image_set, open_cifar

NORM = (0.5071, 0.4865, 0.4409), (0.2673, 0.2564, 0.2762)


@image_sets.register("cifar100")
@dataclass(frozen=True)
class CIFAR100(ImageSource):
    """60,000 photographs of 32×32 pixels in 100 classes; 50,000 train, 10,000 test.

    root      folder that holds cifar-100-python; empty: GATESCOPE_DATA, else data/ in the project
    download  fetch the files when they are absent
    """

    root: str = field(default="", metadata={"identity": False})
    download: bool = field(default=True, metadata={"identity": False})

    def load(self, split: str) -> ImageSet:
        """The official images in their official order. Raises FileNotFoundError saying what to put where."""
        self.check_split(split)
        data = open_cifar("CIFAR100", self.root, split, self.download)
        return image_set("cifar100", split, data, np.array(data.targets, np.int64), tuple(data.classes), NORM)
