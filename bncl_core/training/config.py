"""RunConfig: the frozen description of one training."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import torch

from bncl_core.data.sets import ImageSource
from bncl_core.data.views import Views
from bncl_core.models.encoder import EncoderConfig
from bncl_core.objectives import Objective
from bncl_core.spec import digest
from bncl_core.training.optimiser import Optimisation

Precision = Literal["fp32", "bf16"]


@dataclass(frozen=True)
class RunConfig:
    """Everything that decides the weights.

    dataset       where the images come from
    objective     what training makes small
    encoder       what is built
    views         how two views are made of one image
    optimisation  how the weights move
    epochs        passes over the train split
    batch         images a step; each gives two views, 2·batch − 1 other rows to tell apart
    seed          of everything random: weights, order, views, gate noise
    precision     bf16 computes convolutions and linear layers in bfloat16; losses are always in float32
    """

    dataset: ImageSource
    objective: Objective
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    views: Views = field(default_factory=Views)
    optimisation: Optimisation = field(default_factory=Optimisation)
    epochs: int = 10
    batch: int = 256
    seed: int = 0
    precision: Precision = "fp32"

    def __post_init__(self) -> None:
        if self.epochs < 1:
            raise ValueError(f"epochs is {self.epochs}; it must be at least 1")
        if self.batch < 2:
            raise ValueError(f"batch is {self.batch}; a contrastive batch needs at least 2 images")
        if self.seed < 0:
            raise ValueError(f"seed is {self.seed}; it must not be negative")
        self.objective.check(self.encoder)

    @property
    def name(self) -> str:
        """Name of the run where none is given: objective, digest, seed."""
        return f"{type(self.objective).registry.name_of(self.objective)}-{digest(self)}-s{self.seed}"


def best_device() -> str:
    """`cuda` where there is one, else `cpu`."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def best_precision(device: str) -> Precision:
    """bf16 where the processor multiplies it natively, else fp32 (emulated bf16 would be slower)."""
    if device.startswith("cuda"):
        return "bf16" if torch.cuda.is_bf16_supported(including_emulation=False) else "fp32"
    return "bf16" if torch.cpu._is_avx512_bf16_supported() else "fp32"
