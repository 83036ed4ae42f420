"""LARS (1708.03888), written with foreach operations and without asking the device for a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer


class LARS(Optimizer):
    """Stochastic gradient descent whose step is scaled per tensor by eta·‖p‖ / (‖g‖ + decay·‖p‖).

    With `clip` (as published for NCL and BayesNCL) the ratio is divided by the learning rate and capped at 1, so a
    tensor never moves faster than plain SGD would move it. Groups with `adapt=False` (1-D parameters) are plain SGD
    with momentum. A tensor or gradient of length 0 is not scaled. `p.grad` is left as it was.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float,
        momentum: float = 0.9,
        weight_decay: float = 0.0,
        eta: float = 0.02,
        clip: bool = True,
    ) -> None:
        defaults = {"lr": lr, "momentum": momentum, "weight_decay": weight_decay, "eta": eta, "clip": clip}
        super().__init__(params, defaults | {"adapt": True})

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One update. `closure` may recompute the loss."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            self._step_group(group)
        return loss

    def _step_group(self, group: dict[str, Any]) -> None:
        parameters = [p for p in group["params"] if p.grad is not None]
        if not parameters:
            return
        moves = torch._foreach_add(
            [p.grad for p in parameters if p.grad is not None], parameters, alpha=group["weight_decay"]
        )
        if group["adapt"]:
            torch._foreach_mul_(moves, self._ratios(parameters, group))
        buffers: list[Tensor] = []
        for p in parameters:
            state = self.state[p]
            if "momentum" not in state:
                state["momentum"] = torch.zeros_like(p)
            buffers.append(state["momentum"])
        torch._foreach_mul_(buffers, group["momentum"])
        torch._foreach_add_(buffers, moves)
        torch._foreach_add_(parameters, buffers, alpha=-group["lr"])

    @staticmethod
    def _ratios(parameters: list[Tensor], group: dict[str, Any]) -> list[Tensor]:
        """Trust ratio of each tensor, as tensors on the device."""
        sizes = torch._foreach_norm(parameters)
        slopes = torch._foreach_norm([p.grad for p in parameters if p.grad is not None])
        ratios = []
        for size, slope in zip(sizes, slopes, strict=True):
            ratio = group["eta"] * size / (slope + group["weight_decay"] * size + 1e-9)
            if group["clip"]:
                ratio = (ratio / group["lr"]).clamp(max=1.0) if group["lr"] > 0 else torch.ones_like(ratio)
            ratios.append(torch.where((size > 0) & (slope > 0), ratio, 1.0))
        return ratios
