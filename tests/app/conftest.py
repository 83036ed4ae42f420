"""A small real store: trained, indexed and measured in seconds, made once a session."""

import shutil
from pathlib import Path

import pytest

from bncl_core.analysis.build import build_index
from bncl_core.analysis.measure import measure_index
from bncl_core.data.sets.scenes import Scenes
from bncl_core.models.backbones.small_conv import SmallConv
from bncl_core.models.encoder import EncoderConfig
from bncl_core.models.gate import Gate
from bncl_core.objectives.bayes_ncl import BayesNCL
from bncl_core.objectives.simclr import SimCLR
from bncl_core.studies import layout
from bncl_core.studies.checkpoint import load_checkpoint
from bncl_core.studies.record import create_run, record
from bncl_core.studies.run import Run
from bncl_core.studies.study import create_study
from bncl_core.training.config import RunConfig

SCENES = Scenes(n_train=256, n_test=80)


def make_runs(root: Path) -> None:
    """Study `small`: a gated and an ungated run with index and measurements, and one that was never indexed."""
    study = create_study(root, "small", "A small study", "Does every page open?")
    train, test = SCENES.load("train"), SCENES.load("test")
    for name, objective, map_, gate in (
        ("gated", BayesNCL(), "rep_relu", Gate(kind="ste")),
        ("signed", SimCLR(), "none", Gate()),
        ("unseen", BayesNCL(), "rep_relu", Gate(kind="soft")),
    ):
        encoder = EncoderConfig(SmallConv(width=2), hidden=16, dimensions=12, non_negative=map_, gate=gate)
        path = create_run(study.path, RunConfig(SCENES, objective, encoder, epochs=1, batch=64), name)
        run = record(path, train, every=1)
        if name != "unseen":
            checkpoint = load_checkpoint(run)
            index = build_index(run, checkpoint, test)
            measure_index(run, index, checkpoint.encoder, (train, test))


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small store, to be read only."""
    root = tmp_path_factory.mktemp("made")
    make_runs(root)
    return root


@pytest.fixture
def small(made: Path, own_store: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the small store that a test may break; the shipped studies are out of sight."""
    shutil.copytree(made, own_store)
    monkeypatch.setattr(layout, "roots", lambda: [layout.store()])
    return own_store


@pytest.fixture
def empty(own_store: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with nothing in it, and nothing shipped."""
    monkeypatch.setattr(layout, "roots", lambda: [layout.store()])
    return own_store


@pytest.fixture
def gated(small: Path) -> Run:
    """The gated run of the small store."""
    return Run(small / "small" / "gated")
