"""Two views of an image: crop, flip, colour jitter, grey, blur, for a whole batch at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from bncl_core.data.augment import to_float
from bncl_core.data.colour import jitter_exact, jitter_fast
from bncl_core.data.draws import TRIES, ViewParameters, crop_box, uniforms
from bncl_core.data.separable import apply_separable, blur_matrix, flip_rows, resize_matrix

CHUNK = 256
"""Images a pass on the CPU: larger passes fall out of the cache and run at half the speed."""


@dataclass(frozen=True)
class Views:
    """The recipe of a view; the default is SimCLR's.

    mode         exact: Pillow's antialiased bicubic crop to one grey level, torchvision's jitter in an order of each
                 image's own, full blur. fast: bilinear crop, jitter as one matrix in a fixed order, blur folded into
                 the crop
    size         side of a view in pixels; 0: the images' own
    crop_low, crop_high   share of the image's area that a crop covers
    jitter       probability of colour jitter
    brightness, contrast, saturation   largest relative change, from 1 − x (not below 0) to 1 + x
    hue          largest turn of the hue, 0…½ of a full turn
    grey         probability of grey
    blur         probability of blur
    blur_low, blur_high   its sigma in pixels
    flip         probability of mirroring
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
        u = uniforms(seed, epoch, view, ids)
        box, rest = u[:, : 2 * TRIES + 2], u[:, 2 * TRIES + 2 :]
        top, left, tall, wide = crop_box(box, height, width, self.crop_low, self.crop_high)
        strength = np.array([self.brightness, self.contrast, self.saturation], np.float32)
        low, high = np.maximum(1 - strength, 0), 1 + strength
        factors = np.empty((len(ids), 4), np.float32)
        factors[:, :3] = low + (high - low) * rest[:, 2:5]
        factors[:, 3] = self.hue * (2 * rest[:, 5] - 1)
        factors[rest[:, 1] >= self.jitter] = (1, 1, 1, 0)
        sigma = self.blur_low + (self.blur_high - self.blur_low) * rest[:, 12]
        return ViewParameters(
            top=top.astype(np.float32),
            left=left.astype(np.float32),
            height=tall.astype(np.float32),
            width=wide.astype(np.float32),
            flip=rest[:, 0] < self.flip,
            factors=factors,
            order=np.argsort(rest[:, 6:10], axis=1, kind="stable"),
            grey=rest[:, 10] < self.grey,
            sigma=np.where(rest[:, 11] < self.blur, sigma, 0).astype(np.float32),
        )

    def apply(self, images: Tensor, parameters: ViewParameters) -> Tensor:
        """Views float32 `[n 3 s s]` in 0…1 of uint8 images `[n h w 3]`, on the images' device."""
        device = images.device
        height, width = images.shape[1:3]
        side = (self.size, self.size) if self.size else (height, width)
        exact = self.mode == "exact"

        def on(array: np.ndarray) -> Tensor:
            return torch.from_numpy(array).to(device)

        vertical = resize_matrix(on(parameters.top), on(parameters.height), height, side[0], exact)
        horizontal = resize_matrix(on(parameters.left), on(parameters.width), width, side[1], exact)
        horizontal = flip_rows(horizontal, on(parameters.flip))
        pixels = to_float(images)
        sigma = on(parameters.sigma)
        if exact:
            # Pillow rounds to whole grey levels after each of its two passes, horizontal first
            across = _to_levels(pixels @ horizontal.transpose(1, 2)[:, None])
            pictures = jitter_exact(_to_levels(vertical[:, None] @ across), parameters)
            reach = float(np.ceil(4 * self.blur_high))
            blurs = [blur_matrix(sigma, n, reach) for n in side]
            return apply_separable(pictures, *blurs).clamp(0, 1)  # a row of weights can sum to 1 + 1e-7
        if self.blur > 0:
            vertical = blur_matrix(sigma, side[0], 2) @ vertical
            horizontal = blur_matrix(sigma, side[1], 2) @ horizontal
        return jitter_fast(apply_separable(pixels, vertical, horizontal), parameters)

    def __call__(self, images: Tensor, ids: np.ndarray, seed: int, epoch: int, view: int) -> Tensor:
        """Draw and apply: view number `view` (0 or 1) of the images `ids` in this epoch."""
        parameters = self.draw(seed, epoch, view, np.asarray(ids), images.shape[1], images.shape[2])
        if images.device.type != "cpu":
            return self.apply(images, parameters)
        starts = range(0, len(images), CHUNK)
        return torch.cat([self.apply(images[s : s + CHUNK], parameters.rows(s, s + CHUNK)) for s in starts])


def _to_levels(images: Tensor) -> Tensor:
    """Rounded to the 256 grey levels."""
    return (images * 255).round().clamp(0, 255) / 255
