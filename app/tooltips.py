"""Tooltips are the docstrings of what computed the number, so that page and code cannot disagree."""

from __future__ import annotations

import inspect
import re

_LINE = re.compile(r"^([A-Za-z_0-9]+(?:, [A-Za-z_0-9]+)*)  +(\S.*)$")


def described(thing: object) -> dict[str, str]:
    """What the docstring of `thing` says about each name: lines `name   text` or `one, two   text`.

    Lines that are indented further go on with the text. Names without such a line are absent.
    """
    texts: dict[str, str] = {}
    names: list[str] = []
    for line in (inspect.getdoc(thing) or "").splitlines():
        match = _LINE.match(line)
        if match:
            names = match[1].split(", ")
            texts |= dict.fromkeys(names, match[2])
        elif line.startswith("  ") and line.strip():
            texts |= {name: f"{texts[name]} {line.strip()}" for name in names}
        else:
            names = []
    return {name: text[0].upper() + text[1:] for name, text in texts.items()}
