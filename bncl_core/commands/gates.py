"""What the gate of a run closes: is it the background, and was it training that closed it?

  python -m bncl_core gates RUN --json

Needs an index of images whose factors are known (scenes).
"""

from __future__ import annotations

import argparse
import json
import math

from bncl_core.studies.study import find_run


def configure(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Which run."""
    parser.add_argument("run", metavar="RUN", help="path, name, or study/name of a run")
    parser.add_argument("--shared", default="sky", help="the background that objects share (default: sky)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def main(arguments: argparse.Namespace) -> int:
    """Print one line a number; null or undefined where there is none."""
    from bncl_core.analysis.factors import closes_background
    from bncl_core.analysis.headline import headline
    from bncl_core.analysis.index import Index
    from bncl_core.analysis.origin import gate_origin
    from bncl_core.studies.record import read_config

    run = find_run(arguments.run)
    for path in run.indexes():
        index = Index.open(path)
        if not {"background", "object"} <= set(index.factor_values):
            continue
        config = read_config(run.path)
        found = headline(run, index) | closes_background(index, shared=arguments.shared)
        if config.encoder.gate.learned:
            images = config.dataset.load(str(index.manifest["split"]))
            if images.fingerprint == index.manifest["data_fingerprint"]:
                found |= gate_origin(index, config, images)
        plain = {key: None if isinstance(v, float) and math.isnan(v) else v for key, v in found.items()}
        if arguments.json:
            print(json.dumps(plain, indent=1))
        else:
            print("\n".join(f"{key:<22} {'undefined' if v is None else f'{v:.4g}'}" for key, v in plain.items()))
        return 0
    raise ValueError(f"run {run.name!r} has no index of images with known objects and backgrounds (scenes)")
