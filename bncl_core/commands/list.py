"""List studies and runs, or what can be chosen (datasets, objectives, backbones, metrics, curves)."""

from __future__ import annotations

import argparse
import importlib
import json
from typing import Any

from bncl_core.registry import Registry
from bncl_core.studies.run import Run
from bncl_core.studies.study import list_studies

CHOICES = {
    "datasets": "bncl_core.data.sets:image_sets",
    "objectives": "bncl_core.objectives:objectives",
    "backbones": "bncl_core.models.backbones:backbones",
    "metrics": "bncl_core.metrics:metrics",
    "curves": "bncl_core.theory:curves",
}


def configure(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """What to list."""
    parser.add_argument("what", nargs="?", default="runs", choices=["runs", *CHOICES], help="default: runs")
    parser.add_argument("--json", action="store_true", help="print JSON")


def main(arguments: argparse.Namespace) -> int:
    """Print one line an entry, or JSON."""
    if arguments.what == "runs":
        rows = [describe(run) for study in list_studies() for run in study.runs()]
        text = [f"{r['study']}/{r['name']}  {r['status']}{'  ' + r['problem'] if r['problem'] else ''}" for r in rows]
        nothing = "no runs yet. Make one with: python -m bncl_core train"
        print(json.dumps(rows, indent=1) if arguments.json else "\n".join(text) or nothing)
        return 0
    module, name = CHOICES[arguments.what].split(":")
    registry: Registry[Any] = getattr(importlib.import_module(module), name)
    paragraphs = {key: (registry[key].__doc__ or "").strip().split("\n\n")[0] for key in registry.names()}
    entries = {key: " ".join(text.split()) for key, text in paragraphs.items()}
    print(json.dumps(entries, indent=1) if arguments.json else "\n".join(f"{k:<22} {v}" for k, v in entries.items()))
    return 0


def describe(run: Run) -> dict[str, Any]:
    """What `list --json` says of a run."""
    row: dict[str, Any] = {"study": run.study, "name": run.name, "path": str(run.path), "status": run.status}
    row |= {"problem": run.problem, "checkpoints": run.checkpoints(), "indexes": [p.name for p in run.indexes()]}
    if run.status != "broken":
        row |= {"objective": run.objective, "seed": run.seed}
    return row
