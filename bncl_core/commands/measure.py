"""Measure a run, or anyone's arrays.

  python -m bncl_core measure RUN                                   all metrics, kNN, linear probe; stored in the run
  python -m bncl_core measure --codes F.npy --labels y.npy --json   published, corrected, chance, undefined

Codes are `[n k]` numbers in an .npy file, labels `[n]` whole numbers.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from bncl_core.metrics import measure_arrays
from bncl_core.studies.files import read_array
from bncl_core.studies.study import find_run


def configure(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """A run, or files."""
    parser.add_argument("run", nargs="?", default="", metavar="RUN", help="path, name, or study/name of a run")
    parser.add_argument(
        "--images", default="", metavar="INDEX", help="index to measure, e.g. scenes-test (default: all)"
    )
    parser.add_argument("--no-probes", action="store_true", help="leave out kNN and the linear probe (no encoding)")
    parser.add_argument("--codes", default="", metavar="FILE", help=".npy of codes [n k]")
    parser.add_argument("--labels", default="", metavar="FILE", help=".npy of labels [n]")
    parser.add_argument("--unlabelled", type=int, default=None, metavar="N", help="the label that means: unknown")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the label permutations (default: 0)")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="processor threads (default: all cores)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def main(arguments: argparse.Namespace) -> int:
    """Print what was measured; for a run it is stored beside it too."""
    if bool(arguments.run) == bool(arguments.codes):
        raise ValueError("give a RUN, or --codes FILE (with --labels FILE where there are labels)")
    found = _arrays(arguments) if arguments.codes else _run(arguments)
    if arguments.json:
        print(json.dumps(found, indent=1, allow_nan=False))
    else:
        print("\n\n".join(_text(name, part) for name, part in (found.items() if arguments.run else [("", found)])))
    return 0


def _arrays(arguments: argparse.Namespace) -> dict[str, Any]:
    def load(name: str) -> np.ndarray:
        path = Path(name).expanduser()
        if not path.is_file():
            raise FileNotFoundError(f"there is no file {path}")
        return read_array(path)

    labels = load(arguments.labels) if arguments.labels else None
    options = {"seed": arguments.seed} | ({} if labels is None else {"unlabelled": arguments.unlabelled})
    return measure_arrays(load(arguments.codes), labels, **options)


def _run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Every index of the run (or the one asked for), measured and stored."""
    import torch

    from bncl_core.analysis.index import Index
    from bncl_core.analysis.measure import measure_index
    from bncl_core.studies.checkpoint import load_checkpoint

    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    run = find_run(arguments.run)
    known = {path.name: path for path in run.indexes()}
    if not known:
        raise ValueError(
            f"run {run.name!r} has no index. Build one with: python -m bncl_core index {run.study}/{run.name}"
        )
    if arguments.images and arguments.images not in known:
        raise ValueError(f"run {run.name!r} has no index {arguments.images!r}; it has: {', '.join(known)}")
    found = {}
    for name in [arguments.images] if arguments.images else known:
        index = Index.open(known[name])
        checkpoint = load_checkpoint(run, int(index.manifest["checkpoint"]))
        source = checkpoint.config.dataset
        own = index.manifest["image_set"] == type(source).registry.name_of(source)
        splits = None
        if own and index.labels is not None and not arguments.no_probes:
            splits = source.load("train"), source.load(str(index.manifest["split"]))
            if splits[1].fingerprint != index.manifest["data_fingerprint"]:
                print(f"{name}: indexed on other images than the run's own, so no probes", file=sys.stderr)
                splits = None
        found[name] = measure_index(run, index, checkpoint.encoder, splits, arguments.seed)
    return found


def _text(name: str, part: dict[str, Any]) -> str:
    lines = [name] if name else []
    for where, table in (("gated", part["gated"]), ("ungated", part["ungated"])) if "gated" in part else (("", part),):
        lines.append(f"{where} n {table['n']:,}  k {table['k']:,}  classes {table['classes']}".strip())
        for group in ("published", "corrected", "chance", "probe"):
            lines += [f"  {group:<10}{key:<30}{_value(value)}" for key, value in table[group].items()]
        lines += [f"  undefined {key}: {reason}" for key, reason in table["undefined"].items()]
    for where, probe in part.get("probes", {}).items():
        if isinstance(probe, dict):
            lines.append(
                f"probe on {where:<6} top1 {probe['top1']:.4f}  top5 {probe['top5']:.4f}  knn {probe['knn']:.4f}"
            )
        else:
            lines.append(f"chance (most frequent class) {probe:.4f}")
    return "\n".join(lines)


def _value(value: Any) -> str:
    return "undefined" if value is None else f"{value:.6g}" if isinstance(value, int | float) else json.dumps(value)
