"""Study: a folder of runs that answer one question."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bncl_core.studies import layout
from bncl_core.studies.files import read_json, write_json
from bncl_core.studies.run import Run


@dataclass(frozen=True)
class Study:
    """A folder with `study.json`; each folder inside that is not hidden is a run."""

    path: Path

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.name

    def about(self) -> dict[str, Any]:
        """What `study.json` says: title, question, and the representation contract where given."""
        try:
            data = read_json(self.path / layout.STUDY)
        except (OSError, ValueError) as error:
            return {"title": self.name, "question": "", "problem": str(error)}
        return data if isinstance(data, dict) else {"title": self.name, "question": ""}

    @property
    def title(self) -> str:
        """A name for people."""
        return str(self.about().get("title", self.name))

    @property
    def question(self) -> str:
        """What the study asks."""
        return str(self.about().get("question", ""))

    def runs(self) -> list[Run]:
        """All runs, complete or not, by name."""
        folders = (
            p for p in self.path.iterdir() if p.is_dir() and not p.name.startswith(".") and p.name != layout.IMAGES
        )
        return [Run(p) for p in sorted(folders)]

    def run(self, name: str) -> Run:
        """The run called `name`; ValueError listing the known ones when there is none."""
        for run in self.runs():
            if run.name == name:
                return run
        known = ", ".join(r.name for r in self.runs()) or "none yet"
        raise ValueError(f"study {self.name!r} has no run called {name!r}. Known: {known}")


def create_study(root: Path, name: str, title: str = "", question: str = "") -> Study:
    """The study `name` under `root`, made when absent."""
    path = root / layout.check_name(name, "study")
    if not (path / layout.STUDY).exists():
        write_json(path / layout.STUDY, {"schema": layout.SCHEMA, "title": title or name, "question": question})
    return Study(path)


def list_studies() -> list[Study]:
    """Every study in every root: shipped ones first, each root by name."""
    found = []
    for root in layout.roots():
        if root.is_dir():
            found += [Study(p.parent) for p in sorted(root.glob(f"*/{layout.STUDY}"))]
    return found


def find_run(text: str) -> Run:
    """The run meant by a path, `study/run`, a run's name, or the start of one when that is unique.

    Raises ValueError when nothing or more than one run fits, listing what there is.
    """
    path = Path(text).expanduser()
    if (path / layout.CONFIG).exists():
        return Run(path.resolve())
    studies = list_studies()
    runs = [r for s in studies for r in s.runs()]
    fits = [r for r in runs if text in (r.name, f"{r.study}/{r.name}")]
    fits = fits or [r for r in runs if text and (r.name.startswith(text) or f"{r.study}/{r.name}".startswith(text))]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise ValueError(
            f"{text!r} fits {len(fits)} runs: {', '.join(f'{r.study}/{r.name}' for r in fits)}. Say which."
        )
    known = ", ".join(f"{r.study}/{r.name}" for r in runs) or "none yet"
    raise ValueError(f"no run {text!r}. Known: {known}. See: python -m bncl_core list")
