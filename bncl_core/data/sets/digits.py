"""Handwritten digits that come with scikit-learn: real images, always there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

from bncl_core.data.images import ImageSet
from bncl_core.data.sets import ImageSource, image_sets
from bncl_core.seeds import rng


@image_sets.register("digits")
@dataclass(frozen=True)
class Digits(ImageSource):
    """1,797 grey 8×8 digits (UCI, in scikit-learn), enlarged.

    size        side in pixels; bicubic, since blocks would teach edges that are not there
    test_share  share of each class that is the test split
    seed        of the split
    """

    size: int = 32
    test_share: float = 0.2
    seed: int = 0

    def __post_init__(self) -> None:
        if self.size < 8:
            raise ValueError(f"size is {self.size}; the digits are 8 pixels wide, so at least 8")
        if not 0 < self.test_share < 1:
            raise ValueError(f"test_share is {self.test_share}; allowed: strictly between 0 and 1")

    def load(self, split: str) -> ImageSet:
        """The digits of one split, in the order of the original set."""
        from sklearn.datasets import load_digits

        self.check_split(split)
        data = load_digits()
        labels = data.target.astype(np.int64)
        in_test = np.zeros(len(labels), bool)
        for digit in range(10):
            members = np.flatnonzero(labels == digit)
            chosen = rng(self.seed, "digits", digit).permutation(members)[: round(self.test_share * len(members))]
            in_test[chosen] = True
        keep = np.flatnonzero(in_test if split == "test" else ~in_test)
        grey = (data.images[keep] * (255 / 16)).round().astype(np.uint8)
        large = [np.asarray(Image.fromarray(g).resize((self.size,) * 2, Image.Resampling.BICUBIC)) for g in grey]
        images = np.repeat(np.stack(large)[..., None], 3, axis=3)
        return ImageSet(
            "digits", split, images, labels[keep], tuple(map(str, range(10))), mean=(0.309,) * 3, std=(0.349,) * 3
        )
