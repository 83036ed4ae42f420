import pytest

from bncl_core.objectives import objectives
from bncl_core.registry import Registry


def test_a_name_is_registered_once() -> None:
    things: Registry[int] = Registry("thing", "bncl_core.theory")
    things.register("one")(1)
    with pytest.raises(ValueError, match="thing 'one' is registered twice"):
        things.register("one")(2)


def test_an_unknown_name_says_what_is_near_what_is_known_and_where_to_add_one() -> None:
    with pytest.raises(ValueError) as error:
        objectives["bayes_nlc"]
    assert str(error.value) == (
        "no objective called 'bayes_nlc'. Did you mean 'bayes_ncl'? "
        f"Known: {', '.join(objectives.names())}. To add one, put a file in bncl_core/objectives/."
    )


def test_files_with_an_underscore_are_not_plug_ins() -> None:
    assert "_nt_xent" not in objectives.names()
    assert {"simclr", "ncl", "ncl_topk", "bayes_ncl"} <= set(objectives.names())
