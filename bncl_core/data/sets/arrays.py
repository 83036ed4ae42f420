"""Images and optional labels in .npz or .npy files."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bncl_core.data.decode import RULE
from bncl_core.data.images import ImageSet
from bncl_core.data.memory import gather
from bncl_core.data.sets import ImageSource, image_sets
from bncl_core.data.sets._pixels import channels_last, check_images, pixels, white_level
from bncl_core.seeds import rng

IMAGES = ("images", "x", "X", "data", "arr_0")
LABELS = ("labels", "y", "Y", "targets", "arr_1")
CHUNK = 1024


@image_sets.register("arrays")
@dataclass(frozen=True)
class Arrays(ImageSource):
    """An array of images `[n h w]`, `[n h w 1|3|4]` or `[n 1|3 h w]`: uint8, uint16, bool, or float in 0…1.

    images       .npy, or .npz with images, x or data (and labels, y or targets)
    labels       .npy or .npz of labels `[n]`, whole numbers or text; empty: those of the images' .npz, or none
    test_images  the same for the test split; empty: a random share of the images
    test_labels  labels of test_images
    test_share   that share, 0…1; 1 puts all of them into the test split
    seed         of that split
    unlabelled   the label that says an image has none, such as -1; empty: every label is a class

    A label, whatever number or text it is, becomes one class; its name is the label as text.

    Raises ValueError for a value outside its range.
    """

    images: str = field(default="", metadata={"identity": False})
    labels: str = field(default="", metadata={"identity": False})
    test_images: str = field(default="", metadata={"identity": False})
    test_labels: str = field(default="", metadata={"identity": False})
    test_share: float = 0.2
    seed: int = 0
    unlabelled: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.test_share <= 1:
            raise ValueError(f"test_share is {self.test_share}; allowed: 0…1")
        if self.test_labels and not self.test_images:
            raise ValueError(f"test_labels is {self.test_labels!r}, but test_images is empty; give both or neither")

    def load(self, split: str) -> ImageSet:
        """The images of one split, in their order.

        Raises FileNotFoundError for a missing file and ValueError naming the file, the value and what is allowed.
        """
        self.check_split(split)
        if not self.images:
            raise ValueError("the image set arrays needs images: the path of an .npy or .npz file")
        sides = {"train": _read(self.images, self.labels)}
        if self.test_images:
            sides["test"] = _read(self.test_images, self.test_labels)
        array, labels = sides.get(split, sides["train"])
        classes = _classes([known for _, known in sides.values() if known is not None], self.unlabelled)
        white = max(white_level(part) for part, _ in sides.values())
        keep = np.arange(len(array)) if self.test_images else self._share(split, len(array))
        height, width = array.shape[1:3]
        images, _ = gather(_rows(array, keep, white), len(keep), (height, width, 3), self._key(split, white))
        numbers = None if labels is None else _numbers(labels[keep], classes)
        return ImageSet("arrays", split, images, numbers, () if numbers is None else tuple(map(str, classes)))

    def _share(self, split: str, n: int) -> np.ndarray:
        """Which of `n` images a split holds: at least one on each side, unless the share is 0 or 1."""
        if self.test_share in (0, 1):
            if (split == "test") == (self.test_share == 0):
                raise ValueError(f"with test_share {self.test_share:g} the split {split!r} holds no images")
            return np.arange(n)
        if n < 2:
            raise ValueError(f"{self.images} holds {n} image; at least 2 are needed to take a test split out of them")
        order = rng(self.seed, "arrays", n).permutation(n)
        count = min(max(round(self.test_share * n), 1), n - 1)
        return np.sort(order[:count] if split == "test" else order[count:])

    def _key(self, split: str, white: int) -> str:
        """Names the pixels: the file with its length and time of change, which rows of it, and how they are scaled."""
        path = Path(self.test_images if self.test_images and split == "test" else self.images).expanduser()
        facts = path.stat()
        rows = "all" if self.test_images else f"{split} {self.test_share} {self.seed}"
        text = f"{path.resolve()}\0{facts.st_size}\0{facts.st_mtime_ns}\0{rows}\0{white} {RULE}"
        return f"arrays-{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:24]}"


def _rows(array: np.ndarray, keep: np.ndarray, white: int) -> Iterator[np.ndarray]:
    """The chosen images as uint8 `[h w 3]`, converted some at a time."""
    for start in range(0, len(keep), CHUNK):
        yield from pixels(array[keep[start : start + CHUNK]], white)


def _read(images: str, labels: str) -> tuple[np.ndarray, np.ndarray | None]:
    """The checked images `[n h w c]` as they are stored, and the checked labels."""
    found = _open(images)
    array = _pick(found, IMAGES, f"{images}: the images")
    if array is None:
        raise ValueError(f"{images} holds {', '.join(found) or 'nothing'}; the images must be called {_any(IMAGES)}")
    known = _pick({name: value for name, value in found.items() if value is not array}, LABELS, f"{images}: the labels")
    if labels:
        other = _open(labels)
        known = _pick(other, (*LABELS, "arr_0"), f"{labels}: the labels")
        if known is None:
            raise ValueError(
                f"{labels} holds {', '.join(other) or 'nothing'}; the labels must be called {_any(LABELS)}"
            )
    array = channels_last(array, images)
    check_images(array, images)
    return array, None if known is None else _check_labels(known, len(array), labels or images)


def _any(names: tuple[str, ...]) -> str:
    return " or ".join(names)


def _pick(found: dict[str, np.ndarray], names: tuple[str, ...], what: str) -> np.ndarray | None:
    """The one array with one of these names. Two are refused: which was meant is not ours to guess."""
    present = [name for name in names if name in found]
    if len(present) > 1:
        raise ValueError(f"{what} could be {_any(tuple(present))}; keep one of them in the file")
    return found[present[0]] if present else None


def _open(name: str) -> dict[str, np.ndarray]:
    """The arrays of an .npz, or the array of an .npy under the name arr_0, mapped and not read; no pickled objects."""
    path = Path(name).expanduser()
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}; give the path of an .npy or .npz file")
    try:
        with path.open("rb") as file:
            head = file.read(6)
        if head == b"\x93NUMPY":
            return {"arr_0": np.load(path, allow_pickle=False, mmap_mode="r")}
        if not head.startswith(b"PK"):  # NumPy would take it for a pickle, and recommend to load it as one
            raise ValueError("its content is neither")
        with np.load(path, allow_pickle=False) as archive:
            known = [key for key in archive.files if key in (*IMAGES, *LABELS)]
            others = {key: np.empty(0) for key in archive.files if key not in known}  # named, but not read
            return {key: archive[key] for key in known} | others
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(
            f"{path} cannot be read as plain .npy or .npz ({error}); save numbers or text, not Python objects"
        ) from error


def _check_labels(labels: np.ndarray, images: int, where: str) -> np.ndarray:
    """Labels `[n]` as int64 or text."""
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.shape != (images,):
        raise ValueError(f"{where}: labels have shape {list(labels.shape)} for {images} images; give one an image")
    kind = labels.dtype.kind
    if kind == "f" and not (np.isfinite(labels).all() and (labels == np.rint(labels)).all()):
        raise ValueError(f"{where}: labels must be whole numbers or text; some are fractions, NaN or infinite")
    if kind == "S":
        return np.char.decode(np.asarray(labels), "utf-8", "replace")
    if kind not in "iubfU":
        raise ValueError(f"{where}: labels are {labels.dtype}; allowed: whole numbers or text")
    return np.asarray(labels) if kind == "U" else np.asarray(labels).astype(np.int64)


def _classes(parts: list[np.ndarray], unlabelled: str) -> np.ndarray:
    """Every label but `unlabelled` that occurs in either split, sorted, so that both count the same classes."""
    if not parts:
        return np.array([])
    if len({part.dtype.kind for part in parts}) > 1:
        raise ValueError("the labels of one split are numbers and those of the other are text; give both the same kind")
    classes = np.unique(np.concatenate(parts))
    return classes[classes.astype(str) != unlabelled] if unlabelled else classes


def _numbers(labels: np.ndarray, classes: np.ndarray) -> np.ndarray | None:
    """The number of each label's class, int64 `[n]`, -1 for a label that is none; None when no image has a class."""
    known = np.isin(labels, classes)
    return np.where(known, np.searchsorted(classes, labels), -1).astype(np.int64) if known.any() else None
