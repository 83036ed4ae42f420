"""Run: one training on disk. Reading it needs no torch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from bncl_core.studies import layout
from bncl_core.studies.files import is_held, read_json, read_object

Status = Literal["complete", "training", "interrupted", "broken"]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a history file that have a step number, in order; none when the file is not there.

    Other lines are left out: the last one of a killed process may be half-written.
    """
    rows = []
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                continue
            if isinstance(row, dict) and isinstance(row.get("step"), int):
                rows.append(row)
    return rows


@dataclass(frozen=True)
class Run:
    """The files of one run, each read when asked for. Nothing here writes."""

    path: Path

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.name

    @property
    def study(self) -> str:
        """The name of the study the run belongs to."""
        return self.path.parent.name

    @cached_property
    def config(self) -> dict[str, Any]:
        """The frozen config as JSON. Raises FileNotFoundError or ValueError when it cannot be read."""
        if not (self.path / layout.CONFIG).is_file():
            raise FileNotFoundError(f"{self.path} has no {layout.CONFIG}, so nothing says what was trained")
        data = read_json(self.path / layout.CONFIG)
        if not isinstance(data, dict) or not isinstance(data.get("config"), dict):
            raise ValueError(f"{self.path / layout.CONFIG} holds no config")
        layout.check_schema(data.get("schema"), self.path / layout.CONFIG)
        config: dict[str, Any] = data["config"]
        return config

    @property
    def objective(self) -> str:
        """Name of the objective, e.g. `bayes_ncl`."""
        return str(self.config["objective"]["name"])

    @property
    def seed(self) -> int:
        """The run's seed."""
        return int(self.config["seed"])

    @property
    def manifest(self) -> dict[str, Any] | None:
        """What was written last, when the training had finished; None before that."""
        path = self.path / layout.MANIFEST
        return read_object(path) if path.exists() else None

    @property
    def status(self) -> Status:
        """complete, training (its process is alive), interrupted (resumable), or broken (see `problem`)."""
        return self._state()[0]

    @property
    def problem(self) -> str:
        """Why the run cannot be used as it is, and the next step; empty when it is complete."""
        return self._state()[1]

    def _state(self) -> tuple[Status, str]:
        try:
            _ = self.config
            manifest = self.manifest
        except (OSError, ValueError, KeyError) as error:
            return "broken", f"{error}. Train it again or remove the folder {self.path}."
        if manifest is not None:
            if manifest.get("schema") != layout.SCHEMA:
                found = manifest.get("schema")
                return "broken", f"manifest.json has store schema {found!r}; this version reads {layout.SCHEMA}."
            if not self.checkpoints():
                return "broken", f"The manifest is there but no checkpoint is. Train it again or remove {self.path}."
            return "complete", ""
        if is_held(self.path / layout.LOCK):
            return "training", "This run is training; its curves grow while you watch."
        resume = f"python -m bncl_core train --resume {self.path}"
        return "interrupted", f"This run was stopped before its last step. Continue it with: {resume}"

    def history(self) -> pd.DataFrame:
        """One row a recorded step. A line cut by a kill is left out; later lines of a step replace earlier ones."""
        frame = pd.DataFrame(read_rows(self.path / layout.HISTORY))
        return frame.drop_duplicates("step", keep="last").reset_index(drop=True) if len(frame) else frame

    def checkpoints(self) -> list[int]:
        """Steps whose weights and description are both on disk, ascending."""
        folder = self.path / layout.CHECKPOINTS
        steps = (int(p.stem) for p in folder.glob("*.safetensors") if p.stem.isdigit())
        return sorted(s for s in steps if (folder / f"{s}.json").exists())

    def indexes(self) -> list[Path]:
        """Folders of the finished indexes, by name."""
        return sorted(p.parent for p in (self.path / layout.INDEX).glob(f"*/{layout.MANIFEST}"))

    def evaluations(self) -> dict[str, Any]:
        """The stored measurements, by file name without `.json`. Unreadable ones are reported under their name."""
        found: dict[str, Any] = {}
        for path in sorted((self.path / layout.EVALUATION).glob("*.json")):
            try:
                found[path.stem] = read_object(path)
            except ValueError as error:
                found[path.stem] = {"problem": str(error)}
        return found
