"""The figures show the numbers of the closed forms, at the point that was chosen."""

import math

import numpy as np
import pytest

from app.charts.curve import PRESETS, candidates_figure, channel_figure
from bncl_core.theory.candidates import Candidates
from bncl_core.theory.channel import Channel


@pytest.mark.parametrize("q", [0.0, 0.25, 0.5])
def test_channel_is_marked_where_it_was_chosen(q: float) -> None:
    figure, values = channel_figure(q), Channel(q).values()
    marks = [trace for trace in figure.data if trace.mode == "markers"]
    assert [trace.x[0] for trace in marks] == [q] * 4
    assert [trace.y[0] for trace in marks] == [
        values[name] for name in ("pair_agreement", "bayes_accuracy", "information_bits", "nuisance_alignment")
    ]
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert len({trace.line.dash for trace in lines}) == len({trace.line.color for trace in lines}) == 4
    assert f"{values['information_bits']:.3f} bits" in lines[2].name


@pytest.mark.parametrize("negatives", [15, 255])
def test_candidates_show_presets_peaks_and_the_chosen_point(negatives: int) -> None:
    figure = candidates_figure(negatives, 0.2)
    counts = {*PRESETS, negatives}
    assert sum(trace.mode == "lines" for trace in figure.data) == 2 * len(counts)
    peaks = {trace.x[0] for trace in figure.data if trace.mode == "markers+text"}
    assert peaks == {Candidates(count).values()["peak_temperature"] for count in counts}
    values = Candidates(negatives, 0.2).values()
    chosen = [trace for trace in figure.data if trace.mode == "markers"]
    assert [(trace.x[0], trace.y[0]) for trace in chosen] == [
        (0.2, values["loss"]),
        (0.2, -values["gradient_positive"]),
    ]
    assert not figure.layout.shapes


@pytest.mark.parametrize("run", [0.07, 0.001, 30.0])
def test_temperature_of_the_run_is_a_line_inside_the_axis(run: float) -> None:
    figure = candidates_figure(15, 0.2, run)
    assert [(shape.x0, shape.x1) for shape in figure.layout.shapes] == [(run, run)] * 2
    low, high = figure.layout.xaxis.range
    assert low < math.log10(run) < high
    (note,) = figure.layout.annotations
    assert note.x == pytest.approx(math.log10(run))
    assert f"{run:g}" in note.text


def test_axes_say_what_and_in_which_unit_on_any_background() -> None:
    for figure in (channel_figure(0.25), candidates_figure(15, 0.2)):
        assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
        titles = [axis.title.text for axis in (*figure.select_xaxes(), *figure.select_yaxes()) if axis.title.text]
        assert len(titles) >= 2
        assert all(np.any([unit in title for unit in ("probability", "bits", "nats", "no unit")]) for title in titles)


@pytest.mark.parametrize("setting", [(0, 0.2, None), (15, 0.0, None), (15, 0.2, -1.0), (15, 0.2, math.nan)])
def test_impossible_settings_are_refused(setting: tuple[int, float, float | None]) -> None:
    with pytest.raises(ValueError, match="must be"):
        candidates_figure(*setting)
    with pytest.raises(ValueError, match="flip probability"):
        channel_figure(0.51)
