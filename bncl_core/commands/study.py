"""Make a study, or say what an existing one asks: its title and question stand on the dashboard's first page.

python -m bncl_core study shared-sky --title "The shared sky" --question "Does the gate close it?"
"""

from __future__ import annotations

import argparse

from bncl_core.studies import layout
from bncl_core.studies.files import write_json
from bncl_core.studies.study import Study, create_study


def configure(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Which study, and what to say of it."""
    parser.add_argument("name", metavar="NAME", help="folder of the study in the store")
    parser.add_argument("--title", default="", help="a name for people (default: the folder's)")
    parser.add_argument("--question", default="", help="what the study asks")


def main(arguments: argparse.Namespace) -> int:
    """Write study.json; the study's path is the last line on stdout."""
    study = create_study(layout.store(), arguments.name)
    said = {key: getattr(arguments, key) for key in ("title", "question") if getattr(arguments, key)}
    if said:
        write_json(study.path / layout.STUDY, Study(study.path).about() | said)
    print(study.path)
    return 0
