"""Spec dataclasses ↔ command-line flags: a field is a flag, its docstring line is the help."""

from __future__ import annotations

import argparse
import dataclasses
import typing
from typing import Any, Literal

from bncl_core.spec import Plugin, field_help, field_types, is_plugin


def add_flags(
    parser: argparse.ArgumentParser,
    cls: type,
    title: str,
    prefix: str = "",
    start: Any = None,
    shown: dict[str, str] | None = None,
) -> None:
    """One flag `--<prefix><field>` for each plain field of `cls`; nested dataclasses have flags of their own.

    `start` is the instance whose values are shown as defaults, the class's own otherwise; `shown` overrides the text.
    The field `kind` of a prefixed group is the prefix alone: `--gate ste`.
    """
    group = parser.add_argument_group(title)
    texts, kinds = field_help(cls), field_types(cls)
    for f in dataclasses.fields(cls):
        kind = kinds[f.name]
        if dataclasses.is_dataclass(kind) or is_plugin(kind):
            continue
        default = getattr(start, f.name) if start is not None else f.default
        text = (shown or {}).get(f.name, _show(default))
        said = "" if default is dataclasses.MISSING else f" (default: {text})"
        flag = prefix.rstrip("-") if f.name == "kind" and prefix else prefix + f.name
        choices = (
            f" One of: {', '.join(map(str, typing.get_args(kind)))}." if typing.get_origin(kind) is Literal else ""
        )
        group.add_argument(
            f"--{flag}".replace("_", "-"),
            dest=f"{title}/{f.name}",
            default=argparse.SUPPRESS,
            metavar=_metavar(kind),
            help=(texts.get(f.name, "") + choices + said).replace("%", "%%"),
        )


def given(arguments: argparse.Namespace, title: str) -> dict[str, Any]:
    """The fields of the group `title` that were on the command line, as text: spec.from_json converts and checks."""
    return {key.split("/", 1)[1]: value for key, value in vars(arguments).items() if key.startswith(f"{title}/")}


def choose(words: list[str], flag: str, default: str) -> str:
    """The value of `--flag` before the rest is parsed: it decides which other flags there are."""
    early = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    early.add_argument(flag, default=default)
    return str(getattr(early.parse_known_args(words)[0], flag.lstrip("-").replace("-", "_")))


def plain_fields(spec: Any) -> dict[str, Any]:
    """The plain field values of a spec instance."""
    kinds = field_types(type(spec))
    return {
        f.name: getattr(spec, f.name)
        for f in dataclasses.fields(spec)
        if not (dataclasses.is_dataclass(kinds[f.name]) or is_plugin(kinds[f.name]))
    }


def add_plugin(parser: argparse.ArgumentParser, base: type[Plugin], flag: str, name: str, prefix: str = "") -> None:
    """`--flag NAME` and the flags of the plug-in `name`."""
    names = ", ".join(base.registry.names())
    parser.add_argument(flag, default=name, metavar="NAME", help=f"{base.registry.noun}: {names} (default: {name})")
    add_flags(parser, base.registry[name], flag.lstrip("-"), prefix)


def _show(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else repr(value) if value == "" else str(value)


def _metavar(kind: Any) -> str:
    origin = typing.get_origin(kind)
    if origin is Literal:
        return "|".join(map(str, typing.get_args(kind)))
    return {int: "N", float: "X", bool: "yes|no"}.get(kind, "TEXT")
