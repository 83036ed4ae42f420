"""Theory

Temperature and the binary channel: what the loss and its views can and cannot see, exactly.
"""

import csv
import io

import streamlit as st

from app.address import pick_real, share
from app.charts.curve import candidates_figure, channel_figure
from app.state import temperature_of_run
from bncl_core.theory.candidates import Candidates
from bncl_core.theory.channel import Channel


def says(kind) -> None:
    """What a curve establishes, leaves open and assumes."""
    st.markdown(f"**Establishes.** {kind.establishes}  \n**Leaves open.** {kind.leaves_open}")
    st.caption(f"Assumes: {kind.assumptions} Source: {kind.source}.")


def download(name: str, columns: dict) -> None:
    """The drawn columns as CSV, made when it is asked for."""

    def text() -> str:
        buffer = io.StringIO()
        writer = csv.writer(buffer)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
        return buffer.getvalue()

    st.download_button("CSV", text, f"{name}.csv", "text/csv", on_click="ignore", key=f"csv-{name}")


st.title("Theory")
st.markdown("Closed forms, computed here and tested against enumeration. Move a slider; the link keeps where you are.")

st.subheader(Candidates.title)
left, right = st.columns([1, 2.2], gap="large")
with left:
    negatives = int(pick_real("Negatives K", "K", 1, 1023, 15, 1, "%d"))
    temperature = pick_real("Temperature τ", "tau", 0.02, 2.0, 0.2, 0.01, "%.2f")
    here = Candidates(negatives, temperature).values()
    st.metric(
        "Loss (nats)", f"{here['loss']:.6f}", help="ln(1 + K e^(−1/τ)): positive at similarity 1, negatives at 0."
    )
    st.metric("Probability of the positive", f"{here['positive_probability']:.6f}")
    st.metric("∂loss/∂s₊", f"{here['gradient_positive']:.6f}", help="(p₊ − 1) / τ: the pull on the positive.")
    st.metric("Steepest at τ", f"{here['peak_temperature']:.4f}", help="Where the pull is largest for this K.")
with right:
    st.plotly_chart(candidates_figure(negatives, temperature, temperature_of_run()), key="candidates")
says(Candidates)
download("candidates", Candidates(negatives, temperature).curve())

st.subheader(Channel.title)
st.markdown(
    "A label bit and a nuisance bit, both fair. A view keeps the nuisance and flips the label with probability q. "
    "Training on pairs of views sees agreement; a classifier needs information."
)
left, right = st.columns([1, 2.2], gap="large")
with left:
    q = pick_real("Flip probability q", "q", 0.0, 0.5, 0.25, 0.005, "%.3f")
    values = Channel(q).values()
    st.metric("Two views agree on the label bit", f"{values['pair_agreement']:.6f}", help="1 − 2q(1 − q)")
    st.metric("Best accuracy from one view", f"{values['bayes_accuracy']:.6f}", help="1 − q")
    st.metric("Information about the label (bits)", f"{values['information_bits']:.6f}", help="1 − h₂(q)")
    st.metric(
        "Two views agree on the nuisance bit", f"{values['nuisance_alignment']:.0f}", help="The views never change it."
    )
with right:
    st.plotly_chart(channel_figure(q), key="channel")
says(Channel)
download("channel", Channel(q).curve())
share()
