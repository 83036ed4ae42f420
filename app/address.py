"""The visitor's choices, kept in the address: every view is a link with every value written out.

A choice lives in three places: the widget, this session (so that it survives a change of page) and the address. What
the address says wins when it was changed from outside (a link, Back); what the widget says wins when it was touched.
Streamlit's own binding of widgets to the address leaves defaults out of it and forbids links between pages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st

T = TypeVar("T")


def _memory(name: str) -> dict[str, Any]:
    memory: dict[str, Any] = st.session_state.setdefault(f"_{name}", {})
    return memory


def choose(key: str, value: object) -> None:
    """Choose `value` for `key`: for callbacks, and before another page opens."""
    _memory("choice")[key] = value


def touched(key: str) -> None:
    """Callback of the widget `key`: what it says is the choice now."""
    choose(key, st.session_state[key])


def value_of(key: str, read: Callable[[str], T | None], default: T) -> T:
    """The choice for `key`. `read` turns the address's text into a value, or None when it is not a possible one."""
    choice, text = _memory("choice"), st.query_params.get(key)
    if text is not None and text != _memory("written").get(key):
        choice[key] = read(text)
    kept = choice.get(key)
    value = default if kept is None or read(str(kept)) is None else kept
    choice[key] = value
    st.session_state[key] = value  # the widget of this key is drawn next, and shows it
    _write(key, str(value))
    return value


def _write(key: str, text: str) -> None:
    _memory("written")[key] = text
    if st.query_params.get(key) != text:
        st.query_params[key] = text


def pick_option(label: str, options: list[str], key: str, default: str = "", where: Any = st, **more: Any) -> str:
    """A select box kept in the address; a value that is not among `options` becomes `default`, else the first."""
    value_of(key, lambda text: text if text in options else None, default or options[0])
    return str(where.selectbox(label, options, key=key, on_change=touched, args=(key,), **more))


def pick_number(label: str, key: str, high: int, default: int, where: Any = st) -> int:
    """A whole number in 0…`high` kept in the address; anything else there becomes `default`."""

    def read(text: str) -> int | None:
        return int(text) if text.isascii() and text.isdigit() and len(text) < 12 and int(text) <= high else None

    value_of(key, read, default)
    return int(where.number_input(label, 0, high, step=1, key=key, on_change=touched, args=(key,)))


def pick_text(label: str, key: str, hint: str, where: Any = st) -> str:
    """A line of text kept in the address, at most 60 characters."""
    value_of(key, lambda text: text if len(text) <= 60 else None, "")
    return str(
        where.text_input(label, key=key, placeholder=hint, on_change=touched, args=(key,), label_visibility="collapsed")
        or ""
    ).strip()


def pick_step(label: str, options: list[int], key: str, default: int, help: str | None = None) -> int:
    """A slider over the whole numbers `options` kept in the address; any other becomes `default`."""
    known = {str(option): option for option in options}
    value_of(key, known.get, default)
    return int(st.select_slider(label, options, key=key, on_change=touched, args=(key,), help=help))


def pick_real(label: str, key: str, low: float, high: float, default: float, step: float, form: str) -> float:
    """A slider from `low` to `high` kept in the address; what is outside or no number becomes `default`."""
    kind = type(default)

    def read(text: str) -> float | None:
        try:
            number = kind(text)
        except ValueError:
            return None
        return number if low <= number <= high else None

    value_of(key, read, default)
    return float(st.slider(label, low, high, step=step, format=form, key=key, on_change=touched, args=(key,)))


def pick_segment(label: str, options: dict[str, str], key: str, default: str) -> str:
    """A row of buttons kept in the address; `options` is value → text. Nothing pressed means `default`."""
    value_of(key, lambda text: text if text in options else None, default)
    pressed = st.segmented_control(
        label,
        list(options),
        key=key,
        format_func=options.__getitem__,
        label_visibility="collapsed",
        on_change=touched,
        args=(key,),
        required=True,
        wrap=True,
    )
    return str(pressed or default)


def share() -> None:
    """A small box with a link that reproduces this view."""
    base = (st.context.url or "").split("?")[0]
    with st.popover("Link to this view", icon=":material/link:"):
        st.code(f"{base}?{urlencode(dict(st.query_params))}", language=None, wrap_lines=True)
