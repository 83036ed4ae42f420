"""One step against the update computed by hand, and what must not happen."""

import pytest
import torch
from torch import nn

from bncl_core.training.lars import LARS


def by_hand(p: torch.Tensor, g: torch.Tensor, lr: float, decay: float, eta: float, clip: bool) -> torch.Tensor:
    """First step (momentum buffer empty) of one adapted tensor."""
    size, slope = p.norm().item(), g.norm().item()
    ratio = 1.0
    if size > 0 and slope > 0:
        ratio = eta * size / (slope + decay * size + 1e-9)
        if clip:
            ratio = min(ratio / lr, 1.0)
    return p - lr * ratio * (g + decay * p)


CASES = {
    "weight": (torch.tensor([[3.0, 4.0]]), torch.tensor([[0.6, 0.8]])),
    "tiny gradient": (torch.tensor([[3.0, 4.0]]), torch.tensor([[1e-4, 0.0]])),
    "zero gradient": (torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 0.0]])),
    "zero weight": (torch.tensor([[0.0, 0.0]]), torch.tensor([[0.6, 0.8]])),
}


@pytest.mark.parametrize("clip", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_first_step_is_the_one_computed_by_hand(case: str, clip: bool) -> None:
    value, slope = (t.double() for t in CASES[case])
    p = nn.Parameter(value.clone())
    p.grad = slope.clone()
    LARS([p], lr=0.4, weight_decay=1e-2, eta=0.02, clip=clip).step()
    torch.testing.assert_close(p.data, by_hand(value, slope, 0.4, 1e-2, 0.02, clip))
    assert torch.equal(p.grad, slope), "the gradient must be left as it was"


def test_groups_that_do_not_adapt_are_sgd_with_momentum() -> None:
    ours, theirs = nn.Parameter(torch.ones(3)), nn.Parameter(torch.ones(3))
    lars = LARS([{"params": [ours], "adapt": False}], lr=0.1, momentum=0.9)
    sgd = torch.optim.SGD([theirs], lr=0.1, momentum=0.9)
    for step in range(5):
        for p, optimiser in ((ours, lars), (theirs, sgd)):
            p.grad = torch.full((3,), float(step + 1))
            optimiser.step()
    torch.testing.assert_close(ours, theirs)


def test_momentum_accumulates_the_scaled_moves() -> None:
    p = nn.Parameter(torch.tensor([[3.0, 4.0]], dtype=torch.float64))
    optimiser = LARS([p], lr=0.1, momentum=0.9, eta=0.02, clip=False)
    buffer, value = torch.zeros_like(p.data), p.data.clone()
    for _ in range(3):
        p.grad = torch.tensor([[0.3, -0.1]], dtype=torch.float64)
        move = p.grad * (0.02 * value.norm() / (p.grad.norm() + 1e-9))
        buffer = 0.9 * buffer + move
        value = value - 0.1 * buffer
        optimiser.step()
    torch.testing.assert_close(p.data, value)
