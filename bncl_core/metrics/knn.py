"""kNN: the class most of the nearest images have."""

from __future__ import annotations

from typing import Any

import numpy as np

from bncl_core.metrics import Sample, metric, metrics
from bncl_core.metrics._neighbours import Nearest, similarity_blocks

NEIGHBOURS = 20


def knn_accuracy(
    codes: Any,
    labels: Any,
    train_codes: Any = None,
    train_labels: Any = None,
    *,
    neighbours: int = NEIGHBOURS,
    unlabelled: int | None = None,
) -> float:
    """Share of the images whose class most of their nearest neighbours by cosine have, 0 … 1.

    codes, labels               `[n k]` and `[n]`; any whole numbers
    train_codes, train_labels   the neighbours `[m k]`, `[m]`; without them the images themselves, leaving one out
    Raises ValueError when labels are missing or there are not enough neighbours. See the metric `knn` for ties.
    """
    train = None
    if train_codes is not None:
        train = Sample.of(train_codes, train_labels, unlabelled=unlabelled, name="training ")
    sample = Sample.of(codes, labels, unlabelled=unlabelled, train=train)
    reason = _impossible(sample, neighbours)
    if reason:
        raise ValueError(f"kNN accuracy: {reason}")
    return accuracy(sample, neighbours)


def _impossible(sample: Sample, neighbours: int = NEIGHBOURS) -> str:
    for who, reason in (("", sample.no_labels), ("training images: ", sample.train.no_labels if sample.train else "")):
        if reason:
            return who + reason
    if (sample.train or sample).classes < 2:
        return "the images to choose from are all of one class, so every vote is for it"
    gallery = len(sample.train.labels) if sample.train else len(sample.labels) - 1
    if not 1 <= neighbours <= gallery:
        return f"{neighbours} neighbours asked for; allowed: 1 … {gallery}, the labelled images to choose from"
    return ""


def accuracy(sample: Sample, neighbours: int) -> float:
    """Accuracy of the vote of the nearest images of `sample.train`, or of the other images of `sample`."""
    source = sample.train or sample
    truth = np.array(sample.class_ids)[sample.labels]
    names, numbers = np.unique(np.array(source.class_ids)[source.labels], return_inverse=True)
    classes, right = len(names), 0.0
    for start, block in similarity_blocks(sample.labelled_rows, source.labelled_rows, own=sample.train is None):
        nearest = Nearest.of(block, neighbours)
        weights = nearest.weights(neighbours)
        weights *= 1 + nearest.value / (4 * neighbours)  # settles equal votes: all together at most ¼ of a vote
        ballot = nearest.query * classes + numbers[nearest.image]
        votes = np.bincount(ballot, weights, len(block) * classes).reshape(len(block), classes)
        best = votes >= votes.max(axis=1, keepdims=True) - 1e-6
        hit = best & (names == truth[start : start + len(block), None])
        right += float((hit.sum(axis=1) / best.sum(axis=1)).sum())
    return right / len(truth)


@metrics.register("knn")
@metric(
    title="kNN accuracy",
    low=0,
    high=1,
    better="higher",
    group="probe",
    needs_labels=True,
    needs_live=0,
    needs_classes=1,
    undefined=_impossible,
)
def knn(sample: Sample) -> float:
    """Share of the images whose class is the one most of their 20 nearest images by cosine have, 0 … 1; chance is
    `majority_share` or less.

    Neighbours are the training images when there are some, else the other images. Equal votes go to the nearer
    neighbours; images that tie for the last places share them, and classes that tie to the end share the hit.
    """
    return accuracy(sample, NEIGHBOURS)


@metrics.register("majority_share")
@metric(title="Largest class", low=0, high=1, better="neither", group="chance", needs_labels=True, needs_live=0)
def majority_share(sample: Sample) -> float:
    """Share of the largest class among the labelled images, 1/C … 1: the accuracy of always saying the same class."""
    return float(sample.sizes.max() / len(sample.labels))
