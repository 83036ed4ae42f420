"""Gates

Which dimensions the gate closes: over all images, by class, and in one image.
"""

import streamlit as st

from app.address import pick_number, pick_option, share
from app.cache import RATES, rates
from app.charts.gates import before_and_after, open_against_frequency, rate_matrix
from app.gallery import gallery
from app.state import chosen_index, open_page, provenance
from app.theme import count_of
from bncl_core.analysis import gates
from bncl_core.seeds import rng

index = chosen_index()
table = index.dimensions
st.title("Gates")
if not index.has_gate:
    st.info("This run has no gate: every dimension is open in every image. Choose a gated run at the left.")

left, right = st.columns([1, 1.15], gap="large")
with left:
    st.subheader("Every dimension")
    picked = st.plotly_chart(
        open_against_frequency(table, index.n), key="scatter", on_select="rerun", selection_mode="points"
    )
    points = picked.selection.points if picked else []
    if points:
        open_page("dimensions", d=int(points[0]["customdata"][0]))
    always = int((table["open"] == index.n).sum())
    never = int((table["open"] == 0).sum())
    st.caption(
        f"Always open: {count_of(always, index.k, 0)} dimensions. Never open: {count_of(never, index.k, 0)}. "
        f"The rest depend on the image. Click a point to open its dimension."
    )
with right:
    st.subheader("By class")
    kinds = (["class"] if index.labels is not None else []) + list(index.factor_values)
    if kinds:
        row = st.columns(2)
        by = pick_option("Group by", kinds, "by", where=row[0])
        what = pick_option("Show", list(RATES), "what", where=row[1])
        live = table[table["active"] > 0].sort_values(["open", "active"], ascending=False)
        order = [int(d) for d in live["dimension"]]
        st.plotly_chart(rate_matrix(rates(index, what, by), order, what, by), key="matrix")
        st.caption(
            f"Live dimensions only, most open first. {what}: share of each group's images. "
            "A column that is bright in one row alone opens for that group alone."
        )
    else:
        st.info("These images have no labels and no known factors, so nothing can be shown by class.")

st.subheader("One image")
image = pick_number("Image", "image", index.n - 1, 0)
left, right = st.columns([1, 2.4], gap="large")
with left:
    st.image(index.thumbs[image].repeat(6, axis=0).repeat(6, axis=1), output_format="PNG", width=192)
    if index.labels is not None and index.labels[image] >= 0:
        st.markdown(f"**{index.classes[int(index.labels[image])]}**")
    facts = [f"{f} {index.factor_values[f][int(index.factors[f][image])]}" for f in index.factor_values]
    st.caption(" · ".join([f"image {image}", *facts]))
with right:
    after = gates.before_and_after(index, image)
    closed = after[~after["open"]]
    if after.empty:
        st.info("No dimension is active in this image: its code is empty.")
    else:
        st.markdown(f"{len(after)} dimensions are active, the gate closes **{len(closed)}** of them.")
        st.plotly_chart(before_and_after(after), key="bars")
st.markdown("Other images (click one):")
ids = rng(0, "page", "images").permutation(index.n)[:48]
names = [index.classes[int(index.labels[i])] if index.labels is not None and index.labels[i] >= 0 else "" for i in ids]
tips = [f"image {i} {name}" for i, name in zip(ids, names, strict=True)]
clicked = gallery("others", index.thumbs[ids], ids, tips, "random images", columns=16, side=60)
if clicked is not None and clicked != image:
    open_page("gates", image=clicked)
st.caption(provenance(index))
share()
