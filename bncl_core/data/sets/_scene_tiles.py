"""Textures of a scene: one large periodic tile a kind, out of which every image cuts its own window.

A tile covers 4 × 4 frames; it is a function of place, so a larger image size samples the same texture finer.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from bncl_core.seeds import rng

SPAN = 4  # frames a tile covers each way
STEPS = 32  # a window starts at a multiple of 1/32 frame

# cells across and down one tile, and how many octaves are added
_NOISE = {"cloud": (10, 16, 4), "streak": (6, 40, 3), "blade": (104, 36, 2), "ripple": (20, 72, 2), "lump": (24, 24, 3)}
# points in one frame, smallest and largest radius in frames
_POINTS = {"stars": (14, 0.008, 0.022), "flakes": (22, 0.012, 0.026), "blossoms": (9, 0.012, 0.022)}
KINDS = (*_NOISE, *_POINTS)


def _octave(kind: str, octave: int, across: int, down: int, size: int) -> np.ndarray:
    lattice = rng(0, "scenes", "tile", kind, octave).random((down, across))
    place = (np.arange(SPAN * size) + 0.5) / (SPAN * size)

    def corners(cells: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        low = np.floor(place * cells)
        t = place * cells - low
        first = low.astype(np.int64) % cells
        return first, (first + 1) % cells, t * t * (3.0 - 2.0 * t)

    x0, x1, tx = corners(across)
    y0, y1, ty = corners(down)
    rows = lattice[:, x0] + tx * (lattice[:, x1] - lattice[:, x0])
    return rows[y0] + ty[:, None] * (rows[y1] - rows[y0])


def _points(kind: str, size: int) -> np.ndarray:
    count, low, high = _POINTS[kind]
    table = rng(0, "scenes", "tile", kind).random((count * SPAN * SPAN, 4))
    place = (np.arange(SPAN * size) + 0.5) / size
    tile = np.zeros((SPAN * size, SPAN * size))
    for x, y, r, glow in table:
        radius = low + (high - low) * r
        across, down = np.abs(place - SPAN * x), np.abs(place - SPAN * y)
        across, down = np.minimum(across, SPAN - across), np.minimum(down, SPAN - down)
        near = np.nonzero(down < radius + 2 / size)[0]
        distance = np.sqrt(across[None] * across[None] + (down[near] * down[near])[:, None]) - radius
        # a point smaller than a pixel keeps its light: it is dimmed, not lost
        cover = np.clip(0.5 - distance * size, 0.0, 1.0) * (0.55 + 0.45 * glow)
        tile[near] = np.maximum(tile[near], cover)
    return tile


@lru_cache(maxsize=32)
def _tile(kind: str, size: int) -> np.ndarray:
    if kind in _POINTS:
        tile = _points(kind, size)
    else:
        across, down, octaves = _NOISE[kind]
        tile, weight = np.zeros((SPAN * size, SPAN * size)), 0.0
        for octave in range(octaves):
            tile += _octave(kind, octave, across << octave, down << octave, size) * 0.5**octave
            weight += 0.5**octave
        tile /= weight
    return np.pad(tile, ((0, size), (0, size)), mode="wrap").astype(np.float32)


def window(kind: str, size: int, across: np.ndarray, down: np.ndarray) -> np.ndarray:
    """A window of one tile for each image.

    kind    one of `KINDS`
    size    pixels of an image's side
    across, down  `[m]` in 0…1: where in the tile the window starts

    Returns float32 `[m 1 size size]` in 0…1.
    """
    views = np.lib.stride_tricks.sliding_window_view(_tile(kind, size), (size, size))
    x, y = (np.floor(np.floor(t * (SPAN * STEPS)) * size / STEPS).astype(np.int64) for t in (across, down))
    return views[y, x][:, None]
