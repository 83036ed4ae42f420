"""uint8 pixels → floats in 0…1."""

from __future__ import annotations

import torch
from torch import Tensor


def to_float(images: Tensor) -> Tensor:
    """uint8 `[n h w 3]` → float32 `[n 3 h w]` in 0…1. ValueError for another kind or shape."""
    if images.dtype != torch.uint8 or images.ndim != 4 or images.shape[3] != 3:
        raise ValueError(f"images must be uint8 [n h w 3]; got {images.dtype} {list(images.shape)}")
    return images.permute(0, 3, 1, 2).float() / 255
