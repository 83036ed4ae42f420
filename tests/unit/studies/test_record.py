"""A training leaves a run that is absent, resumable or complete, and resuming changes no bit."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
import torch
from torch import Tensor

from bncl_core.data.images import ImageSet
from bncl_core.data.sets import ImageSource
from bncl_core.data.sets.digits import Digits
from bncl_core.models.backbones.small_conv import SmallConv
from bncl_core.models.codes import Codes
from bncl_core.models.encoder import EncoderConfig
from bncl_core.models.gate import Gate
from bncl_core.objectives.bayes_ncl import BayesNCL
from bncl_core.studies import layout
from bncl_core.studies.checkpoint import load_checkpoint
from bncl_core.studies.record import Interrupted, create_run, read_config, record
from bncl_core.studies.run import Run
from bncl_core.studies.study import create_study
from bncl_core.training.config import RunConfig
from bncl_core.training.loop import NonFiniteLoss, Step
from bncl_core.training.optimiser import Optimisation

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def images() -> ImageSet:
    return Digits(size=16).load("train")


def config(**changes: object) -> RunConfig:
    """A BayesNCL run of a few seconds, with a sampled gate so that the noise stream matters too."""
    encoder = EncoderConfig(SmallConv(width=2), hidden=16, dimensions=12, gate=Gate(kind="concrete"))
    settings = {"encoder": encoder, "optimisation": Optimisation("lars", gate_rate=0.1), "epochs": 2, "batch": 128}
    settings |= {"dataset": Digits(size=16), "objective": BayesNCL()}
    return RunConfig(**(settings | changes))


def weights(run: Path) -> dict[str, np.ndarray]:
    run_ = Run(run)
    return safetensors.numpy.load_file(run / layout.CHECKPOINTS / f"{run_.checkpoints()[-1]}.safetensors")


def same_bits(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> bool:
    return a.keys() == b.keys() and all(a[key].tobytes() == b[key].tobytes() for key in a)


@pytest.mark.parametrize("optimiser", ["lars", "adamw", "sgd"])
def test_stopped_and_resumed_ends_with_the_bits_of_an_uninterrupted_run(
    tmp_path: Path, images: ImageSet, optimiser: str
) -> None:
    study = create_study(tmp_path, "s")
    chosen = config(optimisation=Optimisation(optimiser, gate_rate=0.1))
    straight = create_run(study.path, chosen, "straight")
    record(straight, images)
    stopped = create_run(study.path, chosen, "stopped")

    def stop_at(step: Step, steps: int) -> None:
        if step.step in (3, 15):
            signal.raise_signal(signal.SIGINT)

    for _ in range(2):
        with pytest.raises(Interrupted, match="Continue with: python -m bncl_core train --resume"):
            record(stopped, images, on_step=stop_at)
        assert Run(stopped).status == "interrupted"
        assert Run(stopped).problem.endswith(f"train --resume {stopped}")
    record(stopped, images)
    assert same_bits(weights(straight), weights(stopped))
    ours, theirs = Run(straight).history(), Run(stopped).history()
    assert ours["step"].tolist() == theirs["step"].tolist()
    assert ours["total"].iloc[-1] == theirs["total"].iloc[-1]


def test_a_run_does_not_go_on_with_other_images(tmp_path: Path, images: ImageSet) -> None:
    run = create_run(create_study(tmp_path, "s").path, config())
    with pytest.raises(Interrupted):
        record(run, images, on_step=lambda step, steps: signal.raise_signal(signal.SIGINT))
    changed = images.images.copy()
    changed[3, 0, 0, 0] ^= 1
    other = ImageSet(images.name, images.split, changed, images.labels, images.classes)
    with pytest.raises(ValueError, match=f"the images are not those this run was trained on .*{images.fingerprint}"):
        record(run, other)
    record(run, images)
    assert Run(run).status == "complete"


def test_another_seed_gives_other_weights(tmp_path: Path, images: ImageSet) -> None:
    study = create_study(tmp_path, "s")
    runs = [create_run(study.path, config(seed=seed, epochs=1)) for seed in (0, 1)]
    for run in runs:
        record(run, images)
    assert not same_bits(weights(runs[0]), weights(runs[1]))


def test_killed_at_any_moment_resumes_to_the_same_bits(tmp_path: Path) -> None:
    """kill -9 of the real command, three times, at moments it cannot foresee."""
    words = [
        "--dataset",
        "digits",
        "--data-size",
        "16",
        "--gate",
        "concrete",
        "--width",
        "2",
        "--hidden",
        "16",
        "--dimensions",
        "12",
        "--epochs",
        "4",
        "--batch",
        "128",
        "--precision",
        "fp32",
        "--threads",
        "1",
        "--device",
        "cpu",
        "--save-seconds",
        "0",
    ]
    environment = os.environ | {"GATESCOPE_STORE": str(tmp_path), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "bncl_core", "train"]

    def start(extra: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen([*command, *extra], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL, text=True)

    assert start([*words, "--name", "straight"]).wait() == 0
    run = tmp_path / "first" / "killed"
    child = start([*words, "--name", "killed"])
    for steps in (3, 14, 25):
        while child.poll() is None and not reached(run, steps):
            time.sleep(0.01)
        child.kill()
        child.wait()
        if Run(run).status == "complete":
            break
        assert Run(run).status == "interrupted"
        child = start(["--resume", str(run)])
    assert child.wait() == 0
    assert Run(run).status == "complete"
    assert same_bits(weights(tmp_path / "first" / "straight"), weights(run))


def reached(run: Path, steps: int) -> bool:
    """Whether the run's resume point is at least `steps` steps in."""
    path = run / layout.RESUME
    try:
        return int(torch.load(path, weights_only=True)["step"]) >= steps
    except FileNotFoundError:
        return False


def test_status_is_training_while_it_trains(tmp_path: Path, images: ImageSet) -> None:
    run = create_run(create_study(tmp_path, "s").path, config(epochs=1))
    seen = set()
    record(run, images, on_step=lambda step, steps: seen.add(Run(run).status))
    assert seen == {"training"}
    assert Run(run).status == "complete"
    assert Run(run).problem == ""


def test_a_complete_run_is_not_trained_again_and_a_taken_name_is_refused(tmp_path: Path, images: ImageSet) -> None:
    study = create_study(tmp_path, "s")
    run = create_run(study.path, config(epochs=1), "one")
    record(run, images)
    with pytest.raises(ValueError, match="run 'one' is complete"):
        record(run, images)
    with pytest.raises(ValueError, match="run 'one' exists in study 's'"):
        create_run(study.path, config(), "one")
    assert not (run / layout.RESUME).exists()


@dataclass(frozen=True)
class Spoiling(BayesNCL):
    """NaN from the fourth step on."""

    def __call__(self, a: Codes, b: Codes) -> dict[str, Tensor]:
        terms = super().__call__(a, b)
        calls.append(1)
        return terms if len(calls) < 4 else terms | {"kl": terms["kl"] * float("nan")}


calls: list[int] = []


def test_a_loss_that_is_not_finite_stops_with_the_step_and_keeps_the_weights_before_it(
    tmp_path: Path, images: ImageSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls.clear()
    run = create_run(create_study(tmp_path, "s").path, config())
    monkeypatch.setattr("bncl_core.studies.record.read_config", lambda path: config(objective=Spoiling()))
    monkeypatch.setattr(
        "bncl_core.studies.checkpoint.to_json", lambda thing: json.loads((run / layout.CONFIG).read_text())["config"]
    )
    with pytest.raises(NonFiniteLoss, match=r"not finite at step 4 \(nt_xent = .*kl = nan\)"):
        record(run, images)
    assert Run(run).checkpoints() == [3]
    assert all(np.isfinite(w).all() for w in weights(run).values())
    assert load_checkpoint(Run(run)).step == 3


def test_a_run_that_diverges_is_never_called_complete(tmp_path: Path, images: ImageSet) -> None:
    rate = Optimisation("sgd", learning_rate=1e5, warmup_epochs=0)
    run = create_run(create_study(tmp_path, "s").path, config(optimisation=rate, epochs=4))
    with pytest.raises(NonFiniteLoss):
        record(run, images)
    assert Run(run).status == "interrupted"
    assert all(np.isfinite(w).all() for name, w in weights(run).items() if "running" not in name)


def test_config_comes_back_as_it_was(tmp_path: Path) -> None:
    run = create_run(create_study(tmp_path, "s").path, config())
    assert read_config(run) == config()


def test_broken_runs_say_what_and_what_next(tmp_path: Path, images: ImageSet) -> None:
    study = create_study(tmp_path, "s")
    whole = create_run(study.path, config(epochs=1), "whole")
    record(whole, images)
    (study.path / "empty").mkdir()
    half = create_run(study.path, config(), "half")
    (half / layout.CONFIG).write_text('{"schema": 1, "config": {"obj')
    foreign = create_run(study.path, config(seed=3), "foreign")
    (foreign / layout.CONFIG).write_text('{"schema": 99, "config": {}}')
    damaged = whole / layout.CHECKPOINTS / f"{Run(whole).checkpoints()[-1]}.safetensors"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"x")
    said = {run.name: (run.status, run.problem) for run in study.runs()}
    assert said["empty"][0] == said["half"][0] == said["foreign"][0] == "broken"
    assert "config.json is not valid JSON" in said["half"][1]
    assert "schema 99; this version reads 1" in said["foreign"][1]
    with pytest.raises(ValueError, match="is damaged: its sha256"):
        load_checkpoint(Run(whole))


def test_a_resume_file_with_code_in_it_is_not_run(tmp_path: Path, images: ImageSet) -> None:
    run = create_run(create_study(tmp_path, "s").path, config())
    torch.save({"schema": 1, "step": Evil()}, run / layout.RESUME)
    with pytest.raises(ValueError, match=r"resume\.pt cannot be read"):
        record(run, images)
    assert not Path("evil-ran").exists()


class Evil:
    """Unpickling it would leave a file behind."""

    def __reduce__(self) -> tuple:
        return (Path.touch, (Path("evil-ran"),))


def test_image_source_of_a_run_is_a_plug_in() -> None:
    assert isinstance(config().dataset, ImageSource)
