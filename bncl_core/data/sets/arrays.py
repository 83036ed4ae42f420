"""Images and optional labels in .npz or .npy files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bncl_core.data.images import ImageSet
from bncl_core.data.sets import ImageSource, image_sets
from bncl_core.seeds import rng

IMAGES = ("images", "x", "X", "data", "arr_0")
LABELS = ("labels", "y", "Y", "targets", "arr_1")


@image_sets.register("arrays")
@dataclass(frozen=True)
class Arrays(ImageSource):
    """An array of images `[n h w]`, `[n h w 1|3|4]` or `[n 1|3|4 h w]`: uint8, uint16, bool, or float in 0…1.

    images       .npz (images, x, data; labels, y, targets) or .npy
    labels       .npy of labels `[n]`, whole numbers or text; empty: those of the .npz, or none
    test_images, test_labels   the same for the test split; empty: a random share of the images
    test_share   that share
    seed         of that split
    """

    images: str = field(default="", metadata={"identity": False})
    labels: str = field(default="", metadata={"identity": False})
    test_images: str = field(default="", metadata={"identity": False})
    test_labels: str = field(default="", metadata={"identity": False})
    test_share: float = 0.2
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.test_share < 1:
            raise ValueError(f"test_share is {self.test_share}; allowed: strictly between 0 and 1")

    def load(self, split: str) -> ImageSet:
        """The images of one split. FileNotFoundError, or ValueError with the file, its value and what is allowed."""
        self.check_split(split)
        if not self.images:
            raise ValueError("the image set arrays needs --data-images, an .npz or .npy file")
        images, labels = _read(self.images, self.labels)
        test = _read(self.test_images, self.test_labels) if self.test_images else None
        names = [part for part in (labels, test[1] if test else None) if part is not None]
        classes = np.unique(np.concatenate(names)) if names else np.array([])
        if test is not None:
            chosen = test if split == "test" else (images, labels)
        else:
            order = rng(self.seed, "arrays", len(images)).permutation(len(images))
            count = min(max(round(self.test_share * len(images)), 1), len(images) - 1)
            keep = np.sort(order[:count] if split == "test" else order[count:])
            chosen = images[keep], labels[keep] if labels is not None else None
        numbers = None if chosen[1] is None else np.searchsorted(classes, chosen[1]).astype(np.int64)
        return ImageSet("arrays", split, chosen[0], numbers, tuple(map(str, classes)) if numbers is not None else ())


def _read(images: str, labels: str) -> tuple[np.ndarray, np.ndarray | None]:
    path = Path(images).expanduser()
    found = _open(path)
    if isinstance(found, np.ndarray):
        pixels, known = found, None
    else:
        key = next((name for name in IMAGES if name in found), None)
        if key is None:
            raise ValueError(
                f"{path} holds {', '.join(found) or 'nothing'}; the images must be called {', '.join(IMAGES)}"
            )
        pixels, known = found[key], next((found[name] for name in LABELS if name in found), None)
    if labels:
        other = _open(Path(labels).expanduser())
        known = (
            other if isinstance(other, np.ndarray) else next((other[n] for n in (*LABELS, "arr_0") if n in other), None)
        )
        if known is None:
            raise ValueError(f"{labels} holds no labels; they must be called {', '.join(LABELS)}")
    pixels = to_uint8(pixels, str(path))
    if known is not None:
        known = _check_labels(known, len(pixels), labels or str(path))
    return pixels, known


def _open(path: Path) -> np.ndarray | dict[str, np.ndarray]:
    """An array, or the arrays of an .npz; pickled objects are refused."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    try:
        found = np.load(path, allow_pickle=False, mmap_mode="r" if path.suffix == ".npy" else None)
        return found if isinstance(found, np.ndarray) else {name: found[name] for name in found.files}
    except (ValueError, OSError, EOFError) as error:
        raise ValueError(f"{path} cannot be read as .npy or .npz without pickles ({error})") from error


def _check_labels(labels: np.ndarray, images: int, where: str) -> np.ndarray:
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.shape != (images,):
        raise ValueError(f"{where}: labels have shape {list(labels.shape)} for {images} images; one label an image")
    if labels.dtype.kind == "f":
        if not np.isfinite(labels).all() or (labels != np.round(labels)).any():
            raise ValueError(f"{where}: labels must be whole numbers or text; some are fractions, NaN or infinite")
        labels = labels.astype(np.int64)
    if labels.dtype.kind not in "iubUS":
        raise ValueError(f"{where}: labels are {labels.dtype}; allowed: whole numbers or text")
    return np.asarray(labels).astype(str) if labels.dtype.kind == "S" else np.asarray(labels)


def to_uint8(array: np.ndarray, where: str) -> np.ndarray:
    """uint8 `[n h w 3]` of an array of images; ValueError saying what the array is and what is allowed."""
    shapes = "[n h w], [n h w 1|3|4] or [n 1|3|4 h w]"
    if array.ndim == 3:
        array = array[..., None]
    elif array.ndim == 4 and array.shape[3] not in (1, 3, 4) and array.shape[1] in (1, 3, 4):
        array = array.transpose(0, 2, 3, 1)
    if array.ndim != 4 or array.shape[3] not in (1, 3, 4) or 0 in array.shape:
        raise ValueError(f"{where}: images have shape {list(array.shape)}; allowed: {shapes}, none of them 0")
    pixels = _levels(array, where)
    if pixels.shape[3] == 4:
        alpha = pixels[..., 3:].astype(np.float32) / 255
        pixels = (pixels[..., :3] * alpha + 255 * (1 - alpha)).round().astype(np.uint8)
    return np.ascontiguousarray(np.repeat(pixels, 3, axis=3) if pixels.shape[3] == 1 else pixels)


def _levels(array: np.ndarray, where: str) -> np.ndarray:
    kind = array.dtype
    if kind == np.uint8:
        return np.asarray(array)
    if kind.kind == "b":
        return np.asarray(array, np.uint8) * np.uint8(255)
    if kind == np.uint16:
        return (np.asarray(array, np.float32) * (255 / 65535)).round().astype(np.uint8)
    if kind.kind in "fiu":
        low, high = float(array.min()), float(array.max())
        if kind.kind in "iu" and low >= 0 and high <= 255:
            return np.asarray(array).astype(np.uint8)
        if kind.kind == "f" and low >= 0 and high <= 1:
            return (np.asarray(array, np.float32) * 255).round().astype(np.uint8)
        raise ValueError(
            f"{where}: images are {kind} from {low:g} to {high:g}; allowed: uint8, uint16, bool, whole numbers 0…255, "
            "or floats 0…1. Undo a normalisation first"
        )
    raise ValueError(f"{where}: images are {kind}; allowed: uint8, uint16, bool, whole numbers 0…255, or floats 0…1")
