"""The backgrounds of a scene. Each has a structure that no other one has, and a horizon.

Only `sky` has blue air: the air above sea, grass, sand and snow is pale, so that "blue sky" is one fact of an image
and not a part of many backgrounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bncl_core.data.sets._scene_brush import box, disc, hsv, mix, ramp, rgb, wave
from bncl_core.data.sets._scene_tiles import window


@dataclass(frozen=True)
class Place:
    """What a painter may look at. A number per image is `[m 1 1 1]` in 0…1.

    x, y     pixel centres, `[1 1 1 w]` and `[1 1 h 1]`, 0…1 from the left and from the top
    horizon  its height, 0…1 from the top
    tint     moves the hue a little
    spot_x, spot_y  where the sun, the moon, a picture stands
    amount   how much of it: clouds, stars, waves
    across, down  `[m]`: where the textures are cut from their tiles
    """

    x: np.ndarray
    y: np.ndarray
    horizon: np.ndarray
    tint: np.ndarray
    spot_x: np.ndarray
    spot_y: np.ndarray
    amount: np.ndarray
    across: np.ndarray
    down: np.ndarray

    @property
    def size(self) -> int:
        return int(self.x.shape[-1])

    def texture(self, kind: str) -> np.ndarray:
        return window(kind, self.size, self.across, self.down)

    def cover(self, distance: np.ndarray) -> np.ndarray:
        """Soft-edged inside of a shape whose distances are in frames."""
        return np.clip(0.5 - distance * self.size, 0.0, 1.0)

    def hue(self, centre: float, width: float) -> np.ndarray:
        return centre + width * (self.tint - 0.5)


def sky(p: Place) -> np.ndarray:
    high, low = hsv(p.hue(0.595, 0.05), 0.72, 0.90), hsv(p.hue(0.56, 0.04), 0.26, 0.99)
    air = mix(high, low, ramp(-0.1, 0.55 + 0.8 * p.horizon, p.y))
    noise = p.texture("cloud")
    edge = 0.62 - 0.16 * p.amount
    cloud = ramp(edge, edge + 0.16, noise)
    return mix(air, 0.86 + 0.13 * ramp(edge + 0.05, edge + 0.25, noise), 0.92 * cloud)


def sea(p: Place) -> np.ndarray:
    air = mix(rgb(0.80, 0.81, 0.80), rgb(0.93, 0.91, 0.86), p.y / p.horizon)
    below = np.maximum(p.y - p.horizon, 0.0)
    water = mix(hsv(p.hue(0.50, 0.06), 0.55, 0.66), hsv(p.hue(0.54, 0.06), 0.88, 0.42), ramp(0.0, 0.6, below))
    ripple = p.texture("ripple")
    crest = wave(2.2 / (below + 0.16) + 1.6 * ripple + 0.6 * wave(p.x + p.spot_x))
    water = water * (1.0 + 0.16 * crest)
    foam = ramp(0.78, 0.98, crest) * ramp(0.46, 0.6, ripple) * (0.35 + 0.6 * p.amount)
    return mix(air, mix(water, 0.95, foam), p.cover(p.horizon - p.y))


def grass(p: Place) -> np.ndarray:
    air = rgb(0.90, 0.93, 0.86) + 0.0 * p.y
    lump = p.texture("lump")
    hedge = p.cover(p.horizon - 0.03 - 0.22 * lump[:, :, :1] * ramp(0.2, 0.8, p.amount) - p.y)
    scene = mix(air, hsv(p.hue(0.36, 0.05), 0.55, 0.36) * (0.75 + 0.5 * lump), hedge)
    below = p.y - p.horizon
    blade = p.texture("blade")
    lawn = mix(hsv(p.hue(0.25, 0.06), 0.62, 0.72), hsv(p.hue(0.30, 0.06), 0.80, 0.52), ramp(0.0, 0.55, below))
    lawn = lawn * (0.62 + 0.76 * blade)
    blossom = p.texture("blossoms") * ramp(0.03, 0.1, below)
    lawn = mix(lawn, mix(rgb(0.98, 0.90, 0.35), rgb(0.98, 0.95, 0.95), p.spot_x), blossom)
    return mix(scene, lawn, p.cover(-below))


def sand(p: Place) -> np.ndarray:
    scene = mix(rgb(0.93, 0.90, 0.84), rgb(0.98, 0.90, 0.76), p.y)
    light, shade = hsv(p.hue(0.115, 0.03), 0.42, 0.95), hsv(p.hue(0.085, 0.03), 0.55, 0.70)
    lump = p.texture("lump")
    for step, (drop, swing, pace) in enumerate([(0.0, 0.05, 1.3), (0.13, 0.07, 0.9), (0.34, 0.08, 0.7)]):
        crest = p.horizon + drop + swing * wave(pace * p.x + p.spot_x + 0.37 * step)
        below = p.y - crest
        ripples = wave((9.0 - 1.5 * step) * (p.y + 0.5 * crest) + 1.2 * lump + 2.0 * p.x * (p.amount - 0.5))
        dune = mix(light, shade, ramp(0.0, 0.30, below)) * (1.0 + 0.07 * ripples)
        scene = mix(scene, dune, p.cover(-below))
    return scene


def night(p: Place) -> np.ndarray:
    air = mix(hsv(p.hue(0.66, 0.05), 0.85, 0.13), hsv(p.hue(0.64, 0.05), 0.70, 0.34), ramp(0.0, 1.0, p.y))
    air = mix(air, rgb(1.0, 0.97, 0.86), p.texture("stars") * (0.5 + 0.5 * p.amount))
    x, y = 0.12 + 0.76 * p.spot_x, 0.1 + 0.25 * p.spot_y
    moon, bite = disc(p.x, p.y, x, y, 0.10), disc(p.x, p.y, x - 0.05 - 0.05 * p.amount, y - 0.03, 0.09)
    air = air + 0.22 * ramp(-0.28, 0.0, -moon)
    air = mix(air, rgb(0.99, 0.96, 0.80), p.cover(np.maximum(moon, -bite)))
    hills = p.y - (p.horizon + 0.22 + 0.06 * wave(0.8 * p.x + p.spot_x) + 0.03 * wave(2.3 * p.x + p.spot_y))
    return mix(air, hsv(p.hue(0.62, 0.1), 0.5, 0.06), p.cover(-hills))


def snow(p: Place) -> np.ndarray:
    scene = mix(rgb(0.60, 0.64, 0.70), rgb(0.76, 0.79, 0.83), p.y / p.horizon)
    for pace, tall, level in ((5.0, 0.26, 0.0), (3.3, 0.34, 0.03)):
        phase = pace * p.x + (3.0 + pace) * p.spot_x
        number = np.floor(phase)
        side = np.abs(phase - number - 0.5)
        height = tall * (0.45 + 0.55 * (0.5 + 0.5 * wave(0.381966 * number + p.amount)))
        fir = (p.horizon + level - height) + 2.2 * side * height / 0.9 - p.y
        scene = mix(scene, hsv(p.hue(0.42, 0.06), 0.45, 0.30), p.cover(fir * 0.5))
    drift = p.y - (p.horizon + 0.03 * wave(1.1 * p.x + p.spot_y))
    field = mix(rgb(0.98, 0.98, 1.0), rgb(0.78, 0.84, 0.93), ramp(0.35, 0.75, p.texture("lump")))
    scene = mix(scene, field, p.cover(-drift))
    return mix(scene, 1.0, p.texture("flakes") * 0.95)


def sunset(p: Place) -> np.ndarray:
    rise = p.y / p.horizon
    air = mix(hsv(p.hue(0.80, 0.06), 0.50, 0.46), hsv(p.hue(0.02, 0.03), 0.66, 0.95), ramp(0.0, 0.7, rise))
    air = mix(air, hsv(p.hue(0.11, 0.03), 0.60, 1.0), ramp(0.5, 1.05, rise))
    streak = p.texture("streak")
    air = mix(air, hsv(p.hue(0.90, 0.08), 0.45, 0.55), 0.75 * ramp(0.56, 0.72, streak + 0.08 * p.amount))
    x = 0.15 + 0.7 * p.spot_x
    sun = disc(p.x, p.y, x, p.horizon - 0.03, 0.15)
    air = mix(air, rgb(1.0, 0.85, 0.45), 0.6 * ramp(-0.22, 0.0, -sun))
    air = mix(air, rgb(1.0, 0.96, 0.70), p.cover(sun))
    below = p.y - p.horizon
    land = mix(hsv(p.hue(0.88, 0.06), 0.55, 0.34), hsv(p.hue(0.82, 0.06), 0.6, 0.16), ramp(0.0, 0.5, below))
    path = ramp(-0.16, 0.0, -np.abs(p.x - x)) * ramp(-0.2, 0.6, wave(1.6 / (np.maximum(below, 0.0) + 0.14) + streak))
    land = mix(land, rgb(1.0, 0.62, 0.30), 0.8 * path)
    return mix(air, land, p.cover(-below))


def indoor(p: Place) -> np.ndarray:
    stripes = ramp(-0.3, 0.3, wave(5.0 * p.x + p.spot_y))
    wall = mix(hsv(p.hue(0.10, 0.14), 0.24, 0.86), hsv(p.hue(0.07, 0.14), 0.36, 0.72), stripes) * (1.05 - 0.2 * p.y)
    floor_line = p.horizon + 0.12
    x, y = 0.2 + 0.6 * p.spot_x, floor_line - 0.38
    wall = mix(wall, rgb(0.36, 0.22, 0.13), p.cover(box(p.x, p.y, x, y, 0.17, 0.15)))
    picture = mix(rgb(0.93, 0.90, 0.82), hsv(p.hue(0.45, 1.0), 0.35, 0.65), p.cover(y + 0.02 - p.y))
    wall = mix(wall, picture, p.cover(box(p.x, p.y, x, y, 0.125, 0.105)))
    below = p.y - floor_line
    depth = np.maximum(below, 0.0) + 0.12
    board = (p.x - 0.3 - 0.4 * p.spot_y) * 0.55 / depth + 8.0
    seam = np.abs(board - np.floor(board) - 0.5)
    planks = hsv(p.hue(0.075, 0.03), 0.60, 0.52) * (0.86 + 0.28 * (0.5 + 0.5 * wave(0.381966 * np.floor(board))))
    planks = planks * (0.9 + 0.2 * p.texture("streak")) * (1.0 - 0.45 * ramp(0.42, 0.5, seam))
    scene = mix(wall, planks, p.cover(-below))
    return mix(scene, rgb(0.95, 0.93, 0.90), p.cover(np.abs(below + 0.02) - 0.022))


PAINTERS: dict[str, Callable[[Place], np.ndarray]] = {
    "sky": sky,
    "sea": sea,
    "grass": grass,
    "sand": sand,
    "night": night,
    "snow": snow,
    "sunset": sunset,
    "indoor": indoor,
}
