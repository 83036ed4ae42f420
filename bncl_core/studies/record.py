"""record: run a training and write what it says. The one consumer of the training loop that writes."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bncl_core.data.images import ImageSet
from bncl_core.spec import from_json, to_json
from bncl_core.studies import layout
from bncl_core.studies.checkpoint import load_resume, save_checkpoint, save_resume, versions
from bncl_core.studies.files import holding, replacing, write_json
from bncl_core.studies.run import Run, read_rows
from bncl_core.training.config import RunConfig
from bncl_core.training.loop import NonFiniteLoss, Step, TrainState, steps_of, train


class Interrupted(RuntimeError):
    """Training stopped because it was asked to; everything needed to continue is on disk."""


def create_run(study: Path, config: RunConfig, name: str = "") -> Path:
    """The folder of a new run with its frozen config. ValueError when a run of that name exists."""
    path = study / layout.check_name(name or config.name, "run")
    if (path / layout.CONFIG).exists():
        resume = f"python -m bncl_core train --resume {path}"
        raise ValueError(
            f"run {path.name!r} exists in study {study.name!r}. Continue it with: {resume}; or give --name"
        )
    write_json(path / layout.CONFIG, {"schema": layout.SCHEMA, "config": to_json(config), "versions": versions()})
    return path


def read_config(run: Path) -> RunConfig:
    """The frozen config of a run as the object that made it."""
    return from_json(RunConfig, Run(run).config)


def record(
    run: Path,
    images: ImageSet,
    device: str = "cpu",
    on_step: Callable[[Step, int], None] | None = None,
    every: int = 10,
    save_seconds: float = 60.0,
    checkpoint_epochs: int = 0,
) -> Run:
    """Train the run in `run` from wherever it stands to its end, writing as it goes.

    every               steps a history line; each line holds the means since the one before
    save_seconds        seconds between two resume points (one is also written after each epoch and on Ctrl-C)
    checkpoint_epochs   epochs between two checkpoints; 0 keeps the last one only
    on_step             called after each step with (step, steps in all), for progress

    Raises Interrupted after SIGINT or SIGTERM, NonFiniteLoss (with a checkpoint of the weights before it).
    """
    if (run / layout.MANIFEST).exists():
        raise ValueError(f"run {run.name!r} is complete; nothing is edited after its manifest. Train a new one.")
    with holding(run / layout.LOCK), _stop_flag() as stop:
        config = read_config(run)
        state = TrainState.fresh(config, images, device)
        load_resume(run, state, images.fingerprint)
        per_epoch, steps = steps_of(config, len(images))
        started, saved, seconds = time.time(), time.monotonic(), 0.0
        with History(run / layout.HISTORY, state.step, every, steps) as history:
            try:
                for step in train(state, images):
                    seconds += step.seconds
                    history.add(step)
                    if on_step is not None:
                        on_step(step, steps)
                    ended = state.step % per_epoch == 0
                    if ended and checkpoint_epochs and (state.step // per_epoch) % checkpoint_epochs == 0:
                        save_checkpoint(run, state, images.fingerprint)
                    if ended or stop.is_set() or time.monotonic() - saved > save_seconds:
                        save_resume(run, state, images.fingerprint)
                        saved = time.monotonic()
                    if stop.is_set() and state.step < steps:
                        raise Interrupted(
                            f"stopped at step {state.step} of {steps}. "
                            f"Continue with: python -m bncl_core train --resume {run}"
                        )
            except NonFiniteLoss:
                save_checkpoint(run, state, images.fingerprint)
                raise
        save_checkpoint(run, state, images.fingerprint)
        _finish(run, state, images, {"started": started, "seconds_this_session": seconds, "device": device})
    return Run(run)


def _finish(run: Path, state: TrainState, images: ImageSet, how: dict[str, Any]) -> None:
    """Drop what only resuming needs, then write the manifest: the run is complete from this rename on."""
    manifest = {
        "schema": layout.SCHEMA,
        "finished": time.time(),
        "steps": state.step,
        "images": len(images),
        "data_fingerprint": images.fingerprint,
        "versions": versions(),
        **how,
    }
    write_json(run / layout.MANIFEST, manifest)
    (run / layout.RESUME).unlink(missing_ok=True)


class History:
    """`history.jsonl`: one line every `every` steps with the means since the last line."""

    def __init__(self, path: Path, step: int, every: int, steps: int) -> None:
        self.path, self.every, self.steps = path, max(every, 1), steps
        self._waiting: list[Step] = []
        self._start = step

    def __enter__(self) -> History:
        # rows written after the resume point are of steps that will be taken again
        kept = [row for row in read_rows(self.path) if row["step"] <= self._start]
        with replacing(self.path) as file:
            file.write("".join(f"{json.dumps(row)}\n" for row in kept).encode())
        self._file = open(self.path, "a", encoding="utf-8")
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(self, step: Step) -> None:
        """Take one step; write a line when it is time."""
        self._waiting.append(step)
        if step.step % self.every and step.step != self.steps:
            return
        steps, self._waiting = self._waiting, []
        row: dict[str, float] = {"step": step.step, "epoch": step.epoch, "rate": step.rate}
        row |= {name: _mean([s.terms[name] for s in steps]) for name in step.terms}
        row["total"] = _mean([s.total for s in steps])
        row["open_rate"] = _mean([s.open_rate for s in steps])
        row["zero_rows"] = float(sum(s.zero_rows for s in steps))
        row["images_per_second"] = sum(s.images for s in steps) / max(sum(s.seconds for s in steps), 1e-9)
        self._file.write(json.dumps(row) + "\n")
        self._file.flush()


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


@contextmanager
def _stop_flag() -> Iterator[threading.Event]:
    """An event set by the first Ctrl-C or SIGTERM; a second one ends the process at once."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {s: signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)}

    def ask(number: int, _frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    for s in before:
        signal.signal(s, ask)
    try:
        yield stop
    finally:
        for s, handler in before.items():
            signal.signal(s, handler)
