"""Two views of an image: crop, flip, colour jitter, grey, blur, for a whole batch at once."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from bncl_core.data import draws
from bncl_core.data.augment import check_pixels, on_device
from bncl_core.data.colour import NEUTRAL, change_rows, jitter_exact, jitter_fast
from bncl_core.data.draws import ViewParameters
from bncl_core.data.separable import along_columns, along_rows, blur_matrix, resize_matrix

CHUNK = 128 * 32 * 32
"""Pixels a pass on the CPU (128 images of 32×32): larger passes fall out of the cache."""
FAST_REACH = 2
"""Pixels the blur of the fast mode reads on each side: five taps."""
EXACT_REACH = 4
"""Standard deviations the blur of the exact mode reads on each side; what is left out weighs 6e-5."""


@dataclass(frozen=True)
class Views:
    """The recipe of a view; the default is SimCLR's.

    mode         fast: bilinear crop, colour jitter as one matrix in a fixed order, blur of five taps. exact: Pillow's
                 bicubic crop to one grey level, torchvision's jitter in an order of each image's own, the whole blur
    size         side of a view in pixels; 0: height and width of the images
    crop_low     smallest share of the image's area that a crop covers
    crop_high    largest share of the image's area that a crop covers
    jitter       probability of colour jitter
    brightness   largest relative change of brightness: a factor from 1 − x (not below 0) to 1 + x
    contrast     largest relative change of contrast: a factor from 1 − x (not below 0) to 1 + x
    saturation   largest relative change of saturation: a factor from 1 − x (not below 0) to 1 + x
    hue          largest turn of the hue, 0…½ of a full turn
    grey         probability of grey
    blur         probability of Gaussian blur
    blur_low     smallest sigma of the blur in pixels of the view
    blur_high    largest sigma of the blur in pixels of the view
    flip         probability of mirroring left to right

    Values out of range raise ValueError. Recipe: SimCLR (arXiv 2002.05709, appendix A).
    """

    mode: Literal["fast", "exact"] = "fast"
    size: int = 0
    crop_low: float = 0.08
    crop_high: float = 1.0
    jitter: float = 0.8
    brightness: float = 0.8
    contrast: float = 0.8
    saturation: float = 0.8
    hue: float = 0.2
    grey: float = 0.2
    blur: float = 0.5
    blur_low: float = 0.1
    blur_high: float = 2.0
    flip: float = 0.5

    def __post_init__(self) -> None:
        if self.mode not in ("fast", "exact"):
            raise ValueError(f"mode is {self.mode!r}; allowed: fast, exact")
        for name in ("jitter", "grey", "blur", "flip"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it is a probability, 0…1")
        if not 0 < self.crop_low <= self.crop_high <= 1:
            raise ValueError(f"crop is {self.crop_low}…{self.crop_high} of the area; allowed: 0 < low ≤ high ≤ 1")
        if not 0 < self.blur_low <= self.blur_high < np.inf:
            raise ValueError(f"blur is {self.blur_low}…{self.blur_high} pixels; allowed: 0 < low ≤ high")
        for name in ("brightness", "contrast", "saturation"):
            if not 0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be finite and not negative")
        if not 0 <= self.hue <= 0.5:
            raise ValueError(f"hue is {self.hue}; allowed: 0…0.5 of a turn")
        if self.size < 0:
            raise ValueError(f"size is {self.size}; allowed: 0 (the images' own) or more")

    def draw(self, seed: int, epoch: int, view: int, ids: np.ndarray, height: int, width: int) -> ViewParameters:
        """What happens to the images `ids` `[n]` of `height`×`width` pixels in this view of this epoch."""
        u = draws.uniforms(seed, epoch, view, ids)
        top, left, tall, wide = draws.crop_box(u, height, width, self.crop_low, self.crop_high)
        spread = np.array([self.brightness, self.contrast, self.saturation, self.hue], np.float32)
        neutral = np.array(NEUTRAL, np.float32)
        low, high = np.maximum(neutral - spread, (0, 0, 0, -self.hue)), neutral + spread
        factors = np.where(u[:, [draws.JITTER]] < self.jitter, low + (high - low) * u[:, draws.FACTORS], neutral)
        sigma = self.blur_low + (self.blur_high - self.blur_low) * u[:, draws.SIGMA]
        return ViewParameters(
            top=top.astype(np.float32),
            left=left.astype(np.float32),
            height=tall.astype(np.float32),
            width=wide.astype(np.float32),
            flip=u[:, draws.FLIP] < self.flip,
            factors=factors.astype(np.float32),
            order=draws.ORDERS[(u[:, draws.ORDER] * len(draws.ORDERS)).astype(np.int64)],
            grey=u[:, draws.GREY] < self.grey,
            sigma=np.where(u[:, draws.BLUR] < self.blur, sigma, 0).astype(np.float32),
        )

    @torch.no_grad()
    def apply(self, images: Tensor, parameters: ViewParameters) -> Tensor:
        """Views float32 `[n 3 s s]` in 0…1 of uint8 images `[n h w 3]`, on the images' device.

        ValueError for other pixels, or when there is not one set of parameters for each image.
        """
        _check_match(images, parameters)
        with _full_precision(images.device.type):
            return (self._exact if self.mode == "exact" else self._fast)(images, parameters)

    def _side(self, images: Tensor) -> tuple[int, int]:
        """Height and width of a view of these images."""
        return (self.size, self.size) if self.size else (images.shape[1], images.shape[2])

    def _crop(self, images: Tensor, p: ViewParameters) -> tuple[Tensor, Tensor]:
        """Matrices of the vertical and the horizontal axis: crop, resize and flip."""
        top, tall, left, wide, flip = (
            on_device(array, images.device) for array in (p.top, p.height, p.left, p.width, p.flip)
        )
        exact, (height, width) = self.mode == "exact", self._side(images)
        down = resize_matrix(top, tall, None, (height, images.shape[1]), exact)
        return down, resize_matrix(left, wide, flip, (width, images.shape[2]), exact)

    def _fast(self, images: Tensor, parameters: ViewParameters) -> Tensor:
        vertical, horizontal = self._crop(images, parameters)
        if self.blur > 0:
            sigma = on_device(parameters.sigma, images.device)
            vertical, horizontal = (
                torch.bmm(blur_matrix(sigma, matrix.shape[1], FAST_REACH), matrix) for matrix in (vertical, horizontal)
            )
        pixels = images.permute(0, 3, 1, 2).to(torch.float32, memory_format=torch.contiguous_format)
        return jitter_fast(along_columns(along_rows(pixels, horizontal), vertical.div_(255)), parameters)

    def _exact(self, images: Tensor, parameters: ViewParameters) -> Tensor:
        vertical, horizontal = self._crop(images, parameters)
        pixels = images.permute(0, 3, 1, 2).to(torch.float32, memory_format=torch.contiguous_format)
        # Pillow rounds after each of its two passes, horizontal first (Pillow 13 turns the two round when the height
        # shrinks much more than the width)
        levels = _to_levels(along_columns(_to_levels(along_rows(pixels, horizontal)), vertical))
        pictures = jitter_exact(levels.div_(255), parameters)
        reach = int(np.ceil(EXACT_REACH * self.blur_high))

        def blur(some: Tensor, sigma: Tensor) -> Tensor:
            down, right = (blur_matrix(sigma, side, reach) for side in some.shape[2:])
            return along_columns(along_rows(some, right), down).clamp_(0, 1)  # weights can sum to 1 + 1e-7

        change_rows(pictures, parameters.sigma > 0, blur, on_device(parameters.sigma, images.device))
        return pictures

    def __call__(self, images: Tensor, ids: np.ndarray, seed: int, epoch: int, view: int) -> Tensor:
        """Draw and apply: view number `view` of the images, whose ids are `ids` `[n]`, in this epoch.

        float32 `[n 3 s s]` in 0…1 on the images' device; errors as in `apply`.
        """
        parameters = self.draw(seed, epoch, view, np.asarray(ids), images.shape[1], images.shape[2])
        _check_match(images, parameters)
        if images.device.type != "cpu":
            return self.apply(images, parameters)
        side = self._side(images)
        step = max(1, CHUNK // max(images.shape[1] * images.shape[2], side[0] * side[1]))
        starts = range(0, max(len(images), 1), step)
        return torch.cat([self.apply(images[s : s + step], parameters.rows(s, s + step)) for s in starts])


def _full_precision(kind: str) -> AbstractContextManager[object]:
    """Shields the matrix products from a caller's autocast: half precision would cost grey levels."""
    return torch.autocast(kind, enabled=False) if torch.amp.is_autocast_available(kind) else nullcontext()


def _to_levels(levels: Tensor) -> Tensor:
    """Rounded to whole grey levels 0…255, halves up as Pillow does, in place."""
    return levels.add_(0.5).floor_().clamp_(0, 255)


def _check_match(images: Tensor, parameters: ViewParameters) -> None:
    check_pixels(images)
    if len(parameters) != len(images):
        raise ValueError(f"{len(images)} images, but parameters for {len(parameters)}: draw one set an image")
