"""Checkpoint: weights and everything that rebuilds the model, without pickles."""

from __future__ import annotations

import hashlib
import io
import pickle
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch

import bncl_core
from bncl_core.models.encoder import Encoder
from bncl_core.spec import from_json, to_json
from bncl_core.studies import layout
from bncl_core.studies.files import read_json, replacing, write_json
from bncl_core.studies.run import Run
from bncl_core.training.config import RunConfig
from bncl_core.training.loop import TrainState


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """One checkpoint of a run, opened: the encoder in evaluation mode, its config, step, and the weights' sha256."""

    encoder: Encoder
    config: RunConfig
    step: int
    sha256: str


def versions() -> dict[str, str]:
    """What produced the numbers."""
    return {"bncl_core": bncl_core.__version__, "torch": torch.__version__, "python": platform.python_version()}


def save_checkpoint(run: Path, state: TrainState, data_fingerprint: str) -> Path:
    """Write the weights, then their description: the description's existence means the weights are whole."""
    tensors = {k: v.detach().cpu().contiguous() for k, v in state.encoder.state_dict().items()}
    data = safetensors.torch.save(tensors)
    path = run / layout.CHECKPOINTS / f"{state.step}.safetensors"
    with replacing(path) as file:
        file.write(data)
    about = {
        "schema": layout.SCHEMA,
        "step": state.step,
        "config": to_json(state.config),
        "sha256": hashlib.sha256(data).hexdigest(),
        "data_fingerprint": data_fingerprint,
        "versions": versions(),
    }
    write_json(path.with_suffix(".json"), about)
    return path


def load_checkpoint(run: Run, step: int | None = None, device: str = "cpu") -> Checkpoint:
    """Rebuild the encoder of a run's checkpoint (the last one when `step` is None), in evaluation mode.

    Raises ValueError when there is none, when the weights do not have the recorded sha256 or do not fit the config.
    """
    steps = run.checkpoints()
    if not steps or (step is not None and step not in steps):
        said = ", ".join(map(str, steps)) or "none"
        raise ValueError(
            f"run {run.name!r} has no checkpoint {'' if step is None else step}; there is: {said}. {run.problem}"
        )
    path = run.path / layout.CHECKPOINTS / f"{steps[-1] if step is None else step}.safetensors"
    about = read_json(path.with_suffix(".json"))
    layout.check_schema(about.get("schema"), path)
    data = path.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != about["sha256"]:
        raise ValueError(f"{path} is damaged: its sha256 is {found[:12]}…, recorded was {about['sha256'][:12]}…")
    config = from_json(RunConfig, about["config"])
    encoder = Encoder(config.encoder)
    try:
        encoder.load_state_dict(safetensors.torch.load(data))
    except (RuntimeError, safetensors.SafetensorError) as error:
        raise ValueError(f"{path} does not fit its own config: {error}") from error
    return Checkpoint(encoder.eval().to(device), config, int(about["step"]), found)


def save_resume(run: Path, state: TrainState, data_fingerprint: str) -> None:
    """Write what continues the run: tensors, plain numbers, and which images it was trained on."""
    buffer = io.BytesIO()
    torch.save({"schema": layout.SCHEMA, "data_fingerprint": data_fingerprint, **state.state_dict()}, buffer)
    with replacing(run / layout.RESUME) as file:
        file.write(buffer.getbuffer())


def load_resume(run: Path, state: TrainState, data_fingerprint: str) -> None:
    """Continue from `resume.pt` when it is there; from the start otherwise. No pickled objects are ever loaded.

    Raises ValueError when the file is damaged, or when the images are not those the run was trained on so far.
    """
    path = run / layout.RESUME
    if not path.exists():
        return
    try:
        saved: dict[str, Any] = torch.load(path, map_location=state.device, weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError) as error:
        raise ValueError(f"{path} cannot be read ({error}). Remove it to train this run from its start.") from error
    layout.check_schema(saved.get("schema"), path)
    if saved.get("data_fingerprint") != data_fingerprint:
        raise ValueError(
            f"the images are not those this run was trained on (fingerprint {data_fingerprint}, until step "
            f"{saved.get('step')} it was {saved.get('data_fingerprint')}). Put the old ones back, or train a new run."
        )
    state.load_state_dict(saved)
