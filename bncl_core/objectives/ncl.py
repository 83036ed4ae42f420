"""NCL (2403.12459): NT-Xent on a non-negative code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bncl_core.models.nonnegative import NonNegative
from bncl_core.objectives import objectives
from bncl_core.objectives.simclr import SimCLR


@objectives.register("ncl")
@dataclass(frozen=True)
class NCL(SimCLR):
    """Non-negative contrastive learning: the same loss, but only permutations of the dimensions leave it as it is."""

    non_negative: ClassVar[NonNegative] = "rep_relu"
