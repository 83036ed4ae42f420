"""The few numbers that stand for a run, read from its index and its stored measurements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from bncl_core.analysis.index import Index
from bncl_core.studies.run import Run


def headline(run: Run, index: Index) -> dict[str, Any]:
    """One row of the table of runs.

    live               dimensions active in at least one image, after the gate
    active_share       share of (image, dimension) pairs that are active after the gate
    open_rate          share of (image, dimension) pairs whose gate is open
    vetoed             share of the active pairs that the gate closes
    consistency, chance, entropy   means over the live dimensions (NaN without labels); chance is the mean of the
                       largest class share under permuted labels at each dimension's own number of images
    zero_rows          images whose gated code is empty
    probe, knn         accuracies on the embedding and knn on the gated code, where `measure` has been run, else NaN
    """
    table = index.dimensions
    cells = index.n * index.k
    active = int(table["active"].sum())
    live = table["active_open"] > 0
    stored = run.evaluations().get(index.path.name, {})
    of = stored.get("provenance", {})
    same = all(of.get(key) == index.manifest[key] for key in ("checkpoint_sha256", "data_fingerprint"))
    probes = stored.get("probes", {}) if same else {}  # measured on another checkpoint or other images: not these
    return {
        "live": int(live.sum()),
        "active_share": int(table["active_open"].sum()) / cells,
        "open_rate": int(table["open"].sum()) / cells,
        "vetoed": int(table["vetoed"].sum()) / active if active else float("nan"),
        "consistency": _mean(table.loc[live, "consistency"]),
        "chance": _mean(table.loc[live, "consistency_null_mean"]),
        "entropy": _mean(table.loc[live, "entropy_sum"]),
        "zero_rows": int((index.norms == 0).sum()),
        "probe": probes.get("h", {}).get("top1", float("nan")),
        "knn": probes.get("gated", {}).get("knn", float("nan")),
    }


def _mean(column: pd.Series) -> float:
    """Mean without NaN; NaN when nothing is left."""
    values = column.dropna().to_numpy()
    return float(np.mean(values)) if len(values) else float("nan")


def differences(runs: list[Run]) -> pd.DataFrame:
    """What differs between the configs of `runs`: one row a setting, one column a run; what all share is left out."""
    flat = {run.name: _flatten(run.config) for run in runs}
    keys = sorted({key for settings in flat.values() for key in settings})
    rows = {}
    for key in keys:
        values = [settings.get(key, "—") for settings in flat.values()]
        if len(set(map(str, values))) > 1:
            rows[key] = [str(value) for value in values]
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(flat))


def _flatten(settings: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in settings.items():
        name = f"{prefix}{key}"
        out |= _flatten(value, f"{name}.") if isinstance(value, dict) else {name: value}
    return out


def most_vetoed(index: Index, count: int, least: int = 20) -> pd.DataFrame:
    """The dimensions the gate vetoes in the most images: rows of `dimensions.parquet`, most vetoed first.

    Only dimensions with at least `least` vetoed images; empty where the gate vetoes nothing.
    """
    table = index.dimensions
    return table[table["vetoed"] >= least].sort_values("vetoed", ascending=False, kind="stable").head(count)


def clearest(index: Index, count: int, least: int = 20) -> pd.DataFrame:
    """The dimensions whose consistency is furthest above their own 95 % chance line, strongest first.

    Among those active and open in at least `least` images. Raw consistency would favour rare dimensions, whose chance
    line is high. Without labels: the most often active ones.
    """
    table = index.dimensions[index.dimensions["active_open"] >= least]
    above = table["consistency"] - table["consistency_null_95"]
    by = above if above.notna().any() else table["active_open"]
    return table.loc[by.sort_values(ascending=False, kind="stable").index].head(count)
