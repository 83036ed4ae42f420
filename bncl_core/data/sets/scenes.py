"""Scenes: drawn objects on drawn backgrounds, with everything about them known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bncl_core.data.images import ImageSet, Triple
from bncl_core.data.sets import ImageSource, image_sets
from bncl_core.data.sets._scenery import BACKGROUNDS, OBJECTS, Scenery, paint, scenery, uniforms


@image_sets.register("scenes")
@dataclass(frozen=True)
class Scenes(ImageSource):
    """Procedural images of one object on one background; the table P(background | object) is a parameter.

    The default: bird and aeroplane share the blue sky, and no other object stands there. Label = kind of object.
    Image i depends on (seed, split, i) and on the table only, and changing how often the shared background occurs
    changes the images that gain or lose it and no other.

    seed                  names the random stream of the whole set
    size                  side of an image in pixels, 16…256; the same scenes, finer
    n_train, n_test       images in each split
    sharing               objects that share a background, by name; `all` for every object
    shared_background     the background they share
    shared                probability that an object of the sharing group stands on the shared background, 0…1
    background_frequency  probability that any other object stands on it, 0…1 (unused when all objects share)
    weights               how often the backgrounds that are not shared occur, one number for each background in
                          order (the shared one's is ignored); empty: all alike

    Factors, in frames (0…1 from the left and from the top) where they are lengths: object, background, flipped
    (categorical); x, y (centre), size (side of the square an upright object fills), rotation (degrees clockwise,
    −30…30), pose (0…1: a wing beats, a sail fills), hue (0…1, a circle), brightness of the background (a factor,
    0.78…1.08), horizon (its height; in the sky the depth of the haze).

    Raises ValueError for a value outside its range or a name that is no object or background.
    """

    objects: ClassVar[tuple[str, ...]] = OBJECTS
    backgrounds: ClassVar[tuple[str, ...]] = BACKGROUNDS
    # measured on the 20,000 training images of the default set, 0…1 units
    mean: ClassVar[Triple] = (0.494, 0.503, 0.482)
    std: ClassVar[Triple] = (0.292, 0.282, 0.282)

    seed: int = 0
    size: int = 32
    n_train: int = 20000
    n_test: int = 4000
    sharing: tuple[str, ...] = ("bird", "aeroplane")
    shared_background: str = "sky"
    shared: float = 0.5
    background_frequency: float = 0.0
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not 16 <= self.size <= 256:
            raise ValueError(f"size is {self.size}; an image's side has 16 to 256 pixels")
        for name in ("n_train", "n_test"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; a split holds at least one image")
        for name in ("shared", "background_frequency"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name} is {getattr(self, name)}; a probability lies in 0…1")
        unknown = [name for name in self.sharing if name not in (*OBJECTS, "all")]
        if unknown:
            raise ValueError(
                f"no object called {', '.join(map(repr, unknown))}; sharing may name: all, {', '.join(OBJECTS)}"
            )
        if self.shared_background not in BACKGROUNDS:
            raise ValueError(f"no background called {self.shared_background!r}; there are: {', '.join(BACKGROUNDS)}")
        self._check_weights()

    def _check_weights(self) -> None:
        if not self.weights:
            return
        if len(self.weights) != len(BACKGROUNDS):
            raise ValueError(
                f"weights holds {len(self.weights)} numbers; give one for each of the {len(BACKGROUNDS)} backgrounds "
                f"({', '.join(BACKGROUNDS)}) or none"
            )
        if not all(0.0 <= w < float("inf") for w in self.weights):
            raise ValueError(f"weights is {self.weights}; each must be zero or a positive number")
        if not self._others().sum() > 0.0:
            raise ValueError(
                f"weights is {self.weights}; a background besides {self.shared_background} must be positive"
            )

    def _others(self) -> np.ndarray:
        """Weights of the backgrounds with the shared one at zero, float64 `[backgrounds]`."""
        weights = np.array(self.weights or [1.0] * len(BACKGROUNDS), np.float64)
        weights[BACKGROUNDS.index(self.shared_background)] = 0.0
        return weights

    def _on_shared(self) -> np.ndarray:
        """P(shared background | object), float64 `[objects]`."""
        inside = [name in self.sharing or "all" in self.sharing for name in OBJECTS]
        return np.where(inside, self.shared, self.background_frequency)

    def table(self) -> np.ndarray:
        """P(background | object), float64 `[objects backgrounds]` in the order of `objects` and `backgrounds`.

        Every row sums to 1. Objects are equally frequent, so the mean of a column is the overall frequency of that
        background.
        """
        on_shared = self._on_shared()
        weights = self._others()
        table = (1.0 - on_shared)[:, None] * (weights / weights.sum())
        table[:, BACKGROUNDS.index(self.shared_background)] = on_shared
        return table

    def _scenery(self, split: str, start: int, stop: int) -> Scenery:
        self.check_split(split)
        if not 0 <= start < stop:
            raise ValueError(f"images {start} to {stop} are asked for; give 0 ≤ start < stop")
        numbers = uniforms(self.seed, split, start, stop)
        kinds = np.floor(numbers["object"] * len(OBJECTS)).astype(np.int64)
        edges = np.cumsum(self._others())
        other = np.searchsorted(edges[:-1], numbers["background"] * edges[-1], side="right")
        home = BACKGROUNDS.index(self.shared_background)
        # two numbers, one a question: a rise of `shared` moves images onto the shared background and no others
        return scenery(numbers, np.where(numbers["is_shared"] < self._on_shared()[kinds], home, other))

    def truth(self, split: str, start: int, stop: int) -> dict[str, np.ndarray]:
        """The factors of images `start … stop - 1` without drawing them: name → `[n]`, as in `ImageSet.factors`."""
        return self._scenery(split, start, stop).factors

    def draw(self, split: str, start: int, stop: int) -> ImageSet:
        """Images `start … stop - 1` of a split, drawn without the others; `stop` may lie beyond the split's end."""
        scene = self._scenery(split, start, stop)
        images, _ = paint(scene, self.size)
        return ImageSet(
            name="scenes",
            split=split,
            images=images,
            labels=scene.factors["object"],
            classes=OBJECTS,
            factors=scene.factors,
            values={"object": OBJECTS, "background": BACKGROUNDS, "flipped": ("no", "yes")},
            mean=self.mean,
            std=self.std,
        )

    def silhouettes(self, split: str, start: int, stop: int) -> np.ndarray:
        """Where the object is on images `start … stop - 1`: uint8 `[n size size]`, 255 inside, 0 outside."""
        return paint(self._scenery(split, start, stop), self.size)[1]

    def load(self, split: str) -> ImageSet:
        """All images of one split, with factors. Raises ValueError for an unknown split."""
        self.check_split(split)
        return self.draw(split, 0, self.n_train if split == "train" else self.n_test)
