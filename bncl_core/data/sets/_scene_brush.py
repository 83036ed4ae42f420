"""Brush strokes for procedural scenes: signed distances, soft edges and colours.

Every pixel is made of +, −, ×, ÷, √, floor, min and max alone. IEEE 754 rounds these in one way only, so that an
image has the same bytes on every machine; that is why `wave` and `turn` stand in for sine and cosine.

Arrays broadcast to `[m c h w]`: a number per image is `[m 1 1 1]`, a colour `[m 3 1 1]`, a distance `[m 1 h w]`.
Distances are negative inside a shape. The second coordinate points down.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Number = float | np.ndarray


def wave(turns: np.ndarray) -> np.ndarray:
    """A parabola's stand-in for sin(2π turns): period 1, range −1…1, at most 0.06 away from the sine."""
    half = turns - np.floor(turns + 0.5)
    return half * (8.0 - 16.0 * np.abs(half))


def turn(turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cosine and sine of an angle in turns, |turns| ≤ 1/4, by their power series (error below 1e-6)."""
    angle = turns * 6.283185307179586
    square = angle * angle
    cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
    sine = angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110)))))
    return cosine, sine


def ramp(low: Number, high: Number, value: np.ndarray) -> np.ndarray:
    """0 below `low`, 1 above `high`, and a smooth cubic between."""
    t = np.clip((value - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def mix(first: Number, second: Number, share: np.ndarray) -> np.ndarray:
    """`first` where `share` is 0, `second` where it is 1."""
    return first + share * (second - first)


def rgb(red: float, green: float, blue: float) -> np.ndarray:
    """One fixed colour, `[1 3 1 1]`, in 0…1."""
    return np.array([red, green, blue], np.float32).reshape(1, 3, 1, 1)


def hsv(hue: np.ndarray, saturation: Number, value: Number) -> np.ndarray:
    """Colours `[m 3 1 1]` from hue (in turns, any real number), saturation and value (0…1) `[m 1 1 1]`."""
    corner = np.array([5.0, 3.0, 1.0], np.float32).reshape(1, 3, 1, 1) + 6.0 * hue
    corner = corner - 6.0 * np.floor(corner / 6.0)
    return value - value * saturation * np.clip(np.minimum(corner, 4.0 - corner), 0.0, 1.0)


def disc(u: np.ndarray, v: np.ndarray, x: Number, y: Number, radius: Number) -> np.ndarray:
    """Distance to a disc."""
    across, down = u - x, v - y
    return np.sqrt(across * across + down * down) - radius


def ellipse(u: np.ndarray, v: np.ndarray, x: Number, y: Number, half_width: Number, half_height: Number) -> np.ndarray:
    """Distance to an upright ellipse, to first order at its edge."""
    across, down = (u - x) / half_width, (v - y) / half_height
    level = across * across + down * down - 1.0
    across, down = across / half_width, down / half_height
    return level / (2.0 * np.sqrt(across * across + down * down) + 1e-6)


def box(u: np.ndarray, v: np.ndarray, x: Number, y: Number, half_width: Number, half_height: Number) -> np.ndarray:
    """Distance to an upright rectangle (its corners stay sharp outside)."""
    return np.maximum(np.abs(u - x) - half_width, np.abs(v - y) - half_height)


def capsule(u: np.ndarray, v: np.ndarray, start: Sequence[Number], end: Sequence[Number], radius: Number) -> np.ndarray:
    """Distance to a thick line with round ends."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    across, down = u - start[0], v - start[1]
    along = np.clip((across * dx + down * dy) / (dx * dx + dy * dy), 0.0, 1.0)
    across, down = across - along * dx, down - along * dy
    return np.sqrt(across * across + down * down) - radius


def polygon(u: np.ndarray, v: np.ndarray, *corners: Sequence[Number]) -> np.ndarray:
    """Distance to a convex polygon (its corners stay sharp outside), corners in clockwise order on the page."""
    distance: np.ndarray | None = None
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        dx, dy = x1 - x0, y1 - y0
        length = np.sqrt(np.float32(dx * dx + dy * dy)) if isinstance(dx * dy, float) else np.sqrt(dx * dx + dy * dy)
        nx, ny = dy / length, -dx / length
        edge = u * nx + v * ny - (x0 * nx + y0 * ny)
        distance = edge if distance is None else np.maximum(distance, edge)
    assert distance is not None
    return distance
