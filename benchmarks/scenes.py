"""How fast scenes are drawn on one core, and what painting them in groups is worth.

Run: python benchmarks/scenes.py
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bncl_core.data.sets.scenes import Scenes


def seconds(job: Callable[[], object], repeats: int = 3) -> float:
    """The best of several runs, after one that is not counted (it cuts the texture tiles)."""
    job()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return min(times)


def one_by_one(source: Scenes, count: int) -> None:
    for i in range(count):
        source.draw("train", i, i + 1)


def main() -> None:
    print(f"{'size':>5} {'grouped, images/s':>18} {'one by one, images/s':>21} {'ratio':>6}")
    for size, count in ((32, 4096), (64, 1024), (96, 512)):
        source = Scenes(size=size)
        grouped = count / seconds(lambda source=source, count=count: source.draw("train", 0, count))
        single = 128 / seconds(lambda source=source: one_by_one(source, 128))
        print(f"{size:5d} {grouped:18,.0f} {single:21,.0f} {grouped / single:6.1f}")


if __name__ == "__main__":
    main()
