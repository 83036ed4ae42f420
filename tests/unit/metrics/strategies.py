"""Arrays the metric tests draw: sparse or dense, signed or not, with dead dimensions, zero rows and ties."""

import numpy as np
from hypothesis import strategies as st

Arrays = tuple[np.ndarray, np.ndarray]


@st.composite
def measured(draw: st.DrawFn, min_n: int = 2, max_n: int = 14, max_k: int = 6, min_k: int = 1) -> Arrays:
    """Codes float64 `[n k]` and labels `[n]` with at least two classes.

    Values come from a few levels, so that rows tie, dimensions die and classes are missing in many of them.
    """
    n, k = draw(st.integers(min_n, max_n)), draw(st.integers(min_k, max_k))
    levels = draw(st.sampled_from([(0.0, 1.0), (0.0, 0.0, 0.0, 0.5, 2.0), (-1.0, 0.0, 0.25, 1.0), (0.1, 0.3, 0.7)]))
    seed = draw(st.integers(0, 10_000))
    generator = np.random.default_rng(seed)
    codes = generator.choice(levels, size=(n, k))
    if draw(st.booleans()):
        codes = codes * generator.uniform(0.5, 1.5, size=(n, k))
    labels = generator.integers(0, draw(st.integers(2, 4)), n)
    labels[:2] = (0, 1)
    return codes, labels
