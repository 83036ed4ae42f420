"""Metrics (plug-ins): pure functions of codes `[n k]` and labels `[n]` that return numbers.

    measure_arrays(codes, labels)      everything, as JSON: published, corrected, chance, and why something is undefined
    measure(codes, labels, names)      some metrics by name
    dimension_table(codes, labels)     one row a dimension: exact counts, class metrics, chance
    class_counts(codes, labels)        active images by dimension and class

A new metric is a file in this folder with a function of a `Sample`:

    @metrics.register("my_share")
    @metric(title="My share", low=0, high=1, better="higher")
    def my_share(sample: Sample) -> float:
        \"\"\"What it means, its range, and what chance would give (this paragraph is the tooltip).\"\"\"

Spelling: a metric of group "published" is what the published code computes, quirks included; group "corrected" is the
same idea as it should be read; group "chance" is what the corrected one would be if the labels meant nothing; group
"probe" learns a classifier.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from bncl_core.metrics._class_tables import EPS, ClassTables, class_counts
from bncl_core.metrics._sample import Sample
from bncl_core.registry import Registry

__all__ = [
    "EPS",
    "ClassTables",
    "Metric",
    "Sample",
    "class_counts",
    "dimension_table",
    "measure",
    "measure_arrays",
    "metric",
    "metrics",
]

Better = Literal["higher", "lower", "neither"]
Group = Literal["published", "corrected", "chance", "probe"]
GROUPS: tuple[Group, ...] = ("published", "corrected", "chance", "probe")


@dataclass(frozen=True)
class Metric:
    """One metric: a function of a sample, and what a page has to know to show it.

    compute       sample → number, list of rows, or NaN
    title         what it is called on a page
    low, high     range of a defined value; None is open-ended
    better        which end is the better one
    group         published, corrected, chance or probe (see the module)
    unit          share, nats, count or "" (a plain number)
    needs_labels  whether it is undefined without labels
    needs_train   whether it learns from training codes
    needs_live    how many live dimensions it takes to be defined
    needs_classes how many classes it takes to be defined
    undefined     sample → why it is undefined there for another reason; "" when it is not
    """

    compute: Callable[[Sample], Any]
    title: str
    low: float | None
    high: float | None
    better: Better
    group: Group = "corrected"
    unit: str = "share"
    needs_labels: bool = False
    needs_train: bool = False
    needs_live: int = 1
    needs_classes: int = 2
    undefined: Callable[[Sample], str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "__doc__", self.compute.__doc__)

    @property
    def tooltip(self) -> str:
        """The first paragraph of the docstring, on one line."""
        return " ".join((self.__doc__ or "").strip().split("\n\n")[0].split())

    def why_undefined(self, sample: Sample) -> str:
        """Why this metric says nothing about `sample`; "" when it does."""
        labels = self.needs_labels or self.needs_train
        if labels and sample.no_labels:
            return sample.no_labels
        if self.needs_train and (sample.train is None or sample.train.no_labels):
            return "it learns from training codes: give train_codes and train_labels"
        live = int((sample.labelled_live if labels else sample.live).sum())
        if live < self.needs_live:
            return f"{live} of {sample.k} dimensions are live (ever non-zero); it takes {self.needs_live}"
        if labels and sample.classes < self.needs_classes:
            return f"all {len(sample.labels)} labelled images are of one class, so every dimension is about it"
        return self.undefined(sample) if self.undefined else ""

    def __call__(self, sample: Sample) -> tuple[Any, str]:
        """The value (None where it is not a number) and why it is undefined ("" when it is defined).

        A published metric keeps the number the published code gives even where that number means nothing; every other
        one is None wherever it is undefined.
        """
        reason = self.why_undefined(sample)
        blind = (self.needs_labels and sample.no_labels) or (self.needs_train and sample.train is None)
        if reason and (blind or self.group != "published"):
            return None, reason
        value = _plain(self.compute(sample))
        if value is None and not reason:
            reason = "the published code gives no number here" if self.group == "published" else "it is not a number"
        return value, reason


def _plain(value: Any) -> Any:
    """Python numbers and lists of them, ready for JSON; None for NaN and infinity."""
    if isinstance(value, np.ndarray | list | tuple):
        return [_plain(part) for part in value]
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | np.integer):
        return int(value)
    number = float(value)
    return number if math.isfinite(number) else None


metrics: Registry[Metric] = Registry("metric", "bncl_core.metrics")


def metric(**about: Any) -> Callable[[Callable[[Sample], Any]], Metric]:
    """Decorator that makes a `Metric` of a function; the keywords are the fields of `Metric` but `compute`."""

    def wrap(compute: Callable[[Sample], Any]) -> Metric:
        return Metric(compute, **about)

    return wrap


def measure(codes: Any, labels: Any = None, names: Iterable[str] | None = None, **options: Any) -> dict[str, Any]:
    """The metrics called `names` (all when None) of codes `[n k]` and labels `[n]`: name → number, None if undefined.

    Options and errors are those of `measure_arrays`, which also says why something is undefined.
    """
    sample = _sample(codes, labels, **options)
    chosen = {name: metrics[name] for name in (metrics.names() if names is None else names)}
    return {name: chosen[name](sample)[0] for name in chosen}


def measure_arrays(codes: Any, labels: Any = None, **options: Any) -> dict[str, Any]:
    """Every metric of codes `[n k]` with labels `[n]`, ready for JSON (no NaN).

    labels      whole numbers, or None; negative ones and gaps are fine, `class_ids` in the result names them
    unlabelled  the label that means "unknown"; None: every label is a class, −1 too
    train_codes, train_labels   what kNN and the linear probe learn from (kNN leaves one out without them)
    seed        of the label permutations (default 0)
    names       only these metrics; kNN and retrieval compare every two images, so for 50,000 images they take minutes
                and the rest seconds

    Returned: {"published": {name: value}, "corrected": …, "chance": …, "probe": …, "undefined": {name: reason},
    "n", "k", "live", "zero_rows", "labelled", "classes", "class_ids", "seed"}. An undefined value is None; a published
    one keeps the number the published code gives, with the reason it means nothing in "undefined".
    Raises ValueError with a sentence for codes or labels that cannot be measured.
    """
    names = options.pop("names", None)
    sample = _sample(codes, labels, **options)
    result: dict[str, Any] = {group: {} for group in GROUPS} | {"undefined": {}}
    for name in metrics.names() if names is None else names:
        entry = metrics[name]
        value, reason = entry(sample)
        result[entry.group][name] = value
        if reason:
            result["undefined"][name] = reason
    return result | {
        "n": sample.n,
        "k": sample.k,
        "live": int(sample.live.sum()),
        "zero_rows": sample.tables.zero_rows,
        "labelled": len(sample.labelled),
        "classes": sample.classes,
        "class_ids": list(sample.class_ids),
        "seed": sample.seed,
    }


def _sample(
    codes: Any,
    labels: Any,
    *,
    unlabelled: int | None = None,
    train_codes: Any = None,
    train_labels: Any = None,
    seed: int = 0,
) -> Sample:
    if train_codes is None and train_labels is not None:
        raise ValueError("train_labels without train_codes; give both, or neither")
    train = None
    if train_codes is not None:
        train = Sample.of(train_codes, train_labels, unlabelled=unlabelled, name="training ")
    return Sample.of(codes, labels, unlabelled=unlabelled, train=train, seed=seed)


def dimension_table(codes: Any, labels: Any = None, *, unlabelled: int | None = None, seed: int = 0) -> dict[str, Any]:
    """One entry a dimension: exact counts, class metrics and chance; see `bncl_core.metrics._dimensions`."""
    from bncl_core.metrics._dimensions import table

    return table(Sample.of(codes, labels, unlabelled=unlabelled, seed=seed))
