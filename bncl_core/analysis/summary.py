"""What a gate does to a typical image and to the dimensions as a whole, from the exact counts of the table."""

from __future__ import annotations

import numpy as np
import pandas as pd

from bncl_core.analysis.index import Index


def kinds_of(table: pd.DataFrame, n: int) -> dict[str, np.ndarray]:
    """Which dimensions are of which kind, `[k]` bool each; `table` is `dimensions.parquet` of `n` images.

    live        active in at least one image, before the gate
    vetoed      active but closed in at least one image
    depends     the gate is open in some images and closed in others
    never       the gate is open in no image
    always      the gate is open in every image
    dead        active in no image
    all         every dimension
    """
    active, opened = table["active"].to_numpy(), table["open"].to_numpy()
    return {
        "live": active > 0,
        "vetoed": table["vetoed"].to_numpy() > 0,
        "depends": (opened > 0) & (opened < n),
        "never": opened == 0,
        "always": opened == n,
        "dead": active == 0,
        "all": np.ones(len(table), bool),
    }


def gate_summary(index: Index) -> dict[str, float]:
    """The gate in a handful of numbers.

    active_per_image    mean number of dimensions that are active in an image, before the gate
    vetoed_per_image    mean number of those that the gate closes
    closed              (image, dimension) pairs whose gate is closed
    closed_silent       share of those in which the dimension is silent anyway, so that closing it changes nothing;
                        NaN when no gate is closed
    always, never, depends   dimensions whose gate is open in all images, in none, in some
    """
    table = index.dimensions
    kinds = kinds_of(table, index.n)
    vetoed, closed = int(table["vetoed"].sum()), index.n * index.k - int(table["open"].sum())
    return {
        "active_per_image": int(table["active"].sum()) / index.n,
        "vetoed_per_image": vetoed / index.n,
        "closed": closed,
        "closed_silent": 1 - vetoed / closed if closed else float("nan"),
        **{name: int(kinds[name].sum()) for name in ("always", "never", "depends")},
    }
