"""The training loop: a generator of steps. It knows no disk; whoever iterates decides what to keep."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from bncl_core.data.augment import on_device
from bncl_core.data.batches import check_batch, epoch_order
from bncl_core.data.images import ImageSet
from bncl_core.models.codes import ZERO_ROW, Codes
from bncl_core.models.encoder import Encoder
from bncl_core.seeds import seed_of
from bncl_core.training.config import RunConfig
from bncl_core.training.optimiser import build_optimiser, set_rate


class NonFiniteLoss(RuntimeError):
    """The loss or its gradient was NaN or infinite. The weights are those before the step that was not taken (the
    running statistics of BatchNorm have seen its images)."""

    def __init__(self, step: int, terms: dict[str, float]) -> None:
        self.step = step
        said = ", ".join(f"{name} = {value}" for name, value in terms.items())
        super().__init__(
            f"the loss is not finite at step {step} ({said}). The weights before it are kept as a checkpoint. "
            "Try a smaller learning rate, a larger temperature or --precision fp32."
        )


@dataclass(frozen=True)
class Step:
    """What one step did.

    step        steps taken so far, this one included
    epoch       epochs finished so far, a fraction
    terms       weighted loss terms, mean over the batch
    open_rate   share of (view, dimension) pairs whose gate is open, 0…1
    zero_rows   rows whose gated code was empty
    rate        learning rate of the encoder at this step
    seconds     wall time of the step
    images      images in the batch
    """

    step: int
    epoch: float
    terms: dict[str, float]
    open_rate: float
    zero_rows: int
    rate: float
    seconds: float
    images: int

    @property
    def total(self) -> float:
        """The loss."""
        return sum(self.terms.values())


@dataclass(eq=False)
class TrainState:
    """Everything that changes while training: weights, optimiser, and the number of steps taken.

    All randomness is a function of (seed, purpose, step or image), so this is all a resumed run needs.
    """

    config: RunConfig
    encoder: Encoder
    optimiser: torch.optim.Optimizer
    device: str
    step: int = 0
    _images: Tensor | None = field(default=None, repr=False)

    @classmethod
    def fresh(cls, config: RunConfig, images: ImageSet, device: str = "cpu") -> TrainState:
        """A new encoder, initialised from the run's seed alone, and its optimiser."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed_of(config.seed, "weights"))
            encoder = Encoder(config.encoder, images.mean, images.std)
        encoder.to(device)
        return cls(config, encoder, build_optimiser(config.optimisation, encoder, config.batch), device)

    def state_dict(self) -> dict[str, Any]:
        """Tensors and plain numbers only: loadable with weights_only=True."""
        return {"step": self.step, "encoder": self.encoder.state_dict(), "optimiser": self.optimiser.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from `state_dict()`."""
        self.encoder.load_state_dict(state["encoder"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step = int(state["step"])


def steps_of(config: RunConfig, images: int) -> tuple[int, int]:
    """(steps an epoch, steps in all). ValueError when the set is smaller than a batch."""
    check_batch(images, config.batch)
    per_epoch = images // config.batch
    return per_epoch, per_epoch * config.epochs


def train(state: TrainState, images: ImageSet) -> Iterator[Step]:
    """Train from `state` to the last step, yielding after each. `state` is changed in place.

    Raises ValueError when the set is smaller than a batch, NonFiniteLoss before a step that would spoil the weights.
    """
    config, encoder = state.config, state.encoder
    per_epoch, steps = steps_of(config, len(images))
    pixels = _resident(images, state.device)
    encoder.train()
    order, order_epoch = epoch_order(len(images), config.batch, config.seed, 0), 0
    while state.step < steps:
        started = time.perf_counter()
        epoch, position = divmod(state.step, per_epoch)
        if epoch != order_epoch:
            order, order_epoch = epoch_order(len(images), config.batch, config.seed, epoch), epoch
        factor = config.optimisation.factor(state.step, steps, per_epoch)
        set_rate(state.optimiser, factor)
        a, b = _two_views(state, images, pixels, order[position], epoch)
        terms = config.objective(a, b)
        total = torch.stack(list(terms.values())).sum()
        numbers = {name: term.item() for name, term in terms.items()}
        if not torch.isfinite(total).item():
            raise NonFiniteLoss(state.step + 1, numbers)
        state.optimiser.zero_grad(set_to_none=True)
        total.backward()  # type: ignore[no-untyped-call]
        slopes = torch._foreach_norm([p.grad for p in encoder.parameters() if p.grad is not None])
        if not torch.isfinite(torch.stack(list(slopes)).sum()).item():
            raise NonFiniteLoss(state.step + 1, numbers | {"gradient": float("nan")})
        state.optimiser.step()
        state.step += 1
        open_rate, zero_rows = _gate_says(a, b, config.encoder.gate.threshold)
        rate = config.optimisation.rate(config.batch) * factor
        seconds = time.perf_counter() - started
        yield Step(state.step, state.step / per_epoch, numbers, open_rate, zero_rows, rate, seconds, config.batch)


def _resident(images: ImageSet, device: str) -> Tensor | None:
    """All pixels on the device when they are in memory already; None when they are memory-mapped."""
    import numpy as np

    if isinstance(images.images, np.memmap):
        return None
    return torch.from_numpy(np.ascontiguousarray(images.images)).to(device)


def _two_views(state: TrainState, images: ImageSet, pixels: Tensor | None, ids: Any, epoch: int) -> tuple[Codes, Codes]:
    """Codes of the two views of a batch; each goes through the encoder alone, with BatchNorm statistics of its own."""
    config, device = state.config, state.device
    if pixels is None:
        batch = torch.from_numpy(images.images[ids]).to(device, non_blocking=True)
    else:
        batch = pixels[on_device(ids, torch.device(device))]
    noise = torch.Generator().manual_seed(seed_of(config.seed, "gate", state.step))
    codes = []
    for view in (0, 1):
        pictures = config.views(batch, ids, config.seed, epoch, view)
        with torch.autocast(device.split(":")[0], dtype=torch.bfloat16, enabled=config.precision == "bf16"):
            codes.append(state.encoder(pictures, noise))
    return codes[0], codes[1]


@torch.no_grad()
def _gate_says(a: Codes, b: Codes, threshold: float) -> tuple[float, int]:
    """Share of open gates, and rows that are empty after the mask, over both views."""
    opened = torch.cat([a.m, b.m]) > threshold
    lengths = torch.linalg.vector_norm(torch.cat([a.masked, b.masked]), dim=1)
    return opened.float().mean().item(), int((lengths <= ZERO_ROW).sum().item())
