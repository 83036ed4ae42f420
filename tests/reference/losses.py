"""The losses as loops over single numbers, written from their equations."""

import math


def dot(u: list[float], v: list[float]) -> float:
    return sum(x * y for x, y in zip(u, v, strict=True))


def nt_xent_loop(a: list[list[float]], b: list[list[float]], temperature: float) -> float:
    """SimCLR equation 1, averaged over both views: −ln of the positive's share of all rows but the row itself."""
    rows, n, total = a + b, len(a), 0.0
    for i, row in enumerate(rows):
        positive = (i + n) % (2 * n)
        logits = [dot(row, other) / temperature for j, other in enumerate(rows) if j != i]
        top = max(logits)
        total += top + math.log(sum(math.exp(x - top) for x in logits)) - dot(row, rows[positive]) / temperature
    return total / (2 * n)


def kl_loop(alpha: list[list[float]], prior: float) -> float:
    """Bernoulli KL, both sides clamped to [0.01, 0.99], summed over dimensions, mean over rows."""
    r, total = min(max(prior, 0.01), 0.99), 0.0
    for row in alpha:
        for p in row:
            a = min(max(p, 0.01), 0.99)
            total += a * math.log(a / r) + (1 - a) * math.log((1 - a) / (1 - r))
    return total / len(alpha)
