"""Seeded epochs of image ids."""

from __future__ import annotations

import numpy as np

from bncl_core.seeds import rng


def check_batch(images: int, batch: int) -> None:
    """Raise ValueError when not even one full batch fits: without negatives there is nothing to contrast."""
    if batch < 2:
        raise ValueError(f"batch is {batch}; a contrastive batch needs at least 2 images")
    if images < batch:
        raise ValueError(
            f"the set has {images} images, fewer than one batch of {batch}: use --batch {max(images // 2, 2)}"
        )


def epoch_order(images: int, batch: int, seed: int, epoch: int) -> np.ndarray:
    """Ids of epoch `epoch` as `[steps batch]` int64: a permutation seeded by (seed, epoch), the remainder dropped."""
    check_batch(images, batch)
    steps = images // batch
    return rng(seed, "order", epoch).permutation(images)[: steps * batch].reshape(steps, batch)
