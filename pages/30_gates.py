"""Gates

Which dimensions the gate closes: over all images, by class, and in one image.
"""

import streamlit as st

from app.address import pick_number, pick_option, share
from app.cache import RATES, rates
from app.charts.gates import ORDERS, before_and_after, open_against_frequency, rate_matrix
from app.gallery import gallery
from app.state import chosen_index, heading, open_page, provenance
from app.theme import count_of
from bncl_core.analysis import gates
from bncl_core.analysis.summary import gate_summary
from bncl_core.seeds import rng

index = chosen_index()
table = index.dimensions
heading("Gates")


def clicked_dimension(picked) -> None:
    """A clicked point or bar opens its dimension."""
    points = picked.selection.points if picked else []
    if points:
        open_page("dimensions", d=int(points[0]["customdata"][0]))


if index.has_gate:
    left, right = st.columns([1.6, 1], gap="large", vertical_alignment="center")
    with left:
        figure = open_against_frequency(table, index.n, st.session_state.get("_choice", {}).get("d"))
        alt = "Open rate of every dimension against how often it is active"
        clicked_dimension(st.plotly_chart(figure, key="scatter", on_select="rerun", selection_mode="points", alt=alt))
    with right:
        summary = gate_summary(index)
        st.markdown(
            f"**Each point is a dimension.** At the right are those active in many images, at the top those whose gate "
            f"is open in many. A bright point at the bottom is active but shut: the gate vetoes it.\n\n"
            f"- always open: {count_of(summary['always'], index.k, 0)} dimensions\n"
            f"- never open: {count_of(summary['never'], index.k, 0)}\n"
            f"- depends on the image: {count_of(summary['depends'], index.k, 0)}\n\n"
            "Click a point to open its dimension."
        )
else:
    st.info("This run has no gate: every dimension is open in every image. Choose a gated run to see one at work.")

st.subheader("By class" if index.has_gate else "Active dimensions by class")
kinds = (["class"] if index.labels is not None else []) + list(index.factor_values)
if kinds:
    row = st.columns(3)
    by = pick_option("Group images by", kinds, "by", where=row[0])
    offered = list(RATES) if index.has_gate else ["active rate"]
    what = pick_option("Show", offered, "what", where=row[1])
    order = pick_option("Order", list(ORDERS), "order", where=row[2], format_func=ORDERS.__getitem__)
    live = rates(index, what, by)[(table["active"] > 0).to_numpy()]
    figure = rate_matrix(live, what, by, index.n, order)
    st.plotly_chart(figure, key="matrix", alt=f"{what} of every live dimension for each {by}")
    st.caption("Live dimensions. A column that is bright in a few rows alone belongs to those groups.")
else:
    st.info("These images have no labels and no known factors, so nothing can be shown by class.")

st.subheader("One image")
left, right = st.columns([1, 2.6], gap="large")
with left:
    image = pick_number("Image", "image", index.n - 1, 0)
    picture = index.thumbs[image].repeat(6, axis=0).repeat(6, axis=1)
    st.image(picture, output_format="PNG", width=192, alt=f"image {image}")
    known = index.labels is not None and index.labels[image] >= 0
    facts = [f"{f} {index.factor_values[f][int(index.factors[f][image])]}" for f in index.factor_values]
    name = f"**{index.classes[int(index.labels[image])]}**" if known else "unlabelled"
    st.markdown(name)
    st.caption(" · ".join([f"image {image} of {index.n:,}", *facts]))
with right:
    after = gates.before_and_after(index, image)
    closed = int((~after["open"]).sum())
    if after.empty:
        st.info("No dimension is active in this image: its code is empty.")
    else:
        closes = f"the gate closes **{closed}** of them" if index.has_gate else "and there is no gate to close any"
        st.markdown(f"{len(after)} dimensions are active, {closes}. Click a bar to open its dimension.")
        bars = before_and_after(after, index.has_gate)
        alt = "Values of this image before and after the gate"
        clicked_dimension(st.plotly_chart(bars, key="bars", on_select="rerun", selection_mode="points", alt=alt))
        if closed == len(after):
            st.warning("The gate closes every active dimension: the gated code of this image is empty.")
st.markdown("**Other images** (click one)")
ids = rng(0, "page", "images").permutation(index.n)[:48]
names = [index.classes[int(index.labels[i])] if index.labels is not None and index.labels[i] >= 0 else "" for i in ids]
tips = [f"image {i} {name}" for i, name in zip(ids, names, strict=True)]
clicked = gallery("others", index.thumbs[ids], ids, tips, "random images", columns=16)
if clicked is not None and clicked != image:
    open_page("gates", image=clicked)
st.caption(provenance(index))
share()
