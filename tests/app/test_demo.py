"""The shipped study: small enough, whole, and what its checkpoints really say."""

import re
from pathlib import Path

import numpy as np
import pytest

from bncl_core.analysis.build import encode
from bncl_core.analysis.dimensions import dimension_table
from bncl_core.analysis.headline import headline
from bncl_core.analysis.index import Index
from bncl_core.studies.checkpoint import load_checkpoint
from bncl_core.studies.study import Study
from tests.app.test_pages import PAGES, open_app, said

ROOT = Path(__file__).parents[2]
DEMO = Study(ROOT / "assets" / "demo")
RUNS = [run.name for run in DEMO.runs()]


def test_size_and_runs() -> None:
    files = [path for path in DEMO.path.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= 25e6
    assert {run.objective for run in DEMO.runs()} == {"simclr", "ncl", "ncl_topk", "bayes_ncl"}
    assert all(run.status == "complete" for run in DEMO.runs())
    budgets = {(run.config["epochs"], run.config["batch"], run.seed) for run in DEMO.runs()}
    assert len(budgets) == 1, "the same budget and seed for all"


@pytest.mark.parametrize("name", RUNS)
def test_stored_is_what_the_checkpoint_says_about_the_images(name: str) -> None:
    run = DEMO.run(name)
    checkpoint = load_checkpoint(run)
    index = Index.open(run.indexes()[0])
    assert index.manifest["checkpoint_sha256"] == checkpoint.sha256
    images = checkpoint.config.dataset.load(str(index.manifest["split"]))
    assert images.fingerprint == index.manifest["data_fingerprint"]
    few = 96
    _, codes = next(encode(checkpoint.encoder, images.images[:few], few))
    np.testing.assert_array_equal(index.thumbs[:few], images.images[:few])
    np.testing.assert_allclose(index.values[:, :few].T.astype(np.float32), codes.z.numpy(), atol=1e-3)
    np.testing.assert_allclose(index.gates[:, :few].T.astype(np.float32), codes.alpha.numpy(), atol=1e-3)
    np.testing.assert_allclose(index.codes("gated")[:few], codes.gated.numpy(), atol=2e-3)
    counts = ["active", "open", "active_open", "vetoed", "top_class", "top_class_count", "labelled"]
    again = dimension_table(index)
    assert again[counts].equals(index.dimensions[counts])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_every_page_opens_on_it(page: Path, own_store: Path) -> None:
    app = open_app(page, study="demo")
    assert not app.exception
    assert not app.error


def test_a_newcomer_lands_on_a_gated_run_that_vetoes_something(own_store: Path) -> None:
    app = open_app(PAGES[0])
    assert app.sidebar.selectbox(key="study").value == "demo"
    assert app.sidebar.selectbox(key="run").value == "bayes-ncl"
    assert "vetoed in" in said(app)


@pytest.mark.parametrize("name", RUNS)
def test_results_page_prints_what_is_stored(name: str) -> None:
    """docs/results.md has one row a run; its numbers are those of the index."""
    row = next(
        line for line in (ROOT / "docs" / "results.md").read_text().splitlines() if line.startswith(f"| {name} |")
    )
    numbers = headline(DEMO.run(name), Index.open(DEMO.run(name).indexes()[0]))
    cells = [cell.strip() for cell in row.split("|")]
    for key, shown in (("open_rate", cells[2]), ("vetoed", cells[3])):
        assert float(re.findall(r"[\d.]+", shown)[0]) == pytest.approx(100 * numbers[key], abs=0.051)
    assert int(cells[4]) == numbers["live"]
    consistency, chance = (float(n) for n in re.findall(r"[\d.]+", cells[5]))
    assert consistency == pytest.approx(100 * numbers["consistency"], abs=0.051)
    assert chance == pytest.approx(100 * numbers["chance"], abs=0.051)
