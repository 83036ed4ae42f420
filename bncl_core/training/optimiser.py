"""Which optimiser, on which parameters, at which learning rate at each step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import nn
from torch.optim import Optimizer

from bncl_core.models.encoder import Encoder
from bncl_core.training.lars import LARS


@dataclass(frozen=True)
class Optimisation:
    """How the weights move.

    optimiser       adamw, sgd or lars (published)
    learning_rate   at batch 256; multiplied by batch / 256 when scale is linear. 0 means this optimiser's usual value:
                    adamw 1e-3, sgd 0.1, lars 0.4 (published)
    gate_rate       learning rate of the gate head, never scaled by the batch (published with LARS: 0.1); 0 means
                    that of the rest
    scale           linear: learning_rate · batch / 256 (published for sgd and lars). none: as given
    weight_decay    on tensors of two or more axes only
    momentum        of sgd and lars
    warmup_epochs   linear from 0; then cosine to 0 at the last step
    """

    optimiser: Literal["adamw", "sgd", "lars"] = "adamw"
    learning_rate: float = 0.0
    gate_rate: float = 0.0
    scale: Literal["none", "linear"] = "none"
    weight_decay: float = 1e-4
    momentum: float = 0.9
    warmup_epochs: float = 1.0

    def __post_init__(self) -> None:
        for name in ("learning_rate", "gate_rate", "weight_decay", "warmup_epochs"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be finite and not negative")
        if not 0 <= self.momentum < 1:
            raise ValueError(f"momentum is {self.momentum}; allowed: 0 up to but not including 1")

    def rate(self, batch: int) -> float:
        """Peak learning rate of everything but the gate head, after scaling by the batch."""
        base = self.learning_rate or {"adamw": 1e-3, "sgd": 0.1, "lars": 0.4}[self.optimiser]
        return base * batch / 256 if self.scale == "linear" else base

    def factor(self, step: int, steps: int, steps_per_epoch: int) -> float:
        """Share of the peak rate at `step` (0 … steps − 1): linear warm-up, then half a cosine that would reach 0 at
        `steps`."""
        warmup = min(round(self.warmup_epochs * steps_per_epoch), steps // 2)  # a short run must come down again
        if step < warmup:
            return (step + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(steps - warmup, 1)))


def build_optimiser(choice: Optimisation, encoder: Encoder, batch: int) -> Optimizer:
    """The optimiser over four groups: encoder and gate head, each split into decayed and one-axis tensors.

    Every parameter is in exactly one group (checked: a parameter nobody optimises would fail here).
    """
    gate = {id(p) for p in encoder.gate_parameters()}
    rate = choice.rate(batch)
    groups: list[dict[str, Any]] = []
    for is_gate in (False, True):
        for is_flat in (False, True):
            chosen = [p for p in encoder.parameters() if (id(p) in gate) == is_gate and (p.ndim <= 1) == is_flat]
            if chosen:
                groups.append(_group(choice, chosen, rate if not is_gate else choice.gate_rate or rate, is_flat))
    assert sum(len(g["params"]) for g in groups) == len(list(encoder.parameters()))
    if choice.optimiser == "adamw":
        return torch.optim.AdamW(groups, lr=rate, foreach=True)
    if choice.optimiser == "sgd":
        return torch.optim.SGD(groups, lr=rate, momentum=choice.momentum, foreach=True)
    return LARS(groups, lr=rate, momentum=choice.momentum)


def _group(choice: Optimisation, params: list[nn.Parameter], rate: float, is_flat: bool) -> dict[str, Any]:
    group: dict[str, Any] = {"params": params, "lr": rate, "peak": rate}
    group["weight_decay"] = 0.0 if is_flat else choice.weight_decay
    if choice.optimiser == "lars":
        group["adapt"] = not is_flat
    return group


def set_rate(optimiser: Optimizer, factor: float) -> None:
    """Every group's learning rate to `factor` times its peak."""
    for group in optimiser.param_groups:
        group["lr"] = group["peak"] * factor
