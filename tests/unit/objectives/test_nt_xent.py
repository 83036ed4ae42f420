"""NT-Xent and the KL against loops, and the invariances that make dimensions mean something."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from bncl_core.models.codes import normalise
from bncl_core.objectives._nt_xent import nt_xent
from bncl_core.objectives.bayes_ncl import BayesNCL, bernoulli_kl
from tests.reference.losses import kl_loop, nt_xent_loop


def rows(seed: int, n: int, k: int, signed: bool = True) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    both = torch.randn(2, n, k, generator=generator, dtype=torch.float64)
    a, b = both if signed else both.abs()
    return normalise(a), normalise(b)


@given(st.integers(0, 99), st.integers(2, 6), st.integers(1, 5), st.sampled_from([0.05, 0.2, 1.0, 10.0]))
def test_equals_the_loop_written_from_the_equation(seed: int, n: int, k: int, temperature: float) -> None:
    a, b = rows(seed, n, k)
    assert nt_xent(a, b, temperature).item() == pytest.approx(
        nt_xent_loop(a.tolist(), b.tolist(), temperature), rel=1e-9
    )


@given(st.integers(0, 99), st.integers(2, 8))
def test_unchanged_by_swapping_views_permuting_the_batch_and_rotating_codes(seed: int, n: int) -> None:
    a, b = rows(seed, n, 4)
    loss = nt_xent(a, b, 0.2)
    order = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    turn, _ = torch.linalg.qr(torch.randn(4, 4, generator=torch.Generator().manual_seed(seed), dtype=torch.float64))
    for other in (nt_xent(b, a, 0.2), nt_xent(a[order], b[order], 0.2), nt_xent(a @ turn, b @ turn, 0.2)):
        torch.testing.assert_close(other, loss)


def test_with_the_map_inside_only_permutations_of_the_dimensions_leave_it() -> None:
    generator = torch.Generator().manual_seed(3)
    y = torch.randn(2, 32, 6, generator=generator, dtype=torch.float64)
    turn, _ = torch.linalg.qr(torch.randn(6, 6, generator=generator, dtype=torch.float64))
    order = torch.randperm(6, generator=generator)

    def loss(codes: torch.Tensor) -> torch.Tensor:
        a, b = (normalise(view.relu()) for view in codes)
        return nt_xent(a, b, 0.2)

    torch.testing.assert_close(loss(y[:, :, order]), loss(y))
    assert abs(loss(y @ turn) - loss(y)) > 1e-3


def test_collapse_is_the_logarithm_of_the_other_rows() -> None:
    """All codes equal: every one of the 2n − 1 candidates is as likely."""
    same = normalise(torch.ones(16, 3, dtype=torch.float64))
    assert nt_xent(same, same, 0.2).item() == pytest.approx(math.log(31), abs=1e-12)
    empty = torch.zeros(16, 3, dtype=torch.float64)
    assert nt_xent(empty, empty, 0.2).item() == pytest.approx(math.log(31), abs=1e-12)


@pytest.mark.parametrize("temperature", [1e-3, 0.01, 0.0113, 10.0])
@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
def test_finite_with_finite_gradient_at_every_temperature(temperature: float, kind: torch.dtype) -> None:
    a, b = (t.to(kind).requires_grad_() for t in rows(0, 8, 4))
    loss = nt_xent(a, b, temperature)
    loss.backward()
    assert torch.isfinite(loss)
    assert torch.isfinite(a.grad).all()


@given(st.integers(0, 99), st.floats(0.02, 0.98))
def test_kl_equals_the_loop_is_never_negative_and_zero_at_the_prior(seed: int, prior: float) -> None:
    alpha = torch.rand(5, 3, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    value = bernoulli_kl(alpha, prior).item()
    assert value == pytest.approx(kl_loop(alpha.tolist(), prior), rel=1e-9, abs=1e-12)
    assert value >= 0
    assert bernoulli_kl(torch.full((4, 2), prior, dtype=torch.float64), prior).item() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("field", "value"),
    [("temperature", 0.0), ("temperature", -1.0), ("prior", 0.0), ("prior", 1.0), ("kl_weight", -1e-9)],
)
def test_unusable_settings_are_refused_with_the_value(field: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{field} is {value}"):
        BayesNCL(**{field: value})
