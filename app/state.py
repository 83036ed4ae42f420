"""What the visitor chose: study, run and index; a choice that cannot be shown explains itself and stops the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from app.address import choose, pick_option
from app.cache import open_index
from bncl_core.analysis.index import Index
from bncl_core.studies import layout
from bncl_core.studies.run import Run
from bncl_core.studies.study import Study, list_studies

NO_STUDY = """
### No study here yet
A study is a folder of trained runs. Make the demo with `make demo`, or train your first run:
"""
TRAIN = "python -m bncl_core train --dataset scenes --objective bayes_ncl --epochs 5"


def studies() -> dict[str, Study]:
    """Every study by a name that is unique: a second one of the same name carries its root's."""
    found: dict[str, Study] = {}
    for study in list_studies():
        name = study.name if study.name not in found else f"{study.path.parent.name}:{study.name}"
        found[name] = study
    return found


def pickers() -> None:
    """The study, run and index pickers of the side bar. What does not exist becomes the default."""
    known = studies()
    if not known:
        return
    study = known[pick_option("Study", list(known), "study", format_func=lambda name: known[name].title)]
    runs = {run.name: run for run in study.runs()}
    if not runs:
        return
    run = runs[pick_option("Run", list(runs), "run", _first(runs), format_func=lambda name: _run_label(runs[name]))]
    indexes = [path.name for path in run.indexes()]
    if indexes:
        pick_option("Images", indexes, "images")


def _first(runs: dict[str, Run]) -> str:
    """The run a newcomer should see: a complete one with a learned gate, else a complete one, else any."""
    complete = [name for name, run in runs.items() if run.status == "complete"]
    gated = [name for name in complete if runs[name].objective == "bayes_ncl"]
    return (gated or complete or list(runs))[0]


def _run_label(run: Run) -> str:
    status = run.status
    return run.name if status == "complete" else f"{run.name} ({status})"


def chosen_study() -> Study:
    """The chosen study. Where there is none the page says so and stops."""
    study = studies().get(st.session_state.get("study", ""))
    if study is None:
        st.markdown(NO_STUDY)
        st.code(TRAIN, language="bash")
        st.caption(f"Studies are looked for in {' and '.join(f'`{root}`' for root in layout.roots())}.")
        st.stop()
    problem = study.about().get("problem")
    if problem:
        st.warning(f"study.json cannot be read: {problem}. The runs are shown all the same.")
    return study


def chosen_run() -> Run | None:
    """The chosen run; None after saying why it is broken. A study without runs says so and stops the page."""
    study = chosen_study()
    name = st.session_state.get("run", "")
    runs = {run.name: run for run in study.runs()}
    if name not in runs:
        st.info(f"The study “{study.title}” has no runs yet. Train one into it:")
        st.code(
            f"python -m bncl_core train --study {study.name} --dataset scenes --objective bayes_ncl", language="bash"
        )
        st.stop()
    run = runs[name]
    if run.status == "broken":
        st.error(f"Run **{run.name}** cannot be shown. {run.problem}")
        return None
    return run


def index_or_reason() -> Index | None:
    """The chosen index; None after saying why there is none, or why it cannot be read, and what to do."""
    run = chosen_run()
    if run is None:
        return None
    paths = {path.name: path for path in run.indexes()}
    if not paths:
        said = run.problem or "It has no index yet: nothing has looked at its images."
        st.info(f"Run **{run.name}** ({run.status}): {said}")
        if run.status == "complete":
            st.code(f"python -m bncl_core index {run.study}/{run.name}", language="bash")
        return None
    path = paths.get(st.session_state.get("images", ""), next(iter(paths.values())))
    try:
        return open_index(path)
    except (OSError, ValueError, KeyError) as error:
        st.error(f"The index **{path.name}** of run **{run.name}** cannot be read: {error}")
        st.code(f"python -m bncl_core index {run.study}/{run.name}", language="bash")
        return None


def chosen_index() -> Index:
    """The chosen index. Where there is none, or a damaged one, the page says so, links to the others and stops."""
    index = index_or_reason()
    if index is None:
        st.page_link(page_path("overview"), label="The other runs of this study", icon=":material/dashboard:")
        st.stop()
    return index


def open_page(page: str, **state: object) -> None:
    """Go to the page `NN_name` with `state` on top of the present choice."""
    for key, value in state.items():
        choose(key, value)
    if page == st.session_state.get("_page"):
        st.rerun()
    st.switch_page(page_path(page))


def page_path(page: str) -> Path:
    """The file of the page whose name ends in `page`."""
    return next(layout.PROJECT.glob(f"pages/*_{page}.py"))


def temperature_of_run() -> float | None:
    """The contrastive temperature of the chosen run; None where there is no readable run or it has none."""
    study = studies().get(st.session_state.get("study", ""))
    runs = {run.name: run for run in study.runs()} if study else {}
    run = runs.get(st.session_state.get("run", ""))
    if run is None or run.status == "broken":
        return None
    value = run.config["objective"].get("temperature")
    return None if value is None else float(value)


def heading(title: str, where: Any = st) -> None:
    """The title of a page and, under it, what the visitor is looking at (the side bar is folded on a phone)."""
    where.title(title)
    chosen = [st.session_state.get(key, "") for key in ("study", "run", "images")]
    where.caption(" › ".join(part for part in chosen if part))


def provenance(index: Index) -> str:
    """Where the numbers on a page come from, in one line."""
    m = index.manifest
    return (
        f"{m['run']} · checkpoint {m['checkpoint']} ({m['checkpoint_sha256'][:12]}) · {m['image_set']}/{m['split']} "
        f"({m['data_fingerprint']}) · n = {index.n:,} images, k = {index.k:,} dimensions"
    )
