"""NCL+TopK: NCL that keeps the largest dimensions of each image only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bncl_core.models.gate import Gate, GateKind
from bncl_core.objectives import objectives
from bncl_core.objectives.ncl import NCL


@objectives.register("ncl_topk")
@dataclass(frozen=True)
class NCLTopK(NCL):
    """NCL with a fixed number of open dimensions an image: sparsity without a learned gate."""

    gate: ClassVar[Gate] = Gate(kind="topk")
    gates: ClassVar[tuple[GateKind, ...]] = ("topk",)
