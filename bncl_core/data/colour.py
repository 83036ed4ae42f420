"""Brightness, contrast, saturation, hue and grey: as torchvision defines them, and as one matrix a picture."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from bncl_core.data.draws import ViewParameters

LUMA = (0.2989, 0.587, 0.114)
"""Weights of red, green and blue in the grey value (torchvision's)."""
YIQ = ((0.299, 0.587, 0.114), (0.5959, -0.2746, -0.3213), (0.2115, -0.5227, 0.3112))


def grey(images: Tensor) -> Tensor:
    """Grey value `[n 1 h w]` of `[n 3 h w]`."""
    return (images * torch.tensor(LUMA, device=images.device).view(1, 3, 1, 1)).sum(dim=1, keepdim=True)


def brightness(images: Tensor, factor: Tensor) -> Tensor:
    """Multiply by `factor` `[n]`."""
    return (images * factor.view(-1, 1, 1, 1)).clamp(0, 1)


def contrast(images: Tensor, factor: Tensor) -> Tensor:
    """Mix with the mean grey value of the picture."""
    f = factor.view(-1, 1, 1, 1)
    return (images * f + grey(images).mean(dim=(2, 3), keepdim=True) * (1 - f)).clamp(0, 1)


def saturation(images: Tensor, factor: Tensor) -> Tensor:
    """Mix with the picture's own grey."""
    f = factor.view(-1, 1, 1, 1)
    return (images * f + grey(images) * (1 - f)).clamp(0, 1)


def hue(images: Tensor, turns: Tensor) -> Tensor:
    """Turn the hue of HSV by `turns` `[n]` (1 is a full turn)."""
    high, low = images.amax(dim=1), images.amin(dim=1)
    span = high - low
    safe = torch.where(span > 0, span, 1.0)
    red, green, blue = ((high - channel) / safe for channel in images.unbind(1))
    r, g, _ = images.unbind(1)
    angle = torch.where(r == high, blue - green, torch.where(g == high, 2 + red - blue, 4 + green - red))
    angle = (angle / 6 + turns.view(-1, 1, 1)) % 1.0
    rise = torch.tensor([5.0, 3.0, 1.0], device=images.device).view(1, 3, 1, 1)
    k = (rise + angle[:, None] * 6) % 6
    return high[:, None] - span[:, None] * torch.minimum(k, 4 - k).clamp(0, 1)


OPERATIONS = (brightness, contrast, saturation, hue)
NEUTRAL = (1.0, 1.0, 1.0, 0.0)


def jitter_exact(images: Tensor, parameters: ViewParameters) -> Tensor:
    """The four operations in each picture's own order; which rows get which is decided on the CPU, without a sync."""
    factors = torch.from_numpy(parameters.factors).to(images.device)
    for place in range(4):
        for number, operation in enumerate(OPERATIONS):
            wanted = (parameters.order[:, place] == number) & (parameters.factors[:, number] != NEUTRAL[number])
            if wanted.any():
                rows = torch.from_numpy(np.flatnonzero(wanted)).to(images.device)
                images = images.index_copy(0, rows, operation(images[rows], factors[rows, number]))
    made_grey = torch.from_numpy(parameters.grey).to(images.device)
    return torch.where(made_grey.view(-1, 1, 1, 1), grey(images), images)


def jitter_fast(images: Tensor, parameters: ViewParameters) -> Tensor:
    """One 3×3 matrix and one grey offset a picture: brightness, contrast, saturation, hue in this order, clamped once.

    The hue is turned in YIQ, where turning is linear; grey is a factor of the same matrix.
    """
    device = images.device
    factors = torch.from_numpy(parameters.factors).to(device)
    light, mix, vivid, turn = factors.unbind(1)
    to_yiq = torch.tensor(YIQ, device=device)
    angle = -2 * math.pi * turn  # the hue circle runs against the angle of the IQ plane
    zero, one = torch.zeros_like(turn), torch.ones_like(turn)
    cos, sin = torch.cos(angle), torch.sin(angle)
    rows = [torch.stack(r, dim=1) for r in ((one, zero, zero), (zero, cos, -sin), (zero, sin, cos))]
    turned = torch.linalg.inv(to_yiq) @ torch.stack(rows, dim=1) @ to_yiq
    grey_of = torch.tensor(LUMA, device=device).expand(3, 3)
    vivid = torch.where(torch.from_numpy(parameters.grey).to(device), 0.0, vivid)[:, None, None]
    matrix = turned @ (vivid * torch.eye(3, device=device) + (1 - vivid) * grey_of)
    offset = (1 - mix) * light * grey(images).mean(dim=(1, 2, 3))
    n, _, h, w = images.shape
    out = (matrix * (light * mix)[:, None, None]) @ images.reshape(n, 3, h * w) + offset[:, None, None]
    return out.clamp(0, 1).reshape(n, 3, h, w)
