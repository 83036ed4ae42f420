"""Tooltips are the docstrings of what computed the number, so that page and code cannot disagree."""

from __future__ import annotations

import inspect

from bncl_core import spec


def described(thing: object) -> dict[str, str]:
    """What the docstring of `thing` says about each name: lines `name   text` or `one, two   text`.

    Lines that are indented further go on with the text. Names without such a line are absent.
    """
    texts = spec.described(inspect.getdoc(thing) or "")
    return {name: text[0].upper() + text[1:] for name, text in texts.items()}
