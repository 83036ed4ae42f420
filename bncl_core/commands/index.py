"""Build the index of a run: what its checkpoint says about every image of one split.

python -m bncl_core index RUN                 the test split of the set it was trained on
python -m bncl_core index RUN --split train
python -m bncl_core index RUN --dataset folder --data-root photos
"""

from __future__ import annotations

import argparse
import sys

import torch
from tqdm import tqdm

from bncl_core.analysis.build import build_index
from bncl_core.commands._flags import add_plugin, choose, given
from bncl_core.commands.train import device_of
from bncl_core.data.sets import ImageSource
from bncl_core.spec import from_json
from bncl_core.studies.checkpoint import load_checkpoint
from bncl_core.studies.study import find_run


def configure(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Which run, which images."""
    parser.add_argument("run", metavar="RUN", help="path, name, or study/name of a run")
    parser.add_argument("--split", default="test", help="split of the image set (default: test)")
    parser.add_argument("--checkpoint", type=int, default=None, metavar="STEP", help="default: the last")
    parser.add_argument(
        "--thumb", type=int, default=0, metavar="N", help="thumbnail side; 0: as the images, at most 64"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N (default: auto)")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="processor threads (default: all cores)")
    name = choose(words, "--dataset", "")
    if name:
        add_plugin(parser, ImageSource, "--dataset", name, "data-")
    else:
        parser.add_argument("--dataset", default="", metavar="NAME", help="another image set (default: the run's own)")


def main(arguments: argparse.Namespace) -> int:
    """Encode and write; the index's path is the last line on stdout."""
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    run = find_run(arguments.run)
    checkpoint = load_checkpoint(run, arguments.checkpoint, device_of(arguments.device))
    source = checkpoint.config.dataset
    if arguments.dataset:
        source = from_json(ImageSource, {"name": arguments.dataset} | given(arguments, "dataset"))  # type: ignore[type-abstract]
    images = source.load(arguments.split)
    for path, reason in images.skipped:
        print(f"skipped {path}: {reason}", file=sys.stderr)
    with tqdm(total=len(images), unit="image", dynamic_ncols=True, file=sys.stderr) as bar:
        index = build_index(run, checkpoint, images, arguments.thumb, lambda done: bar.update(done - bar.n))
    print(
        f"{index.n} images, {index.k} dimensions, {int((index.dimensions.active > 0).sum())} ever active",
        file=sys.stderr,
    )
    print(index.path)
    return 0
