"""Train a run, or continue one.

  python -m bncl_core train --dataset scenes --objective bayes_ncl --epochs 5
  python -m bncl_core train --resume runs/first/bayes_ncl-0123456789ab-s0

Ctrl-C stops after the current step and keeps everything needed to go on; a killed process continues from its last
resume point. On a CPU the resumed run ends with the same bits as one that was never stopped.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import torch
from tqdm import tqdm

from bncl_core.commands._flags import add_flags, add_plugin, choose, given, plain_fields
from bncl_core.data.batches import check_batch
from bncl_core.data.sets import ImageSource
from bncl_core.data.views import Views
from bncl_core.models.backbones import Backbone
from bncl_core.models.encoder import EncoderConfig
from bncl_core.models.gate import Gate
from bncl_core.objectives import Objective
from bncl_core.spec import from_json, to_json
from bncl_core.studies import layout
from bncl_core.studies.record import create_run, read_config, record
from bncl_core.studies.study import create_study, find_run
from bncl_core.training.config import RunConfig, best_device, best_precision
from bncl_core.training.loop import Step
from bncl_core.training.optimiser import Optimisation

WHERE = {"dataset": "scenes", "objective": "bayes_ncl", "backbone": "small_conv"}


def configure(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Flags of the chosen dataset, objective and backbone, and of everything else in a run's config."""
    parser.add_argument("--study", default="first", metavar="NAME", help="folder the run goes to (default: first)")
    parser.add_argument("--name", default="", metavar="NAME", help="name of the run (default: objective-digest-seed)")
    parser.add_argument(
        "--resume", default="", metavar="RUN", help="continue this run (its path or name); no other setting"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N (default: auto)")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="processor threads (default: all cores)")
    parser.add_argument(
        "--save-seconds", type=float, default=60.0, metavar="X", help="between resume points (default: 60)"
    )
    parser.add_argument(
        "--checkpoint-epochs", type=int, default=0, metavar="N", help="between checkpoints; 0: last only"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the config and the learning rates, train nothing")
    names = {key: choose(words, f"--{key}", value) for key, value in WHERE.items()}
    add_plugin(parser, ImageSource, "--dataset", names["dataset"], "data-")
    add_plugin(parser, Objective, "--objective", names["objective"])
    add_plugin(parser, Backbone, "--backbone", names["backbone"])
    objective: type[Objective] = Objective.registry[names["objective"]]
    add_flags(parser, EncoderConfig, "encoder", start=EncoderConfig(non_negative=objective.non_negative))
    add_flags(parser, Gate, "gate", "gate-", start=objective.gate)
    add_flags(parser, Views, "views", "view-")
    add_flags(parser, Optimisation, "optimisation")
    add_flags(parser, RunConfig, "run", shown={"precision": "bf16 where the processor has it, else fp32"})


def config_from(arguments: argparse.Namespace, device: str) -> RunConfig:
    """The run's config: the objective's own map and gate unless the command line says otherwise."""
    objective: type[Objective] = Objective.registry[arguments.objective]
    gate = plain_fields(objective.gate) | given(arguments, "gate")
    encoder: dict[str, Any] = {"non_negative": objective.non_negative} | given(arguments, "encoder")
    encoder |= {"backbone": {"name": arguments.backbone} | given(arguments, "backbone"), "gate": gate}
    return from_json(
        RunConfig,
        {"precision": best_precision(device)}
        | given(arguments, "run")
        | {
            "dataset": {"name": arguments.dataset} | given(arguments, "dataset"),
            "objective": {"name": arguments.objective} | given(arguments, "objective"),
            "encoder": encoder,
            "views": given(arguments, "views"),
            "optimisation": given(arguments, "optimisation"),
        },
    )


def device_of(text: str) -> str:
    """The device meant by `text`. ValueError when it is CUDA and there is none."""
    device = best_device() if text == "auto" else text
    if device.split(":")[0] not in ("cpu", "cuda"):
        raise ValueError(f"device {text!r}; allowed: auto, cpu, cuda, cuda:N")
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise ValueError(f"device {text!r} was asked for, but torch finds no CUDA device here: use --device cpu")
    return device


def main(arguments: argparse.Namespace) -> int:
    """Train, with a progress bar on stderr; the run's path is the last line on stdout."""
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    device = device_of(arguments.device)
    if arguments.resume:
        run = find_run(arguments.resume).path
        if any("/" in key for key in vars(arguments)):
            raise ValueError("--resume continues a run as it was configured; leave out the other settings")
        config = read_config(run)
    else:
        config = config_from(arguments, device)
        if arguments.dry_run:
            return _dry_run(config)
    images = config.dataset.load("train")
    for path, reason in images.skipped:
        print(f"skipped {path}: {reason}", file=sys.stderr)
    check_batch(len(images), config.batch)
    if not arguments.resume:
        study = create_study(layout.store(), arguments.study)
        run = create_run(study.path, config, arguments.name)
    rate = config.optimisation.rate(config.batch)
    print(
        f"{run.name}: {len(images)} images, {config.epochs} epochs, learning rate {rate:g}, "
        f"{2 * config.batch - 2} negatives a row, {config.precision} on {device}",
        file=sys.stderr,
    )
    with Progress(config) as progress:
        record(
            run,
            images,
            device,
            progress,
            save_seconds=arguments.save_seconds,
            checkpoint_epochs=arguments.checkpoint_epochs,
        )
    print(run)
    return 0


def _dry_run(config: RunConfig) -> int:
    import json

    print(json.dumps(to_json(config), indent=1))
    choice = config.optimisation
    rate = choice.rate(config.batch)
    gate = choice.gate_rate or rate
    print(f"name {config.name}; learning rate {rate:g}, of the gate head {gate:g}", file=sys.stderr)
    return 0


class Progress:
    """A bar with epoch, loss terms, gate open rate, images/s and time left. It shows means over the last steps."""

    def __init__(self, config: RunConfig) -> None:
        self.epochs = config.epochs
        self._bar: tqdm | None = None
        self._speed = 0.0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def __call__(self, step: Step, steps: int) -> None:
        """Show one more step."""
        if self._bar is None:
            self._bar = tqdm(total=steps, initial=step.step - 1, unit="step", dynamic_ncols=True, file=sys.stderr)
        speed = step.images / max(step.seconds, 1e-9)
        self._speed = speed if not self._speed else 0.95 * self._speed + 0.05 * speed
        terms = " ".join(f"{name} {value:.4f}" for name, value in step.terms.items())
        said = f"epoch {step.epoch:.2f}/{self.epochs} {terms} open {step.open_rate:.1%} {self._speed:,.0f} images/s"
        if step.zero_rows:
            said += f" zero rows {step.zero_rows}"
        self._bar.set_description_str(said, refresh=False)
        self._bar.update()
