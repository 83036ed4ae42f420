"""Maps from the projector's output to a non-negative code, one line each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

NonNegative = Literal["none", "relu", "rep_relu", "gelu", "sigmoid", "softplus", "exp", "leaky_relu"]


def rep_relu(x: Tensor) -> Tensor:
    """ReLU's value with GELU's derivative: a closed coordinate still hears where it should go (NCL, 2403.12459)."""
    soft = F.gelu(x)
    return F.relu(x).detach() + (soft - soft.detach())


def shifted_exp(x: Tensor) -> Tensor:
    """exp(x − row maximum): the same row after normalisation as exp(x), and it cannot overflow."""
    return torch.exp(x - x.amax(dim=1, keepdim=True).detach())


MAPS: dict[str, Callable[[Tensor], Tensor]] = {
    "none": lambda x: x,
    "relu": F.relu,
    "rep_relu": rep_relu,
    "gelu": F.gelu,
    "sigmoid": torch.sigmoid,
    "softplus": F.softplus,
    "exp": shifted_exp,
    "leaky_relu": F.leaky_relu,
}
"""`none` (SimCLR), `gelu` and `leaky_relu` can be negative; the others cannot."""
