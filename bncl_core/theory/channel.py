"""The binary channel: what two views agree on is not what they know about the label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bncl_core.theory import Curve, curves


def entropy_bits(p: np.ndarray) -> np.ndarray:
    """h₂(p) = −p log₂ p − (1 − p) log₂(1 − p) in bits, 0 at the ends; `p` in 0…1, any shape."""
    p = np.asarray(p, dtype=np.float64)
    inside = np.clip(p, 1e-300, 1 - 1e-16)
    bits = -(inside * np.log2(inside) + (1 - inside) * np.log1p(-inside) / np.log(2))
    return np.where((p <= 0) | (p >= 1), 0.0, bits)


@curves.register("channel")
@dataclass(frozen=True)
class Channel(Curve):
    """A label bit Y and a nuisance bit S, both fair. A view keeps S and flips Y with probability q.

    q   flip probability, 0…½
    """

    q: float = 0.25
    title: ClassVar[str] = "Binary channel"
    source: ClassVar[str] = "enumeration of the sixteen cells of (Y, S, view 1, view 2)"
    assumptions: ClassVar[str] = (
        "Two fair independent bits; the views flip the label independently; S is never changed."
    )
    establishes: ClassVar[str] = (
        "Agreement of views, accuracy from one view and information are three different functions of one flip rate."
    )
    leaves_open: ClassVar[str] = "How much of this a trained encoder keeps, and which of the two bits it prefers."

    def __post_init__(self) -> None:
        if not 0 <= self.q <= 0.5:
            raise ValueError(f"q is {self.q}; it is a flip probability, 0 … 0.5")

    def values(self) -> dict[str, float]:
        """pair_agreement 1 − 2q(1 − q), bayes_accuracy 1 − q, information in bits and nats 1 − h₂(q),
        nuisance_alignment 1."""
        bits = float(1 - entropy_bits(np.array(self.q)))
        return {
            "q": self.q,
            "pair_agreement": 1 - 2 * self.q * (1 - self.q),
            "bayes_accuracy": 1 - self.q,
            "information_bits": bits,
            "information_nats": bits * float(np.log(2)),
            "nuisance_alignment": 1.0,
        }

    def curve(self) -> dict[str, np.ndarray]:
        """The same against q from 0 to ½."""
        q = np.linspace(0, 0.5, 201)
        return {
            "q": q,
            "pair_agreement": 1 - 2 * q * (1 - q),
            "bayes_accuracy": 1 - q,
            "information_bits": 1 - entropy_bits(q),
            "nuisance_alignment": np.ones_like(q),
        }
