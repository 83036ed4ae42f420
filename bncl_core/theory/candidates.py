"""The contrastive loss of fixed candidates: one positive at similarity 1 among K negatives at similarity 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bncl_core.theory import Curve, curves


def loss_at(temperature: np.ndarray, negatives: int) -> np.ndarray:
    """ln(1 + K e^(−1/τ)) in nats for temperatures τ > 0 of any shape."""
    return np.log1p(negatives * np.exp(-1 / np.asarray(temperature, dtype=np.float64)))


def positive_probability_at(temperature: np.ndarray, negatives: int) -> np.ndarray:
    """p₊ = 1 / (1 + K e^(−1/τ)): what the softmax gives the positive."""
    return 1 / (1 + negatives * np.exp(-1 / np.asarray(temperature, dtype=np.float64)))


@curves.register("candidates")
@dataclass(frozen=True)
class Candidates(Curve):
    """InfoNCE when nothing moves: positive similarity 1, all negatives 0.

    negatives     K, number of negatives, at least 1
    temperature   tau > 0
    """

    negatives: int = 15
    temperature: float = 0.2
    title: ClassVar[str] = "Temperature with fixed candidates"
    source: ClassVar[str] = "InfoNCE (1807.03748) at similarities 1 and 0"
    assumptions: ClassVar[str] = "Similarities do not move, every negative is equally hard."
    establishes: ClassVar[str] = (
        "The pull on the positive is not monotone in temperature: it peaks, lower the more negatives there are."
    )
    leaves_open: ClassVar[str] = (
        "Which temperature trains best: similarities move, and the learning rate must be tuned with it."
    )

    def __post_init__(self) -> None:
        if self.negatives < 1:
            raise ValueError(f"negatives is {self.negatives}; there must be at least 1")
        if not 0 < self.temperature < np.inf:
            raise ValueError(f"temperature is {self.temperature}; it must be finite and above 0")

    def values(self) -> dict[str, float]:
        """loss (nats), positive_probability, its derivative by the positive's similarity, (p₊ − 1) / τ, and by one
        negative's, and peak_temperature, where the first is steepest."""
        tau = np.array(self.temperature)
        positive = float(positive_probability_at(tau, self.negatives))
        missing = float(-np.expm1(-loss_at(tau, self.negatives)))  # 1 − p₊ without cancellation
        return {
            "negatives": self.negatives,
            "temperature": self.temperature,
            "loss": float(loss_at(tau, self.negatives)),
            "positive_probability": positive,
            "gradient_positive": -missing / self.temperature,
            "gradient_negative": missing / self.negatives / self.temperature,
            "peak_temperature": peak_temperature(self.negatives),
        }

    def curve(self) -> dict[str, np.ndarray]:
        """The same against temperature from 0.02 to 2, further where its own temperature lies outside."""
        tau = np.geomspace(min(0.02, self.temperature / 2), max(2, self.temperature * 2), 301)
        loss = loss_at(tau, self.negatives)
        return {
            "temperature": tau,
            "loss": loss,
            "positive_probability": positive_probability_at(tau, self.negatives),
            "gradient_positive": np.expm1(-loss) / tau,
        }


def peak_temperature(negatives: int) -> float:
    """The temperature at which |∂loss/∂s₊| = (1 − p₊)/τ is largest, to 1e-10.

    With u = 1/τ it is u·K e^(−u) / (1 + K e^(−u)); its derivative vanishes where K e^(−u) = u − 1, a falling against a
    rising function: one root in (1, 1 + K], found by halving.
    """
    low, high = 1.0, 1.0 + negatives
    while high - low > 1e-12 * high:
        u = (low + high) / 2
        low, high = (u, high) if negatives * np.exp(-u) > u - 1 else (low, u)
    return 2 / (low + high)
