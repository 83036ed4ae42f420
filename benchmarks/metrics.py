"""How much faster the class metrics are than a loop over dimensions, as a ratio in one run on one thread.

The four class metrics (consistency, H_sum, H_mean, H_freq) of n codes with k dimensions, three ways:
  single numbers   a Python loop over dimensions and images (a few dimensions are timed, and scaled up)
  arrays           a Python loop over dimensions whose body is NumPy: the obvious per-column code
  here             bncl_core.metrics, everything from the raw codes on, nothing kept from an earlier call
All three give the same numbers, which is checked. Then what else a report costs.

Run: python benchmarks/metrics.py
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", os.environ["OMP_NUM_THREADS"])
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from bncl_core.metrics import EPS, Sample, measure, metrics

NAMES = ("semantic_consistency", "entropy_sum_activation", "entropy_mean_activation", "entropy_frequency")


def codes_and_labels(n: int, k: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Sparse non-negative float32 codes, about a tenth of them active, that know something of the classes."""
    generator = np.random.default_rng(0)
    labels = generator.integers(0, classes, n)
    means = (generator.random((classes, k)) < 0.1).astype(np.float32)
    codes = 0.8 * means[labels] + 0.5 * generator.standard_normal((n, k), dtype=np.float32) - 0.7
    return np.maximum(codes, 0), labels


def seconds(job: Callable[[], object], repeats: int) -> float:
    """The best of several runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return min(times)


def entropy(p: np.ndarray) -> float:
    p = p[p > EPS]
    return float(-(p * np.log(p)).sum())


def by_column(codes: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The metrics as one writes them first: one dimension after another, NumPy inside."""
    rows = codes / np.maximum(np.linalg.norm(codes, axis=1, keepdims=True), 1e-12)
    classes = np.unique(labels)
    found = []
    for j in range(rows.shape[1]):
        column = np.abs(rows[:, j])
        if not column.any():
            continue
        active = column > EPS
        counts = np.array([active[labels == c].sum() for c in classes], float)
        sums = np.array([column[labels == c].sum() for c in classes])
        means = np.array([column[labels == c].mean() for c in classes])
        tables = (sums / sums.sum(), means / means.sum(), counts / counts.sum())
        found.append([counts.max() / counts.sum(), *(entropy(table) for table in tables)])
    return np.mean(found, axis=0)


def by_number(columns: list[list[float]], labels: list[int], classes: int) -> np.ndarray:
    """The same over single numbers; `columns` hold normalised values, one list a dimension."""
    sizes = [labels.count(c) for c in range(classes)]
    found = []
    for column in columns:
        counts, sums = [0.0] * classes, [0.0] * classes
        for x, y in zip(column, labels, strict=True):
            if abs(x) > EPS:
                counts[y] += 1
            sums[y] += abs(x)
        means = [s / size for s, size in zip(sums, sizes, strict=True)]
        tables = [np.array(table) / sum(table) for table in (sums, means, counts)]
        found.append([max(counts) / sum(counts), *(entropy(table) for table in tables)])
    return np.mean(found, axis=0)


def compare(n: int, k: int, classes: int) -> None:
    codes, labels = codes_and_labels(n, k, classes)
    here = seconds(lambda: measure(codes, labels, NAMES), 5)
    arrays = seconds(lambda: by_column(codes, labels), 2)
    few = 32
    columns = Sample.of(codes).rows[:, :few].T.tolist()
    numbers = seconds(lambda: by_number(columns, labels.tolist(), classes), 2) * k / few
    values = np.array(list(measure(codes, labels, NAMES).values()))
    np.testing.assert_allclose(values, by_column(codes, labels), atol=1e-5)
    cells = (
        f"{numbers:.2f} s",
        f"{arrays:.2f} s",
        f"{here * 1000:.1f}",
        f"{numbers / here:.0f}",
        f"{arrays / here:.0f}",
    )
    print(f"{n:6d} {k:5d} {classes:5d} " + " ".join(f"{cell:>16}" for cell in cells))


def report(n: int, k: int, classes: int) -> None:
    """Seconds of each metric that takes more than a hundredth, in the order of the report."""
    codes, labels = codes_and_labels(n, k, classes)
    sample = Sample.of(codes, labels)
    rows = [(seconds(lambda name=name: metrics[name](sample), 1), name) for name in metrics.names()]
    print(f"\none report, n {n}, k {k}, {classes} classes: {sum(t for t, _ in rows):.1f} s, of which")
    for taken, name in rows:
        if taken > 0.01:
            print(f"  {taken:7.2f} s  {name}")


def main() -> None:
    print(f"{os.environ['OMP_NUM_THREADS']} thread(s); NumPy {np.__version__}")
    heads = ("single numbers", "arrays", "here, ms", "ratio to numbers", "to arrays")
    print(f"{'n':>6} {'k':>5} {'C':>5} " + " ".join(f"{head:>16}" for head in heads))
    for classes in (10, 100):
        compare(5000, 2048, classes)
    report(10_000, 256, 10)
    report(5_000, 2048, 100)


if __name__ == "__main__":
    main()
