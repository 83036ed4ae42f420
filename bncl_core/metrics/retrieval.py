"""Retrieval: are the nearest images, seen through the strongest dimensions alone, of the same class?"""

from __future__ import annotations

import numpy as np

from bncl_core.metrics import Sample, metric, metrics
from bncl_core.metrics._class_tables import normalise
from bncl_core.metrics._neighbours import Nearest, similarity_blocks

DEPTHS = (1, 3, 5, 10)
WIDTHS = (32, 64, 128, 256)
"""Numbers of strongest dimensions looked through; those the code has."""


def strongest_dimensions(sample: Sample) -> np.ndarray:
    """Dimensions by their sum of |normalised value| over the labelled images, strongest first `[k]`."""
    return np.argsort(-sample.mass.sum(axis=1), kind="stable")


def _through(sample: Sample, dimensions: np.ndarray) -> np.ndarray:
    """Labelled codes cut to some dimensions, rows of length 1 again."""
    rows = np.ascontiguousarray(sample.labelled_rows[:, dimensions])
    normalise(rows)
    return rows


def _widths(sample: Sample) -> list[int]:
    return [m for m in WIDTHS if m <= sample.k]


def _too_small(sample: Sample) -> str:
    if len(sample.labels) <= max(DEPTHS):
        return f"{len(sample.labels)} labelled images; the {max(DEPTHS)} nearest others take {max(DEPTHS) + 1}"
    if not _widths(sample):
        return f"the code has {sample.k} dimensions; retrieval looks through the {WIDTHS[0]} strongest"
    return ""


def _no_order(sample: Sample) -> str:
    reason = _too_small(sample)
    if reason:
        return reason
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError:
        return "the published order of tied images is that of torch.topk, and torch is not installed"
    return ""


@metrics.register("retrieval_k_p1_p3_p5_p10")
@metric(
    title="Retrieval (published)",
    low=0,
    high=1,
    better="higher",
    group="published",
    needs_labels=True,
    undefined=_no_order,
)
def retrieval_published(sample: Sample) -> list[list[float]] | float:
    """Rows (m, P@1, P@3, P@5, P@10): share of the query's class among its nearest images by cosine, seen through the m
    dimensions of largest summed value; 0 … 1, chance is `retrieval_chance`.

    As published: of the images sorted by similarity the first is dropped as the query itself. Where images tie with the
    query it may be another one that is dropped, and the query counts as its own hit; tied images come in the order
    torch.topk gives them. `retrieval` is the same without either.
    """
    if _no_order(sample):
        return float("nan")
    import torch

    labels = sample.labels
    strongest = np.argsort(-sample.labelled_rows.sum(axis=0, dtype=np.float64), kind="stable")
    table = []
    for m in _widths(sample):
        rows = _through(sample, strongest[:m])
        hits = np.zeros(len(DEPTHS))
        for start, block in similarity_blocks(rows, rows, own=False):
            nearest = torch.from_numpy(block).topk(max(DEPTHS) + 1).indices[:, 1:].numpy()
            same = labels[nearest] == labels[start : start + len(block), None]
            hits += [same[:, :depth].sum() / depth for depth in DEPTHS]
        table.append([m, *(hits / len(rows))])
    return table


@metrics.register("retrieval")
@metric(title="Retrieval", low=0, high=1, better="higher", needs_labels=True, undefined=_too_small)
def retrieval(sample: Sample) -> list[list[float]]:
    """Rows (m, P@1, P@3, P@5, P@10): share of the query's class among its nearest other images by cosine, seen through
    the m dimensions of largest mass; 0 … 1, chance is `retrieval_chance`.

    The query itself never counts, and images that tie share the last places.
    """
    labels, strongest = sample.labels, strongest_dimensions(sample)
    table = []
    for m in _widths(sample):
        rows = _through(sample, strongest[:m])
        shares = np.zeros(len(DEPTHS))
        for start, block in similarity_blocks(rows, rows, own=True):
            nearest = Nearest.of(block, max(DEPTHS))
            same = labels[nearest.image] == labels[start + nearest.query]
            shares += [nearest.weights(depth)[same].sum() / depth for depth in DEPTHS]
        table.append([m, *(shares / len(rows))])
    return table


@metrics.register("retrieval_chance")
@metric(
    title="Retrieval by chance",
    low=0,
    high=1,
    better="neither",
    group="chance",
    needs_labels=True,
    undefined=lambda sample: "" if len(sample.labels) > 1 else "one labelled image has no other to find",
)
def retrieval_chance(sample: Sample) -> float:
    """Probability that another image drawn at random is of the query's class, 0 … 1: P@m at every depth m if the codes
    meant nothing."""
    sizes, total = sample.sizes, len(sample.labels)
    return float((sizes * (sizes - 1)).sum() / (total * (total - 1)))
