"""The metrics as loops over single numbers, written from their equations; for tiny arrays."""

import itertools
import math
from collections import Counter

import numpy as np

Rows = list[list[float]]
EPS = 1e-5


def unit_rows(codes: np.ndarray) -> Rows:
    """Rows divided by max(length, 1e-12)."""
    out = []
    for row in codes.tolist():
        length = max(math.sqrt(sum(x * x for x in row)), 1e-12)
        out.append([x / length for x in row])
    return out


def column(rows: Rows, j: int) -> list[float]:
    return [row[j] for row in rows]


def live(rows: Rows) -> list[int]:
    return [j for j in range(len(rows[0])) if any(x != 0 for x in column(rows, j))]


def act_dim(rows: Rows) -> int:
    return len(live(rows))


def sparsity(rows: Rows) -> float:
    values = [x for row in rows for x in row]
    return sum(1 for x in values if abs(x) <= EPS) / len(values)


def non_neg(rows: Rows) -> float:
    values = [x for row in rows for x in row]
    return sum(1 for x in values if x >= 0) / len(values)


def class_table(rows: Rows, labels: list[int], kind: str) -> list[list[float]]:
    """For each live dimension, one number a class: "count" of active images, "sum" or "mean" of |value|."""
    table = []
    for j in live(rows):
        line = []
        for c in sorted(set(labels)):
            inside = [abs(x) for x, y in zip(column(rows, j), labels, strict=True) if y == c]
            if kind == "count":
                line.append(sum(1 for x in inside if x > EPS))
            else:
                line.append(sum(inside) / (len(inside) if kind == "mean" else 1))
        table.append(line)
    return table


def consistency(rows: Rows, labels: list[int]) -> float:
    """NaN when no dimension is active anywhere."""
    shares = [max(line) / sum(line) for line in class_table(rows, labels, "count") if sum(line)]
    return sum(shares) / len(shares) if shares else math.nan


def consistency_weighted(rows: Rows, labels: list[int]) -> float:
    table = class_table(rows, labels, "count")
    return sum(max(line) for line in table) / sum(sum(line) for line in table)


def entropy(line: list[float], eps: float) -> float:
    total = sum(line)
    return -sum(x / total * math.log(x / total) for x in line if total and x / total > eps)


def published_entropy(rows: Rows, labels: list[int], kind: str) -> float:
    found = [entropy(line, EPS) for line in class_table(rows, labels, kind)]
    return sum(found) / len(found) if found else 0.0


def corrected_entropy(rows: Rows, labels: list[int], kind: str) -> float:
    found = [entropy(line, 0.0) for line in class_table(rows, labels, kind) if sum(line)]
    return sum(found) / len(found) if found else math.nan


def spectrum(rows: Rows) -> list[float]:
    values = np.linalg.svd(np.array(rows), compute_uv=False)
    return (values / values.sum()).tolist() if values.sum() else []


def effective_rank_entropy(rows: Rows) -> float:
    return -sum(p * math.log(p + 1e-6) for p in spectrum(rows))


def effective_rank(rows: Rows) -> float:
    return math.exp(-sum(p * math.log(p) for p in spectrum(rows) if p > 0))


def cosines(rows: Rows) -> Rows:
    """|cosine| of every two live columns, 0 on the diagonal."""
    columns = [column(rows, j) for j in live(rows)]
    lengths = [math.sqrt(sum(x * x for x in c)) for c in columns]
    return [
        [
            0.0
            if a == b
            else abs(sum(x * y for x, y in zip(columns[a], columns[b], strict=True))) / lengths[a] / lengths[b]
            for b in range(len(columns))
        ]
        for a in range(len(columns))
    ]


def orthogonality_mean(rows: Rows) -> float:
    """As published: divided by d(d−1), then averaged over d² entries."""
    table = cosines(rows)
    d = len(table)
    return sum(x / (d * (d - 1)) for line in table for x in line) / d**2


def orthogonality_median(rows: Rows) -> float:
    """As published: the lower median of all d² entries, over d(d−1)."""
    table = cosines(rows)
    d = len(table)
    return sorted(x for line in table for x in line)[(d * d - 1) // 2] / (d * (d - 1))


def orthogonality(rows: Rows) -> float:
    table = cosines(rows)
    pairs = [table[a][b] for a, b in itertools.combinations(range(len(table)), 2)]
    return sum(pairs) / len(pairs)


def nearest_parts(rows: Rows, i: int, depth: int, tie: float = 1e-6) -> dict[int, float]:
    """Part of each other image among the `depth` nearest of image i: ties for the last places share them."""
    near = {j: sum(x * y for x, y in zip(rows[i], rows[j], strict=True)) for j in range(len(rows)) if j != i}
    line = sorted(near.values(), reverse=True)[depth - 1]
    sure = [j for j, s in near.items() if s > line + tie]
    tied = [j for j, s in near.items() if abs(s - line) <= tie]
    return dict.fromkeys(sure, 1.0) | dict.fromkeys(tied, (depth - len(sure)) / len(tied))


def retrieval(rows: Rows, labels: list[int], width: int, depth: int) -> float:
    """P@depth through the `width` dimensions of largest mass."""
    mass = [sum(abs(x) for x in column(rows, j)) for j in range(len(rows[0]))]
    strongest = sorted(range(len(mass)), key=lambda j: -mass[j])[:width]
    cut = unit_rows(np.array([[row[j] for j in strongest] for row in rows]))
    total = 0.0
    for i in range(len(cut)):
        parts = nearest_parts(cut, i, depth)
        total += sum(part for j, part in parts.items() if labels[j] == labels[i]) / depth
    return total / len(cut)


def knn(rows: Rows, labels: list[int], neighbours: int) -> float:
    """Leave-one-out accuracy; equal votes go to the class of larger summed cosine."""
    right = 0.0
    for i in range(len(rows)):
        parts = nearest_parts(rows, i, neighbours)
        votes: Counter[int] = Counter()
        for j, part in parts.items():
            cosine = sum(x * y for x, y in zip(rows[i], rows[j], strict=True))
            votes[labels[j]] += part * (1 + cosine / (4 * neighbours))  # type: ignore[assignment]
        best = [c for c, v in votes.items() if v >= max(votes.values()) - 1e-6]
        right += (labels[i] in best) / len(best)
    return right / len(rows)


def labellings(sizes: list[int]) -> set[tuple[int, ...]]:
    """Every way of giving the labels to the images, each as likely as any other."""
    return set(itertools.permutations([c for c, size in enumerate(sizes) for _ in range(size)]))


def null_shares(sizes: list[int], n: int) -> list[float]:
    """Largest class share of the first n images under every labelling."""
    return [max(Counter(labels[:n]).values()) / n for labels in labellings(sizes)]


def expected_entropy(sizes: list[int], n: int) -> float:
    """Mean entropy of the class counts of the first n images over every labelling."""
    every = labellings(sizes)
    return sum(entropy([float(x) for x in Counter(labels[:n]).values()], 0.0) for labels in every) / len(every)
