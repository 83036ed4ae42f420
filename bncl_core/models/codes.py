"""Codes: what an encoder says about a batch, and the one normalisation everything uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

ZERO_ROW = 1e-6
"""A row shorter than this is a zero row: it stays zero and gets no gradient, instead of one divided by ~0."""

Normalisation = Literal["safe", "published"]


def normalise(rows: Tensor, how: Normalisation = "safe") -> Tensor:
    """Rows `[n k]` scaled to length 1.

    safe        rows shorter than `ZERO_ROW` become 0, with gradient 0
    published   division by max(length, 1e-12), which multiplies the gradient of a zero row by 1e12: for reproduction
    """
    if how == "published":
        return F.normalize(rows, dim=1)
    length = torch.linalg.vector_norm(rows, dim=1, keepdim=True)
    dead = length <= ZERO_ROW  # false for NaN, so that a diverged row stays NaN and the loss says so
    return torch.where(dead, 0.0, rows / torch.where(dead, 1.0, length))


@dataclass(frozen=True, eq=False)
class Codes:
    """What an encoder says about `n` images.

    h        embedding `[n e]`
    z        code `[n k]`: non-negative where the map says so, length 1 (0 for a zero row)
    alpha    gate probability `[n k]` in 0…1; 1 where there is no gate
    m        mask `[n k]`: 1 open, 0 closed (the gate probability itself for the soft gate)
    charged  gate probability the KL is charged on; its gradient stops at the embedding when detach is kl_only
    """

    h: Tensor
    z: Tensor
    alpha: Tensor
    m: Tensor
    charged: Tensor
    normalisation: Normalisation = "safe"

    @property
    def masked(self) -> Tensor:
        """Code after the mask, before it is normalised again, `[n k]`."""
        return self.z * self.m

    @property
    def gated(self) -> Tensor:
        """The gated code `[n k]`, length 1 (0 for a zero row): the one vector that is contrasted and measured."""
        return normalise(self.masked, self.normalisation)
