"""Dimensions

All dimensions as a table, and everything about one of them.
"""

import numpy as np
import pandas as pd
import streamlit as st

from app.address import choose, pick_number, pick_segment, share
from app.cache import best_factor
from app.charts.dimension import class_shares, gate_histogram, value_histogram
from app.gallery import gallery
from app.state import chosen_index, open_page, provenance
from app.theme import count_of, number, percent
from bncl_core.analysis.headline import clearest
from bncl_core.analysis.index import ACTIVE
from bncl_core.seeds import rng

index = chosen_index()
table = index.dimensions
SHOW = {"strongest": "Strongest, open", "vetoed": "Vetoed by the gate", "random": "Random active"}


def step(by: int) -> None:
    """Previous or next dimension, around the ends."""
    choose("d", (st.session_state["d"] + by) % index.k)


def pick_row() -> None:
    """A clicked row of the table becomes the chosen dimension."""
    rows = st.session_state["dimension_table"].selection.rows
    if rows:
        choose("d", int(shown.iloc[rows[0]]["dimension"]))


best = clearest(index, 1)
start = int(best["dimension"].iloc[0]) if len(best) else 0
head = st.columns([1.2, 2], vertical_alignment="bottom")
controls = head[0].container(horizontal=True, vertical_alignment="bottom")
dimension = pick_number("Dimension", "d", index.k - 1, start, controls)
controls.button(
    "", icon=":material/chevron_left:", help="Previous dimension", on_click=step, args=(-1,), shortcut="Left"
)
controls.button("", icon=":material/chevron_right:", help="Next dimension", on_click=step, args=(1,), shortcut="Right")
row = table.iloc[dimension]
active_count, opened = int(row["active"]), int(row["active_open"])
if active_count == 0:
    head[1].markdown(f"**Dead**: never active in {index.n:,} images")
else:
    head[1].markdown(
        f"Active in **{count_of(active_count, index.n)}** · open in {count_of(int(row['open']), index.n)} · "
        f"active and open in {opened:,}, **vetoed in {int(row['vetoed']):,}**"
    )

values, gates, mask = index.values_of(dimension), index.gates_of(dimension), index.mask_of(dimension)
active = np.abs(values) > ACTIVE
told = best_factor(index)
if active_count:
    if told is not None and told.loc[dimension, "factor"]:
        fact = told.loc[dimension]
        st.markdown(f"Tells **{fact.factor} = {fact.value}** from the rest with AUROC {fact.auroc:.3f} (½ is chance).")
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        kind = pick_segment("Images", SHOW, "show", "strongest")
        if kind == "random":
            ids = rng(0, "page", dimension).permutation(np.flatnonzero(active))[:60]
        else:
            ids = index.top(dimension, 60, "vetoed" if kind == "vetoed" else "gated")
        if not len(ids):
            st.info(
                "None: in no image is it active and closed."
                if kind == "vetoed"
                else "None: it is never both active and open."
            )
        tips = [
            f"image {i}: value {values[i]:.3f}, gate {gates[i]:.2f}, {'open' if mask[i] else 'closed'}" for i in ids
        ]
        label = f"{SHOW[kind]}: images of dimension {dimension}"
        clicked = gallery("shown", index.thumbs[ids], ids, tips, label, columns=10, side=66, marked=~mask[ids])
        st.caption(f"{len(ids)} shown, strongest first; orange frame: closed. Click one to see all its dimensions.")
        if clicked is not None:
            open_page("gates", image=clicked)
    with right:
        if row["labelled"]:
            counts = np.bincount(index.labels[active & mask & (index.labels >= 0)], minlength=len(index.classes))
            chance = (row["consistency_null_mean"], row["consistency_null_95"])
            st.plotly_chart(class_shares(counts, list(index.classes), *chance), key="classes")
            st.caption(
                f"consistency {percent(row['consistency'])}, chance {percent(chance[0])}, 95 % {percent(chance[1])}; "
                f"entropy {number(row['entropy_sum'])} nats"
            )
        else:
            st.info("Class shares need labels of images where it is active and open; there are none.")
    left, right = st.columns(2, gap="large")
    left.plotly_chart(value_histogram(values, mask, active), key="values")
    if index.has_gate:
        right.plotly_chart(gate_histogram(gates, active, index.threshold), key="gates")
    else:
        right.info("This run has no gate: it is open in every image.")

st.subheader("All dimensions")
shown = pd.DataFrame(
    {
        "dimension": table["dimension"],
        "active": table["active"],
        "frequency": table["active"] / index.n,
        "open rate": table["open"] / index.n,
        "vetoed": table["vetoed"],
        "vetoed share": table["vetoed"] / table["active"].where(table["active"] > 0),
        "top class": [index.classes[int(c)] if c >= 0 else "" for c in table["top_class"]],
        "consistency": table["consistency"],
        "chance 95 %": table["consistency_null_95"],
        "entropy": table["entropy_sum"],
    }
)
if told is not None:
    shown["tells"] = [f"{f} = {v}" if f else "" for f, v in zip(told["factor"], told["value"], strict=True)]
    shown["AUROC"] = told["auroc"]
if st.toggle("Hide dead dimensions", value=True):
    shown = shown[shown["active"] > 0]
share_column = st.column_config.NumberColumn(format="percent")
bar = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
st.dataframe(
    shown,
    hide_index=True,
    key="dimension_table",
    on_select=pick_row,
    selection_mode="single-row",
    column_config={"frequency": bar, "open rate": bar, "vetoed share": share_column, "consistency": share_column}
    | {"chance 95 %": share_column, "entropy": st.column_config.NumberColumn(format="%.2f")},
)
st.caption(f"Click a row to show it; click a heading to sort. n = {index.n:,} images. {provenance(index)}")
share()
