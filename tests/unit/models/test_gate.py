"""The gate against closed forms."""

import math

import pytest
import torch

from bncl_core.models.encoder import Encoder, EncoderConfig
from bncl_core.models.gate import Gate, gate_head, open_mask, topk_mask

MANY = 200_000


@pytest.mark.parametrize(("kind", "expected"), [("gumbel_published", 1 - math.exp(-1)), ("concrete", 0.5)])
def test_share_of_open_samples_at_logit_zero(kind: str, expected: float) -> None:
    """One Gumbel sample is positive with probability 1 − 1/e; logistic noise is fair."""
    logits = torch.zeros(MANY, 1)
    mask = open_mask(Gate(kind=kind), logits, torch.sigmoid(logits), torch.Generator().manual_seed(0))
    assert set(mask.unique().tolist()) == {0.0, 1.0}
    assert mask.mean().item() == pytest.approx(expected, abs=4 * math.sqrt(0.25 / MANY))


@pytest.mark.parametrize("logit", [-2.0, -0.5, 1.0])
def test_concrete_opens_with_the_gate_probability(logit: float) -> None:
    logits = torch.full((MANY, 1), logit)
    mask = open_mask(Gate(kind="concrete"), logits, torch.sigmoid(logits), torch.Generator().manual_seed(1))
    chance = 1 / (1 + math.exp(-logit))
    assert mask.mean().item() == pytest.approx(chance, abs=4 * math.sqrt(chance * (1 - chance) / MANY))


def test_ste_is_hard_forward_and_alpha_backward() -> None:
    logits = torch.linspace(-3, 3, 13, dtype=torch.float64, requires_grad=True)
    alpha = torch.sigmoid(logits / 0.7)
    mask = open_mask(Gate(kind="ste", temperature=0.7), logits, alpha, None)
    assert mask.detach().tolist() == (alpha > 0.5).double().tolist()
    (slope,) = torch.autograd.grad(mask.sum(), logits)
    torch.testing.assert_close(slope, (alpha * (1 - alpha) / 0.7).detach())


@pytest.mark.parametrize("kind", ["concrete", "gumbel_published"])
def test_without_noise_the_sampled_gates_only_threshold(kind: str) -> None:
    logits = torch.linspace(-1, 1, 11)
    alpha = torch.sigmoid(logits)
    mask = open_mask(Gate(kind=kind, threshold=0.6), logits, alpha, None)
    assert torch.equal(mask, (alpha > 0.6).float())


def test_topk_keeps_the_largest() -> None:
    z = torch.tensor([[0.1, 0.9, 0.5], [0.3, 0.2, 0.1]])
    assert topk_mask(z, 2).tolist() == [[0, 1, 1], [1, 1, 0]]


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_head_has_the_layers_asked_for_and_starts_at_the_bias(layers: int) -> None:
    head = gate_head(Gate(kind="ste", layers=layers, bias=30.0), 6, 8, 4)
    assert sum(isinstance(part, torch.nn.Linear) for part in head) == layers
    assert (torch.sigmoid(head(torch.randn(5, 6))) > 0.99).all()


@pytest.mark.parametrize(
    ("detach", "contrastive", "kl"), [("all", False, False), ("kl_only", True, False), ("none", True, True)]
)
def test_detach_stops_the_gradients_it_says(detach: str, contrastive: bool, kl: bool) -> None:
    encoder = Encoder(EncoderConfig(hidden=12, dimensions=6, gate=Gate(kind="soft", detach=detach)))
    for reaches, pick in ((contrastive, lambda c: c.m), (kl, lambda c: c.charged)):
        h = torch.randn(9, 128, requires_grad=True)
        pick(encoder.codes(h)).sum().backward()
        assert (h.grad is not None and bool(h.grad.any())) == reaches


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"temperature": 0.0}, "gate temperature is 0.0; it divides the logits"),
        ({"threshold": 1.0}, "gate threshold is 1.0"),
        ({"layers": 4}, "gate layers is 4; allowed: 1, 2, 3"),
        ({"topk": 0}, "gate topk is 0"),
    ],
)
def test_refusals_name_the_value(settings: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Gate(kind="ste", **settings)


def test_topk_wider_than_the_code_is_refused() -> None:
    with pytest.raises(ValueError, match="gate topk is 40, but a code has only 8 dimensions"):
        EncoderConfig(dimensions=8, gate=Gate(kind="topk", topk=40))
