"""Tooltips come from docstrings: every number of the tables has one, word for word."""

from app.tooltips import described
from bncl_core.analysis.dimensions import dimension_table
from bncl_core.analysis.headline import headline


def example() -> None:
    """One sentence.

    alone        text of its own
    one, two     shared text,
                 which goes on here
    Not a name because there is no wide gap here.
    """


def test_lines_with_a_wide_gap_are_explanations() -> None:
    shared = "Shared text, which goes on here"
    assert described(example) == {"alone": "Text of its own", "one": shared, "two": shared}
    assert described(lambda: None) == {}


def test_every_headline_number_and_column_is_explained() -> None:
    assert {"open_rate", "vetoed", "live", "consistency", "chance", "entropy", "probe", "knn"} <= set(
        described(headline)
    )
    assert {"active", "open", "vetoed", "consistency", "consistency_null_95"} <= set(described(dimension_table))
