import torch
from hypothesis import given
from hypothesis import strategies as st

from bncl_core.models.codes import normalise


@given(st.integers(0, 1000), st.floats(1e-3, 1e3))
def test_rows_have_length_one_whatever_their_scale(seed: int, scale: float) -> None:
    rows = torch.randn(7, 5, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    once, again = normalise(rows * scale), normalise(rows)
    torch.testing.assert_close(once, again)
    torch.testing.assert_close(once.norm(dim=1), torch.ones(7, dtype=torch.float64))


def test_a_zero_row_stays_zero_and_gets_no_gradient() -> None:
    rows = torch.tensor([[0.0, 0.0], [3.0, 4.0]], requires_grad=True)
    out = normalise(rows)
    (out * torch.tensor([[1.0, 2.0], [1.0, 2.0]])).sum().backward()
    assert out.tolist() == [[0.0, 0.0], [0.6000000238418579, 0.800000011920929]]
    assert rows.grad is not None
    assert rows.grad[0].tolist() == [0.0, 0.0]
    assert torch.isfinite(rows.grad).all()


def test_the_published_normalisation_is_there_and_explodes() -> None:
    rows = torch.zeros(1, 2, requires_grad=True)
    normalise(rows, "published").sum().backward()
    assert rows.grad is not None
    assert rows.grad.abs().max() > 1e11


def test_a_diverged_row_stays_nan_and_is_not_taken_for_a_zero_row() -> None:
    rows = torch.tensor([[float("nan"), 1.0], [3.0, 4.0]])
    out = normalise(rows)
    assert out[0].isnan().all()
    assert out[1].isfinite().all()
