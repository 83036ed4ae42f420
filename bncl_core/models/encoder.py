"""Encoder: the one road from pixels to codes. Training, indexing, metrics and pages all call it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from bncl_core.models.backbones import Backbone
from bncl_core.models.backbones.small_conv import SmallConv
from bncl_core.models.codes import Codes, Normalisation, normalise
from bncl_core.models.gate import Gate, gate_head, open_mask, topk_mask
from bncl_core.models.nonnegative import MAPS, NonNegative

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class EncoderConfig:
    """What is built.

    backbone      makes the embedding h
    hidden        width of the projector's (and the gate head's) hidden layers
    dimensions    k, the length of the code
    non_negative  map that makes the code non-negative; none leaves it alone (SimCLR)
    gate          which dimensions are open
    normalisation safe: a zero row stays zero and gets no gradient. published: divide by max(length, 1e-12)
    """

    backbone: Backbone = field(default_factory=SmallConv)
    hidden: int = 2048
    dimensions: int = 256
    non_negative: NonNegative = "rep_relu"
    gate: Gate = field(default_factory=Gate)
    normalisation: Normalisation = "safe"

    def __post_init__(self) -> None:
        if self.hidden < 1 or self.dimensions < 1:
            raise ValueError(f"hidden is {self.hidden} and dimensions {self.dimensions}; both must be at least 1")
        if self.gate.kind == "topk" and self.gate.topk > self.dimensions:
            raise ValueError(f"gate topk is {self.gate.topk}, but a code has only {self.dimensions} dimensions")


class Encoder(nn.Module):
    """Images `[n 3 h w]` in 0…1 → Codes. The channel normalisation is part of the weights."""

    mean: Tensor
    std: Tensor

    def __init__(self, config: EncoderConfig, mean: Triple = (0.5,) * 3, std: Triple = (0.25,) * 3) -> None:
        super().__init__()
        self.config = config
        self.register_buffer("mean", torch.tensor(mean).view(1, 3, 1, 1))
        self.register_buffer("std", torch.tensor(std).view(1, 3, 1, 1))
        self.backbone, width = config.backbone.build()
        self.projector = nn.Sequential(
            nn.Linear(width, config.hidden), nn.ReLU(), nn.Linear(config.hidden, config.dimensions)
        )
        self.gate = gate_head(config.gate, width, config.hidden, config.dimensions) if config.gate.learned else None

    def embed(self, images: Tensor) -> Tensor:
        """The embedding h `[n e]` in float32 of images `[n 3 h w]` in 0…1."""
        embedding: Tensor = self.backbone((images - self.mean) / self.std)
        return embedding.float()

    def codes(self, h: Tensor, noise: torch.Generator | None = None) -> Codes:
        """Codes of embeddings `[n e]`. `noise` feeds the sampled gates; without it they only threshold.

        The logits may be made in bf16 under autocast; everything after them is in float32 (float64 stays float64).
        """
        raw = self.projector(h)
        raw = raw.float() if raw.dtype in (torch.bfloat16, torch.float16) else raw
        how = self.config.normalisation
        z = normalise(MAPS[self.config.non_negative](raw), how)
        gate = self.config.gate
        if self.gate is None:
            alpha = topk_mask(z.detach(), gate.topk) if gate.kind == "topk" else torch.ones_like(z)
            return Codes(h, z, alpha, alpha, alpha, how)
        logits = self._logits(h.detach() if gate.detach == "all" else h)
        alpha = torch.sigmoid(logits / gate.temperature)
        charged = alpha
        if gate.detach == "kl_only":
            charged = torch.sigmoid(self._logits(h.detach()) / gate.temperature)
        return Codes(h, z, alpha, open_mask(gate, logits, alpha, noise), charged, how)

    def _logits(self, h: Tensor) -> Tensor:
        assert self.gate is not None
        logits: Tensor = self.gate(h)
        return logits.float() if logits.dtype in (torch.bfloat16, torch.float16) else logits

    def forward(self, images: Tensor, noise: torch.Generator | None = None) -> Codes:
        """Codes of images `[n 3 h w]` in 0…1."""
        return self.codes(self.embed(images), noise)

    def gate_parameters(self) -> Iterable[nn.Parameter]:
        """The gate head's parameters (none where there is no head): they have a learning rate of their own."""
        return [] if self.gate is None else self.gate.parameters()
