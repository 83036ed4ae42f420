"""The two tables of the dashboard: the runs of a study, and the dimensions of an index."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app.cache import open_index
from app.theme import number, percent
from app.tooltips import described
from bncl_core.analysis.dimensions import dimension_table
from bncl_core.analysis.headline import headline
from bncl_core.analysis.index import Index
from bncl_core.analysis.summary import kinds_of
from bncl_core.studies.run import Run

EMPTY = "–"
SHARES = {
    "consistency": "consistency",
    "chance": "chance",
    "open_rate": "gates open",
    "vetoed": "active but closed",
    "active_share": "active and open",
    "probe": "probe",
    "knn": "kNN",
}
ORDER = ["run", "note", "objective", "seed", "live", "consistency", "chance", "entropy", "open_rate", "vetoed"]
ORDER += ["active_share", "probe", "knn", "zero_rows", "images"]


def runs_table(runs: list[Run]) -> pd.DataFrame:
    """One row a run and index with its headline numbers; `note` says why there are none. Empty columns are left out."""
    rows: list[dict[str, object]] = []
    for run in runs:
        row: dict[str, object] = {"run": run.name}
        if run.status == "broken":
            rows.append(row | {"note": f"broken: {run.problem}"})
            continue
        row |= {"objective": run.objective, "seed": run.seed}
        if run.status != "complete":
            row["note"] = run.status
        for path in run.indexes():
            try:
                rows.append(row | {"images": path.name} | headline(run, open_index(path)))
            except (OSError, ValueError, KeyError) as error:
                rows.append(row | {"images": path.name, "note": f"index cannot be read: {error}"})
        if not run.indexes():
            rows.append({"note": "no index yet"} | row)
    table = pd.DataFrame(rows)
    if "note" in table:
        table["note"] = table["note"].fillna("")
    return table[[column for column in ORDER if column in table and table[column].notna().any()]]


def show_runs(table: pd.DataFrame, key: str, on_select: object) -> None:
    """Draw `runs_table`: shares as percentages that are never rounded to 0, missing numbers as a dash."""
    formats = {column: _or_dash(percent) for column in SHARES} | {"entropy": _or_dash(number)}
    formats |= {column: _or_dash(lambda count: f"{count:,.0f}") for column in ("seed", "live", "zero_rows")}
    shown = table.style.format({c: form for c, form in formats.items() if c in table}, na_rep=EMPTY)
    helps = described(headline)
    config = {c: st.column_config.NumberColumn(SHARES.get(c, c.replace("_", " ")), help=helps.get(c)) for c in formats}
    config |= {"run": st.column_config.TextColumn(pinned=True), "note": st.column_config.TextColumn(width=130)}
    st.dataframe(
        shown,
        hide_index=True,
        key=key,
        on_select=on_select,
        selection_mode="single-row",
        column_config={c: entry for c, entry in config.items() if c in table},
        placeholder=EMPTY,
        alt="Runs of the study with their headline numbers",
    )


def _or_dash(form: object) -> object:
    return lambda value: EMPTY if pd.isna(value) else form(value)


def dimension_rows(index: Index, told: pd.DataFrame | None, kind: str, find: str) -> pd.DataFrame:
    """The table of dimensions: those of one kind (see `summary.kinds_of`) in whose class or meaning `find` occurs."""
    table = index.dimensions
    rows = pd.DataFrame({name: table[name] for name in ("dimension", "active", "open", "vetoed")})
    if told is not None:
        rows["tells"] = [f"{f} = {v}" if f else "" for f, v in zip(told["factor"], told["value"], strict=True)]
        rows["AUROC"] = told["auroc"]
    if index.labels is not None:
        rows["top class"] = [index.classes[int(c)] if c >= 0 else "" for c in table["top_class"]]
        rows["consistency"] = 100 * table["consistency"]
        rows["chance 95 %"] = 100 * table["consistency_null_95"]
        rows["entropy"] = table["entropy_sum"]
    rows = rows[kinds_of(table, index.n)[kind]]
    texts = [rows[column] for column in ("tells", "top class") if column in rows]
    if find and texts:
        hit = pd.concat([text.str.contains(find, case=False, regex=False) for text in texts], axis=1).any(axis=1)
        rows = rows[hit]
    return rows


def show_dimensions(rows: pd.DataFrame, n: int, key: str, on_select: object) -> None:
    """Draw `dimension_rows`: exact counts as bars of `n` images."""
    helps = described(dimension_table)
    config: dict[str, object] = {
        name: st.column_config.ProgressColumn(help=helps.get(name), format="%d", min_value=0, max_value=n, width=104)
        for name in ("active", "open", "vetoed")
    }
    share = {"consistency": helps.get("consistency"), "chance 95 %": helps.get("consistency_null_95")}
    config |= {name: st.column_config.NumberColumn(format="%.1f %%", help=text) for name, text in share.items()}
    config |= {name: st.column_config.NumberColumn(format="%.2f") for name in ("AUROC", "entropy")}
    config["dimension"] = st.column_config.NumberColumn("dim.", pinned=True, width=60)
    st.dataframe(
        rows,
        hide_index=True,
        key=key,
        on_select=on_select,
        selection_mode="single-row",
        column_config={name: entry for name, entry in config.items() if name in rows},
        placeholder=EMPTY,
        lazy=False,
        alt="All dimensions with their exact counts",
    )
