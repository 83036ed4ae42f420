import math
from itertools import pairwise

import pytest

from bncl_core.models.encoder import Encoder, EncoderConfig
from bncl_core.models.gate import Gate
from bncl_core.training.optimiser import Optimisation, build_optimiser, set_rate


def small_encoder() -> Encoder:
    return Encoder(EncoderConfig(hidden=16, dimensions=8, gate=Gate(kind="ste")))


def test_every_parameter_is_in_one_group_and_flat_ones_do_not_decay() -> None:
    encoder = small_encoder()
    optimiser = build_optimiser(Optimisation("lars", gate_rate=0.1, scale="linear"), encoder, batch=512)
    seen = [id(p) for group in optimiser.param_groups for p in group["params"]]
    assert sorted(seen) == sorted(id(p) for p in encoder.parameters())
    gate = {id(p) for p in encoder.gate_parameters()}
    for group in optimiser.param_groups:
        flat = {p.ndim <= 1 for p in group["params"]}
        assert len(flat) == 1
        assert (group["weight_decay"] == 0) == flat.pop()
        assert group["peak"] == (0.1 if id(group["params"][0]) in gate else 0.8), (
            "0.4 · 512 / 256; the gate's is not scaled"
        )


def test_linear_scaling_and_none() -> None:
    assert Optimisation("lars", scale="linear").rate(128) == pytest.approx(0.2)
    assert Optimisation("adamw").rate(128) == pytest.approx(1e-3)


def test_schedule_is_linear_then_cosine_and_reaches_its_peak_once() -> None:
    choice = Optimisation(warmup_epochs=2)
    factors = [choice.factor(step, steps=100, steps_per_epoch=10) for step in range(100)]
    assert factors[0] == pytest.approx(1 / 20)
    assert factors[19] == 1.0
    assert factors[20] == 1.0
    assert factors[60] == pytest.approx(0.5)
    assert factors[99] == pytest.approx(0.5 * (1 + math.cos(math.pi * 79 / 80)))
    assert all(a <= b for a, b in pairwise(factors[:20]))
    assert all(a >= b for a, b in pairwise(factors[20:]))


def test_set_rate_scales_every_group() -> None:
    optimiser = build_optimiser(Optimisation("sgd", gate_rate=0.5), small_encoder(), batch=64)
    set_rate(optimiser, 0.25)
    assert {group["lr"] for group in optimiser.param_groups} == {0.025, 0.125}


@pytest.mark.parametrize("field", ["learning_rate", "gate_rate", "weight_decay", "warmup_epochs"])
def test_negative_or_infinite_settings_are_refused(field: str) -> None:
    for value in (-1.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match=f"{field} is {value}"):
            Optimisation(**{field: value})


def test_a_run_shorter_than_its_warm_up_still_comes_down() -> None:
    factors = [Optimisation(warmup_epochs=1).factor(step, steps=10, steps_per_epoch=10) for step in range(10)]
    assert max(factors) == 1.0
    assert factors[-1] < 0.2
    assert Optimisation().factor(0, steps=1, steps_per_epoch=1) == 1.0
