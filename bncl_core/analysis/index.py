"""Index: what one checkpoint says about every image of one split. Reading it needs no torch.

values.npy          code before the gate, `[k n]` float16: one contiguous row a dimension
gates.npy           gate probability, `[k n]` float16 (all ones where there is no gate)
norms.npy           length of the masked code before it is normalised again, `[n]` float32; 0 marks a zero row
dimensions.parquet  one row a dimension, exact integer counts
manifest.json       written last

The images themselves are the same for every run of a study, so they lie once, in the study's folder `images/`:
thumbs.npy          `[n s s 3]` uint8
labels.npy          `[n]` int64, absent when nothing is known
factors.parquet     ground truth, one row an image, absent when there is none
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from bncl_core.studies import layout
from bncl_core.studies.files import read_array, read_object

ACTIVE = 1e-5
"""A value counts as active when it is further from zero than this (METHOD: the published eps)."""


@dataclass(frozen=True)
class Index:
    """A finished index on disk. Arrays are memory-mapped; a dimension is one contiguous row.

    Raises FileNotFoundError when the index is not finished, ValueError when a file is damaged or of another schema.
    """

    path: Path
    manifest: dict[str, Any]

    @classmethod
    def open(cls, path: Path) -> Index:
        """Open the index folder `path`, checking that its arrays have the size its manifest states."""
        manifest_path = path / layout.MANIFEST
        if not manifest_path.exists():
            raise FileNotFoundError(f"{path} is not a finished index. Build it with: python -m bncl_core index RUN")
        manifest = read_object(manifest_path)
        layout.check_schema(manifest.get("schema"), manifest_path)
        index = cls(path, manifest)
        for name, shape in (("values", (index.k, index.n)), ("gates", (index.k, index.n)), ("norms", (index.n,))):
            found = getattr(index, name).shape
            if found != shape:
                raise ValueError(f"{path / name}.npy is {list(found)}, the manifest says {list(shape)}: build it again")
        counts = {"thumbs": len(index.thumbs), "factors": len(index.factors)}
        counts |= {} if index.labels is None else {"labels": len(index.labels)}
        for name, count in counts.items():
            if count != index.n:
                raise ValueError(f"{index.images} holds {count} {name} for {index.n} images: build the index again")
        if len(index.dimensions) != index.k:
            raise ValueError(f"{path} describes {len(index.dimensions)} of {index.k} dimensions: build it again")
        return index

    @property
    def n(self) -> int:
        """Number of images."""
        return int(self.manifest["n"])

    @property
    def k(self) -> int:
        """Number of dimensions."""
        return int(self.manifest["k"])

    @property
    def images(self) -> Path:
        """The study's folder with thumbnails, labels and factors of these images."""
        return self.path.parents[2] / layout.IMAGES / str(self.manifest["images"])

    @property
    def gate(self) -> dict[str, Any]:
        """The gate's settings: kind, temperature, threshold, …"""
        return dict(self.manifest["gate"])

    @property
    def threshold(self) -> float:
        """A dimension is open for an image when its gate probability is above this."""
        return float(self.gate["threshold"])

    @property
    def has_gate(self) -> bool:
        """False where every gate is open by construction (CL, NCL)."""
        return bool(self.gate["kind"] != "none")

    @property
    def is_soft(self) -> bool:
        """Whether the code is multiplied by the gate probability itself instead of by a 0/1 mask."""
        return bool(self.gate["kind"] == "soft")

    @cached_property
    def values(self) -> np.ndarray:
        """Code before the gate, `[k n]` float16, rows of images normalised to length 1."""
        return read_array(self.path / "values.npy")

    @cached_property
    def gates(self) -> np.ndarray:
        """Gate probability, `[k n]` float16 in 0…1."""
        return read_array(self.path / "gates.npy")

    @cached_property
    def norms(self) -> np.ndarray:
        """Length of each image's masked code, `[n]`; 0 where the gate left nothing."""
        return read_array(self.path / "norms.npy")

    @cached_property
    def thumbs(self) -> np.ndarray:
        """Thumbnails `[n s s 3]` uint8."""
        return read_array(self.images / "thumbs.npy")

    @cached_property
    def labels(self) -> np.ndarray | None:
        """Class id of each image, -1 unlabelled; None when the set has no labels."""
        path = self.images / "labels.npy"
        return read_array(path) if path.exists() else None

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes."""
        return tuple(self.manifest["classes"])

    @cached_property
    def factors(self) -> pd.DataFrame:
        """Ground-truth factors, one row an image; no columns where nothing is known."""
        path = self.images / "factors.parquet"
        return pd.read_parquet(path) if path.exists() else pd.DataFrame(index=range(self.n))

    @property
    def factor_values(self) -> dict[str, list[str]]:
        """Names of the values of the categorical factors."""
        return dict(self.manifest["factor_values"])

    @cached_property
    def dimensions(self) -> pd.DataFrame:
        """One row a dimension; see `analysis.dimensions` for the columns."""
        return pd.read_parquet(self.path / "dimensions.parquet")

    def values_of(self, dimension: int) -> np.ndarray:
        """Values of one dimension before the gate, `[n]` float32."""
        return np.asarray(self.values[self._check(dimension)], dtype=np.float32)

    def gates_of(self, dimension: int) -> np.ndarray:
        """Gate probabilities of one dimension, `[n]` float32."""
        return np.asarray(self.gates[self._check(dimension)], dtype=np.float32)

    def mask_of(self, dimension: int) -> np.ndarray:
        """Where one dimension is open, `[n]` bool."""
        return self.gates_of(dimension) > self.threshold

    def gated_of(self, dimension: int) -> np.ndarray:
        """Values of one dimension in the gated code, `[n]` float32."""
        factor = self.gates_of(dimension) if self.is_soft else self.mask_of(dimension)
        return self._rescale(self.values_of(dimension) * factor, self.norms)

    def image(self, image: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Values, gate probabilities and gated values of one image, each `[k]` float32."""
        if not 0 <= image < self.n:
            raise ValueError(f"image {image} is outside 0 … {self.n - 1}")
        values = np.asarray(self.values[:, image], dtype=np.float32)
        gates = np.asarray(self.gates[:, image], dtype=np.float32)
        factor = gates if self.is_soft else gates > self.threshold
        return values, gates, self._rescale(values * factor, self.norms[image])

    def codes(self, which: Literal["gated", "ungated"] = "gated") -> np.ndarray:
        """All codes `[n k]` float32: the gated code that is contrasted, or the code before the gate."""
        values = np.asarray(self.values, dtype=np.float32).T
        if which == "ungated":
            return np.ascontiguousarray(values)
        gates = np.asarray(self.gates, dtype=np.float32).T
        masked = values * (gates if self.is_soft else gates > self.threshold)
        return np.ascontiguousarray(self._rescale(masked, self.norms[:, None]))

    def top(self, dimension: int, count: int, by: Literal["gated", "value", "vetoed"] = "gated") -> np.ndarray:
        """Ids of the images where a dimension is strongest, strongest first; equal values by id.

        `gated`: active and open, by gated value. `value`: active, by value before the gate.
        `vetoed`: active but closed, by value before the gate. Fewer than `count` when fewer are active.
        """
        values = self.values_of(dimension)
        allowed = np.abs(values) > ACTIVE
        strength = self.gated_of(dimension) if by == "gated" else values
        if by == "gated":
            allowed &= self.mask_of(dimension)
        elif by == "vetoed":
            allowed &= ~self.mask_of(dimension)
        ids = np.flatnonzero(allowed)
        order = np.argsort(-strength[ids], kind="stable")[: max(count, 0)]
        return ids[order]

    def _check(self, dimension: int) -> int:
        if not 0 <= dimension < self.k:
            raise ValueError(f"dimension {dimension} is outside 0 … {self.k - 1}")
        return dimension

    @staticmethod
    def _rescale(masked: np.ndarray, norms: np.ndarray) -> np.ndarray:
        """Normalise with the stored lengths; rows of length 0 stay 0."""
        out = np.zeros_like(masked, dtype=np.float32)
        return np.divide(masked, norms, out=out, where=np.broadcast_to(norms > 0, masked.shape))
