"""Crop, resize, flip and blur as one matrix an axis: two batched products instead of a loop over images."""

from __future__ import annotations

import torch
from torch import Tensor

FAINT = 1e-7
"""Blur weights below this share of the middle one are 0: invisible, and products of them would be slow denormals."""


def triangle(x: Tensor) -> Tensor:
    """The bilinear kernel at distance `x` ≥ 0, support 1. `x` is used up."""
    return x.neg_().add_(1).clamp_(min=0)


def cubic(x: Tensor) -> Tensor:
    """Keys' cubic kernel with a = −½ (the one Pillow uses) at distance `x` ≥ 0, support 2. `x` is used up.

    Written with truncated powers: ½u²(u − 1) + v²(1 − 2v), where u = max(2 − x, 0) and v = max(1 − x, 0).
    """
    u = x.neg_().add_(2).clamp_(min=0)
    v = (u - 1).clamp_(min=0)
    near = (1 - 2 * v).mul_(v).mul_(v)
    return (u - 1).mul_(0.5).mul_(u).mul_(u).add_(near)


def resize_matrix(start: Tensor, length: Tensor, flip: Tensor | None, shape: tuple[int, int], exact: bool) -> Tensor:
    """`[n outside inside]`: the part `start … start + length` of an axis of `inside` pixels, resampled to `outside`.

    `shape` is (outside, inside). Bicubic when `exact`, else bilinear. Antialiased: the kernel is as wide as an output
    pixel when shrinking. Pixels outside the interval have no part in it, as when an image is cropped first. Rows sum
    to 1. Output pixels come in reverse order where `flip` `[n]` is set.
    """
    outside, inside = shape
    scale = (length / outside)[:, None]
    wide = scale.clamp(min=1.0)
    offset = torch.arange(inside, device=start.device) - start[:, None]
    middle = torch.arange(outside, device=start.device) + 0.5
    if flip is not None:
        middle = torch.where(flip[:, None], outside - middle, middle)
    distance = (((offset + 0.5) / wide)[:, None, :] - (middle * scale / wide)[:, :, None]).abs_()
    weights = (cubic if exact else triangle)(distance)
    weights *= ((offset >= 0) & (offset < length[:, None]))[:, None, :]
    return weights.div_(weights.sum(dim=2, keepdim=True))


def blur_matrix(sigma: Tensor, side: int, reach: int) -> Tensor:
    """`[n side side]`: Gaussian blur of `sigma` pixels along one axis, mirrored at the borders; identity for sigma 0.

    The Gaussian is sampled at whole pixels, cut `reach` pixels from its middle and scaled to sum 1. The mirror stands
    on the middle of the border pixel, which is not doubled (torchvision's "reflect").
    """
    taps = torch.arange(-reach, reach + 1, device=sigma.device)
    wide = torch.where(sigma > 0, sigma, 1.0)[:, None]
    weights = torch.exp(-0.5 * (taps / wide) ** 2)
    weights = torch.where((weights > FAINT) & ((sigma[:, None] > 0) | (taps == 0)), weights, 0.0)
    weights = weights / weights.sum(dim=1, keepdim=True)
    pixel = torch.arange(side, device=sigma.device)
    period = max(2 * (side - 1), 1)
    at = (pixel + taps[:, None]) % period
    reads = torch.minimum(at, period - at)[:, :, None] == pixel
    return (weights @ reads.flatten(1).to(weights.dtype)).view(len(sigma), side, side)


def along_rows(images: Tensor, matrix: Tensor) -> Tensor:
    """Every row of `[n 3 h w]` through its image's matrix `[n ow w]` → `[n 3 h ow]`."""
    n, channels, height, _ = images.shape
    return torch.bmm(images.flatten(1, 2), matrix.transpose(1, 2)).view(n, channels, height, matrix.shape[1])


def along_columns(images: Tensor, matrix: Tensor) -> Tensor:
    """Every column of `[n 3 h w]` through its image's matrix `[n oh h]` → `[n 3 oh w]`."""
    return matrix[:, None] @ images
