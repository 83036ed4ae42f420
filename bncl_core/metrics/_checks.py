"""What a measurement accepts, and the sentence it says when it does not."""

from __future__ import annotations

from typing import Any

import numpy as np


def check_codes(codes: Any, name: str = "codes") -> np.ndarray:
    """`codes` as a float32 or float64 array `[n k]`, images contiguous; float16, integers and booleans become float32.

    Raises ValueError for objects and text, complex numbers, any shape but `[n k]`, and no image or no dimension.
    Whether the numbers are finite is `check_finite`.
    """
    array = np.asarray(codes)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} has dtype {array.dtype}; give real numbers, as an array [images, dimensions]")
    if array.ndim != 2:
        raise ValueError(f"{name} has shape {list(array.shape)}; give two axes [images, dimensions]")
    if 0 in array.shape:
        raise ValueError(f"{name} has shape {list(array.shape)}; give at least one image and one dimension")
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float32)
    return np.ascontiguousarray(array)  # images are read row by row, and dimension-major arrays come transposed


def check_finite(codes: np.ndarray, name: str = "codes") -> None:
    """Raise ValueError when codes `[n k]` hold NaN or infinite values; they are counted, and the first one is named."""
    finite = np.isfinite(codes)
    if finite.all():
        return
    nan, images = int(np.isnan(codes).sum()), int((~finite).any(axis=1).sum())
    infinite = int((~finite).sum()) - nan
    image, dimension = np.argwhere(~finite)[0]
    raise ValueError(
        f"{name} has {nan} NaN and {infinite} infinite values, in {images} of {len(codes)} images (the first: image "
        f"{image}, dimension {dimension}). Find out where they come from; dropping those images is a choice to be made "
        "before measuring."
    )


def check_labels(labels: Any, n: int, name: str = "labels") -> np.ndarray:
    """`labels` as an int64 array `[n]`; any whole numbers are allowed, negative ones and gaps too.

    Raises ValueError for objects and text, another shape, a number of labels that is not the number of images, and
    labels that are not whole numbers.
    """
    array = np.asarray(labels)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} has dtype {array.dtype}; give one whole number an image (class ids, not names)")
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {list(array.shape)}; give one axis [images]")
    if len(array) != n:
        raise ValueError(f"{len(array)} {name} for {n} images; give one label an image, in the order of the codes")
    if array.dtype.kind == "f":
        broken = ~np.isfinite(array) | (array != np.round(array))
        if broken.any():
            raise ValueError(
                f"{name} holds {int(broken.sum())} values that are not whole numbers (the first: "
                f"{array[broken][0]} for image {int(np.flatnonzero(broken)[0])}); give class ids"
            )
    return array.astype(np.int64)


def number_classes(labels: np.ndarray, unlabelled: int | None) -> tuple[np.ndarray, tuple[int, ...]]:
    """Class numbers 0 … C−1 `[n]` (−1 where unlabelled) and the class id each number stands for, ascending.

    Only the value `unlabelled` marks an image without a label; when it is None every value is a class, −1 too.
    """
    known = np.ones(len(labels), bool) if unlabelled is None else labels != unlabelled
    ids, numbers = np.unique(labels[known], return_inverse=True)
    out = np.full(len(labels), -1, np.int64)
    out[known] = numbers
    return out, tuple(int(i) for i in ids)
