"""One random stream per purpose, none of them global."""

from __future__ import annotations

import hashlib

import numpy as np


def seed_of(seed: int, *purpose: object) -> int:
    """A 63-bit seed that depends on the run's seed and on what the numbers are for."""
    text = "/".join(map(str, (seed, *purpose)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") >> 1


def rng(seed: int, *purpose: object) -> np.random.Generator:
    """A NumPy generator for one purpose, e.g. `rng(config.seed, "order", epoch)`. Same arguments, same stream."""
    return np.random.default_rng(seed_of(seed, *purpose))
