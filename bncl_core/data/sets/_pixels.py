"""Arrays of images as people store them → uint8 `[n h w 3]`."""

from __future__ import annotations

import math

import numpy as np

from bncl_core.data.decode import whole_range

SHAPES = "[n h w], [n h w 1|3|4] or [n 1|3 h w]"
KINDS = "uint8, uint16, bool, whole numbers in 0…255, or floats in 0…1"


def channels_last(array: np.ndarray, where: str) -> np.ndarray:
    """A view `[n h w 1|3|4]` of an array of images, nothing read; ValueError with the shape and the allowed ones."""
    shape = array.shape
    if array.ndim == 3:
        array = array[..., None]
    elif array.ndim == 4 and shape[3] not in (1, 3, 4) and shape[1] in (1, 3):
        array = array.transpose(0, 2, 3, 1)
    if array.ndim != 4 or array.shape[3] not in (1, 3, 4):
        raise ValueError(f"{where}: images have shape {list(shape)}; allowed: {SHAPES}{_if_flat(shape)}")
    if 0 in shape:
        raise ValueError(f"{where}: images have shape {list(shape)}; no side may be 0")
    return array


def _if_flat(shape: tuple[int, ...]) -> str:
    """What to do with flattened images. Rows are never unfolded unasked: codes and measurements are `[n d]` too."""
    if len(shape) != 2:
        return ""
    n, d = shape
    for channels, middle in ((1, ""), (3, "3, ")):
        side = math.isqrt(d // channels)
        if side >= 4 and side * side * channels == d:
            return f". If a row is an image of {side}×{side} pixels, save images.reshape({n}, {middle}{side}, {side})"
    return ""


def white_level(array: np.ndarray) -> int:
    """What becomes 255 in 16-bit images, see `whole_range`; 0 for any other kind."""
    return whole_range(float(array.max())) if array.dtype == np.uint16 else 0


def check_images(array: np.ndarray, where: str) -> None:
    """Raise ValueError unless the values have a place between black and white; all of them are looked at."""
    kind = array.dtype
    if kind in (np.uint8, np.uint16, np.bool_):
        return
    if kind.kind not in "fiu":
        raise ValueError(f"{where}: images are {kind}; allowed: {KINDS}")
    low, high = float(array.min()), float(array.max())
    if not (low >= 0 and high <= (1 if kind.kind == "f" else 255)):  # false for NaN as well
        raise ValueError(
            f"{where}: images are {kind} from {low:g} to {high:g}; allowed: {KINDS}. Divide, or undo a normalisation, "
            "first"
        )


def pixels(array: np.ndarray, white: int) -> np.ndarray:
    """uint8 `[n h w 3]` of checked images `[n h w 1|3|4]`: grey repeated, alpha composited on white.

    white  the `white_level` of the whole set, so that all 16-bit images of it are scaled alike
    """
    kind = array.dtype
    levels: np.ndarray
    if kind == np.bool_:
        levels = array.astype(np.uint8) * np.uint8(255)
    elif kind == np.uint16:
        levels = np.rint(array.astype(np.float32) * (255.0 / white)).astype(np.uint8)
    elif kind.kind == "f":
        levels = np.rint(array.astype(np.float32) * 255.0).astype(np.uint8)
    else:
        levels = array.astype(np.uint8)
    if levels.shape[3] == 4:
        alpha = levels[..., 3:].astype(np.float32) / 255.0
        levels = np.rint(levels[..., :3] * alpha + 255.0 * (1.0 - alpha)).astype(np.uint8)
    return np.repeat(levels, 3, axis=3) if levels.shape[3] == 1 else levels
