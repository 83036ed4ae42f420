"""Which files of a folder belong to which split and class, decided by their paths."""

from __future__ import annotations

import hashlib
import heapq
import os
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from bncl_core.data.decode import begins_like_an_image
from bncl_core.data.images import Skipped

TRAIN = ("train", "training")
TEST = ("test", "val", "valid", "validation")  # where there are several, the first of these is read


@dataclass(frozen=True)
class Tree:
    """The files of one split.

    paths    relative to the root, with forward slashes, ordered by their bytes: the same on every system
    names    the class folder of each path; empty for a file beside the class folders
    classes  the class folders of all splits that hold an image, in the same order
    skipped  what belongs to no split, or could not be listed
    """

    paths: tuple[str, ...]
    names: tuple[str, ...]
    classes: tuple[str, ...]
    skipped: tuple[Skipped, ...]


def tree(root: Path, split: str, test_share: float, limit: int) -> Tree:
    """The files of one split of a folder: from its split folders, else by a hash of each path.

    At most `limit` of them (0: all), those with the smallest hashes, so that every class keeps its share and a larger
    limit adds files without exchanging any. Hidden files and folders do not count.

    Raises ValueError for a folder without files, for train/ without test/ or val/, and for a split without files.
    """
    found, skipped = _walk(root)
    if not found:
        raise ValueError(f"the folder {root} holds no files; put images, or folders of images, into it")
    halves = _split_folders(root)
    inside = {path: _inside(path, halves) for path in found}
    members = [path for path in found if inside[path] is not None]
    classes = _classes(root, {path: _class(inside[path] or "") for path in members})
    if halves:
        own = halves["train" if split == "train" else "test"]
        paths = [path for path in members if path.startswith(f"{own}/")]
        outside = Counter(path.split("/")[0] for path in found if inside[path] is None)
        said = " and ".join(f"{half}/" for half in halves.values())
        skipped += [Skipped(top, f"outside the split folders {said} (files: {n})") for top, n in outside.items()]
    else:
        line = test_share * 2.0**64
        paths = [path for path in members if (_hash(path) < line) == (split == "test")]
    if not paths:
        raise ValueError(_no_files(root, split, len(members), halves, test_share))
    if limit:
        kept = set(heapq.nsmallest(limit, paths, key=_hash))
        paths = [path for path in paths if path in kept]
    names = (_class(inside[path] or "") for path in paths)
    return Tree(tuple(paths), tuple(n if n in classes else "" for n in names), classes, tuple(skipped))


def _classes(root: Path, names: dict[str, str]) -> tuple[str, ...]:
    """The class folders by their bytes; a folder without an image (of annotations, say) is no class."""
    members: defaultdict[str, list[str]] = defaultdict(list)
    for path, name in names.items():
        members[name].append(path)
    found = (n for n, paths in members.items() if n and any(begins_like_an_image(root / p) for p in paths))
    return tuple(sorted(found, key=os.fsencode))


def shown(path: str) -> str:
    """A path as text that can be stored and printed, whatever bytes are in the file's name."""
    return os.fsencode(path).decode("utf-8", "replace")


def _walk(root: Path) -> tuple[list[str], list[Skipped]]:
    """Every file that is not hidden, through links too, and the folders that could not be listed."""
    skipped: list[Skipped] = []

    def failed(error: OSError) -> None:
        name = os.path.relpath(error.filename or root, root)
        skipped.append(Skipped(shown(name), f"the folder cannot be listed ({error.strerror})"))

    found: list[str] = []
    for folder, inside, files in os.walk(root, followlinks=True, onerror=failed):
        inside[:] = [name for name in inside if not name.startswith(".") and not _loops(folder, name)]
        prefix = Path(folder).relative_to(root)
        found += [(prefix / name).as_posix() for name in files if not name.startswith(".")]
    return sorted(found, key=os.fsencode), skipped


def _loops(folder: str, name: str) -> bool:
    """Whether a folder is a link to one it lies in."""
    path = os.path.join(folder, name)
    if not os.path.islink(path):
        return False
    here, there = Path(folder).resolve(), Path(path).resolve()
    return here.is_relative_to(there)


def _split_folders(root: Path) -> dict[str, str]:
    """{"train": folder, "test": folder} as they are spelt here, or nothing."""
    folders = {entry.name.lower(): entry.name for entry in root.iterdir() if entry.is_dir()}
    train = next((folders[name] for name in TRAIN if name in folders), None)
    test = next((folders[name] for name in TEST if name in folders), None)
    if train and test:
        return {"train": train, "test": test}
    if train:
        raise ValueError(
            f"{root} holds {train}/ but no test/ or val/ beside it; add one, or give {root / train} as the folder to "
            "have a test split taken out of it"
        )
    return {}


def _inside(path: str, halves: dict[str, str]) -> str | None:
    """The path inside its split folder; None for a file outside them."""
    if not halves:
        return path
    top, _, rest = path.partition("/")
    return rest if rest and top in halves.values() else None


def _class(path: str) -> str:
    return path.split("/")[0] if "/" in path else ""


def _hash(path: str) -> int:
    """64 bits of the sha256 of a relative path."""
    return int.from_bytes(hashlib.sha256(os.fsencode(path)).digest()[:8], "big")


def _no_files(root: Path, split: str, files: int, halves: dict[str, str], test_share: float) -> str:
    if halves:
        return f"the folder {root / halves[split]} holds no files; put the images of the split {split!r} into it"
    return (
        f"none of the files in {root} (there are {files}) falls into the split {split!r} with test_share {test_share}; "
        "add images, change test_share, or sort them into train/ and test/"
    )
