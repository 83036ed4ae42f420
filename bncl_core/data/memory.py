"""Pixels in memory while they fit, memory-mapped on disk when they do not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

GIGA = 1024**3


def resident_limit() -> int:
    """Bytes of pixels that are held in memory: GATESCOPE_RESIDENT_GB gigabytes, 4 when it is not set."""
    text = os.environ.get("GATESCOPE_RESIDENT_GB", "4")
    try:
        limit = float(text)
    except ValueError:
        limit = -1
    if not 0 <= limit < float("inf"):
        raise ValueError(f"GATESCOPE_RESIDENT_GB is {text!r}; it is a number of gigabytes, 0 or more")
    return int(limit * GIGA)


def cache_folder() -> Path:
    """Where memory maps are kept: GATESCOPE_CACHE, else ~/.cache/gatescope."""
    return Path(os.environ.get("GATESCOPE_CACHE") or Path.home() / ".cache" / "gatescope").expanduser()


def gather(rows: Iterator[np.ndarray], count: int, size: int, key: str) -> np.ndarray:
    """uint8 `[count size size 3]` from an iterator of its rows.

    In memory up to `resident_limit()`. Above, written once to the cache under `key` (which must name the content) and
    mapped read-only; a file there with that key is used as it is and `rows` is not touched.
    """
    shape = (count, size, size, 3)
    if int(np.prod(shape, dtype=np.int64)) <= resident_limit():
        out = np.empty(shape, np.uint8)
        _fill(out, rows)
        return out
    final = cache_folder() / f"{key}.npy"
    if not final.exists():
        final.parent.mkdir(parents=True, exist_ok=True)
        work = final.with_name(f".{final.name}.{os.getpid()}.part")
        try:
            mapped = np.lib.format.open_memmap(work, mode="w+", dtype=np.uint8, shape=shape)
            _fill(mapped, rows)
            mapped.flush()
            del mapped
            os.replace(work, final)
        finally:
            work.unlink(missing_ok=True)
    return np.load(final, mmap_mode="r", allow_pickle=False)


def _fill(out: np.ndarray, rows: Iterator[np.ndarray]) -> None:
    written = 0
    for row in rows:
        out[written] = row
        written += 1
    if written != len(out):
        raise ValueError(f"{written} images came, {len(out)} were announced")
