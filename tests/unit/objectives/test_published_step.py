"""One training step in float64 against what the published code returns: losses and every gradient."""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from bncl_core.models.backbones import Backbone
from bncl_core.models.encoder import Encoder, EncoderConfig
from bncl_core.models.gate import Gate
from bncl_core.objectives.bayes_ncl import BayesNCL, bernoulli_kl
from bncl_core.objectives.ncl import NCL
from bncl_core.objectives.ncl_topk import NCLTopK
from bncl_core.objectives.simclr import SimCLR

DATA = Path(__file__).parents[2] / "reference" / "data"
ARRAYS = np.load(DATA / "arrays.npz")
STEPS = json.loads((DATA / "expected.json").read_text())["steps"]


@dataclass(frozen=True)
class Given(Backbone):
    """The embedding is given: no backbone."""

    width: int = 1

    def build(self) -> tuple[nn.Module, int]:
        return nn.Identity(), self.width


def encoder_of(case: str) -> Encoder:
    step = STEPS[case]
    kind = step["gate"] or "none"
    gate = Gate(kind=kind, temperature=step["gate_temperature"], topk=step["topk"] or 1)
    config = EncoderConfig(
        Given(step["embedding"]), step["hidden"], step["K"], step["non_negative"] or "none", gate, "published"
    )
    encoder = Encoder(config).double()
    for name, parameter in encoder.named_parameters():
        parameter.data = torch.from_numpy(ARRAYS[f"step/{case}/{name}"])
    return encoder


def objective_of(case: str) -> SimCLR:
    step = STEPS[case]
    tau = step["temperature"]
    if step["gate"] == "ste":
        return BayesNCL(tau, prior=step["prior"], kl_weight=step["kl_weight"])
    if step["gate"] == "topk":
        return NCLTopK(tau)
    return NCL(tau) if step["non_negative"] else SimCLR(tau)


@pytest.mark.parametrize("case", STEPS)
def test_losses_codes_and_every_gradient(case: str) -> None:
    step, encoder, objective = STEPS[case], encoder_of(case), objective_of(case)
    objective.check(encoder.config)
    h = torch.from_numpy(ARRAYS[f"step/{case}/h"]).requires_grad_()
    a, b = encoder.codes(h[: step["batch"]]), encoder.codes(h[step["batch"] :])
    terms = objective(a, b)
    total = sum(terms.values())
    total.backward()

    gated = torch.cat([a.gated, b.gated]).detach().numpy()
    np.testing.assert_allclose(gated, ARRAYS[f"step/{case}/gated_codes"], atol=1e-9)
    assert terms["nt_xent"].item() == pytest.approx(step["nce"], abs=1e-6)
    assert total.item() == pytest.approx(step["total"], abs=1e-6)
    if step["gate"] == "ste":
        alpha = torch.cat([a.alpha, b.alpha])
        assert bernoulli_kl(alpha, step["prior"]).item() == pytest.approx(step["kl"], abs=1e-6)
        assert torch.cat([a.m, b.m]).mean().item() == pytest.approx(step["gate_open_rate"], abs=1e-9)
    compared = 0
    for name, tensor in [("h", h), *encoder.named_parameters()]:
        key = f"step/{case}/grad/{name}"
        if key in ARRAYS:
            np.testing.assert_allclose(tensor.grad.numpy(), ARRAYS[key], atol=1e-6, rtol=1e-6, err_msg=name)
            compared += 1
        else:
            assert tensor.grad is None or not tensor.grad.any(), f"{name} should get no gradient"
    assert compared == sum(key.startswith(f"step/{case}/grad/") for key in ARRAYS.files)


def test_a_row_the_gate_empties_gets_a_finite_gradient() -> None:
    """The published normalisation multiplies it by 1e12; ours leaves the loss as it is and the gradient small."""
    case = "sparse_prior"
    step, published = STEPS[case], encoder_of(case)
    safe = encoder_of(case)
    safe.config = dataclasses.replace(safe.config, normalisation="safe")
    losses, sizes = [], []
    for encoder in (published, safe):
        h = torch.from_numpy(ARRAYS[f"step/{case}/h"])
        a, b = encoder.codes(h[: step["batch"]]), encoder.codes(h[step["batch"] :])
        assert (a.masked.norm(dim=1) == 0).any() or (b.masked.norm(dim=1) == 0).any()
        loss = sum(objective_of(case)(a, b).values())
        loss.backward()
        losses.append(loss.item())
        sizes.append(max(p.grad.abs().max().item() for p in encoder.parameters()))
    assert losses[0] == pytest.approx(losses[1], abs=1e-12)
    assert sizes[0] > 1e6
    assert sizes[1] < 10
