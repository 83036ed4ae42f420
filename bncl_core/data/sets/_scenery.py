"""From a table of random numbers to pixels: what is on image i, and how it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bncl_core.data.sets import _scene_backgrounds, _scene_objects
from bncl_core.data.sets._scene_brush import hsv, ramp, turn
from bncl_core.seeds import rng

OBJECTS = tuple(_scene_objects.PAINTERS)
BACKGROUNDS = tuple(_scene_backgrounds.PAINTERS)

# One uniform number per image for each name; a name may be added in a free column without moving the others.
COLUMNS = (
    *("object", "is_shared", "background", "x", "y", "size", "rotation", "flip"),
    *("hue", "saturation", "value", "accent_hue", "accent_saturation", "accent_value", "pose", "brightness"),
    *("tint", "horizon", "spot_x", "spot_y", "amount", "across", "down"),
)
WIDTH = 32
BLOCK = 65_536  # rows drawn from one stream
GROUP = 32  # images painted at once: their planes stay in the processor's cache


def uniforms(seed: int, split: str, start: int, stop: int) -> dict[str, np.ndarray]:
    """The random numbers of images `start … stop - 1`: name of `COLUMNS` → float64 `[n]` in 0…1.

    Row i depends on (seed, split, i) only: block b of 65,536 rows has a stream of its own, and the stream is moved
    forward to the first row asked for.
    """
    pieces = []
    for block in range(start // BLOCK, (stop - 1) // BLOCK + 1):
        first, last = max(start - block * BLOCK, 0), min(stop - block * BLOCK, BLOCK)
        stream = rng(seed, "scenes", split, block)
        stream.bit_generator.advance(first * WIDTH)  # type: ignore[attr-defined]  # one 64-bit draw a number
        pieces.append(stream.random((last - first, WIDTH)))
    table = np.concatenate(pieces)
    return {name: table[:, column] for column, name in enumerate(COLUMNS)}


@dataclass(frozen=True)
class Scenery:
    """What is on each of n images, all arrays `[n]`: the ground truth, and the numbers that only set its looks."""

    factors: dict[str, np.ndarray]
    looks: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.factors["object"])


def scenery(numbers: dict[str, np.ndarray], background: np.ndarray) -> Scenery:
    """Turn uniform numbers into factors with units, given the background of each image.

    numbers     what `uniforms` returns
    background  int64 `[n]`, position in `BACKGROUNDS`
    """

    def between(name: str, low: float, high: float) -> np.ndarray:
        return (low + (high - low) * numbers[name]).astype(np.float32)

    size = between("size", 0.56, 0.86)
    margin = 0.5 * size
    factors = {
        "object": np.floor(numbers["object"] * len(OBJECTS)).astype(np.int64),
        "background": background.astype(np.int64),
        "x": margin + (1.0 - 2.0 * margin) * numbers["x"].astype(np.float32),
        "y": margin + (1.0 - 2.0 * margin) * numbers["y"].astype(np.float32),
        "size": size,
        "rotation": between("rotation", -30.0, 30.0),
        "flipped": (numbers["flip"] < 0.5).astype(np.int64),
        "pose": between("pose", 0.0, 1.0),
        "hue": between("hue", 0.0, 1.0),
        "brightness": between("brightness", 0.78, 1.08),
        "horizon": between("horizon", 0.28, 0.62),
    }
    rest = {name: values.astype(np.float32) for name, values in numbers.items() if name not in factors}
    return Scenery(factors, rest)


def _groups(kinds: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    order = np.argsort(kinds, kind="stable")
    edges = np.searchsorted(kinds[order], np.arange(kinds.max() + 2))
    for kind, (low, high) in enumerate(pairwise(edges)):
        for start in range(low, high, GROUP):
            yield kind, order[start : min(start + GROUP, high)]


def _pick(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return values[rows].reshape(-1, 1, 1, 1)


def _paint_background(kind: int, scene: Scenery, rows: np.ndarray, size: int) -> np.ndarray:
    at = ((np.arange(size) + 0.5) / size).astype(np.float32)
    place = _scene_backgrounds.Place(
        x=at.reshape(1, 1, 1, size),
        y=at.reshape(1, 1, size, 1),
        horizon=_pick(scene.factors["horizon"], rows),
        tint=_pick(scene.looks["tint"], rows),
        spot_x=_pick(scene.looks["spot_x"], rows),
        spot_y=_pick(scene.looks["spot_y"], rows),
        amount=_pick(scene.looks["amount"], rows),
        across=scene.looks["across"][rows],
        down=scene.looks["down"][rows],
    )
    painted = _scene_backgrounds.PAINTERS[BACKGROUNDS[kind]](place)
    return painted * _pick(scene.factors["brightness"], rows)


def _paint_object(kind: int, scene: Scenery, rows: np.ndarray, canvas: np.ndarray) -> np.ndarray:
    """Paint objects of one kind onto `canvas` float32 `[m 3 h w]`, in place; returns their silhouettes `[m 1 h w]`."""
    size = canvas.shape[-1]
    at = ((np.arange(size) + 0.5) / size).astype(np.float32)
    half = _pick(scene.factors["size"], rows) / 2
    across = (at.reshape(1, 1, 1, size) - _pick(scene.factors["x"], rows)) / half
    down = (at.reshape(1, 1, size, 1) - _pick(scene.factors["y"], rows)) / half
    cosine, sine = turn(_pick(scene.factors["rotation"], rows) / 360.0)
    mirror = 1.0 - 2.0 * _pick(scene.factors["flipped"], rows).astype(np.float32)
    look = {name: _pick(scene.looks[name], rows) for name in scene.looks}
    hue = _pick(scene.factors["hue"], rows)
    saturation = 0.45 + 0.5 * look["saturation"]
    sitter = _scene_objects.Sitter(
        u=mirror * (cosine * across + sine * down),
        v=cosine * down - sine * across,
        pose=_pick(scene.factors["pose"], rows),
        main=hsv(hue, saturation, 0.60 + 0.4 * look["value"]),
        accent=hsv(look["accent_hue"], 0.4 + 0.5 * look["accent_saturation"], 0.55 + 0.45 * look["accent_value"]),
        dark=hsv(hue, saturation, 0.30),
        light=hsv(hue, 0.10, 0.97),
    )
    parts = _scene_objects.PAINTERS[OBJECTS[kind]](sitter)
    pixels = half * size  # pixels in one unit of the object's own coordinates

    def cover(distance: np.ndarray) -> np.ndarray:
        return np.clip(0.5 - distance * pixels, 0.0, 1.0)

    outline = parts[0][0]
    for distance, _ in parts[1:]:
        outline = np.minimum(outline, distance)
    inside = cover(outline)
    # a thin dark rim keeps an object apart from a background of its own colour
    rim = cover(outline - 0.07)
    canvas += 0.75 * rim * (0.25 * sitter.dark - canvas)
    for distance, colour in parts:
        canvas += cover(distance) * (colour - canvas)
    # lit from above, in the frame and not in the object
    canvas *= 1.0 + inside * (0.10 - 0.34 * ramp(-1.1, 1.1, down))
    return inside


def paint(scene: Scenery, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw n scenes: images uint8 `[n size size 3]` and the objects' silhouettes uint8 `[n size size]` (0…255)."""
    images = np.empty((len(scene), size, size, 3), np.uint8)
    silhouettes = np.empty((len(scene), size, size), np.uint8)
    batch = 32 * GROUP
    for start in range(0, len(scene), batch):
        rows = np.arange(start, min(start + batch, len(scene)))
        canvas = np.empty((len(rows), 3, size, size), np.float32)
        for kind, group in _groups(scene.factors["background"][rows]):
            canvas[group] = _paint_background(kind, scene, rows[group], size)
        for kind, group in _groups(scene.factors["object"][rows]):
            painted = canvas[group]
            inside = _paint_object(kind, scene, rows[group], painted)
            silhouettes[rows[group]] = (inside[:, 0] * 255.0 + 0.5).astype(np.uint8)
            pixels = (np.clip(painted, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
            images[rows[group]] = pixels.transpose(0, 2, 3, 1)
    return images, silhouettes
