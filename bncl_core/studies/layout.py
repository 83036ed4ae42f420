"""Every path of the store, in one place.

<root>/<study>/study.json
              /images/<set>-<split>-<fingerprint>-<side>/   thumbnails, labels and factors, shared by the study's runs
<root>/<study>/<run>/config.json            the frozen config
                    /history.jsonl          one line a step
                    /checkpoints/<step>.safetensors and .json
                    /resume.pt              what continues the run, tensors only
                    /index/<set>-<split>/   see analysis/index.py
                    /evaluation/<name>.json
                    /manifest.json          written last
"""

from __future__ import annotations

import os
import re
from pathlib import Path

SCHEMA = 1
"""Rises with any change of the layout; another number is refused with both numbers."""

PROJECT = Path(__file__).resolve().parents[2]
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")

STUDY, CONFIG, HISTORY, RESUME, MANIFEST = "study.json", "config.json", "history.jsonl", "resume.pt", "manifest.json"
CHECKPOINTS, INDEX, EVALUATION, IMAGES = "checkpoints", "index", "evaluation", "images"
LOCK = "lock"
"""Held by the process that trains the run; free again however that process ends."""


def store() -> Path:
    """Where new runs go: the environment variable GATESCOPE_STORE, else `runs/` in the project's folder."""
    return Path(os.environ.get("GATESCOPE_STORE") or PROJECT / "runs").expanduser()


def roots() -> list[Path]:
    """The folders that hold studies: the shipped ones first, then the store."""
    return [PROJECT / "assets", store()]


def check_name(name: str, what: str) -> str:
    """`name` when it may name a study or a run; ValueError otherwise (letters, digits, . _ + -)."""
    if not _NAME.fullmatch(name) or name == IMAGES:
        raise ValueError(
            f"{what} {name!r}: use letters, digits, '.', '_', '+' and '-', at most 100, no path, not 'images'"
        )
    return name


def check_schema(found: object, path: Path) -> None:
    """Refuse a file written by another version of the layout."""
    if found != SCHEMA:
        raise ValueError(
            f"{path} has store schema {found!r}; this version reads {SCHEMA}. Use the version that wrote it."
        )
