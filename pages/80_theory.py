"""Theory

Temperature and the binary channel: what the loss and its views can and cannot see, exactly.
"""

import csv
import io

import streamlit as st

from app.address import pick_real, pick_step, share
from app.charts.curve import candidates_figure, channel_figure
from app.state import temperature_of_run
from app.theme import number
from bncl_core.spec import field_help
from bncl_core.theory.candidates import Candidates
from bncl_core.theory.channel import Channel

NEGATIVES = [1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 4095, 65535]


def numbers(*cells: tuple[str, str, str]) -> None:
    """Two numbers a row, each with its formula as a tooltip."""
    row = st.container(horizontal=True, gap="small")
    for label, value, formula in cells:
        row.metric(label, value, help=formula, width=150)


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

    st.download_button(
        "Numbers as CSV",
        text,
        f"{name}.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
        key=f"csv-{name}",
    )


st.title("Theory")
st.markdown("Closed forms, computed here and tested against enumeration. Move a slider; the link keeps where you are.")

st.subheader(Candidates.title)
left, right = st.columns([1, 2.2], gap="large")
with left:
    negatives = pick_step("Negatives K", NEGATIVES, "K", 15, field_help(Candidates)["negatives"])
    temperature = pick_real("Temperature τ", "tau", 0.02, 2.0, 0.2, 0.01, "%.2f")
    here = Candidates(negatives, temperature).values()
    numbers(
        ("Loss (nats)", number(here["loss"], 6), "ln(1 + K e^(−1/τ)): positive at similarity 1, negatives at 0."),
        ("Positive's probability", number(here["positive_probability"], 6), "p₊ = 1 / (1 + K e^(−1/τ))."),
        ("∂loss/∂s₊", number(here["gradient_positive"], 6), "(p₊ − 1) / τ: the pull on the positive."),
        ("Strongest pull at τ", number(here["peak_temperature"], 4), "Where K e^(−1/τ) = 1/τ − 1."),
    )
with right:
    figure = candidates_figure(negatives, temperature, temperature_of_run())
    st.plotly_chart(figure, key="candidates", alt="Loss and pull against temperature")
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
    nats = f"= {number(values['information_nats'], 6)} nats"
    numbers(
        ("Views agree on the label", number(values["pair_agreement"], 6), "1 − 2q(1 − q)"),
        ("Accuracy from one view", number(values["bayes_accuracy"], 6), "1 − q: nobody can do better."),
        ("Information (bits)", number(values["information_bits"], 6), f"1 − h₂(q) about the label, {nats}."),
        ("Nuisance agrees", number(values["nuisance_alignment"], 0), "The views never change it."),
    )
with right:
    st.plotly_chart(channel_figure(q), key="channel", alt="Agreement, accuracy and information against q")
says(Channel)
download("channel", Channel(q).curve())
share()
