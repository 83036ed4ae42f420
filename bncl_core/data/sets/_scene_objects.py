"""The objects of a scene, each a list of parts from back to front.

An object lives in its own coordinates: about −1…1 across (u) and down (v), facing right, upright. Its colours come
from one distribution for all kinds, so that no colour gives a kind away. `pose` (0…1) bends what can bend: a wing
beats, a sail fills, a tail rises.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bncl_core.data.sets._scene_brush import box, capsule, disc, ellipse, polygon, rgb

Part = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Sitter:
    """What a painter may look at: coordinates `[m 1 h w]`, pose `[m 1 1 1]` in 0…1, colours `[m 3 1 1]`."""

    u: np.ndarray
    v: np.ndarray
    pose: np.ndarray
    main: np.ndarray
    accent: np.ndarray
    dark: np.ndarray
    light: np.ndarray


INK = rgb(0.09, 0.08, 0.10)
PAPER = rgb(0.97, 0.97, 0.95)


def bird(s: Sitter) -> list[Part]:
    u, v = s.u, s.v
    tip = 1.75 * s.pose - 1.0
    reach = -0.44 + 0.1 * s.pose
    # a raised wing has its tip above the body, a lowered one below; half-way it lies folded along the side
    upper, lower = np.minimum(tip, 0.05), np.maximum(tip, 0.2)
    return [
        (polygon(u, v, (-1.0, 0.06), (-0.3, 0.0), (-0.3, 0.26), (-0.94, 0.34)), s.dark * 1.8),
        (polygon(u, v, (0.62, -0.2), (1.02, -0.02), (0.6, 0.04)), s.accent),
        (ellipse(u, v, 0.0, 0.12, 0.56, 0.27), s.main),
        (disc(u, v, 0.5, -0.1, 0.24), s.main),
        (ellipse(u, v, 0.12, 0.26, 0.36, 0.12), s.light),
        (
            polygon(u, v, (reach, upper), (reach + 0.2, upper), (0.34, 0.06), (0.16, 0.3), (reach + 0.1, lower)),
            s.accent,
        ),
        (disc(u, v, 0.56, -0.15, 0.07), INK),
    ]


def aeroplane(s: Sitter) -> list[Part]:
    u, v = s.u, s.v
    reach = 0.45 + 0.35 * s.pose
    sweep = -0.3 - 0.3 * s.pose
    windows = np.maximum(box(u, v, 0.05, -0.05, 0.5, 0.055), 0.055 - np.abs(u * 5.0 - np.floor(u * 5.0) - 0.5) / 5.0)
    return [
        (polygon(u, v, (sweep + 0.05, -reach), (sweep + 0.25, -reach), (0.3, -0.05), (-0.12, -0.05)), s.dark * 2.0),
        (polygon(u, v, (-1.0, -0.6), (-0.74, -0.6), (-0.4, -0.05), (-0.85, -0.05)), s.accent),
        (capsule(u, v, (-0.85, -0.02), (0.72, 0.0), 0.19), s.main),
        (windows, s.light),
        (polygon(u, v, (0.66, -0.14), (0.86, -0.12), (0.88, 0.0), (0.66, 0.0)), INK),
        (polygon(u, v, (-0.14, 0.06), (0.3, 0.06), (sweep + 0.22, reach), (sweep, reach)), s.accent),
        (polygon(u, v, (-0.85, 0.0), (-0.62, 0.0), (-0.85, 0.26), (-1.0, 0.26)), s.accent),
    ]


def ship(s: Sitter) -> list[Part]:
    u, v = s.u, s.v
    fore, aft = 0.45 + 0.4 * s.pose, -0.75 + 0.35 * s.pose
    return [
        (box(u, v, 0.0, -0.3, 0.055, 0.7), s.dark),
        (polygon(u, v, (0.1, -0.9), (fore, 0.2), (0.1, 0.2)), s.light),
        (polygon(u, v, (-0.1, -0.72), (-0.1, 0.2), (aft, 0.2)), s.accent),
        (polygon(u, v, (-0.95, 0.3), (1.0, 0.3), (0.62, 0.85), (-0.66, 0.85)), s.main),
        (box(u, v, 0.02, 0.38, 0.88, 0.06), s.light),
        (disc(u, v, -0.3, 0.6, 0.09), INK),
        (disc(u, v, 0.05, 0.6, 0.09), INK),
        (disc(u, v, 0.4, 0.6, 0.09), INK),
    ]


def car(s: Sitter) -> list[Part]:
    u, v = s.u, s.v
    back, roof = -0.75 + 0.3 * s.pose, -0.42 - 0.16 * s.pose
    return [
        (polygon(u, v, (back, 0.0), (back + 0.18, roof), (0.25, roof), (0.62, 0.0)), s.main),
        (polygon(u, v, (back + 0.15, -0.02), (back + 0.26, roof + 0.1), (-0.1, roof + 0.1), (-0.1, -0.02)), s.light),
        (polygon(u, v, (0.0, -0.02), (0.0, roof + 0.1), (0.2, roof + 0.1), (0.45, -0.02)), s.light),
        (box(u, v, 0.0, 0.2, 0.92, 0.22) - 0.05, s.main),
        (box(u, v, 0.0, 0.24, 0.95, 0.05), s.accent),
        (disc(u, v, 0.9, 0.1, 0.09), PAPER),
        (disc(u, v, -0.52, 0.46, 0.27), INK),
        (disc(u, v, 0.52, 0.46, 0.27), INK),
        (disc(u, v, -0.52, 0.46, 0.11), s.light),
        (disc(u, v, 0.52, 0.46, 0.11), s.light),
    ]


def house(s: Sitter) -> list[Part]:
    u, v = s.u, s.v
    ridge, door = -0.75 - 0.25 * s.pose, 0.5 * s.pose - 0.25
    return [
        (box(u, v, 0.42, -0.55, 0.1, 0.3), s.dark * 1.8),
        (box(u, v, 0.0, 0.35, 0.7, 0.55), s.main),
        (polygon(u, v, (-0.98, -0.12), (0.0, ridge), (0.98, -0.12)), s.accent),
        (box(u, v, door, 0.6, 0.14, 0.3), INK),
        (box(u, v, -0.46, 0.28, 0.14, 0.16), s.light),
        (box(u, v, 0.46, 0.28, 0.14, 0.16), s.light),
    ]


def tree(s: Sitter) -> list[Part]:
    u, v = s.u, s.v
    spread = 0.3 + 0.22 * s.pose
    return [
        (polygon(u, v, (-0.1, 0.1), (0.1, 0.1), (0.18, 0.95), (-0.18, 0.95)), s.accent * 0.55),
        (disc(u, v, -spread, 0.05, 0.36), s.main * 0.8),
        (disc(u, v, spread, 0.08, 0.36), s.main * 0.8),
        (disc(u, v, -0.66 * spread, -0.36, 0.36), s.main * 0.92),
        (disc(u, v, 0.66 * spread, -0.34, 0.36), s.main * 0.92),
        (disc(u, v, 0.0, -0.58, 0.34), s.main),
        (disc(u, v, 0.0, -0.05, 0.4), s.main),
        (disc(u, v, -0.1, -0.55, 0.13), s.light * 0.5 + s.main * 0.5),
        (disc(u, v, -spread - 0.05, 0.05, 0.1), s.accent),
        (disc(u, v, 0.15, -0.2, 0.1), s.accent),
        (disc(u, v, spread + 0.1, 0.12, 0.1), s.accent),
    ]


def flower(s: Sitter) -> list[Part]:
    u, v = s.u, s.v
    petal, breadth = 0.5 + 0.12 * s.pose, 0.17 + 0.04 * s.pose
    top = v + 0.32
    left, right = 0.5 * u + 0.8660254 * top, 0.5 * u - 0.8660254 * top
    across_left, across_right = -0.8660254 * u + 0.5 * top, 0.8660254 * u + 0.5 * top
    petals = np.minimum(
        np.minimum(ellipse(u, top, 0.0, 0.0, petal, breadth), ellipse(left, across_left, 0.0, 0.0, petal, breadth)),
        ellipse(right, across_right, 0.0, 0.0, petal, breadth),
    )
    return [
        (capsule(u, v, (0.0, 0.0), (0.03, 0.95), 0.06), s.accent * 0.5),
        (polygon(u, v, (0.03, 0.86), (0.16, 0.52), (0.54, 0.4), (0.4, 0.74)), s.accent * 0.75),
        (polygon(u, v, (0.02, 0.94), (-0.34, 0.86), (-0.5, 0.54), (-0.16, 0.62)), s.accent * 0.75),
        (petals, s.main),
        (disc(u, top, 0.0, 0.0, 0.19), s.accent),
    ]


def fish(s: Sitter) -> list[Part]:
    u, v = s.u, s.v
    depth, flick = 0.34 + 0.14 * s.pose, 0.3 * s.pose - 0.15
    body = ellipse(u, v, 0.15, 0.0, 0.72, depth)
    return [
        (polygon(u, v, (-0.35, 0.0), (-0.98, flick + 0.48), (-0.98, flick - 0.48)), s.accent),
        (polygon(u, v, (-0.2, -depth + 0.08), (0.1, -depth - 0.28), (0.45, -depth + 0.12)), s.accent),
        (body, s.main),
        (np.maximum(body + 0.04, np.abs(u + 0.12) - 0.06), s.light),
        (np.maximum(body + 0.04, np.abs(u - 0.2) - 0.06), s.light),
        (polygon(u, v, (0.22, 0.05), (0.3, 0.2), (-0.05, 0.3)), s.dark * 2.0),
        (disc(u, v, 0.58, -0.08, 0.12), PAPER),
        (disc(u, v, 0.6, -0.08, 0.065), INK),
    ]


def butterfly(s: Sitter) -> list[Part]:
    spread = 0.72 + 0.28 * s.pose
    side, v = np.abs(s.u) / spread, s.v
    return [
        (capsule(side, v, (0.03, -0.4), (0.24, -0.98), 0.045), INK),
        (polygon(side, v, (0.08, 0.08), (0.6, 0.12), (0.72, 0.4), (0.48, 0.82), (0.2, 0.6)) - 0.07, s.accent),
        (polygon(side, v, (0.08, -0.1), (0.5, -0.78), (0.9, -0.72), (0.84, -0.22), (0.1, 0.08)) - 0.07, s.main),
        (disc(side, v, 0.62, -0.46, 0.17), s.light),
        (disc(side, v, 0.46, 0.4, 0.13), s.main),
        (ellipse(side, v, 0.0, 0.05, 0.12, 0.6), INK),
    ]


def cat(s: Sitter) -> list[Part]:
    u, v = s.u, s.v
    rise = 0.55 - 0.75 * s.pose
    side = np.abs(u - 0.1)
    return [
        (capsule(u, v, (-0.3, 0.78), (-0.78, 0.7), 0.12), s.main * 0.8),
        (capsule(u, v, (-0.78, 0.7), (-0.82, rise), 0.12), s.main * 0.8),
        (ellipse(u, v, 0.05, 0.5, 0.46, 0.5), s.main),
        (ellipse(u, v, 0.12, 0.6, 0.22, 0.34), s.light),
        (polygon(side, v, (0.4, -0.95), (0.44, -0.4), (0.06, -0.55)), s.main),
        (ellipse(u, v, 0.1, -0.32, 0.48, 0.4), s.main),
        (ellipse(side, v, 0.19, -0.38, 0.1, 0.11), s.accent * 0.5 + 0.5),
        (ellipse(side, v, 0.19, -0.38, 0.05, 0.1), INK),
        (ellipse(u, v, 0.1, -0.12, 0.18, 0.11), s.light),
        (disc(u, v, 0.1, -0.18, 0.06), INK),
    ]


PAINTERS: dict[str, Callable[[Sitter], list[Part]]] = {
    "bird": bird,
    "aeroplane": aeroplane,
    "ship": ship,
    "car": car,
    "house": house,
    "tree": tree,
    "flower": flower,
    "fish": fish,
    "butterfly": butterfly,
    "cat": cat,
}
