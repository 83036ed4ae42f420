"""Image sets (plug-ins): one file a set.

A set is a frozen dataclass whose fields are its parameters; `load(split)` returns the images.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from bncl_core.data.images import ImageSet
from bncl_core.registry import Registry
from bncl_core.spec import Plugin

image_sets: Registry[type[ImageSource]] = Registry("image set", "bncl_core.data.sets")


@dataclass(frozen=True)
class ImageSource(Plugin, ABC):
    """Where images come from. Loading twice gives the same images in the same order on every machine."""

    registry: ClassVar[Registry[type[ImageSource]]] = image_sets
    splits: ClassVar[tuple[str, ...]] = ("train", "test")

    @abstractmethod
    def load(self, split: str) -> ImageSet:
        """The images of one split. Raises ValueError for an unknown split, FileNotFoundError (saying what to put
        where) when files are missing."""

    def check_split(self, split: str) -> None:
        """Raise ValueError unless `split` exists here."""
        if split not in self.splits:
            raise ValueError(f"no split called {split!r}; this image set has: {', '.join(self.splits)}")
