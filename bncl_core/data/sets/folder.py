"""Any tree of image files: class folders or flat, with or without split folders."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bncl_core.data.decode import RULE, Unreadable, decode
from bncl_core.data.images import ImageSet, Skipped
from bncl_core.data.memory import gather
from bncl_core.data.sets import ImageSource, image_sets
from bncl_core.data.sets._tree import shown, tree

AHEAD = 256  # images decoded but not yet taken: what the threads may hold, whatever the size of the folder


@image_sets.register("folder")
@dataclass(frozen=True)
class Folder(ImageSource):
    """Images in a folder. With folders inside, the first one names the class; a flat folder has no labels.

    root        the folder. With train/ and test/ (or val/) inside, those are the splits; otherwise images are split by
                a hash of their path, so that adding files never moves the others
    size        side in pixels: the short side is resized, the centre square kept
    limit       at most so many files of a split, spread over the classes; 0: all
    test_share  share of the files in the test split, 0…1, where there are no split folders; 1 puts all into it

    What a file is, its content says and not its name. Files beside class folders are unlabelled (-1). Hidden files are
    not looked at. The normalisation is the one of ImageNet's photographs.

    Raises ValueError for a value outside its range.
    """

    root: str = field(default="", metadata={"identity": False})
    size: int = 32
    limit: int = 0
    test_share: float = 0.1

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError(f"size is {self.size}; an image's side has at least 1 pixel")
        if self.limit < 0:
            raise ValueError(f"limit is {self.limit}; allowed: 0 (all files) or more")
        if not 0 <= self.test_share <= 1:
            raise ValueError(f"test_share is {self.test_share}; allowed: 0…1")

    def load(self, split: str) -> ImageSet:
        """Every readable image, ordered by path; unreadable files are in `skipped`, one by one, with the reason.

        Raises FileNotFoundError when the folder is not there, ValueError when it holds no readable image.
        """
        self.check_split(split)
        if not self.root:
            raise ValueError("the image set folder needs its root: the folder with the images")
        root = Path(self.root).expanduser()
        if not root.is_dir():
            state = "is a file" if root.exists() else "does not exist"
            raise FileNotFoundError(f"{root} {state}; give a folder with images as the root")
        files = tree(root, split, self.test_share, self.limit)
        images, refused = gather(
            _decoded(root, files.paths, self.size),
            len(files.paths),
            (self.size, self.size, 3),
            _key(root, files.paths, self.size),
        )
        skipped = files.skipped + tuple(Skipped(shown(files.paths[i]), why) for i, why in refused.items())
        if not len(images):
            raise ValueError(
                f"none of the {len(files.paths)} files in {root} for the split {split!r} is a readable image; "
                f"the first: {skipped[-len(refused)].path}: {skipped[-len(refused)].reason}"
            )
        kept = [name for i, name in enumerate(files.names) if i not in refused]
        table = {name: number for number, name in enumerate(files.classes)} | {"": -1}
        labels = np.array([table[name] for name in kept], np.int64)
        return ImageSet(
            name="folder",
            split=split,
            images=images,
            labels=labels if labels.max() >= 0 else None,
            classes=tuple(map(shown, files.classes)),
            mean=(0.485, 0.456, 0.406),
            std=(0.229, 0.224, 0.225),
            skipped=skipped,
        )


def _decoded(root: Path, paths: Sequence[str], size: int) -> Iterator[np.ndarray | str]:
    """The images in order, or the reason there is none, decoded by several threads a few hundred ahead."""
    with ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as pool:
        for start in range(0, len(paths), AHEAD):
            yield from pool.map(lambda path: _image(root / path, size), paths[start : start + AHEAD])


def _image(path: Path, size: int) -> np.ndarray | str:
    if not path.is_file():  # a pipe would be waited for without end
        return "not a file, or a link to nothing"
    try:
        return decode(path, size)
    except Unreadable as error:
        return str(error)
    except OSError as error:
        return f"the file cannot be opened ({error.strerror})"


def _key(root: Path, paths: Sequence[str], size: int) -> str:
    """Names the decoded pixels: every path with its length and time of change, the side, and the decoding rule."""
    digest = hashlib.sha256(os.fsencode(f"{RULE} {size} {root.resolve()}\n"))
    for path in paths:
        try:
            facts = os.stat(root / path)
        except OSError:
            continue
        digest.update(os.fsencode(path) + f"\0{facts.st_size}\0{facts.st_mtime_ns}\n".encode())
    return f"folder-{digest.hexdigest()[:24]}"
