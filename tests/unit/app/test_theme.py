"""Numbers for people, and colours that readers with any colour vision can tell apart on both backgrounds."""

import itertools
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.theme import CHANCE, CHOSEN, CLOSED, COLOURS, OPEN, SILENT, count_of, number, percent

ROOT = Path(__file__).parents[3]
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
VISION = {
    "usual": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
"""What linear RGB looks like without one kind of cone (Machado, Oliveira & Fernandes 2009, severity 1)."""


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def perceived(colour: str, vision: str) -> np.ndarray:
    """OKLab coordinates: distances there follow what people see."""
    to_cones = [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
    to_lab = [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
    return np.array(to_lab) @ np.cbrt(np.array(to_cones) @ np.clip(np.array(VISION[vision]) @ linear(colour), 0, 1))


def contrast(one: str, other: str) -> float:
    dark, light = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("colours", [COLOURS, (OPEN, CLOSED, SILENT, CHANCE, CHOSEN)], ids=["lines", "meanings"])
def test_colours_can_be_told_apart(colours: tuple[str, ...], vision: str) -> None:
    distances = {
        (a, b): np.linalg.norm(perceived(a, vision) - perceived(b, vision))
        for a, b in itertools.combinations(colours, 2)
    }
    assert min(distances.values()) > 0.075, min(distances, key=distances.get)


@pytest.mark.parametrize("colour", [*COLOURS, OPEN, CLOSED, SILENT, CHANCE, CHOSEN])
def test_colours_show_on_both_backgrounds(colour: str) -> None:
    for theme in ("light", "dark"):
        assert contrast(colour, CONFIG[theme]["backgroundColor"]) >= 2


def test_the_configuration_has_the_same_ten_colours_wherever_the_app_starts() -> None:
    assert CONFIG["chartCategoricalColors"] == list(COLOURS)
    assert len(set(COLOURS)) == 10
    beside_the_app = ROOT / "app" / ".streamlit" / "config.toml"
    assert beside_the_app.read_text() == (ROOT / ".streamlit" / "config.toml").read_text()


@pytest.mark.parametrize(
    ("share", "digits", "text"),
    [
        (0, 1, "0 %"),
        (1, 2, "100 %"),
        (0.0037, 2, "0.37 %"),
        (1 / 50_000, 1, "< 0.1 %"),
        (1 / 50_000, 3, "0.002 %"),
        (49_999 / 50_000, 1, "> 99.9 %"),
        (0.0006, 1, "0.1 %"),
        (math.nan, 1, "undefined"),
    ],
)
def test_percent(share: float, digits: int, text: str) -> None:
    assert percent(share, digits) == text


@given(st.integers(0, 10**7), st.integers(1, 10**7), st.integers(0, 3))
def test_only_nothing_reads_zero_and_only_all_reads_a_hundred(count: int, n: int, digits: int) -> None:
    count = min(count, n)
    text = count_of(count, n, digits)
    before, share = text[:-1].split(" (")
    assert before == f"{count:,} of {n:,}"
    assert (float(share.strip("<> %")) == 0) == (share == "0 %") == (count == 0)
    assert (share == "100 %") == (count == n)
    assert float(share.strip("<> %")) < 100 or count == n


def test_numbers_have_a_true_minus_and_say_when_they_are_undefined() -> None:
    assert number(-0.4589593666255576, 6) == "−0.458959"
    assert number(12345.678, 1) == "12,345.7"
    assert number(math.nan) == "undefined"
    assert count_of(0, 0) == "0 of 0 (undefined)"
