"""Nearest images by cosine, with ties shared out instead of settled by the order of the images.

Sparse codes tie often: two images with one active dimension each have cosine exactly 0 or 1. When the nearest m images
are asked for and several tie for the last places, each gets an equal part of them, which is what breaking the ties at
random gives on average, and does not depend on the order of the images.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

TIE = 1e-6
"""Cosines this close are equal: float32 rounds them by about 1e-7."""
OWN = -3.0
"""Below every cosine: an image is not its own neighbour."""
BLOCK = 1 << 20
"""Similarities held at once: 4 MiB of float32."""


def similarity_blocks(queries: np.ndarray, gallery: np.ndarray, own: bool) -> Iterator[tuple[int, np.ndarray]]:
    """(first query, cosines `[b m]` float32) for rows of length 1; with `own`, query i is image i of the gallery."""
    gallery = np.ascontiguousarray(gallery, dtype=np.float32)
    step = max(16, BLOCK // len(gallery))
    for start in range(0, len(queries), step):
        block = queries[start : start + step].astype(np.float32, copy=False) @ gallery.T
        if own:
            rows = np.arange(len(block))
            block[rows, start + rows] = OWN
        yield start, block


@dataclass(frozen=True, eq=False)
class Nearest:
    """The images that are, or tie for being, among the `deepest` nearest of each query of a block; one entry a pair.

    query, image   row and column of the similarities `[p]`
    value          their cosine `[p]`
    lines          similarity of the 1st … `deepest`-th nearest image of each query `[b deepest]`
    """

    query: np.ndarray
    image: np.ndarray
    value: np.ndarray
    lines: np.ndarray

    @classmethod
    def of(cls, similarity: np.ndarray, deepest: int) -> Nearest:
        """From similarities `[b m]`, `deepest` ≤ m."""
        m = similarity.shape[1]
        lines = np.sort(np.partition(similarity, m - deepest, axis=1)[:, m - deepest :], axis=1)[:, ::-1]
        pairs = np.flatnonzero(similarity >= lines[:, -1:] - TIE)
        return cls(pairs // m, pairs % m, similarity.ravel()[pairs], lines)

    def weights(self, depth: int) -> np.ndarray:
        """Part of each pair among the `depth` nearest `[p]`, 0 … 1; the parts of one query add up to `depth`."""
        line = self.lines[self.query, depth - 1]
        above = self.value > line + TIE
        tied = (self.value >= line - TIE) & ~above
        places = depth - self.per_query(above)
        return above + tied * (places / self.per_query(tied))[self.query]

    def per_query(self, numbers: np.ndarray) -> np.ndarray:
        """Sum of a number of each pair over the pairs of each query `[b]`."""
        return np.bincount(self.query, weights=numbers, minlength=len(self.lines))
