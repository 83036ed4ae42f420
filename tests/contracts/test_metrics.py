"""What every metric plug-in promises."""

import inspect
import json
from typing import Any

import numpy as np
import pytest

from bncl_core.metrics import GROUPS, Metric, measure_arrays, metrics

UNITS = {"share", "nats", "count", ""}


def arrays(classes: int = 4) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(1)
    codes = np.abs(generator.normal(size=(80, 40))) * (generator.random((80, 40)) < 0.2)
    return codes.astype(np.float32), np.arange(80) % classes


def value_of(result: dict[str, Any], name: str) -> Any:
    return result[metrics[name].group][name]


@pytest.mark.parametrize("name", metrics.names())
def test_says_what_it_is(name: str) -> None:
    entry = metrics[name]
    assert isinstance(entry, Metric)
    assert entry.title
    assert entry.group in GROUPS
    assert entry.unit in UNITS
    assert entry.better in {"higher", "lower", "neither"}
    assert entry.low is None or entry.high is None or entry.low < entry.high
    assert len(entry.tooltip) > 40
    assert "\n" not in entry.tooltip
    assert entry.tooltip.endswith(".")
    assert len(inspect.signature(entry.compute).parameters) == 1


def test_titles_are_different() -> None:
    titles = [metrics[name].title for name in metrics]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("name", metrics.names())
def test_is_json_and_the_same_each_time(name: str) -> None:
    codes, labels = arrays()
    options = {"train_codes": codes[:60], "train_labels": labels[:60], "seed": 3, "names": [name]}
    first, second = measure_arrays(codes, labels, **options), measure_arrays(codes, labels, **options)
    assert json.loads(json.dumps(first, allow_nan=False)) == first == second


@pytest.mark.parametrize("name", metrics.names())
def test_leaves_its_input_alone(name: str) -> None:
    codes, labels = arrays()
    before = codes.copy(), labels.copy()
    measure_arrays(codes, labels, train_codes=codes, train_labels=labels, names=[name])
    np.testing.assert_array_equal(codes, before[0])
    np.testing.assert_array_equal(labels, before[1])


@pytest.mark.parametrize("name", metrics.names())
def test_needs_labels_exactly_when_it_says_so(name: str) -> None:
    codes, _ = arrays()
    result = measure_arrays(codes, None, names=[name])
    if metrics[name].needs_labels or metrics[name].needs_train:
        assert value_of(result, name) is None
        assert "label" in result["undefined"][name]
    else:
        assert value_of(result, name) is not None
        assert not result["undefined"]


@pytest.mark.parametrize("name", metrics.names())
@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (12, 33)])
@pytest.mark.parametrize("classes", [1, 2])
@pytest.mark.parametrize("fill", [0.0, 1.0, -1.0])
def test_degenerate_codes_give_a_value_or_a_reason(
    name: str, shape: tuple[int, int], classes: int, fill: float
) -> None:
    codes, labels = np.full(shape, fill, np.float32), np.arange(shape[0]) % classes
    with np.errstate(all="raise"):
        result = measure_arrays(codes, labels, names=[name])
    value = value_of(result, name)
    assert value is not None or len(result["undefined"][name].split()) > 3
    if metrics[name].group != "published":
        assert (value is None) == (name in result["undefined"])


def test_adding_a_metric_is_registering_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    from bncl_core.metrics import Sample, metric

    metrics.names()
    monkeypatch.setattr(metrics, "_entries", dict(metrics._entries))

    @metrics.register("mean_code")
    @metric(title="Mean", low=None, high=None, better="neither", unit="")
    def mean_code(sample: Sample) -> float:
        """Mean of all values, for this test alone; no range and no chance."""
        return float(sample.codes.mean())

    assert measure_arrays(np.full((3, 2), 0.5))["corrected"]["mean_code"] == 0.5
    with pytest.raises(ValueError, match="registered twice"):
        metrics.register("mean_code")(mean_code)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="semantic_consistency"):
        measure_arrays(np.ones((3, 2)), names=["semantic_consistancy"])
