"""Overview

The runs of a study: what they are, what their gates turn off, and how they were trained.
"""

import pandas as pd
import streamlit as st

from app.address import pick_option, share
from app.cache import best_factor, history, open_index
from app.charts.history import LABELS, curves
from app.gallery import gallery
from app.state import chosen_index, chosen_run, chosen_study, open_page, provenance
from app.theme import count_of, percent
from bncl_core.analysis.headline import clearest, differences, headline, most_vetoed

study = chosen_study()
st.title(study.title)
if study.question:
    st.markdown(study.question)
st.markdown(
    "Each image becomes a **code** of dimensions. A **gate** decides, image by image, which dimensions are open; "
    "the closed ones are not used when images are compared. This page shows what the gate closes and what the open "
    "dimensions mean. Click a picture to open its dimension."
)
run = chosen_run()


def strip(index, row, by: str, key: str) -> None:
    """One dimension: a sentence and the images where it is strongest (or vetoed)."""
    dimension = int(row.dimension)
    ids = index.top(dimension, 12, by)
    told = best_factor(index)
    about = ""
    if told is not None and told.loc[dimension, "factor"]:
        best = told.loc[dimension]
        about = f" · tells **{best.factor} = {best.value}** (AUROC {best.auroc:.2f})"
    elif row.top_class >= 0:
        about = f" · mostly **{index.classes[int(row.top_class)]}** ({percent(row.consistency)})"
    counts = f"vetoed in {count_of(int(row.vetoed), int(row.active))} of its active images"
    if by == "gated":
        counts = f"active and open in {count_of(int(row.active_open), index.n)}"
    st.markdown(f"**Dimension {dimension}** · {counts}{about}")
    tips = [f"image {i}, gate {index.gates[dimension, i]:.2f}: open dimension {dimension}" for i in ids]
    if gallery(key, index.thumbs[ids], ids, tips, f"images of dimension {dimension}", columns=12, side=48) is not None:
        open_page("dimensions", d=dimension, show="vetoed" if by == "vetoed" else "strongest")


if run.indexes():
    index = chosen_index()
    numbers = headline(run, index)
    cells = st.columns(4)
    cells[0].metric(
        "Gates open", percent(numbers["open_rate"]), help="Share of (image, dimension) pairs that are open."
    )
    cells[1].metric("Active but closed", percent(numbers["vetoed"]), help="Share of active values the gate vetoes.")
    cells[2].metric("Live dimensions", f"{numbers['live']} of {index.k}", help="Active and open in at least one image.")
    cells[3].metric(
        "Consistency",
        percent(numbers["consistency"]),
        f"chance {percent(numbers['chance'])}",
        delta_color="off",
        delta_arrow="off",
        help="Mean over live dimensions of the largest class share; below it what permuted labels give.",
    )
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("What the gate turns off")
        vetoed = most_vetoed(index, 4)
        if not index.has_gate:
            st.info("This run has no gate: every dimension is open in every image. Choose a gated run at the left.")
        elif vetoed.empty:
            st.info("The gate of this run vetoes no dimension in 20 images or more.")
        for row in vetoed.itertuples():
            strip(index, row, "vetoed", f"vetoed-{row.dimension}")
    with right:
        st.subheader("What the open ones mean")
        for row in clearest(index, 4).itertuples():
            strip(index, row, "gated", f"clear-{row.dimension}")
else:
    st.info(f"Run **{run.name}** ({run.status}) has no index yet. {run.problem}")

st.subheader("Runs of this study")
rows, usable = [], []
for other in study.runs():
    row = {"run": other.name, "status": other.status}
    if other.status == "broken":
        rows.append(row | {"problem": other.problem})
        continue
    usable.append(other)
    row |= {"objective": other.objective, "seed": other.seed}
    for path in other.indexes():
        try:
            rows.append(row | {"images": path.name} | headline(other, open_index(path)))
        except (OSError, ValueError, KeyError) as error:
            rows.append(row | {"images": path.name, "problem": str(error)})
    if not other.indexes():
        rows.append(row | {"problem": other.problem or "no index yet"})
share_column = st.column_config.NumberColumn(format="percent")
shares = {"open_rate": "gates open", "vetoed": "active but closed", "active_share": "active and open"}
shares |= {"consistency": "consistency", "chance": "chance", "probe": "probe", "knn": "kNN"}
order = ["run", "objective", "seed", "live", "consistency", "chance", "entropy", "open_rate", "vetoed", "probe", "knn"]
order += ["active_share", "zero_rows", "images", "status", "problem"]
runs_table = pd.DataFrame(rows)
st.dataframe(
    runs_table[[column for column in order if column in runs_table]].rename(
        columns=shares | {"zero_rows": "zero rows"}
    ),
    hide_index=True,
    column_config=dict.fromkeys(shares.values(), share_column)
    | {"entropy": st.column_config.NumberColumn(format="%.2f")},
)
st.caption(
    "consistency and entropy (nats): means over live dimensions after the gate; chance: consistency under permuted "
    "labels at each dimension's own number of images; probe: linear probe on the embedding; knn: on the gated code."
)

left, right = st.columns(2, gap="large")
with left:
    histories = {other.name: history(other) for other in usable}
    known = [c for c in LABELS if any(c in h for h in histories.values())]
    if known:
        column = pick_option("While training", known, "curve", format_func=LABELS.__getitem__)
        st.plotly_chart(curves(histories, column), key="curves")
with right:
    st.markdown("**What differs between their configs**")
    table = differences(usable)
    if table.empty:
        st.caption("Nothing: there is one run, or they differ in nothing.")
    else:
        st.dataframe(table)
if run.indexes():
    st.caption(provenance(chosen_index()))
share()
