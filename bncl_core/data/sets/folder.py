"""Any tree of image files: class folders or flat, with or without split folders."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bncl_core.data.decode import Undecodable, decode
from bncl_core.data.images import ImageSet, Skipped
from bncl_core.data.memory import gather
from bncl_core.data.sets import ImageSource, image_sets

SPLITS = {"train": ("train",), "test": ("test", "val", "valid", "validation")}
AHEAD = 256


@image_sets.register("folder")
@dataclass(frozen=True)
class Folder(ImageSource):
    """Images in a folder. With folders inside, the first one names the class; a flat folder has no labels.

    root        the folder. With train/ and test/ (or val/) inside, those are the splits; otherwise images are split by
                a hash of their path, so that adding files never moves the others
    size        side in pixels: the short side is resized, the centre kept
    limit       at most so many images of a split, the first by path; 0: all
    test_share  share of the images in the test split, where there are no split folders
    """

    root: str = field(default="", metadata={"identity": False})
    size: int = 32
    limit: int = 0
    test_share: float = 0.1

    def __post_init__(self) -> None:
        if self.size < 1 or self.limit < 0:
            raise ValueError(f"size is {self.size} and limit {self.limit}; size must be at least 1, limit not negative")
        if not 0 < self.test_share < 1:
            raise ValueError(f"test_share is {self.test_share}; allowed: strictly between 0 and 1")

    def load(self, split: str) -> ImageSet:
        """Every readable image, ordered by path; unreadable files are in `skipped`, one by one, with the reason.

        Raises FileNotFoundError when the folder is not there, ValueError when it holds no readable image.
        """
        self.check_split(split)
        if not self.root:
            raise ValueError("the image set folder needs --data-root, the folder with the images")
        root = Path(self.root).expanduser()
        if not root.is_dir():
            raise FileNotFoundError(f"there is no folder {root}; give one with images to --data-root")
        base, paths = self._files(root, split)
        readable, skipped = self._readable(base, paths)
        if not readable:
            what = f"; {len(skipped)} files were not readable, the first: {': '.join(skipped[0])}" if skipped else ""
            raise ValueError(f"there are no images in {base} for the split {split!r}{what}")
        pixels = gather(_decoded(base, readable, self.size), len(readable), self.size, self._key(base, readable))
        labels, classes = self._labels(root, readable)
        return ImageSet("folder", split, pixels, labels, classes, skipped=tuple(skipped))

    def _files(self, root: Path, split: str) -> tuple[Path, list[str]]:
        """The split's own folder and the relative paths in it, ordered by their bytes: the same on every system."""
        own = [root / name for name in SPLITS[split] if (root / name).is_dir()]
        both = all(any((root / name).is_dir() for name in names) for names in SPLITS.values())
        base = own[0] if own and both else root
        paths = sorted(_walk(base), key=lambda path: path.encode("utf-8", "surrogateescape"))
        if base == root:
            line = int(self.test_share * 2**32)
            paths = [p for p in paths if (_hash(p) < line) == (split == "test")]
        return base, paths

    def _readable(self, base: Path, paths: list[str]) -> tuple[list[str], list[Skipped]]:
        """Try every file once, so that one bad file costs itself alone and the number of images is known."""
        readable: list[str] = []
        skipped: list[Skipped] = []
        with ThreadPoolExecutor() as pool:
            for path, reason in zip(paths, pool.map(lambda p: _reason(base / p), paths), strict=True):
                if self.limit and len(readable) == self.limit:
                    break
                if reason:
                    skipped.append(Skipped(path, reason))
                else:
                    readable.append(path)
        return readable, skipped

    def _labels(self, root: Path, paths: list[str]) -> tuple[np.ndarray | None, tuple[str, ...]]:
        """The first folder of each path is its class; files beside class folders are unlabelled (-1)."""
        names = [path.split("/")[0] if "/" in path else "" for path in paths]
        classes = tuple(sorted(set(names) - {""}, key=lambda name: name.encode("utf-8", "surrogateescape")))
        if not classes:
            return None, ()
        table = {name: number for number, name in enumerate(classes)} | {"": -1}
        return np.array([table[name] for name in names], np.int64), classes

    def _key(self, base: Path, paths: list[str]) -> str:
        """Names the decoded pixels: every path with its size and time of change, and the side."""
        digest = hashlib.sha256(f"folder {self.size} {base.resolve()}".encode("utf-8", "surrogateescape"))
        for path in paths:
            facts = (base / path).stat()
            digest.update(f"{path}\0{facts.st_size}\0{facts.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
        return f"folder-{digest.hexdigest()[:24]}"


def _walk(base: Path) -> Iterator[str]:
    """Relative paths of all files that are not hidden, with forward slashes."""
    for folder, inside, files in os.walk(base):
        inside[:] = [name for name in inside if not name.startswith(".")]
        for name in files:
            if not name.startswith("."):
                yield (Path(folder) / name).relative_to(base).as_posix()


def _hash(path: str) -> int:
    return int.from_bytes(hashlib.sha256(path.encode("utf-8", "surrogateescape")).digest()[:4], "big")


def _reason(path: Path) -> str:
    """Why a file is no image; empty when it is one. It is decoded to the end: a cut file opens, then fails."""
    try:
        decode(path, 8)
    except Undecodable as error:
        return str(error)
    return ""


def _decoded(base: Path, paths: list[str], size: int) -> Iterator[np.ndarray]:
    """The images in order, decoded by several threads a few hundred ahead."""
    with ThreadPoolExecutor() as pool:
        for start in range(0, len(paths), AHEAD):
            yield from pool.map(lambda p: decode(base / p, size), paths[start : start + AHEAD])
