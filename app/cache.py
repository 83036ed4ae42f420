"""The only caches. Keys are paths and time stamps, never arrays, so that a new run shows without a restart."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import streamlit as st

from bncl_core.analysis import classes, examples, factors, gates
from bncl_core.analysis.index import Index
from bncl_core.studies import layout
from bncl_core.studies.run import Run


@st.cache_resource(max_entries=64, show_spinner=False)
def _open(path: str, stamp: int) -> Index:
    return Index.open(Path(path))


def stamp(path: Path) -> int:
    """Modification time in nanoseconds; 0 when the file is not there."""
    return path.stat().st_mtime_ns if path.exists() else 0


def open_index(path: Path) -> Index:
    """The index in `path`, opened once for all visitors and again when it was rebuilt."""
    return _open(str(path), stamp(path / layout.MANIFEST))


@st.cache_data(max_entries=64, show_spinner=False)
def _history(path: str, stamp: int) -> pd.DataFrame:
    return Run(Path(path)).history()


def history(run: Run) -> pd.DataFrame:
    """Training history of a run; read again as it grows."""
    return _history(str(run.path), stamp(run.path / layout.HISTORY))


RATES = {"open rate": gates.open_rate_by, "veto rate": gates.veto_rate_by, "active rate": gates.active_rate_by}


@st.cache_data(max_entries=64, show_spinner="Counting …")
def _rates(path: str, stamp: int, what: str, by: str) -> pd.DataFrame:
    return RATES[what](_open(path, stamp), by)


def rates(index: Index, what: str, by: str) -> pd.DataFrame:
    """Open, veto or active rate of every dimension in every group."""
    return _rates(str(index.path), stamp(index.path / layout.MANIFEST), what, by)


@st.cache_data(max_entries=64, show_spinner="Comparing with ground truth …")
def _best(path: str, stamp: int) -> pd.DataFrame:
    return factors.best_factor(_open(path, stamp))


def best_factor(index: Index) -> pd.DataFrame | None:
    """The ground-truth factor value each dimension tells best; None where nothing is known."""
    if not index.factor_values:
        return None
    return _best(str(index.path), stamp(index.path / layout.MANIFEST))


@st.cache_data(max_entries=512, show_spinner=False)
def _classes(path: str, stamp: int, dimension: int, kind: examples.Kind) -> classes.ClassShares:
    return classes.class_shares(_open(path, stamp), dimension, kind)


def class_shares(index: Index, dimension: int, kind: examples.Kind) -> classes.ClassShares:
    """Classes of the images of one kind of a dimension, with their chance level."""
    return _classes(str(index.path), stamp(index.path / layout.MANIFEST), dimension, kind)
