"""Linear probe: how well a linear classifier reads the class from the code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bncl_core.metrics import Sample, metric, metrics
from bncl_core.seeds import rng

if TYPE_CHECKING:
    from torch import Tensor

L2 = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5)
"""Penalties tried; the one with the least loss on held-out training images is used."""
CHOOSE = 10_000
"""At most so many training images choose the penalty, a fifth of them held out."""


@dataclass(frozen=True)
class ProbeResult:
    """What a linear probe reached on the test images.

    top1, top5   share of the test images whose class is the first, is among the first `deep`; 0 … 1
    deep         min(5, classes): with five classes or fewer `top5` is 1 for every class seen in training
    classes      classes seen in training; a test image of another class counts as wrong
    unseen       test images of another class
    l2           the penalty used
    iterations   steps of L-BFGS
    gradient     largest entry of the gradient at the end (float32 stops at about 1e-5)
    train, test  numbers of images
    """

    top1: float
    top5: float
    deep: int
    classes: int
    unseen: int
    l2: float
    iterations: int
    gradient: float
    train: int
    test: int


def linear_probe(
    train_codes: Any,
    train_labels: Any,
    test_codes: Any,
    test_labels: Any,
    *,
    l2: float | None = None,
    unlabelled: int | None = None,
    seed: int = 0,
) -> ProbeResult:
    """Multinomial logistic regression on standardised codes, full-batch L-BFGS in float32 from zero.

    Mean cross-entropy + ½·l2·‖W‖² (no penalty on the bias); codes are taken as they are (not normalised by row), each
    dimension shifted and scaled by its mean and deviation in training. `l2` None chooses among 1 … 1e-5 by the
    cross-entropy of held-out training images. The same arrays, seed and number of threads give the same result.
    Raises ValueError when labels are missing or training knows one class only.
    """
    train = Sample.of(train_codes, train_labels, unlabelled=unlabelled, name="training ")
    sample = Sample.of(test_codes, test_labels, unlabelled=unlabelled, train=train, seed=seed)
    reason = _impossible(sample)
    if reason:
        raise ValueError(f"linear probe: {reason}")
    if l2 is not None and not l2 > 0:
        raise ValueError(f"l2 is {l2}; allowed: above 0 (tried by default: {', '.join(map(str, L2))})")
    return _probe(sample, l2)


def _impossible(sample: Sample) -> str:
    if sample.train is None:
        return "it learns from training codes: give train_codes and train_labels"
    for who, reason in (("training images: ", sample.train.no_labels), ("test images: ", sample.no_labels)):
        if reason:
            return who + reason
    if sample.train.classes < 2:
        return "the training images are all of one class; it takes two to tell apart"
    return ""


def _probe(sample: Sample, l2: float | None) -> ProbeResult:
    import torch

    train = sample.train
    assert train is not None
    x, mean, scale = _standardised(train.codes[train.labelled])
    y = torch.from_numpy(train.labels)
    chosen = _choose_l2(x, y, train.classes, sample.seed) if l2 is None else l2
    fit = _fit(x, y, train.classes, chosen)
    test = (torch.from_numpy(sample.codes[sample.labelled].astype(np.float32)) - mean) * scale
    number = {name: i for i, name in enumerate(train.class_ids)}
    truth = torch.tensor([number.get(name, -1) for name in sample.class_ids])[torch.from_numpy(sample.labels)]
    deep = min(5, train.classes)
    hits = fit.logits(test).topk(deep, dim=1).indices == truth[:, None]
    return ProbeResult(
        top1=float(hits[:, 0].double().mean()),
        top5=float(hits.any(dim=1).double().mean()),
        deep=deep,
        classes=train.classes,
        unseen=int((truth < 0).sum()),
        l2=chosen,
        iterations=fit.iterations,
        gradient=fit.gradient,
        train=len(y),
        test=len(truth),
    )


def _standardised(codes: np.ndarray) -> tuple[Tensor, Tensor, Tensor]:
    """(standardised codes, mean, 1 / deviation); a dimension that never varies becomes 0."""
    import torch

    x = torch.from_numpy(codes.astype(np.float32))
    mean = x.mean(dim=0, dtype=torch.float64)
    x.sub_(mean.float())
    deviation = torch.linalg.vector_norm(x, dim=0, dtype=torch.float64) / len(x) ** 0.5
    varies = deviation > 1e-6 * mean.abs() + 1e-12
    scale = torch.where(varies, 1 / torch.where(varies, deviation, 1.0), 0.0).float()
    return x.mul_(scale), mean.float(), scale


@dataclass(frozen=True)
class _Fit:
    """Weights `[C k]` and bias `[C]` of a fitted classifier, and how the fit ended."""

    weight: Tensor
    bias: Tensor
    iterations: int
    gradient: float

    def logits(self, x: Tensor) -> Tensor:
        """Scores `[n C]`."""
        return x @ self.weight.T + self.bias


def _fit(x: Tensor, y: Tensor, classes: int, l2: float, start: _Fit | None = None, steps: int = 200) -> _Fit:
    """Minimise mean cross-entropy + ½·l2·‖W‖² from zero, or from `start`."""
    import torch
    from torch.nn.functional import cross_entropy, linear

    weight = torch.zeros(classes, x.shape[1]) if start is None else start.weight.clone()
    bias = torch.zeros(classes) if start is None else start.bias.clone()
    weight.requires_grad_()
    bias.requires_grad_()
    optimiser = torch.optim.LBFGS(
        [weight, bias],
        max_iter=steps,
        history_size=20,
        tolerance_grad=1e-5,
        tolerance_change=1e-9,
        line_search_fn="strong_wolfe",
    )

    def closure() -> Tensor:
        optimiser.zero_grad()
        loss = cross_entropy(linear(x, weight, bias), y) + 0.5 * l2 * weight.square().sum()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    with torch.enable_grad():
        optimiser.step(closure)  # type: ignore[no-untyped-call]
    assert weight.grad is not None
    assert bias.grad is not None
    gradient = max(float(weight.grad.abs().max()), float(bias.grad.abs().max()))
    return _Fit(weight.detach(), bias.detach(), int(optimiser.state[weight]["n_iter"]), gradient)


def _choose_l2(x: Tensor, y: Tensor, classes: int, seed: int) -> float:
    """The penalty with the least cross-entropy on a fifth of (at most 10,000) training images."""
    import torch

    order = torch.from_numpy(rng(seed, "probe split").permutation(len(y))[:CHOOSE])
    held, kept = order[: len(order) // 5], order[len(order) // 5 :]
    if not len(held):
        return 1e-2
    losses, fit = [], None
    x_kept, y_kept, x_held, y_held = x[kept], y[kept], x[held], y[held]
    for l2 in L2:  # from smooth to sharp, each from where the last one ended
        fit = _fit(x_kept, y_kept, classes, l2, fit, steps=50)
        losses.append(float(torch.nn.functional.cross_entropy(fit.logits(x_held), y_held)))
    return L2[int(np.argmin(losses))]


def _default(sample: Sample) -> ProbeResult:
    return _probe(sample, None)


_PROBE = {
    "low": 0,
    "high": 1,
    "better": "higher",
    "group": "probe",
    "needs_labels": True,
    "needs_train": True,
    "needs_live": 0,
    "needs_classes": 1,
    "undefined": _impossible,
}


@metrics.register("linear_probe_top1")
@metric(title="Linear probe, top 1", **_PROBE)
def linear_probe_top1(sample: Sample) -> float:
    """Share of the images whose class a linear classifier, learnt from the training codes, names first; 0 … 1, chance
    is `majority_share` or less. Multinomial logistic regression on standardised dimensions."""
    return sample.once(_default).top1


@metrics.register("linear_probe_top5")
@metric(title="Linear probe, top 5", **_PROBE)
def linear_probe_top5(sample: Sample) -> float:
    """Share of the images whose class is among the five (or all, when fewer) that a linear classifier names first;
    0 … 1. With five classes or fewer it is 1 for every class seen in training."""
    return sample.once(_default).top5
