"""What the gate does, as tables: by class, by factor, for one image."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from bncl_core.analysis.index import ACTIVE, Index


def groups_of(index: Index, by: str = "class") -> tuple[np.ndarray, list[str]]:
    """Group id of each image (-1: in none) and the groups' names: the classes, or a categorical factor.

    Raises ValueError when the images have no labels or no such factor.
    """
    if by == "class":
        if index.labels is None:
            raise ValueError("these images have no labels, so nothing can be shown by class")
        return np.asarray(index.labels), list(index.classes)
    if by not in index.factor_values:
        known = ", ".join(["class", *index.factor_values])
        raise ValueError(f"no categorical factor called {by!r}; known: {known}")
    return index.factors[by].to_numpy(), index.factor_values[by]


def open_rate_by(index: Index, by: str = "class") -> pd.DataFrame:
    """Share of each group's images in which each dimension is open: one row a dimension, one column a group, 0…1.

    NaN in the column of a group without images.
    """
    return _rate_by(index, by, lambda dimension: index.mask_of(dimension))


def active_rate_by(index: Index, by: str = "class") -> pd.DataFrame:
    """Share of each group's images in which each dimension is active before the gate, 0…1."""
    return _rate_by(index, by, lambda dimension: np.abs(index.values_of(dimension)) > ACTIVE)


def veto_rate_by(index: Index, by: str = "class") -> pd.DataFrame:
    """Share of each group's images in which each dimension is active but closed, 0…1."""
    return _rate_by(
        index, by, lambda dimension: (np.abs(index.values_of(dimension)) > ACTIVE) & ~index.mask_of(dimension)
    )


def _rate_by(index: Index, by: str, flags: Callable[[int], np.ndarray]) -> pd.DataFrame:
    ids, names = groups_of(index, by)
    inside = ids >= 0
    sizes = np.bincount(ids[inside], minlength=len(names)).astype(float)
    sizes[sizes == 0] = np.nan
    rows = [np.bincount(ids[inside], weights=flags(d)[inside], minlength=len(names)) / sizes for d in range(index.k)]
    return pd.DataFrame(np.array(rows), columns=names)


def before_and_after(index: Index, image: int) -> pd.DataFrame:
    """One image, one row a dimension that is active in it, strongest first.

    dimension, value (before the gate), gate (probability), open, gated (value in the gated code; 0 where closed)
    """
    values, gates, gated = index.image(image)
    active = np.flatnonzero(np.abs(values) > ACTIVE)
    table = pd.DataFrame(
        {
            "dimension": active,
            "value": values[active],
            "gate": gates[active],
            "open": gates[active] > index.threshold,
            "gated": gated[active],
        }
    )
    return table.sort_values("value", key=np.abs, ascending=False, kind="stable").reset_index(drop=True)


def auroc(scores: np.ndarray, truth: np.ndarray) -> float:
    """Area under the ROC curve of `scores` `[n]` for boolean `truth` `[n]`; ties count half.

    NaN when `truth` is all true or all false.
    """
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if not positives or not negatives:
        return float("nan")
    ranks = pd.Series(scores).rank(method="average").to_numpy()
    return float((ranks[truth].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def spearman(a: np.ndarray, b: np.ndarray) -> float:
    """Rank correlation of two arrays `[n]`, −1…1, ties sharing their mean rank; NaN when one of them does not vary."""
    ranks = [pd.Series(values).rank(method="average").to_numpy() for values in (a, b)]
    if len(a) < 2 or any(r.std() == 0 for r in ranks):
        return float("nan")
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])
