"""Every page on no store, on a small one, on broken ones, and on whatever an address says."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from bncl_core.studies import layout
from bncl_core.studies.run import Run

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "pages").glob("[0-9]*_*.py"))
READS_STORE = [page for page in PAGES if int(page.name[:2]) < 70]


def open_app(page: Path, **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=60)
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
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


@pytest.mark.parametrize("value", ["99999", "-1", "abc", "1e3", "NaN", "3.7", "../../etc/passwd", ""])
@pytest.mark.parametrize("key", ["d", "image", "run", "study", "images", "show"])
def test_any_address_opens(key: str, value: str, small: Path) -> None:
    for page in READS_STORE[1:]:
        app = open_app(page, **{key: value})
        assert not app.exception


def test_a_new_run_shows_without_a_restart(small: Path) -> None:
    app = open_app(READS_STORE[0])
    assert "later" not in app.sidebar.selectbox(key="run").options
    shutil.copytree(small / "small" / "gated", small / "small" / "later")
    app.run()
    assert "later" in app.sidebar.selectbox(key="run").options


def test_next_and_previous_go_around(small: Path) -> None:
    app = open_app(READS_STORE[1], run="gated", d="11")
    assert app.number_input(key="d").value == 11
    app.button[1].click().run()
    assert app.number_input(key="d").value == 0
    app.button[0].click().run()
    assert app.number_input(key="d").value == 11
