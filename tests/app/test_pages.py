"""Every page on no store, on a small one, on broken ones, and on whatever an address says."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from bncl_core.analysis.dimensions import dimension_table
from bncl_core.analysis.examples import is_signed
from bncl_core.analysis.index import Index
from bncl_core.studies import layout
from bncl_core.studies.files import write_json
from bncl_core.studies.run import Run

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "pages").glob("[0-9]*_*.py"))
READS_STORE = [page for page in PAGES if int(page.name[:2]) < 70]


def open_app(page: Path, **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=60)
    for key, value in query.items():
        app.query_params[key] = value
    return app.switch_page(str(page)).run()


def said(app: AppTest) -> str:
    """All text on the page."""
    kinds = (app.markdown, app.info, app.error, app.warning, app.caption, app.title, app.subheader, app.code)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_no_store(page: Path, empty: Path) -> None:
    app = open_app(page)
    assert not app.exception
    if page in READS_STORE:
        assert "No study here yet" in said(app)
        assert "python -m bncl_core train" in said(app)


@pytest.mark.parametrize("run", ["gated", "signed"])
@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_small_store(page: Path, run: str, small: Path) -> None:
    app = open_app(page, run=run)
    assert not app.exception
    assert not app.error
    if page in READS_STORE:
        assert app.sidebar.selectbox(key="run").value == run
        assert Run(small / "small" / run).path.joinpath("index", "scenes-test").exists()
        assert "n = 80" in said(app)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_a_run_without_an_index_says_how_to_make_one(page: Path, small: Path) -> None:
    app = open_app(page, run="unseen")
    assert not app.exception
    if page in READS_STORE and "overview" not in page.name:
        assert "python -m bncl_core index small/unseen" in said(app)


def half_config(run: Run) -> str:
    (run.path / layout.CONFIG).write_text('{"schema": 1, "config": {"objective": {"na')
    return "config.json is not valid JSON"


def no_config(run: Run) -> str:
    (run.path / layout.CONFIG).unlink()
    return "cannot be shown"


def other_schema(run: Run) -> str:
    manifest = json.loads((run.path / layout.MANIFEST).read_text()) | {"schema": 77}
    (run.path / layout.MANIFEST).write_text(json.dumps(manifest))
    return "schema 77; this version reads 1"


def cut_values(run: Run) -> str:
    path = run.indexes()[0] / "values.npy"
    path.write_bytes(path.read_bytes()[:200])
    return "values.npy is not a readable array"


def wrong_shape(run: Run) -> str:
    np.save(run.indexes()[0] / "gates.npy", np.zeros((3, 4), np.float16))
    return "the manifest says [12, 80]"


def no_pictures(run: Run) -> str:
    shutil.rmtree(run.path.parent / layout.IMAGES)
    return "cannot be read"


def damaged_table(run: Run) -> str:
    (run.indexes()[0] / "dimensions.parquet").write_bytes(b"PAR1 not really")
    return "cannot be read"


BREAKERS = [half_config, no_config, other_schema, cut_values, wrong_shape, no_pictures, damaged_table]


@pytest.mark.parametrize("breaks", BREAKERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("page", READS_STORE, ids=lambda p: p.stem)
def test_a_broken_run_is_explained_not_thrown(page: Path, breaks, gated: Run) -> None:
    reason = breaks(gated)
    app = open_app(page, run="gated")
    assert not app.exception
    assert reason in said(app)


def test_half_written_index_is_not_shown(gated: Run) -> None:
    (gated.indexes()[0] / layout.MANIFEST).unlink()
    app = open_app(READS_STORE[1], run="gated")
    assert not app.exception
    assert "It has no index yet" in said(app)


def test_a_measurement_that_cannot_be_read_does_not_hide_the_run(gated: Run) -> None:
    next((gated.path / layout.EVALUATION).glob("*.json")).write_text("{")
    app = open_app(READS_STORE[0], run="gated")
    assert not app.exception


@pytest.mark.parametrize("value", ["99999", "-1", "abc", "1e3", "NaN", "3.7", "../../etc/passwd", "", "x" * 5000])
@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_any_address_opens_and_is_put_right(page: Path, value: str, small: Path) -> None:
    keys = ("d", "image", "run", "study", "images", "show", "which", "by", "what", "order", "curve", "K", "tau", "q")
    app = open_app(page, **dict.fromkeys(keys, value))
    assert not app.exception
    assert app.sidebar.selectbox(key="study").value == "small"
    assert app.query_params["run"] == "gated"


def test_an_address_is_what_is_shown(small: Path) -> None:
    app = open_app(READS_STORE[1], run="signed", d="7", show="negative", which="all", find="sky")
    assert not app.exception
    assert app.title[0].value == "Dimension 7"
    assert app.number_input(key="d").value == 7
    assert app.text_input(key="find").value == "sky"
    link = next(str(code.value) for code in app.code if "d=7" in str(code.value))
    for part in ("study=small", "run=signed", "images=scenes-test", "show=negative", "which=all", "find=sky"):
        assert part in link, "the link to share has every value written out, defaults too"


def test_a_new_run_shows_without_a_restart(small: Path) -> None:
    app = open_app(READS_STORE[0])
    assert "later" not in app.sidebar.selectbox(key="run").options
    shutil.copytree(small / "small" / "gated", small / "small" / "later")
    app.run()
    assert "later" in app.sidebar.selectbox(key="run").options


def press(app: AppTest, help: str) -> int:
    """Press the button with this tooltip and return the dimension that is shown then."""
    next(button for button in app.button if button.help == help).click().run()
    assert not app.exception
    return int(app.number_input(key="d").value)


def test_next_and_previous_go_around(small: Path) -> None:
    app = open_app(READS_STORE[1], run="signed", d="11")
    assert press(app, "Next in the table") == 0
    assert press(app, "Previous in the table") == 11
    assert press(app, "Previous in the table") == 10


def dimensions_of(run: Run, **columns: list[int]) -> None:
    """Overwrite columns of the run's table of dimensions."""
    path = run.indexes()[0] / "dimensions.parquet"
    pd.read_parquet(path).assign(**columns).to_parquet(path)


def test_next_follows_the_filter_of_the_table(gated: Run) -> None:
    counts = [0 if d in (0, 1, 5) else 9 for d in range(12)]
    dimensions_of(gated, active=counts, vetoed=[0] * 12, active_open=counts)
    app = open_app(READS_STORE[1], run="gated", d="4", which="live")
    assert press(app, "Next in the table") == 6
    app = open_app(READS_STORE[1], run="gated", d="2", which="dead")
    assert press(app, "Next in the table") == 5
    assert press(app, "Next in the table") == 0


def silence(run: Run, dimension: int, but: int = 0) -> None:
    """Make a dimension active in its first `but` images only, in the arrays and in the table."""
    index = Index.open(run.indexes()[0])
    values, gates = np.array(index.values), np.array(index.gates)
    values[dimension] = 0
    values[dimension, :but], gates[dimension, :but] = 0.5, 1
    np.save(index.path / "values.npy", values)
    np.save(index.path / "gates.npy", gates)
    dimension_table(Index.open(index.path)).to_parquet(index.path / "dimensions.parquet")
    write_json(index.path / layout.MANIFEST, index.manifest)  # a built index ends with its manifest, and so a new stamp


def test_counts_are_exact_and_a_dead_dimension_says_so(gated: Run) -> None:
    silence(gated, 3, but=1)
    app = open_app(READS_STORE[1], run="gated", d="3")
    assert "Active in **1 of 80 (1.25 %)** images: open in **1** of them, vetoed in **0**" in said(app)
    silence(gated, 3)
    app = open_app(READS_STORE[1], run="gated", d="3")
    assert not app.exception
    assert "**Dead**: never active in 80 images" in said(app)


def live(run: Run) -> int:
    """A dimension that is active somewhere."""
    return int(Index.open(run.indexes()[0]).dimensions["active"].to_numpy().argmax())


def test_only_a_signed_code_has_a_negative_end_and_only_a_gate_vetoes(small: Path) -> None:
    offered = {}
    signed = Index.open(Run(small / "small" / "signed").indexes()[0])
    below = next(d for d in range(signed.k) if is_signed(signed, d))
    for run, dimension in (("signed", below), ("gated", live(Run(small / "small" / "gated")))):
        app = open_app(READS_STORE[1], run=run, d=str(dimension))
        offered[run] = set(app.segmented_control(key="show").options)
    assert offered == {"signed": {"Strongest", "Negative", "Random"}, "gated": {"Strongest", "Vetoed", "Random"}}


def test_without_a_gate_it_is_said_that_all_are_open(small: Path) -> None:
    app = open_app(READS_STORE[2], run="signed")
    assert "This run has no gate: every dimension is open in every image" in said(app)
    assert app.selectbox(key="what").options == ["active rate"]


def test_an_overview_of_a_broken_run_still_lists_the_others(gated: Run) -> None:
    half_config(gated)
    app = open_app(READS_STORE[0], run="gated")
    assert not app.exception
    assert set(app.dataframe[0].value["run"]) == {"gated", "signed", "unseen"}


@pytest.mark.parametrize("known", ["none", "some"])
@pytest.mark.parametrize("page", READS_STORE, ids=lambda p: p.stem)
def test_labels_may_be_missing(page: Path, known: str, gated: Run) -> None:
    index = Index.open(gated.indexes()[0])
    if known == "none":
        (index.images / "labels.npy").unlink()
        (index.images / "factors.parquet").unlink()
        manifest = index.manifest | {"factor_values": {}, "classes": []}
        write_json(index.path / layout.MANIFEST, manifest)
    else:
        np.save(index.images / "labels.npy", np.where(np.arange(index.n) < 70, -1, index.labels))
    dimension_table(Index.open(index.path)).to_parquet(index.path / "dimensions.parquet")
    app = open_app(page, run="gated", image="3", which="all")
    assert not app.exception
    assert not app.error
    why = {"overview": "no labels", "dimensions": "Class shares need labelled images", "gates": "no labels"}
    if known == "none":
        deltas = " ".join(str(metric.delta) for metric in app.metric)
        assert why[page.stem.split("_")[1]] in said(app) + deltas
    elif "gates" in page.stem:
        assert "unlabelled" in said(app)


def test_a_new_page_file_is_a_page(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its title is the first line of its docstring, its address its name; nothing else has to be edited."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    for folder in ("app", "pages", "assets"):
        shutil.copytree(ROOT / folder, tmp_path / "copy" / folder, ignore=shutil.ignore_patterns("demo", "*.png"))
    extra = tmp_path / "copy" / "pages" / "77_extra.py"
    extra.write_text('"""Something new"""\n\nimport streamlit as st\n\nst.title("It is here")\n')
    app = AppTest.from_file(str(tmp_path / "copy" / "app" / "main.py"), default_timeout=60)
    app.switch_page(str(extra)).run()
    assert not app.exception
    assert app.title[0].value == "It is here"
