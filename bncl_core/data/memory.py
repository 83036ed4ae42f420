"""Pixels in memory while they fit, memory-mapped on disk when they do not."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import numpy as np

GIGA = 1024**3

Refused = dict[int, str]


def resident_limit() -> int:
    """Bytes of pixels that are held in memory: GATESCOPE_RESIDENT_GB gigabytes, 4 when it is not set.

    Raises ValueError when the variable is no number of gigabytes.
    """
    text = os.environ.get("GATESCOPE_RESIDENT_GB") or "4"
    try:
        limit = float(text)
    except ValueError:
        limit = -1.0
    if not 0 <= limit < float("inf"):
        raise ValueError(f"GATESCOPE_RESIDENT_GB is {text!r}; it is a number of gigabytes, 0 or more")
    return int(limit * GIGA)


def cache_folder() -> Path:
    """Where memory maps are kept: GATESCOPE_CACHE, else ~/.cache/gatescope."""
    return Path(os.environ.get("GATESCOPE_CACHE") or Path.home() / ".cache" / "gatescope").expanduser()


def gather(
    rows: Iterable[np.ndarray | str], most: int, shape: tuple[int, int, int], key: str
) -> tuple[np.ndarray, Refused]:
    """The rows that are images as uint8 `[n h w 3]`, and position → reason of those that are not.

    In memory when `most` images fit into `resident_limit()`. Else they are written to the cache once, one at a time,
    and mapped read-only; where the cache has `key` already, `rows` is not touched.

    rows   images uint8 `[h w 3]`, or for an image that cannot be had the reason
    most   how many rows there are at most
    shape  (h, w, 3)
    key    names the content: the same key must mean the same rows

    Raises ValueError when there are more rows than `most` or one has another shape, OSError when the cache cannot be
    written.
    """
    if most * int(np.prod(shape)) <= resident_limit():
        return _resident(rows, most, shape)
    final = cache_folder() / key
    if not final.is_dir():
        _write(rows, most, shape, final)
    refused = json.loads((final / "refused.json").read_text(encoding="utf-8"))
    if not (final / "images.npy").is_file():
        images = np.empty((0, *shape), np.uint8)  # nothing cannot be mapped
    else:
        images = np.load(final / "images.npy", mmap_mode="r", allow_pickle=False)
    return images, {int(position): reason for position, reason in refused.items()}


def _checked(row: np.ndarray, position: int, most: int, shape: tuple[int, int, int]) -> np.ndarray:
    if position >= most:
        raise ValueError(f"more than the {most} images that were announced")
    if row.shape != shape or row.dtype != np.uint8:
        raise ValueError(f"image {position} is {row.dtype} {list(row.shape)}; expected uint8 {list(shape)}")
    return row


def _resident(rows: Iterable[np.ndarray | str], most: int, shape: tuple[int, int, int]) -> tuple[np.ndarray, Refused]:
    images = np.empty((most, *shape), np.uint8)
    refused: Refused = {}
    kept = 0
    for position, row in enumerate(rows):
        if isinstance(row, str):
            refused[position] = row
        else:
            images[kept] = _checked(row, position, most, shape)
            kept += 1
    return images[:kept], refused


def _write(rows: Iterable[np.ndarray | str], most: int, shape: tuple[int, int, int], final: Path) -> None:
    """Fill a folder under another name, then rename it: a folder called `final` is always whole."""
    final.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{final.name}.", dir=final.parent))
    try:
        refused: Refused = {}
        kept = 0
        with (work / "images.npy").open("wb") as file:
            _header(file, (0, *shape))
            for position, row in enumerate(rows):
                if isinstance(row, str):
                    refused[position] = row
                else:
                    file.write(_checked(row, position, most, shape).tobytes())
                    kept += 1
            file.seek(0)
            _header(file, (kept, *shape))
            file.flush()
            os.fsync(file.fileno())
        if not kept:
            (work / "images.npy").unlink()
        (work / "refused.json").write_text(json.dumps(refused), encoding="utf-8")
        try:
            work.rename(final)
        except OSError:
            if not final.is_dir():  # otherwise another process was first, with the same rows
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _header(file: BinaryIO, shape: tuple[int, ...]) -> None:
    """The .npy header; NumPy pads it so that it is as long whatever the first number of the shape."""
    np.lib.format.write_array_header_1_0(file, {"descr": "|u1", "fortran_order": False, "shape": shape})
