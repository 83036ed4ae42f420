"""Dimensions

Everything about one dimension, and all of them as a table.
"""

import streamlit as st

from app.address import choose, pick_number, pick_segment, pick_text, share
from app.cache import best_factor, class_shares
from app.charts import dimension as charts
from app.gallery import gallery
from app.state import chosen_index, heading, open_page, provenance
from app.tables import dimension_rows, show_dimensions
from app.theme import count_of, number, percent
from bncl_core.analysis.examples import examples, is_signed, pool
from bncl_core.analysis.headline import clearest
from bncl_core.analysis.summary import kinds_of

index = chosen_index()
told = best_factor(index)
KINDS = {"live": "Live", "vetoed": "Vetoed", "depends": "Gate depends", "never": "Never open", "dead": "Dead"}
KINDS["all"] = "All"
SHOW = {
    "strongest": ("Strongest", "active and open", "Strongest first, of the {} images where it is active and open."),
    "negative": ("Negative", "negative and open", "Lowest first, of the {} images where it is below zero and open."),
    "vetoed": ("Vetoed", "active but closed", "Strongest first, of the {} images where it is active but closed."),
    "random": ("Random", "active", "A random sample of the {} images where it is active; orange frame: closed."),
}


def step(by: int) -> None:
    """Previous or next dimension of the table below, around its ends."""
    known, here = [int(d) for d in rows["dimension"]] or list(range(index.k)), st.session_state["d"]
    onward = [d for d in known if d > here] if by > 0 else [d for d in reversed(known) if d < here]
    choose("d", (onward or (known if by > 0 else known[::-1]))[0])


def pick_row() -> None:
    """A clicked row of the table becomes the chosen dimension."""
    picked = st.session_state["dimension_table"].selection.rows
    if picked:
        choose("d", int(rows.iloc[picked[0]]["dimension"]))


best = clearest(index, 1, max(20, index.n // 100))
left, right = st.columns([1.4, 1], vertical_alignment="bottom")
title = left.empty()
bar = right.container(horizontal=True, vertical_alignment="bottom")
dimension = pick_number("Dimension", "d", index.k - 1, int(best["dimension"].iloc[0]) if len(best) else 0, bar)
bar.button("", icon=":material/chevron_left:", help="Previous in the table", on_click=step, args=(-1,), shortcut="Left")
bar.button("", icon=":material/chevron_right:", help="Next in the table", on_click=step, args=(1,), shortcut="Right")
heading(f"Dimension {dimension}", title.container())

row, n = index.dimensions.iloc[dimension], index.n
values, gates, mask = index.values_of(dimension), index.gates_of(dimension), index.mask_of(dimension)
active = pool(index, dimension, "random")
count, opened = int(row["active"]), f"Its gate is open in {count_of(int(row['open']), n)} of all images."
opened = opened if index.has_gate else "This run has no gate: it is open in every image."
if not count:
    st.warning(f"**Dead**: never active in {n:,} images, so there is nothing to show. {opened}")
else:
    meaning = ""
    if told is not None and told.loc[dimension, "factor"]:
        fact = told.loc[dimension]
        meaning = f"  \nTells **{fact.factor} = {fact.value}** from the rest with AUROC {fact.auroc:.3f} (½ is chance)."
    st.markdown(
        f"Active in **{count_of(count, n)}** images: open in **{int(row['active_open']):,}** of them, vetoed in "
        f"**{int(row['vetoed']):,}**. {opened}{meaning}"
    )
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        possible = {"negative": is_signed(index, dimension), "vetoed": index.has_gate}
        offered = {k: text[0] for k, text in SHOW.items() if possible.get(k, True)}
        kind = pick_segment("Images", offered, "show", "strongest")
        ids, shares = examples(index, dimension, kind, 64), class_shares(index, dimension, kind)
        if not len(ids):
            st.info(f"None: in no image is it {SHOW[kind][1]}.")
        tips = [
            f"image {i}: value {number(values[i], 3)}, gate {gates[i]:.2f}, {'open' if mask[i] else 'closed'}"
            for i in ids
        ]
        label = f"{SHOW[kind][0]} images of dimension {dimension}"
        marked = ~mask[ids] if kind == "random" else None
        clicked = gallery("shown", index.thumbs[ids], ids, tips, label, columns=8, marked=marked, rows=8)
        if len(ids):
            st.caption(f"{SHOW[kind][2].format(f'{shares.images:,}')} Click one to see all its dimensions.")
        if clicked is not None:
            open_page("gates", image=clicked)
    with right:
        if shares.labelled:
            chance = (shares.null_mean, shares.null_high)
            figure = charts.class_shares(shares.counts, list(index.classes), *chance, where=SHOW[kind][1])
            st.plotly_chart(figure, key="classes", alt="Class shares of these images beside chance")
            st.caption(f"Largest share {percent(shares.consistency)}; {shares.images - shares.labelled:,} unlabelled.")
        else:
            st.info("Class shares need labelled images; there are none here.")
    left, right = st.columns(2, gap="large")
    left.plotly_chart(charts.value_histogram(values, mask, active), key="values", alt="Histogram of values")
    if index.has_gate:
        histogram = charts.gate_histogram(gates, active, index.threshold)
        right.plotly_chart(histogram, key="gates", alt="Histogram of gate probabilities")
    else:
        right.info("This run has no gate: every gate probability is 1.")

st.subheader("All dimensions")
counts = {name: int(flags.sum()) for name, flags in kinds_of(index.dimensions, n).items()}
left, right = st.columns([2.2, 1], vertical_alignment="center")
with left:
    which = pick_segment("Which", {k: f"{text} {counts[k]:,}" for k, text in KINDS.items()}, "which", "live")
find = pick_text("Find", "find", "find a class or a meaning", right)
rows = dimension_rows(index, told, which, find)
if rows.empty:
    st.info(f"No dimension is of this kind{f' and mentions “{find}”' if find else ''}.")
else:
    show_dimensions(rows, n, "dimension_table", pick_row)
    st.caption(
        f"{len(rows):,} of {index.k:,} dimensions; bars are counts of {n:,} images. "
        "Click a row to show it, a heading to sort."
    )
st.caption(provenance(index))
share()
