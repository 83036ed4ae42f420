"""Every objective: finite, weighted, differentiable terms; blind to the order of views and images; back from JSON."""

import dataclasses

import pytest
import torch

from bncl_core.models.backbones.small_conv import SmallConv
from bncl_core.models.codes import Codes
from bncl_core.models.encoder import Encoder, EncoderConfig
from bncl_core.objectives import Objective, objectives
from bncl_core.spec import field_help, field_types, from_json, to_json


def build(name: str) -> tuple[Objective, Encoder]:
    objective: Objective = objectives[name]()
    gate = dataclasses.replace(objective.gate, topk=4)
    config = EncoderConfig(SmallConv(width=2), 16, 12, objective.non_negative, gate)
    objective.check(config)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return objective, Encoder(config)


def codes(encoder: Encoder, seed: int) -> Codes:
    h = torch.randn(9, 16, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return encoder.double().codes(h)


@pytest.mark.parametrize("name", objectives.names())
def test_terms_are_finite_and_reach_the_projector(name: str) -> None:
    objective, encoder = build(name)
    terms = objective(codes(encoder, 1), codes(encoder, 2))
    assert terms
    assert all(term.ndim == 0 and torch.isfinite(term) for term in terms.values())
    sum(terms.values()).backward()
    learned = [p for n, p in encoder.named_parameters() if not n.startswith("backbone")]
    assert all(p.grad is not None and torch.isfinite(p.grad).all() for p in learned)
    assert any(p.grad.abs().max() > 0 for p in learned)


@pytest.mark.parametrize("name", objectives.names())
def test_order_of_views_and_of_images_does_not_matter(name: str) -> None:
    objective, encoder = build(name)
    a, b = codes(encoder, 1), codes(encoder, 2)
    order = torch.randperm(9, generator=torch.Generator().manual_seed(3))

    def shuffled(one: Codes) -> Codes:
        fields = {f.name: getattr(one, f.name) for f in dataclasses.fields(one)}
        return Codes(**{k: v[order] if isinstance(v, torch.Tensor) else v for k, v in fields.items()})

    total = sum(objective(a, b).values())
    torch.testing.assert_close(sum(objective(b, a).values()), total)
    torch.testing.assert_close(sum(objective(shuffled(a), shuffled(b)).values()), total)


@pytest.mark.parametrize("name", objectives.names())
def test_it_explains_its_fields_and_comes_back_from_json(name: str) -> None:
    kind = objectives[name]
    assert set(field_help(kind)) == set(field_types(kind))
    assert from_json(Objective, to_json(kind())) == kind()
    assert objectives.name_of(kind()) == name
