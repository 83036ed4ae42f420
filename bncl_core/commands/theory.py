"""Numbers and curves of the closed forms.

python -m bncl_core theory list
python -m bncl_core theory channel --q 0.25 --json
python -m bncl_core theory candidates --negatives 15 --temperature 0.2 --csv
"""

from __future__ import annotations

import argparse
import json
import sys

from bncl_core.commands._flags import add_flags, given
from bncl_core.spec import from_json
from bncl_core.theory import Curve, curves


def configure(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Which curve, and its parameters."""
    parser.add_argument("name", metavar="NAME", help=f"list, or one of: {', '.join(curves.names())}")
    parser.add_argument("--json", action="store_true", help="print the values as JSON")
    parser.add_argument("--csv", action="store_true", help="print the curve as CSV")
    name = next((word for word in words if not word.startswith("-")), "")
    if name and name != "list":
        add_flags(parser, curves[name], "curve")


def main(arguments: argparse.Namespace) -> int:
    """Print the values at the parameters, or the whole curve."""
    if arguments.name == "list":
        titles = {name: curves[name].title for name in curves.names()}
        print(json.dumps(titles, indent=1) if arguments.json else "\n".join(f"{k:<12} {v}" for k, v in titles.items()))
        return 0
    curve = from_json(Curve, {"name": arguments.name} | given(arguments, "curve"))  # type: ignore[type-abstract]
    if arguments.csv:
        columns = curve.curve()
        sys.stdout.write(",".join(columns) + "\n")
        sys.stdout.writelines(
            ",".join(map(repr, map(float, row))) + "\n" for row in zip(*columns.values(), strict=True)
        )
    elif arguments.json:
        print(json.dumps(curve.values(), indent=1))
    else:
        print("\n".join(f"{name:<22} {value:.12g}" for name, value in curve.values().items()))
    return 0
