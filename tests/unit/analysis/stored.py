"""An index on disk with the numbers a test asks for: no model, no training."""

from pathlib import Path

import numpy as np

from bncl_core.analysis.dimensions import dimension_table
from bncl_core.analysis.index import Index
from bncl_core.studies import layout
from bncl_core.studies.files import write_json


def stored_index(
    root: Path, values: np.ndarray, gates: np.ndarray, labels: np.ndarray | None = None, kind: str = "ste"
) -> Index:
    """The index of `values` and `gates` `[k n]`; classes are called a, b, c, …"""
    k, n = values.shape
    path, images = root / "run" / "index" / "set-test", root / layout.IMAGES / "set-test-0-2"
    path.mkdir(parents=True)
    images.mkdir(parents=True)
    values, gates = values.astype(np.float16), gates.astype(np.float16)
    factor = gates if kind == "soft" else gates > 0.5
    np.save(path / "values.npy", values)
    np.save(path / "gates.npy", gates)
    np.save(path / "norms.npy", np.linalg.norm((values * factor).astype(np.float32), axis=0))
    np.save(images / "thumbs.npy", np.zeros((n, 2, 2, 3), np.uint8))
    if labels is not None:
        np.save(images / "labels.npy", labels)
    manifest = {
        "schema": layout.SCHEMA,
        "n": n,
        "k": k,
        "images": images.name,
        "gate": {"kind": kind, "threshold": 0.5},
        "classes": [] if labels is None else [chr(97 + i) for i in range(int(labels.max()) + 1)],
        "factor_values": {},
    }
    dimension_table(Index(path, manifest)).to_parquet(path / "dimensions.parquet")
    write_json(path / layout.MANIFEST, manifest)
    return Index.open(path)


def random_index(root: Path, kind: str = "ste", labelled: bool = True, seed: int = 0) -> Index:
    """6 dimensions of 50 images: signed, half of the values silent, one dimension dead, one never and one always open;
    every fifth image is unlabelled."""
    stream = np.random.default_rng(seed)
    values = stream.normal(size=(6, 50)) * (stream.random((6, 50)) < 0.5)
    gates = stream.random((6, 50))
    values[1], gates[2], gates[3] = 0, 0.25, 0.75
    values[4] = np.abs(values[4])
    labels = np.where(np.arange(50) % 5 == 0, -1, stream.integers(0, 3, 50)) if labelled else None
    if kind == "none":
        gates[:] = 1
    return stored_index(root, values, gates, labels, kind)
