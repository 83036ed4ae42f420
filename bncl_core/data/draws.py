"""The random numbers behind a view: a function of (seed, epoch, image, view) and of nothing else.

Whole blocks of ids are drawn from one generator, a row an image, so that neither batch size, order, rank nor
resuming changes what happens to image i.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import numpy as np

from bncl_core.seeds import rng

BLOCK = 65_536
"""Ids that share one generator."""
TRIES = 10
"""Candidate crops; the first that fits is taken, as torchvision's RandomResizedCrop does."""
RATIO = (3 / 4, 4 / 3)
"""Allowed width / height of a crop."""
ORDERS = np.array(list(itertools.permutations(range(4))))

# which of an image's numbers decides what
AREA, ASPECT = slice(0, TRIES), slice(TRIES, 2 * TRIES)
TOP, LEFT, FLIP, JITTER, ORDER, GREY, BLUR, SIGMA = range(2 * TRIES, 2 * TRIES + 8)
FACTORS = slice(2 * TRIES + 8, 2 * TRIES + 12)
NUMBERS = 2 * TRIES + 12


@functools.lru_cache(maxsize=2)
def _blocks(seed: int, epoch: int, view: int) -> dict[int, np.ndarray]:
    """The blocks drawn so far of one view of one epoch; those of the last two views are kept, 8 MB a block."""
    return {}


def uniforms(seed: int, epoch: int, view: int, ids: np.ndarray) -> np.ndarray:
    """Numbers in [0, 1) for the images `ids` `[n]` (≥ 0), `[n NUMBERS]` float32."""
    blocks = _blocks(seed, epoch, view)
    number, row = np.divmod(ids, BLOCK)
    out = np.empty((len(ids), NUMBERS), np.float32)
    for block in np.unique(number).tolist():
        if block not in blocks:
            blocks[block] = rng(seed, "views", epoch, view, block).random((BLOCK, NUMBERS), dtype=np.float32)
        here = number == block
        out[here] = blocks[block][row[here]]
    return out


@dataclass(frozen=True, eq=False)
class ViewParameters:
    """What happens to each of n images, as arrays `[n]` (or `[n 4]`).

    top, left, height, width   crop box in whole pixels
    flip                       mirrored left to right
    factors                    brightness, contrast, saturation (multipliers) and hue (turns, −½…½); 1, 1, 1, 0 when off
    order                      the order of those four, a permutation of 0…3 (exact mode; fast mode keeps 0, 1, 2, 3)
    grey                       made grey
    sigma                      blur in pixels of the output; 0 for none
    """

    top: np.ndarray
    left: np.ndarray
    height: np.ndarray
    width: np.ndarray
    flip: np.ndarray
    factors: np.ndarray
    order: np.ndarray
    grey: np.ndarray
    sigma: np.ndarray

    def __len__(self) -> int:
        return len(self.top)

    def rows(self, start: int, stop: int) -> ViewParameters:
        """The parameters of a part of the images."""
        return ViewParameters(**{name: array[start:stop] for name, array in vars(self).items()})


def crop_box(u: np.ndarray, height: int, width: int, low: float, high: float) -> tuple[np.ndarray, ...]:
    """top, left, height, width of a crop for each row of `u` `[n NUMBERS]` (torchvision's RandomResizedCrop law).

    Area uniform in `low`…`high` of the image, logarithm of the aspect uniform in 3/4…4/3; when no candidate fits, the
    largest centred box whose aspect is allowed.
    """
    area = height * width * (low + (high - low) * u[:, AREA].astype(np.float64))
    log_low, log_high = np.log(RATIO)
    aspect = np.exp(log_low + (log_high - log_low) * u[:, ASPECT])
    wide, tall = np.rint(np.sqrt(area * aspect)), np.rint(np.sqrt(area / aspect))
    fits = (wide > 0) & (wide <= width) & (tall > 0) & (tall <= height)
    first, rows = fits.argmax(axis=1), np.arange(len(u))
    whole = width / height
    back_w = width if whole <= RATIO[1] else round(height * RATIO[1])
    back_h = height if whole >= RATIO[0] else round(width / RATIO[0])
    some = fits.any(axis=1)
    w = np.where(some, wide[rows, first], back_w)
    h = np.where(some, tall[rows, first], back_h)
    top = np.where(some, np.floor(u[:, TOP] * (height - h + 1)), (height - h) // 2)
    left = np.where(some, np.floor(u[:, LEFT] * (width - w + 1)), (width - w) // 2)
    return np.minimum(top, height - h), np.minimum(left, width - w), h, w
