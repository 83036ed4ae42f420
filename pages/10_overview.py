"""Overview

The runs of a study: what they are, what their gates turn off, and how they were trained.
"""

import streamlit as st

from app.address import choose, pick_option, share
from app.cache import best_factor, history
from app.charts.history import curves, label_of, recorded
from app.gallery import gallery
from app.state import chosen_study, heading, index_or_reason, open_page, page_path, provenance
from app.tables import runs_table, show_runs
from app.theme import count_of, number, percent
from app.tooltips import described
from bncl_core.analysis.classes import class_counts
from bncl_core.analysis.examples import examples
from bncl_core.analysis.headline import clearest, differences, headline, most_vetoed
from bncl_core.analysis.summary import gate_summary

study = chosen_study()
heading(study.title)
if study.question:
    st.markdown(study.question)
st.markdown(
    "Each image becomes a **code**: one number for each *dimension*. A **gate** looks at the image and opens or closes "
    "every dimension before codes are compared; one that is active but closed is **vetoed**. Here you see what the "
    "gate of the chosen run turns off, and what the dimensions it leaves open stand for."
)


def strip(index, row, kind: str) -> None:
    """One dimension: a sentence and the images where it is strongest, among the open or among the vetoed ones."""
    dimension = int(row.dimension)
    told, counts = best_factor(index), class_counts(index, dimension, kind)
    about = ""
    if told is not None and told.loc[dimension, "factor"]:
        best = told.loc[dimension]
        about = f"tells **{best.factor} = {best.value}** (AUROC {best.auroc:.2f})"
    elif counts.any():
        about = f"most often **{index.classes[int(counts.argmax())]}** ({counts.max():,} of {counts.sum():,})"
    said = f"active and open in {count_of(int(row.active_open), index.n)}"
    if kind == "vetoed":
        said = f"vetoed in {count_of(int(row.vetoed), int(row.active))} of its active images"
    st.markdown(" · ".join(part for part in (f"**Dimension {dimension}**", said, about) if part))
    ids = examples(index, dimension, kind, 12)
    tips = [f"image {i}, gate {index.gates[dimension, i]:.2f}: open dimension {dimension}" for i in ids]
    label = f"{kind} images of dimension {dimension}"
    if gallery(f"{kind}-{dimension}", index.thumbs[ids], ids, tips, label, rows=1) is not None:
        open_page("dimensions", d=dimension, show=kind)


def numbers_of(run, index) -> None:
    """The row of headline numbers."""
    numbers, helps = headline(run, index), described(headline)
    chance = "no labels" if numbers["consistency"] != numbers["consistency"] else f"chance {percent(numbers['chance'])}"
    cells = (
        ("Gates open", percent(numbers["open_rate"]), f"of {index.n:,} × {index.k:,}", "open_rate"),
        ("Active but closed", percent(numbers["vetoed"]), "of active values", "vetoed"),
        ("Live dimensions", f"{numbers['live']:,}", f"of {index.k:,}", "live"),
        ("Consistency", percent(numbers["consistency"]), chance, "consistency"),
        ("Entropy (nats)", number(numbers["entropy"]), f"{len(index.classes)} classes", "entropy"),
    )
    row = st.container(horizontal=True, gap="small")
    for label, value, beside, name in cells:
        row.metric(label, value, beside, delta_color="off", delta_arrow="off", help=helps[name], width=148)


def what_the_gate_does(index) -> None:
    """What is turned off, and what is left, side by side."""
    summary = gate_summary(index)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("What the gate turns off")
        vetoed = most_vetoed(index, 4, least=1)
        if not index.has_gate:
            st.info("This run has no gate: every dimension is open in every image. Choose a gated run at the left.")
        else:
            st.markdown(
                f"In an average image {number(summary['active_per_image'], 1)} of {index.k} dimensions are active and "
                f"the gate closes **{number(summary['vetoed_per_image'], 1)}** of them. Of all closed gates, "
                f"{percent(summary['closed_silent'])} belong to a dimension that is silent in that image anyway. Never "
                f"open: {summary['never']} dimensions; always: {summary['always']}; the other {summary['depends']} "
                "depend on the image."
            )
            most = "No active dimension is ever closed." if vetoed.empty else "The most often vetoed dimensions:"
            st.markdown(most)
        for row in vetoed.itertuples():
            strip(index, row, "vetoed")
        if index.has_gate:
            st.page_link(page_path("gates"), label="Every gate, by class and by image", icon=":material/door_open:")
    with right:
        st.subheader("What the open ones mean")
        least = max(20, index.n // 100)
        st.markdown(
            "The dimensions whose open images agree on one class furthest above chance, among those active and open in "
            f"{least:,} images or more. Click a picture to see all about its dimension."
        )
        for row in clearest(index, 4, least).itertuples():
            strip(index, row, "strongest")
        st.page_link(page_path("dimensions"), label="All dimensions", icon=":material/view_column:")


index = index_or_reason()
runs = study.runs()
readable = {run.name: run for run in runs if run.status != "broken"}
if index is not None:
    numbers_of(readable[st.session_state["run"]], index)
    what_the_gate_does(index)

st.subheader("Runs of this study")
table = runs_table(runs)


def pick_run() -> None:
    """A clicked row of the table becomes the chosen run."""
    rows = st.session_state["runs"].selection.rows
    if rows:
        choose("run", str(table.iloc[rows[0]]["run"]))


show_runs(table, "runs", pick_run)
st.caption("Click a row to look at that run. Means over live dimensions after the gate; a heading explains its number.")
left, right = st.columns([1.2, 1], gap="large")
with left:
    histories = {name: history(run) for name, run in readable.items()}
    columns = recorded(histories)
    if columns:
        column = pick_option("While training", columns, "curve", format_func=label_of)
        st.plotly_chart(curves(histories, column, st.session_state["run"]), key="curves", alt=label_of(column))
with right:
    st.markdown("**What differs between their configs**")
    different = differences(list(readable.values()))
    if different.empty:
        st.caption("Nothing: there is one run, or they differ in nothing.")
    else:
        st.dataframe(different, alt="Settings that differ between the runs")
if index is not None:
    st.caption(provenance(index))
share()
