"""Was a gate closed by training, or was it closed before the first step?"""

from __future__ import annotations

import numpy as np
import torch

from bncl_core.analysis.gates import spearman
from bncl_core.analysis.index import Index
from bncl_core.data.augment import to_float
from bncl_core.data.images import ImageSet
from bncl_core.training.config import RunConfig
from bncl_core.training.loop import TrainState


def gate_origin(index: Index, config: RunConfig, images: ImageSet) -> dict[str, float]:
    """Compare each dimension's open rate with that of the untrained encoder of the same seed on the same images.

    never_open            dimensions open in no image now
    never_open_at_start   of those, the ones that were open in less than half of the images before training
    start_open_rate       share of (image, dimension) pairs that were open before training
    spearman              rank correlation of the two open rates over dimensions (NaN when one does not vary)
    A dimension that is closed in every row of a batch gets no contrastive gate gradient: a high correlation says that
    chance at the start decided, not the data. The untrained encoder normalises by the batch, as in its first step.
    """
    encoder = TrainState.fresh(config, images).encoder.train()
    threshold, opened = config.encoder.gate.threshold, []
    for first in range(0, len(images), config.batch):
        pixels = torch.from_numpy(np.ascontiguousarray(images.images[first : first + config.batch]))
        with torch.no_grad():
            opened.append((encoder(to_float(pixels)).alpha > threshold).numpy())
    start = np.concatenate(opened).mean(axis=0)
    now = index.dimensions["open"].to_numpy() / index.n
    never = now == 0
    return {
        "never_open": int(never.sum()),
        "never_open_at_start": int((start[never] < 0.5).sum()),
        "start_open_rate": float(start.mean()),
        "spearman": spearman(now, start),
    }
