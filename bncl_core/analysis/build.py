"""Build an index: one checkpoint says what it sees in every image of one split."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from PIL import Image

from bncl_core.analysis.dimensions import dimension_table
from bncl_core.analysis.index import ACTIVE, Index
from bncl_core.data.augment import to_float
from bncl_core.data.images import ImageSet
from bncl_core.models.codes import Codes
from bncl_core.models.encoder import Encoder
from bncl_core.spec import to_json
from bncl_core.studies import layout
from bncl_core.studies.checkpoint import Checkpoint, versions
from bncl_core.studies.files import write_array, write_json, write_with
from bncl_core.studies.run import Run


@torch.no_grad()
def encode(encoder: Encoder, images: np.ndarray, batch: int = 256) -> Iterator[tuple[int, Codes]]:
    """Codes of uint8 images `[n h w 3]`, batch by batch, with the id of the first image of each; evaluation mode."""
    encoder.eval()
    device = encoder.mean.device
    for start in range(0, len(images), batch):
        pixels = torch.from_numpy(np.ascontiguousarray(images[start : start + batch])).to(device)
        yield start, encoder(to_float(pixels))


def build_index(
    run: Run,
    checkpoint: Checkpoint,
    images: ImageSet,
    thumb: int = 0,
    on_image: Callable[[int], None] | None = None,
    seed: int = 0,
) -> Index:
    """Write the index of `images` into the run and open it.

    thumb   side of the thumbnails in pixels; 0 keeps the images' own side up to 64
    Everything is written into a hidden folder that takes the index's name when it is whole; an index of the same
    name is replaced then.
    """
    final = run.path / layout.INDEX / f"{images.name}-{images.split}"
    pictures = write_images(run.path.parent, images, thumb)
    with _folder(final) as work:
        _write_codes(work, checkpoint.encoder, images, on_image)
        manifest = _manifest(run, checkpoint, images) | {"images": pictures.name}
        table = dimension_table(Index(work, manifest), seed)
        write_with(work / "dimensions.parquet", lambda file: table.to_parquet(file, index=False))
        write_json(work / layout.MANIFEST, manifest)
    return Index.open(final)


@contextmanager
def _folder(final: Path) -> Iterator[Path]:
    """A hidden folder beside `final` that takes its place when the block ends without an exception."""
    work = final.with_name(f".{final.name}.{os.getpid()}.part")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        yield work
        shutil.rmtree(final, ignore_errors=True)
        os.replace(work, final)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write_codes(work: Path, encoder: Encoder, images: ImageSet, on_image: Callable[[int], None] | None) -> None:
    """values, gates and norms, filled column block by column block so that memory stays one batch."""
    n, k = len(images), encoder.config.dimensions
    threshold = encoder.config.gate.threshold
    shape = {"values": (k, n), "gates": (k, n)}
    maps = {
        name: np.lib.format.open_memmap(work / f"{name}.npy", mode="w+", dtype=np.float16, shape=size)
        for name, size in shape.items()
    }
    norms = np.zeros(n, np.float32)
    for start, codes in encode(encoder, images.images):
        z, alpha = codes.z.float().cpu().numpy(), codes.alpha.float().cpu().numpy()
        stop = start + len(z)
        maps["values"][:, start:stop] = keep_side(z, ACTIVE).T
        maps["gates"][:, start:stop] = keep_side(alpha, threshold).T
        norms[start:stop] = torch.linalg.vector_norm(codes.masked.float(), dim=1).cpu().numpy()
        if on_image is not None:
            on_image(stop)
    for array in maps.values():
        array.flush()
    write_array(work / "norms.npy", norms)


def keep_side(numbers: np.ndarray, line: float) -> np.ndarray:
    """float16 of `numbers`, moved one step where rounding would carry |number| over `line`.

    Counts and masks recomputed from the stored float16 are then exactly those of the float32 codes.
    """
    if not np.isfinite(numbers).all():
        raise ValueError(
            f"{int((~np.isfinite(numbers)).sum())} codes are not finite; this checkpoint cannot be indexed"
        )
    half = numbers.astype(np.float16)
    above, stored = np.abs(numbers) > line, np.abs(half.astype(np.float32)) > line
    sign = np.where(numbers < 0, np.float16(-1), np.float16(1))
    outward = np.nextafter(half, sign * np.float16(np.inf))
    inward = np.nextafter(half, np.float16(0))
    half = np.where(above & ~stored, outward, half)
    return np.where(~above & stored, inward, half)


def write_images(study: Path, images: ImageSet, thumb: int = 0) -> Path:
    """The study's folder with these images' thumbnails, labels and factors; written once, then shared by its runs."""
    n, height, width = images.images.shape[:3]
    side = thumb or min(max(height, width), 64)
    final = study / layout.IMAGES / f"{images.name}-{images.split}-{images.fingerprint}-{side}"
    if final.is_dir():
        return final
    with _folder(final) as work:
        thumbs = np.lib.format.open_memmap(work / "thumbs.npy", mode="w+", dtype=np.uint8, shape=(n, side, side, 3))
        if (height, width) == (side, side):
            thumbs[:] = images.images
        else:
            for i in range(n):
                thumbs[i] = np.asarray(Image.fromarray(images.images[i]).resize((side, side), Image.Resampling.BOX))
        thumbs.flush()
        if images.labels is not None:
            write_array(work / "labels.npy", images.labels.astype(np.int64))
        if images.factors:
            table = pd.DataFrame(images.factors)
            write_with(work / "factors.parquet", lambda file: table.to_parquet(file, index=False))
    return final


def _manifest(run: Run, checkpoint: Checkpoint, images: ImageSet) -> dict[str, Any]:
    encoder = checkpoint.config.encoder
    return {
        "schema": layout.SCHEMA,
        "run": run.name,
        "objective": run.objective,
        "checkpoint": checkpoint.step,
        "checkpoint_sha256": checkpoint.sha256,
        "image_set": images.name,
        "split": images.split,
        "n": len(images),
        "k": encoder.dimensions,
        "gate": to_json(encoder.gate),
        "non_negative": encoder.non_negative,
        "active": ACTIVE,
        "classes": list(images.classes),
        "factor_values": {name: list(values) for name, values in images.values.items()},
        "data_fingerprint": images.fingerprint,
        "skipped": [list(s) for s in images.skipped],
        "versions": versions(),
        "built": time.time(),
    }
