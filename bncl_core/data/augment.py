"""uint8 pixels → floats in 0…1, and numbers → the device the pixels are on."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def to_float(images: Tensor) -> Tensor:
    """uint8 `[n h w 3]` → float32 `[n 3 h w]` in 0…1. ValueError for another kind or shape."""
    check_pixels(images)
    return images.permute(0, 3, 1, 2).to(torch.float32, memory_format=torch.contiguous_format).div_(255)


def check_pixels(images: Tensor) -> None:
    """Raise ValueError unless `images` is uint8 `[n h w 3]`."""
    if images.dtype != torch.uint8 or images.ndim != 4 or images.shape[3] != 3:
        raise ValueError(f"images must be uint8 [n h w 3]; got {images.dtype} {list(images.shape)}")


def on_device(array: np.ndarray, device: torch.device) -> Tensor:
    """The array as a tensor on `device`; to a GPU from pinned memory, so that nothing waits for the GPU's queue."""
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    if device.type == "cuda":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)
