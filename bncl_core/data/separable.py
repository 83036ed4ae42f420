"""Crop, resize, flip and blur as one matrix an axis: two batched products instead of a loop over images."""

from __future__ import annotations

import torch
from torch import Tensor


def triangle(x: Tensor) -> Tensor:
    """The bilinear kernel, support 1."""
    return (1 - x.abs()).clamp(min=0)


def cubic(x: Tensor) -> Tensor:
    """Keys' cubic kernel with a = −½ (the one Pillow uses), support 2."""
    x = x.abs()
    near = (1.5 * x - 2.5) * x * x + 1
    far = ((-0.5 * x + 2.5) * x - 4) * x + 2
    return torch.where(x < 1, near, torch.where(x < 2, far, 0.0))


def resize_matrix(start: Tensor, length: Tensor, inside: int, outside: int, exact: bool) -> Tensor:
    """`[n outside inside]`: the part `start … start + length` of an axis of `inside` pixels, resampled to `outside`.

    Antialiased: the kernel is as wide as an output pixel when shrinking. Pixels outside the interval have no part in
    it, as when an image is cropped first. Rows sum to 1.
    """
    device = start.device
    scale = (length / outside)[:, None, None]
    wide = scale.clamp(min=1.0)
    centre = (torch.arange(outside, device=device) + 0.5)[None, :, None] * scale
    offset = torch.arange(inside, device=device)[None, None, :] - start[:, None, None]
    weights = (cubic if exact else triangle)((offset + 0.5 - centre) / wide)
    weights = torch.where((offset >= 0) & (offset < length[:, None, None]), weights, 0.0)
    return weights / weights.sum(dim=2, keepdim=True)


def blur_matrix(sigma: Tensor, side: int, reach: float) -> Tensor:
    """`[n side side]`: Gaussian blur of `sigma` pixels along one axis, mirrored at the borders; identity for sigma 0.

    The kernel is cut at `reach` pixels from its middle.
    """
    at = torch.arange(side, device=sigma.device, dtype=torch.float32)
    wide = torch.where(sigma > 0, sigma, 1.0)[:, None, None]

    def kernel(distance: Tensor) -> Tensor:
        return torch.exp(-0.5 * (distance / wide) ** 2) * (distance <= reach)

    plain = kernel((at[:, None] - at[None, :]).abs()[None])
    left = kernel((at[:, None] + at[None, :])[None]) * (at > 0)
    right = kernel((2 * (side - 1) - at[:, None] - at[None, :])[None]) * (at < side - 1)
    weights = plain + left + right
    weights = weights / weights.sum(dim=2, keepdim=True)
    return torch.where((sigma > 0)[:, None, None], weights, torch.eye(side, device=sigma.device))


def flip_rows(matrix: Tensor, flip: Tensor) -> Tensor:
    """Output pixels in reverse order where `flip` `[n]` is set."""
    return torch.where(flip[:, None, None], matrix.flip(1), matrix)


def apply_separable(images: Tensor, vertical: Tensor, horizontal: Tensor) -> Tensor:
    """`[n 3 h w]` with one matrix an axis, `[n oh h]` and `[n ow w]` → `[n 3 oh ow]`."""
    return vertical[:, None] @ (images @ horizontal.transpose(1, 2)[:, None])
