import pytest
import torch
import torch.nn.functional as F

from bncl_core.models.codes import normalise
from bncl_core.models.nonnegative import MAPS, rep_relu

SIGNED = {"none", "gelu", "leaky_relu"}


@pytest.mark.parametrize("name", MAPS)
def test_only_the_named_maps_are_ever_negative(name: str) -> None:
    x = torch.linspace(-4, 4, 801, dtype=torch.float64)[None]
    assert bool((MAPS[name](x) < 0).any()) == (name in SIGNED)


def test_rep_relu_has_relus_value_and_gelus_derivative() -> None:
    x = torch.linspace(-3, 3, 601, dtype=torch.float64, requires_grad=True)
    y = rep_relu(x)
    assert torch.equal(y, F.relu(x))
    (slope,) = torch.autograd.grad(y.sum(), x)
    (expected,) = torch.autograd.grad(F.gelu(x).sum(), x)
    torch.testing.assert_close(slope, expected)


def test_exp_does_not_overflow_and_is_exp_after_normalisation() -> None:
    x = torch.tensor([[1.0, 2.0, 3.0]], dtype=torch.float64)
    torch.testing.assert_close(normalise(MAPS["exp"](x)), normalise(x.exp()))
    assert torch.isfinite(MAPS["exp"](x * 1e4)).all()
