"""SimCLR (2002.05709): NT-Xent on a signed code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from bncl_core.models.codes import Codes
from bncl_core.models.nonnegative import NonNegative
from bncl_core.objectives import Objective, check_temperature, objectives
from bncl_core.objectives._nt_xent import nt_xent


@objectives.register("simclr")
@dataclass(frozen=True)
class SimCLR(Objective):
    """Contrastive learning (CL): the code keeps its signs, so a rotation of all codes leaves the loss as it is.

    temperature   tau > 0: smaller looks harder at the nearest negatives
    """

    temperature: float = 0.2
    non_negative: ClassVar[NonNegative] = "none"

    def __post_init__(self) -> None:
        check_temperature(self.temperature)

    def __call__(self, a: Codes, b: Codes) -> dict[str, Tensor]:
        """NT-Xent of the gated codes (no gate here: the codes)."""
        return {"nt_xent": nt_xent(a.gated, b.gated, self.temperature)}
