import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bncl_core.models.gate import Gate
from bncl_core.objectives import Objective
from bncl_core.objectives.bayes_ncl import BayesNCL
from bncl_core.spec import convert, digest, field_help, from_json, to_json


@given(
    temperature=st.floats(1e-3, 1e3),
    prior=st.floats(0.01, 0.99),
    kl_weight=st.floats(0, 10),
)
def test_objective_to_json_and_back_is_the_same_objective(temperature: float, prior: float, kl_weight: float) -> None:
    objective = BayesNCL(temperature, prior=prior, kl_weight=kl_weight)
    data = to_json(objective)
    assert data["name"] == "bayes_ncl"
    again = from_json(Objective, data)
    assert again == objective
    assert digest(again) == digest(objective)


def test_unknown_keys_are_errors_that_list_the_allowed_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown key\(s\) temprature for BayesNCL. Allowed: temperature, prior"):
        from_json(Objective, {"name": "bayes_ncl", "temprature": 0.2})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"name": "bayes_ncl", "prior": "x"}, "BayesNCL.prior is 'x'; expected float"),
        ({"name": "bayes_ncl", "prior": 1.0}, "prior is 1.0; it is a probability strictly between 0 and 1"),
        ({"name": "bayes_ncl", "temperature": 0}, "temperature is 0.0; similarities are divided by it"),
        ({"name": "ncl", "temperature": float("nan")}, "temperature is nan"),
        ({"temperature": 0.1}, "a objective needs a 'name'"),
    ],
)
def test_wrong_values_name_the_value_and_what_is_allowed(data: dict, said: str) -> None:
    with pytest.raises(ValueError) as error:
        from_json(Objective, data)
    assert said in str(error.value)


def test_a_literal_lists_its_choices() -> None:
    with pytest.raises(ValueError, match=r"Gate\.kind is 'hard'; allowed: none, topk, ste"):
        from_json(Gate, {"kind": "hard"})


def test_text_from_the_command_line_is_converted() -> None:
    gate = from_json(Gate, {"kind": "ste", "layers": "3", "temperature": "0.5"})
    assert gate == Gate("ste", layers=3, temperature=0.5)


def test_every_field_of_a_spec_is_explained() -> None:
    texts = field_help(Gate)
    assert set(texts) == {f.name for f in dataclasses.fields(Gate)}
    assert texts["layers"].startswith("1, 2 or 3 linear layers")
    assert "straight-through" in texts["kind"]


def test_digest_ignores_what_does_not_decide_the_result() -> None:
    @dataclasses.dataclass(frozen=True)
    class Thing:
        a: int = 1
        path: str = dataclasses.field(default="", metadata={"identity": False})

    assert digest(Thing(path="x")) == digest(Thing(path="y"))
    assert digest(Thing(a=2)) != digest(Thing())


def test_one_and_one_point_zero_are_one_config() -> None:
    assert digest(Gate(temperature=1)) == digest(Gate(temperature=1.0))
    assert to_json(Gate(temperature=1))["temperature"] == 1.0


def test_text_lists_may_be_empty() -> None:
    assert convert("", tuple[str, ...], "x") == ()
    assert convert("a,b", tuple[str, ...], "x") == ("a", "b")
    assert convert("1,2", tuple[float, ...], "x") == (1.0, 2.0)
