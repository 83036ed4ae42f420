"""Class counts of n images drawn without looking at their labels: what a dimension would count by chance.

Permuting the labels makes the class counts of the n images a dimension is active in multivariate hypergeometric: n
balls drawn from an urn with `sizes[c]` balls of colour c. Everything here is exact but `maxima_by_permutation`.
"""

from __future__ import annotations

import numpy as np

from bncl_core.seeds import rng


def log_factorials(n: int) -> np.ndarray:
    """ln 0!, ln 1!, …, ln n!"""
    return np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, n + 1)))))


def expected_sums(sizes: np.ndarray, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(expected entropy of the counts, expected mutual information of drawn-or-not with the class), in nats.

    sizes   `[C]` images of each class, N in all
    drawn   `[m]` numbers of images n, 1 … N
    Both are sums over classes of a function of one count, so the hypergeometric distribution of one count is enough.
    """
    total = int(sizes.sum())
    logs = log_factorials(total)
    entropy, information = np.zeros(len(drawn)), np.zeros(len(drawn))
    n = drawn[:, None].astype(np.int64)
    for a, times in zip(*np.unique(sizes[sizes > 0], return_counts=True), strict=True):
        count, probability = _one_count(total, int(a), n, logs)
        rest = a - count
        entropy -= times * (probability * _xlogx(count / n)).sum(axis=1)
        inside = count / total * _log(count * total, n * a)
        outside = rest / total * _log(rest * total, (total - n) * a)
        information += times * (probability * (inside + outside)).sum(axis=1)
    return entropy, information


def _one_count(total: int, a: int, n: np.ndarray, logs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Counts `[m w]` around the mean and their probabilities: hypergeometric(total, a, n), ten deviations each way."""
    mean = n * a / total
    deviation = np.sqrt(mean * (1 - a / total) * (total - n) / max(total - 1, 1))
    low = np.maximum(np.floor(mean - 10 * deviation - 2), 0).astype(np.int64)
    width = int((np.ceil(mean + 10 * deviation + 20) - low).max()) + 1
    count = low + np.arange(min(width, a + 1))
    fits = (count <= a) & (count <= n) & (n - count <= total - a)
    count = np.where(fits, count, np.clip(count, np.maximum(n - total + a, 0), np.minimum(n, a)))
    log_p = (
        (logs[a] - logs[count] - logs[a - count])
        + (logs[total - a] - logs[n - count] - logs[total - a - n + count])
        - (logs[total] - logs[n] - logs[total - n])
    )
    return count, np.where(fits, np.exp(log_p), 0.0)


def _xlogx(x: np.ndarray) -> np.ndarray:
    return x * np.log(np.where(x > 0, x, 1.0))


def _log(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """ln(top / bottom), 0 where either is 0."""
    some = (top > 0) & (bottom > 0)
    return np.log(np.where(some, top, 1) / np.where(some, bottom, 1))


def maximum_distribution(sizes: np.ndarray, n: int) -> np.ndarray:
    """P(largest class count ≤ m) for m = 0 … n when n images are drawn; exact to about 1e-12.

    Counts are independent binomials given their sum, and truncating each at m is what "largest ≤ m" means; the sum's
    distribution is a product of generating functions, multiplied on the unit circle.
    """
    total = int(sizes.sum())
    if n == total:
        return (np.arange(n + 1) >= sizes.max()).astype(float)
    points = 1 << int(5 * n + 64).bit_length()  # so long that no sum wraps round onto n
    logs = log_factorials(total)
    count = np.arange(n + 1)
    product = np.ones((n + 1, points // 2 + 1), complex)
    for a, times in zip(*np.unique(sizes[sizes > 0], return_counts=True), strict=True):
        terms = _binomial(int(a), n / total, count, logs)
        truncated = np.where(count <= count[:, None], terms, 0.0)  # row m: the terms up to m
        product *= np.fft.rfft(truncated, points, axis=1) ** int(times)
    reached = np.fft.irfft(product, points, axis=1)[:, n]
    whole = _binomial(total, n / total, np.array([n]), logs)[0]
    return np.clip(reached / whole, 0.0, 1.0)


def _binomial(a: int, p: float, count: np.ndarray, logs: np.ndarray) -> np.ndarray:
    inside = count <= a
    j = np.minimum(count, a)
    log_p = logs[a] - logs[j] - logs[a - j] + j * np.log(p) + (a - j) * np.log1p(-p)
    return np.where(inside, np.exp(log_p), 0.0)


def maxima_by_permutation(sizes: np.ndarray, drawn: np.ndarray, draws: int, seed: int) -> np.ndarray:
    """Largest class count among the first n of permuted labels, for every n in `drawn`: int `[draws, m]`.

    One permutation serves every n: walking along it, an image is the j-th of its class, and the running maximum of j
    is the largest count so far. The column of one n depends on (sizes, seed) alone, not on which other n are asked.
    """
    total = int(sizes.sum())
    kind = np.uint16 if len(sizes) < 1 << 16 else np.uint32  # 16 bits sort in linear time
    labels = np.repeat(np.arange(len(sizes), dtype=kind), sizes)
    place = np.concatenate([np.arange(1, size + 1, dtype=np.int32) for size in sizes])
    generator = rng(seed, "label permutations")
    out = np.empty((draws, len(drawn)), np.int32)
    step = max(1, (1 << 20) // total)
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        shuffled = generator.permuted(np.broadcast_to(labels, (rows, total)).copy(), axis=1)
        order = np.argsort(shuffled, axis=1, kind="stable")
        running = np.empty((rows, total), np.int32)
        np.put_along_axis(running, order, np.broadcast_to(place, (rows, total)), axis=1)
        np.maximum.accumulate(running, axis=1, out=running)
        out[start : start + rows] = running[:, drawn - 1]
    return out
