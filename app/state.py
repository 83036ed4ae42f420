"""What the visitor chose: study, run, index, dimension, image. It lives in the address, so that every view is a link."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

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
    """The study, run and index pickers of the side bar. Values from the address that do not exist become the default."""
    known = studies()
    if not known:
        return
    study = known[_pick("Study", list(known), "study", lambda name: known[name].title)]
    runs = {run.name: run for run in study.runs()}
    if not runs:
        return
    run = runs[_pick("Run", list(runs), "run", lambda name: _run_label(runs[name]), _first(runs))]
    indexes = [path.name for path in run.indexes()]
    if indexes:
        _pick("Images", indexes, "images", lambda name: name)


def _pick(label: str, options: list[str], key: str, show: object, default: str = "") -> str:
    if st.session_state.get(key) not in options:
        wanted = st.query_params.get(key)
        st.session_state[key] = wanted if wanted in options else default or options[0]
    chosen = st.selectbox(label, options, key=key, format_func=show, bind="query-params")
    return str(chosen) if chosen in options else options[0]


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


def chosen_run() -> Run:
    """The chosen run. A study without runs, or a broken run, is explained and the page stops."""
    study = chosen_study()
    name = st.session_state.get("run", "")
    runs = {run.name: run for run in study.runs()}
    if name not in runs:
        st.info(f"The study “{study.title}” has no runs yet. Train one into it:")
        st.code(f"python -m bncl_core train --study {study.name} --dataset scenes --objective bayes_ncl", language="bash")
        st.stop()
    run = runs[name]
    if run.status == "broken":
        st.error(f"Run **{run.name}** cannot be shown. {run.problem}")
        st.stop()
    return run


def chosen_index() -> Index:
    """The chosen index. A run without one, or a damaged one, is explained and the page stops."""
    run = chosen_run()
    paths = {path.name: path for path in run.indexes()}
    if not paths:
        said = run.problem or "It has no index yet: nothing has looked at its images."
        st.info(f"Run **{run.name}** ({run.status}): {said}")
        if run.status == "complete":
            st.code(f"python -m bncl_core index {run.study}/{run.name}", language="bash")
        st.stop()
    path = paths.get(st.session_state.get("images", ""), next(iter(paths.values())))
    try:
        return open_index(path)
    except (OSError, ValueError, KeyError) as error:
        st.error(f"The index **{path.name}** of run **{run.name}** cannot be read: {error}")
        st.code(f"python -m bncl_core index {run.study}/{run.name}", language="bash")
        st.stop()


def pick_number(label: str, key: str, high: int, default: int, where: object = st) -> int:
    """A number in 0…`high` that is kept in the address under `key`; what is out of range there becomes `default`."""
    if not isinstance(st.session_state.get(key), int) or not 0 <= st.session_state[key] <= high:
        wanted = st.query_params.get(key, "")
        inside = wanted.isdigit() and int(wanted) <= high
        st.session_state[key] = int(wanted) if inside else default
    return int(where.number_input(label, 0, high, step=1, key=key, bind="query-params"))  # type: ignore[attr-defined]


def set_state(key: str, value: object) -> None:
    """For callbacks: choose something."""
    st.session_state[key] = value


def open_page(page: str, **state: object) -> None:
    """Go to the page `NN_name` with `state` on top of the present choice."""
    st.session_state["_go"] = state
    st.switch_page(page_path(page))


def arrive() -> None:
    """Take over what `open_page` chose; called before any widget is drawn, since a drawn widget keeps its value."""
    for key, value in st.session_state.pop("_go", {}).items():
        st.session_state[key] = value


def page_path(page: str) -> Path:
    """The file of the page whose name ends in `page`."""
    return next(layout.PROJECT.glob(f"pages/*_{page}.py"))


def full_state(**state: object) -> dict[str, str]:
    """The whole choice as text, defaults included, with `state` on top."""
    keys = {key: st.session_state.get(key) for key in ("study", "run", "images")}
    return {key: str(value) for key, value in (keys | state).items() if value is not None}


def share(**state: object) -> None:
    """A small box with a link that reproduces this view, every value written out."""
    base = st.context.url.split("?")[0] if st.context.url else ""
    with st.popover("Link to this view", icon=":material/link:"):
        st.code(f"{base}?{urlencode(full_state(**state))}", language=None, wrap_lines=True)


def provenance(index: Index) -> str:
    """Where the numbers on a page come from, in one line."""
    m = index.manifest
    return (
        f"{m['run']} · checkpoint {m['checkpoint']} ({m['checkpoint_sha256'][:12]}) · {m['image_set']}/{m['split']} "
        f"({m['data_fingerprint']}) · n = {index.n:,} images, k = {index.k:,} dimensions"
    )
