"""The tables: every dimension of the kind that was asked for, by its own number; missing numbers stay missing."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from app.tables import dimension_rows, runs_table
from bncl_core.analysis.summary import kinds_of
from bncl_core.studies.run import Run
from tests.unit.analysis.stored import random_index


@pytest.mark.parametrize("labelled", [True, False])
def test_rows_are_the_dimensions_of_the_kind(labelled: bool, tmp_path: Path) -> None:
    index = random_index(tmp_path, labelled=labelled)
    for kind, flags in kinds_of(index.dimensions, index.n).items():
        rows = dimension_rows(index, None, kind, "")
        assert list(rows["dimension"]) == np.flatnonzero(flags).tolist()
        for row in rows.itertuples():
            assert row.active == index.dimensions.loc[row.dimension, "active"]
    assert ("top class" in rows) == labelled


def test_find_looks_at_classes_and_meanings_as_text(tmp_path: Path) -> None:
    index = random_index(tmp_path)
    told = pd.DataFrame({"factor": ["sky (blue)"] * 6, "value": list("uvwxyz"), "auroc": np.linspace(0.5, 1, 6)})
    assert list(dimension_rows(index, told, "all", "(BLUE) = w")["dimension"]) == [2]
    assert dimension_rows(index, told, "all", "[").empty, "no pattern, plain text"
    top = index.classes[int(index.dimensions["top_class"].max())]
    found = dimension_rows(index, None, "all", top)
    assert set(found["top class"]) == {top}
    assert len(dimension_rows(random_index(tmp_path / "b", labelled=False), None, "all", "x")) == 6


def test_a_broken_and_an_empty_run_have_a_row_that_says_why(tmp_path: Path) -> None:
    for name in ("broken", "empty"):
        (tmp_path / name).mkdir()
    (tmp_path / "empty" / "config.json").write_text(
        '{"schema": 1, "config": {"objective": {"name": "ncl"}, "seed": 3}}'
    )
    table = runs_table([Run(tmp_path / "broken"), Run(tmp_path / "empty")]).set_index("run")
    assert table.loc["broken", "note"].startswith("broken: ")
    assert table.loc["empty", "note"] == "interrupted"
    assert table.loc["empty", "seed"] == 3
