"""What a dimension is about, where ground truth is known, and whether the gate closes what is about the background."""

from __future__ import annotations

import numpy as np
import pandas as pd

from bncl_core.analysis.gates import auroc, spearman
from bncl_core.analysis.index import Index


def factor_auroc(index: Index) -> pd.DataFrame:
    """How well each dimension's value (before the gate) tells each value of each categorical factor from the rest.

    One row a dimension, one column `(factor, value)`; area under the ROC curve, ½ is chance. NaN where a dimension is
    the same in all images or no image has that value.
    """
    groups = {
        (factor, name): index.factors[factor].to_numpy() == number
        for factor, names in index.factor_values.items()
        for number, name in enumerate(names)
    }
    rows = []
    for dimension in range(index.k):
        values = index.values_of(dimension)
        if values.min() == values.max():
            rows.append([np.nan] * len(groups))
            continue
        ranks = pd.Series(values).rank().to_numpy()
        rows.append([_auroc_of_ranks(ranks, inside) for inside in groups.values()])
    return pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples(groups, names=["factor", "value"]))


def _auroc_of_ranks(ranks: np.ndarray, inside: np.ndarray) -> float:
    """Mann–Whitney form of the area: ranks are shared by every group, so they are made once a dimension."""
    n, count = len(ranks), int(inside.sum())
    if count in (0, n):
        return float("nan")
    return float((ranks[inside].sum() - count * (count + 1) / 2) / (count * (n - count)))


def best_factor(index: Index) -> pd.DataFrame:
    """The factor value each dimension tells best: columns dimension, factor, value, auroc, and one column a factor
    with its best area. Dimensions that are the same in all images have factor "" and NaN."""
    areas = factor_auroc(index)
    numbers = areas.to_numpy()
    known = ~np.isnan(numbers).all(axis=1)
    winner = np.where(known, np.nan_to_num(numbers, nan=-1.0).argmax(axis=1), 0)
    names = [(str(pair[0]), str(pair[1])) for pair in areas.columns.tolist()]
    table = pd.DataFrame(
        {
            "dimension": np.arange(index.k),
            "factor": [names[w][0] if k else "" for w, k in zip(winner, known, strict=True)],
            "value": [names[w][1] if k else "" for w, k in zip(winner, known, strict=True)],
            "auroc": np.where(known, numbers[np.arange(index.k), winner], np.nan),
        }
    )
    for factor in index.factor_values:
        columns = [i for i, (name, _) in enumerate(names) if name == factor]
        table[factor] = pd.DataFrame(numbers[:, columns]).max(axis=1)
    return table


def closes_background(
    index: Index, background: str = "background", other: str = "object", shared: str = "sky"
) -> dict[str, float]:
    """Does the gate close the dimensions that are about the background?

    A live dimension is about the background when it tells some background better than any object; its background-ness
    is the difference of the two areas. Returned:
    background, other      number of live dimensions about the background, and the rest
    closed_auroc           area under the ROC curve of the closed rate (share of all images in which the gate is closed)
                           against being about the background; ½: no relation, 1: exactly those are closed
    vetoed_auroc           the same for the share of its active images in which the gate is closed
    closed_spearman        rank correlation of the closed rate with background-ness
    shared, shared_auroc   number of live dimensions that tell the background `shared` best of all, and the area of the
                           closed rate against being one of them
    NaN where undefined (no gate, or no dimension of one kind).
    """
    table, best = index.dimensions, best_factor(index)
    live = ((table["active"] > 0) & best["auroc"].notna()).to_numpy()
    difference = (best[background] - best[other]).to_numpy()[live]
    closed = 1 - table["open"].to_numpy()[live] / index.n
    vetoed = (table["vetoed"] / table["active"].clip(lower=1)).to_numpy()[live]
    about = difference > 0
    is_shared = ((best["factor"] == background) & (best["value"] == shared)).to_numpy()[live]
    varied = index.has_gate and len(closed) > 0 and bool(closed.std() > 0)
    nan = float("nan")
    return {
        "background": int(about.sum()),
        "other": int((~about).sum()),
        "closed_auroc": auroc(closed, about) if varied else nan,
        "vetoed_auroc": auroc(vetoed, about) if varied else nan,
        "closed_spearman": spearman(closed, difference) if varied else nan,
        "shared": int(is_shared.sum()),
        "shared_auroc": auroc(closed, is_shared) if varied else nan,
    }
