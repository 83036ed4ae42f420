"""Measure a run: every metric of its gated and ungated codes, and what kNN and a linear probe read from them."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

import numpy as np

from bncl_core.analysis.build import encode
from bncl_core.analysis.index import Index
from bncl_core.data.images import ImageSet
from bncl_core.metrics import measure_arrays, metrics
from bncl_core.metrics.knn import knn_accuracy
from bncl_core.metrics.probe import linear_probe
from bncl_core.models.encoder import Encoder
from bncl_core.studies import layout
from bncl_core.studies.checkpoint import versions
from bncl_core.studies.files import write_json
from bncl_core.studies.run import Run

READ_AT = ("h", "z", "gated")
"""Where probes read: the embedding, the code before the gate, the gated code."""


def measure_index(
    run: Run,
    index: Index,
    encoder: Encoder | None = None,
    splits: tuple[ImageSet, ImageSet] | None = None,
    seed: int = 0,
) -> dict[str, Any]:
    """Measure `index` and write `evaluation/<set>-<split>.json`; returns what was written.

    With `encoder` and the image sets (train, the index's own), kNN and the linear probe learn from the first and are
    tested on the second, at h, z and the gated code; without them, or without labels, "probes" is empty.
    """
    labels = index.labels
    options: dict[str, Any] = {"seed": seed} if labels is None else {"seed": seed, "unlabelled": -1}
    # what learns from a train split is measured below, at every reading point
    options["names"] = [name for name in metrics.names() if not metrics[name].needs_train]
    result: dict[str, Any] = {
        which: measure_arrays(index.codes(which), labels, **options) for which in ("gated", "ungated")
    }
    result["probes"] = {}
    if encoder is not None and splits is not None:
        result["probes"] = probes(encoder, *splits, seed=seed)
    keys = ("run", "checkpoint", "checkpoint_sha256", "data_fingerprint", "image_set", "split", "n", "k")
    result["provenance"] = {key: index.manifest[key] for key in keys}
    result["provenance"] |= {"seed": seed, "versions": versions(), "measured": time.time()}
    write_json(run.path / layout.EVALUATION / f"{index.path.name}.json", result)
    return result


def probes(encoder: Encoder, train: ImageSet, test: ImageSet, seed: int = 0) -> dict[str, Any]:
    """kNN (k = 20, cosine) and a linear probe @1/@5 of `test`, learnt from `train`, at each reading point.

    Empty when one of the two has no labels. Chance is the share of the most frequent class.
    """
    if train.labels is None or test.labels is None:
        return {}
    learnt, asked = embeddings(encoder, train.images), embeddings(encoder, test.images)
    found: dict[str, Any] = {}
    for name in READ_AT:
        arrays = (learnt[name], train.labels, asked[name], test.labels)
        found[name] = asdict(linear_probe(*arrays, unlabelled=-1, seed=seed))
        found[name]["knn"] = knn_accuracy(asked[name], test.labels, learnt[name], train.labels, unlabelled=-1)
    known = test.labels[test.labels >= 0]
    found["chance"] = float(np.bincount(known).max() / len(known))
    return found


def embeddings(encoder: Encoder, images: np.ndarray) -> dict[str, np.ndarray]:
    """h, z and the gated code of uint8 images `[n h w 3]`, each `[n …]` float32."""
    parts: dict[str, list[np.ndarray]] = {name: [] for name in READ_AT}
    for _, codes in encode(encoder, images):
        for name in READ_AT:
            parts[name].append(getattr(codes, name).float().cpu().numpy())
    return {name: np.concatenate(chunks) for name, chunks in parts.items()}
