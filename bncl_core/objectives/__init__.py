"""Objectives (plug-ins): (codes of view a, codes of view b) → named, weighted loss terms.

An objective is a frozen dataclass: its fields are its hyper-parameters, a call is the loss, and it keeps no other
state. It also says which map and gate make it the method it is named after.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from bncl_core.models.codes import Codes
from bncl_core.models.encoder import EncoderConfig
from bncl_core.models.gate import Gate, GateKind
from bncl_core.models.nonnegative import NonNegative
from bncl_core.registry import Registry
from bncl_core.spec import Plugin

objectives: Registry[type[Objective]] = Registry("objective", "bncl_core.objectives")


@dataclass(frozen=True)
class Objective(Plugin, ABC):
    """What training makes small."""

    registry: ClassVar[Registry[type[Objective]]] = objectives
    non_negative: ClassVar[NonNegative] = "rep_relu"
    """The map a new run of this objective starts from."""
    gate: ClassVar[Gate] = Gate()
    """The gate a new run of this objective starts from."""
    gates: ClassVar[tuple[GateKind, ...]] = ("none",)
    """The gate kinds this objective makes sense with."""

    @abstractmethod
    def __call__(self, a: Codes, b: Codes) -> dict[str, Tensor]:
        """Weighted loss terms by name, each a scalar; training adds them up. Row i of `a` and `b` is one image."""

    def check(self, encoder: EncoderConfig) -> None:
        """Raise ValueError when the encoder is not one this objective can train."""
        kind = encoder.gate.kind
        if kind not in self.gates:
            name = objectives.name_of(self)
            raise ValueError(f"objective {name} with gate {kind!r}; it goes with: {', '.join(self.gates)}")


def check_temperature(value: float) -> None:
    """Raise ValueError unless the contrastive temperature is usable."""
    if not value > 0:
        raise ValueError(
            f"temperature is {value}; similarities are divided by it, so it must be above 0 (published: 0.2)"
        )
