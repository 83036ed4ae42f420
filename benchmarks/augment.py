"""How much faster a batch of views is made at once than image by image, on one core.

Both sides are timed turn by turn in one run, draw their own parameters, and end in float32 on 0…1. The reference is
the usual chain of a DataLoader worker: torchvision's RandomResizedCrop, flip, ColorJitter and RandomGrayscale on Pillow
images, Pillow's GaussianBlur. A second reference is handed its parameters and calls Pillow directly: the least a chain
of Pillow calls can cost.

Run: python benchmarks/augment.py
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import torch
from PIL import Image, ImageFilter
from torchvision import transforms

from bncl_core.data.augment import to_float
from bncl_core.data.sets.scenes import Scenes
from bncl_core.data.views import Views
from bncl_core.seeds import rng
from tests.reference.pil_views import pil_view

ROUNDS = 5
SIZES = ((32, 512, 256), (64, 256, 128), (96, 128, 64))
"""Side, images a call for the batch, images a call for the references."""
REFERENCES = ("Pillow alone", "torchvision")


def best(jobs: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Seconds of processor time of each job, the best of some rounds in which each has its turn."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(ROUNDS + 1):
        for name, job in jobs.items():
            start = time.thread_time()
            job()
            times[name].append(time.thread_time() - start)
    return {name: min(seconds[1:]) for name, seconds in times.items()}


def torchvision_chain(side: int, blur: float) -> Callable[[np.ndarray], torch.Tensor]:
    """The recipe of `Views()` as torchvision transforms of one uint8 image."""
    draws = rng(0, "blur")
    chain = transforms.Compose(
        [
            transforms.RandomResizedCrop(side, (0.08, 1.0), interpolation=transforms.InterpolationMode.BICUBIC),
            transforms.RandomHorizontalFlip(),
            transforms.RandomApply([transforms.ColorJitter(0.8, 0.8, 0.8, 0.2)], 0.8),
            transforms.RandomGrayscale(0.2),
            transforms.RandomApply([lambda x: x.filter(ImageFilter.GaussianBlur(draws.uniform(0.1, 2.0)))], blur),
            transforms.ToTensor(),
        ]
    )
    return lambda image: chain(Image.fromarray(image))


def pillow_alone(images: np.ndarray, views: Views, side: int) -> torch.Tensor:
    p = views.draw(0, 0, 0, np.arange(len(images)), side, side)
    return to_float(torch.from_numpy(np.stack([pil_view(image, p, i, (side, side)) for i, image in enumerate(images)])))


def compare(side: int, many: int, few: int, blur: float) -> None:
    images = Scenes(size=side).draw("train", 0, many).images
    pixels, ids = torch.from_numpy(images), np.arange(many)
    fast, exact = Views(mode="fast", blur=blur), Views(mode="exact", blur=blur)
    chain = torchvision_chain(side, blur)
    jobs: dict[str, Callable[[], object]] = {
        "fast": lambda: fast(pixels, ids, 0, 0, 0),
        "exact": lambda: exact(pixels, ids, 0, 0, 0),
        "Pillow alone": lambda: pillow_alone(images[:few], exact, side),
        "torchvision": lambda: torch.stack([chain(image) for image in images[:few]]),
    }
    seconds = best(jobs)
    rate = {name: (few if name in REFERENCES else many) / s for name, s in seconds.items()}
    ratios = [rate[mode] / rate[reference] for mode in ("fast", "exact") for reference in REFERENCES]
    print(
        f"{side:4d} {blur:5.1f}",
        *(f"{rate[name]:14,.0f}" for name in jobs),
        *(f"{ratio:8.1f}" for ratio in ratios),
    )


def main() -> None:
    torch.set_num_threads(1)
    print("views/s on one thread, and ratios (P: to Pillow alone, T: to torchvision's chain on Pillow images)")
    print("side  blur           fast          exact   Pillow alone    torchvision   fast/P   fast/T  exact/P  exact/T")
    for side, many, few in SIZES:
        for blur in (0.5, 0.0):
            compare(side, many, few, blur)


if __name__ == "__main__":
    main()
