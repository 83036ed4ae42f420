"""Curves: nothing that was recorded is hidden, least of all what is not finite."""

import numpy as np
import pandas as pd

from app.charts.history import curves, label_of, recorded


def history(**columns: list[float]) -> pd.DataFrame:
    return pd.DataFrame({"step": [1, 2, 3], "epoch": [0.5, 1.0, 1.5], **columns})


def test_a_value_that_is_not_finite_leaves_a_gap_and_a_cross_at_the_last_height() -> None:
    line, cross = curves({"a": history(total=[3.0, np.inf, 2.0])}, "total").data
    np.testing.assert_array_equal(line.y, [3.0, np.nan, 2.0])
    assert (list(cross.x), list(cross.y)) == ([1.0], [3.0])
    assert cross.name == "a: 1 not finite"
    assert cross.marker.symbol == "x"


def test_all_values_lost_is_still_drawn() -> None:
    _, cross = curves({"a": history(total=[np.nan] * 3)}, "total").data
    assert list(cross.y) == [0, 0, 0]


def test_terms_of_any_objective_are_offered_after_the_known_ones() -> None:
    found = recorded({"a": history(total=[1, 2, 3]), "b": history(spread=[1, 2, 3], kl=[0, 0, 0])})
    assert found == ["total", "kl", "spread"]
    assert label_of("spread") == "spread (loss term, nats)"


def test_runs_without_the_column_are_left_out_and_the_chosen_one_is_thicker() -> None:
    runs = {name: history(total=[1, 2, 3]) for name in "ab"} | {"c": history(kl=[1, 2, 3]), "d": pd.DataFrame()}
    figure = curves(runs, "total", chosen="b")
    assert [trace.name for trace in figure.data] == ["a", "b"]
    assert figure.data[1].line.width > figure.data[0].line.width


def test_twelve_runs_differ_in_colour_or_dash() -> None:
    figure = curves({str(i): history(total=[1, 2, 3]) for i in range(12)}, "total")
    assert len({(trace.line.color, trace.line.dash) for trace in figure.data}) == 12
