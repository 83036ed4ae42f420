"""BayesNCL (2605.28441): NCL with a learned Bernoulli gate and a KL to a prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from bncl_core.models.codes import Codes
from bncl_core.models.gate import Gate, GateKind
from bncl_core.objectives import objectives
from bncl_core.objectives.ncl import NCL

CLAMP = 0.01
"""The published code keeps both probabilities in [0.01, 0.99]; outside, the KL has no gradient."""


def bernoulli_kl(alpha: Tensor, prior: float) -> Tensor:
    """KL(Bernoulli(alpha) ‖ Bernoulli(prior)) in nats, summed over the dimensions of a row, mean over rows.

    `alpha` `[n k]` in 0…1. Both are clamped to [0.01, 0.99] as published.
    """
    with torch.autocast(alpha.device.type, enabled=False):
        a = alpha.clamp(CLAMP, 1 - CLAMP)
        r = min(max(prior, CLAMP), 1 - CLAMP)
        kl = a * torch.log(a / r) + (1 - a) * torch.log((1 - a) / (1 - r))
        return kl.sum(dim=1).mean()


@objectives.register("bayes_ncl")
@dataclass(frozen=True)
class BayesNCL(NCL):
    """NT-Xent on the gated code + lambda · KL(gate ‖ Bernoulli(prior)).

    prior         rho in (0, 1), the prior probability that a dimension is open. Above ½ the prior pays for opening:
                  with the published 0.8 a dimension that gains nothing is opened, not closed
    kl_weight     lambda ≥ 0 (published: 3e-5, per dimension and image)
    """

    prior: float = 0.8
    kl_weight: float = 3e-5
    gate: ClassVar[Gate] = Gate(kind="ste")
    gates: ClassVar[tuple[GateKind, ...]] = ("ste", "concrete", "gumbel_published", "soft")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.prior < 1:
            raise ValueError(f"prior is {self.prior}; it is a probability strictly between 0 and 1 (published: 0.8)")
        if self.kl_weight < 0:
            raise ValueError(f"kl_weight is {self.kl_weight}; it must not be negative (published: 3e-5)")

    def __call__(self, a: Codes, b: Codes) -> dict[str, Tensor]:
        """The contrastive term and the weighted KL, over the rows of both views."""
        kl = bernoulli_kl(torch.cat([a.charged, b.charged]), self.prior)
        return super().__call__(a, b) | {"kl": self.kl_weight * kl}
