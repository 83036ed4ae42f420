"""The gate: which dimensions of the code are open for this image.

Published form (BayesNCL 2605.28441): logits g = head(stop-gradient of h), alpha = sigmoid(g / T), mask = 1[alpha > ½]
forward and the derivative of alpha backward. No gate is a gate that is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import torch
from torch import Tensor, nn

GateKind = Literal["none", "topk", "ste", "concrete", "gumbel_published", "soft"]


@dataclass(frozen=True)
class Gate:
    """Settings of the gate.

    kind         none: always open. topk: the `topk` largest of a row are open. ste: hard threshold with a
                 straight-through gradient. concrete: a Bernoulli sample by logistic noise, straight-through (unbiased).
                 gumbel_published: one Gumbel sample added to the logit, as the published code does
                 (P(open | g = 0) = 0.632). soft: multiply by the probability. The sampled kinds use the threshold
                 alone outside training
    layers       1, 2 or 3 linear layers in the head (published: 2)
    detach       all: no gradient of the gate reaches the embedding (published code). kl_only: only the KL's is stopped.
                 none: nothing is stopped
    temperature  T > 0 in alpha = sigmoid(g / T)
    threshold    a dimension is open when alpha is above this, strictly between 0 and 1
    bias         added to the last layer's bias at the start; > 0 starts open
    topk         how many dimensions stay open for `topk`
    """

    kind: GateKind = "none"
    layers: int = 2
    detach: Literal["none", "kl_only", "all"] = "all"
    temperature: float = 1.0
    threshold: float = 0.5
    bias: float = 0.0
    topk: int = 32

    def __post_init__(self) -> None:
        if self.layers not in (1, 2, 3):
            raise ValueError(f"gate layers is {self.layers}; allowed: 1, 2, 3")
        if not self.temperature > 0:
            raise ValueError(f"gate temperature is {self.temperature}; it divides the logits, so it must be above 0")
        if not 0 < self.threshold < 1:
            raise ValueError(f"gate threshold is {self.threshold}; allowed: strictly between 0 and 1")
        if self.topk < 1:
            raise ValueError(f"gate topk is {self.topk}; at least 1 dimension must stay open")

    @property
    def learned(self) -> bool:
        """Whether the gate has a head with parameters."""
        return self.kind not in ("none", "topk")


def gate_head(gate: Gate, embedding: int, hidden: int, dimensions: int) -> nn.Sequential:
    """The head that makes the logits: linear layers with ReLU between, own weights, no normalisation."""
    sizes = [embedding] + [hidden] * (gate.layers - 1) + [dimensions]
    parts: list[nn.Module] = []
    for wide, narrow in pairwise(sizes):
        parts += [nn.Linear(wide, narrow), nn.ReLU()]
    last = parts[-2]
    assert isinstance(last, nn.Linear)
    with torch.no_grad():
        last.bias.add_(gate.bias)
    return nn.Sequential(*parts[:-1])


def topk_mask(z: Tensor, count: int) -> Tensor:
    """1 for the `count` largest of each row of `z` `[n k]`, else 0; without gradient."""
    if count > z.shape[1]:
        raise ValueError(f"gate topk is {count}, but a code has only {z.shape[1]} dimensions")
    return torch.zeros_like(z).scatter_(1, z.topk(count, dim=1).indices, 1.0)


def open_mask(gate: Gate, logits: Tensor, alpha: Tensor, noise: torch.Generator | None) -> Tensor:
    """The mask `[n k]` of a learned gate; `noise` is the stream of the sampled kinds, None to threshold alpha."""
    if gate.kind == "soft":
        return alpha
    if gate.kind == "ste" or noise is None:
        relaxed = alpha
    else:
        relaxed = torch.sigmoid((logits + _noise(gate.kind, logits, noise)) / gate.temperature)
    return (relaxed > gate.threshold).to(alpha.dtype) + (relaxed - relaxed.detach())


def _noise(kind: GateKind, like: Tensor, generator: torch.Generator) -> Tensor:
    """Logistic noise (concrete) or one Gumbel sample (published). Drawn on the CPU: one stream for every device."""
    uniform = torch.rand(like.shape, generator=generator, dtype=torch.float64).clamp(1e-12, 1 - 1e-12)
    logistic = torch.log(uniform) - torch.log1p(-uniform)
    return (logistic if kind == "concrete" else -torch.log(-torch.log(uniform))).to(like)
