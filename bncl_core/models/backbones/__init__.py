"""Backbones (plug-ins): one file a family. A backbone is a frozen dataclass that builds its module."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from torch import nn

from bncl_core.registry import Registry
from bncl_core.spec import Plugin

backbones: Registry[type[Backbone]] = Registry("backbone", "bncl_core.models.backbones")


@dataclass(frozen=True)
class Backbone(Plugin, ABC):
    """Makes the embedding: normalised images `[n 3 h w]` → `[n e]`."""

    registry: ClassVar[Registry[type[Backbone]]] = backbones

    @abstractmethod
    def build(self) -> tuple[nn.Module, int]:
        """A fresh module, initialised from torch's current random state, and the length e of its embedding."""
