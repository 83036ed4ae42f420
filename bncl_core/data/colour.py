"""Brightness, contrast, saturation, hue and grey: as torchvision defines them, and as one matrix a picture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from bncl_core.data.augment import on_device
from bncl_core.data.draws import ViewParameters

LUMA = (0.2989, 0.587, 0.114)
"""Weights of red, green and blue in the grey value (torchvision's)."""
YIQ = np.array([(0.299, 0.587, 0.114), (0.5959, -0.2746, -0.3213), (0.2115, -0.5227, 0.3112)])
"""RGB → lightness and two colour axes; turning the hue is turning the plane of the last two."""


def grey(images: Tensor) -> Tensor:
    """Grey value `[n 1 h w]` of `[n 3 h w]`."""
    red, green, blue = images.unbind(1)
    return (red * LUMA[0]).add_(green, alpha=LUMA[1]).add_(blue, alpha=LUMA[2])[:, None]


def brightness(images: Tensor, factor: Tensor) -> Tensor:
    """Multiply by `factor` `[n]`."""
    return (images * factor.view(-1, 1, 1, 1)).clamp_(0, 1)


def contrast(images: Tensor, factor: Tensor) -> Tensor:
    """Mix with the mean grey value of the picture."""
    f = factor.view(-1, 1, 1, 1)
    return (images * f).add_(grey(images).mean(dim=(2, 3), keepdim=True) * (1 - f)).clamp_(0, 1)


def saturation(images: Tensor, factor: Tensor) -> Tensor:
    """Mix with the picture's own grey."""
    f = factor.view(-1, 1, 1, 1)
    return (images * f).add_(grey(images).mul_(1 - f)).clamp_(0, 1)


def hue(images: Tensor, turns: Tensor) -> Tensor:
    """Turn the hue of HSV by `turns` `[n]` (1 is a full turn)."""
    red, green, blue = images.unbind(1)
    high = torch.maximum(torch.maximum(red, green), blue)
    low = torch.minimum(torch.minimum(red, green), blue)
    span = high - low
    safe = torch.where(span > 0, span, 1.0)
    # in sixths of a turn: 0 is red, 2 green, 4 blue
    angle = torch.where(green == high, (blue - red).div_(safe).add_(2), (red - green).div_(safe).add_(4))
    angle = torch.where(red == high, (green - blue).div_(safe), angle)
    angle = angle.add_(6 * turns.view(-1, 1, 1)).remainder_(6)
    share = torch.stack([(angle - 3).abs_().sub_(1), 2 - (angle - 2).abs_(), 2 - (angle - 4).abs_()], dim=1)
    return share.clamp_(0, 1).mul_(span[:, None]).add_(low[:, None])


OPERATIONS = (brightness, contrast, saturation, hue)
NEUTRAL = (1.0, 1.0, 1.0, 0.0)


def change_rows(images: Tensor, wanted: np.ndarray, change: Callable[..., Tensor], *settings: Tensor) -> None:
    """Replace, in place, the pictures for which `wanted` `[n]` is set by `change(pictures, their settings…)`.

    `settings` have a row an image. Which rows are wanted is known on the CPU, so that nothing waits for the device.
    """
    if wanted.any():
        rows = on_device(np.flatnonzero(wanted), images.device)
        images.index_copy_(0, rows, change(images[rows], *(setting[rows] for setting in settings)))


def jitter_exact(images: Tensor, parameters: ViewParameters) -> Tensor:
    """The four operations in each picture's own order, then grey, on `[n 3 h w]` in 0…1."""
    images = images.clone()
    factors = on_device(parameters.factors, images.device)
    for place in range(4):
        for number, operation in enumerate(OPERATIONS):
            wanted = (parameters.order[:, place] == number) & (parameters.factors[:, number] != NEUTRAL[number])
            change_rows(images, wanted, operation, factors[:, number])
    change_rows(images, parameters.grey, lambda some: grey(some).expand_as(some))
    return images


def colour_matrix(parameters: ViewParameters) -> tuple[np.ndarray, np.ndarray]:
    """Brightness, contrast, saturation or grey, hue, in this order, as `matrix @ rgb + offset · mean grey value`.

    float32 `[n 3 3]` and `[n]`; the mean is that of the picture before any change.
    """
    light, mix, vivid, turn = parameters.factors.astype(np.float64).T
    vivid = np.where(parameters.grey, 0.0, vivid)[:, None, None]
    angle = -2 * np.pi * turn  # the hue circle runs against the angle of the colour plane
    plane = np.zeros((len(turn), 3, 3))
    plane[:, 0, 0] = 1
    plane[:, 1, 1] = plane[:, 2, 2] = np.cos(angle)
    plane[:, 2, 1] = np.sin(angle)
    plane[:, 1, 2] = -plane[:, 2, 1]
    turned = np.linalg.inv(YIQ) @ plane @ YIQ
    matrix = turned @ (vivid * np.eye(3) + (1 - vivid) * np.array(LUMA)) * (light * mix)[:, None, None]
    return matrix.astype(np.float32), ((1 - mix) * light).astype(np.float32)


def jitter_fast(images: Tensor, parameters: ViewParameters) -> Tensor:
    """One 3×3 matrix and one grey offset a picture, clamped once, on `[n 3 h w]` in 0…1.

    The hue is turned at equal lightness, not at equal maximum as in HSV: by the asked angle on average over the hues,
    by two thirds to one and a half of it for a single one.
    """
    matrix, offset = (on_device(array, images.device) for array in colour_matrix(parameters))
    red, green, blue = images.mean(dim=(2, 3)).unbind(1)
    mean = LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue
    out = torch.baddbmm((offset * mean)[:, None, None], matrix, images.flatten(2))
    return out.clamp_(0, 1).view_as(images)
