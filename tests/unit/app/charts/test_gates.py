"""Gate charts: dimensions keep their numbers through sorting, cutting and clicking."""

import numpy as np
import pandas as pd

from app.charts.gates import MOST, before_and_after, in_order, open_against_frequency, rate_matrix
from app.theme import CLOSED

TABLE = pd.DataFrame({"dimension": [0, 1, 2], "active": [0, 50, 100], "open": [7, 25, 0], "vetoed": [0, 5, 100]})


def test_points_are_live_dimensions_and_carry_their_number() -> None:
    points, ring = open_against_frequency(TABLE, 200, chosen=2).data
    assert [row[0] for row in points.customdata] == [1, 2]
    assert list(points.x) == [0.25, 0.5]
    assert list(points.y) == [0.125, 0]
    assert list(points.marker.color) == [0.1, 1.0]
    assert (ring.x[0], ring.y[0]) == (0.5, 0)
    assert len(open_against_frequency(TABLE, 200, chosen=0).data) == 1, "a dead dimension gets no ring"


def test_columns_are_the_dimensions_they_say() -> None:
    rates = pd.DataFrame({"cat": [0.1, 0.9, 0.2], "dog": [0.2, 0.8, 0.7]}, index=[4, 7, 9])
    for order, wanted in (("rate", ["7", "9", "4"]), ("group", ["7", "9", "4"])):
        (heat,) = rate_matrix(rates, "open rate", "class", 100, order).data
        assert list(heat.x) == wanted
        for column, dimension in enumerate(heat.x):
            assert list(heat.z[:, column]) == list(rates.loc[int(dimension)])
    assert in_order(rates.iloc[[2, 0, 1]], "group") == [7, 9, 4]
    flat = pd.DataFrame({"cat": [0.0, 0.3, 1.0, 0.1], "dog": [0.0, 0.2, 1.0, 0.9]})
    assert in_order(flat, "group") == [1, 3, 2, 0], "what is the same in all groups belongs to none and comes last"


def test_small_rates_use_the_whole_scale_and_large_ones_the_whole_range() -> None:
    small = rate_matrix(pd.DataFrame({"a": [0.0, 0.04], "b": [0.02, 0.0]}), "veto rate", "class", 10)
    assert small.data[0].zmax == 0.04
    assert rate_matrix(pd.DataFrame({"a": [0.0, 0.6]}), "open rate", "class", 10).data[0].zmax == 1


def test_beyond_what_a_screen_can_show_the_most_different_are_kept_and_it_says_so() -> None:
    rates = pd.DataFrame({"a": np.linspace(0, 1, MOST + 44), "b": np.zeros(MOST + 44)})
    figure = rate_matrix(rates, "open rate", "class", 10)
    assert set(map(int, figure.data[0].x)) == set(range(44, MOST + 44))
    assert f"{MOST} of {MOST + 44} dimensions" in figure.layout.title.text


def test_a_class_without_images_stays_unknown() -> None:
    (heat,) = rate_matrix(pd.DataFrame({"a": [0.2, 0.9], "b": [np.nan, np.nan]}), "open rate", "class", 5).data
    assert np.isnan(heat.z[1]).all()


def test_closed_bars_are_orange_and_have_nothing_after_the_gate() -> None:
    table = pd.DataFrame(
        {"dimension": [8, 3, 5], "value": [-0.8, 0.5, 0.3], "gate": [0.9, 0.2, 0.7], "gated": [-0.9, 0, 0.4]}
    ).assign(open=[True, False, True])
    before, closed, after = before_and_after(table).data
    assert closed.marker.color == CLOSED
    np.testing.assert_array_equal(before.y, [-0.8, np.nan, 0.3])
    np.testing.assert_array_equal(closed.y, [np.nan, 0.5, np.nan])
    np.testing.assert_array_equal(after.y, [-0.9, np.nan, 0.4])
    assert [row[0] for row in after.customdata] == [8, 3, 5]
    assert "2 strongest of 3" in before_and_after(table, top=2).layout.title.text
    (only,) = before_and_after(table.assign(open=True), has_gate=False).data
    assert list(only.y) == [-0.8, 0.5, 0.3]
