"""Theory (plug-ins): closed forms as frozen dataclasses. Fields are the parameters, `values()` the numbers there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bncl_core.registry import Registry
from bncl_core.spec import Plugin

curves: Registry[type[Curve]] = Registry("curve", "bncl_core.theory")


@dataclass(frozen=True)
class Curve(Plugin, ABC):
    """A closed form at one setting of its parameters.

    title, source        what it is called, and where it is from
    assumptions          what it takes for granted
    establishes, leaves_open   what it shows, and what it does not
    """

    registry: ClassVar[Registry[type[Curve]]] = curves
    title: ClassVar[str]
    source: ClassVar[str]
    assumptions: ClassVar[str]
    establishes: ClassVar[str]
    leaves_open: ClassVar[str]

    @abstractmethod
    def values(self) -> dict[str, float]:
        """The numbers at these parameters, by name."""

    @abstractmethod
    def curve(self) -> dict[str, np.ndarray]:
        """Columns of equal length to draw; the first is the abscissa."""
