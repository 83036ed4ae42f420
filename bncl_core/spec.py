"""A thing is its parameters: frozen dataclass ↔ JSON, and the digest that names it.

Unknown keys are errors, so that a misspelt parameter never trains silently with its default. A field whose type
is a plug-in (a subclass of `Plugin`) is stored as its fields plus `"name"`, its name in the registry.
A field with metadata `{"identity": False}` (a path, say) is stored but does not change the digest.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
import re
import types
import typing
from typing import Any, ClassVar, Literal, TypeVar

from bncl_core.registry import Registry

S = TypeVar("S")
Json = dict[str, Any]


class Plugin:
    """Base of the plug-in dataclasses: each folder's base class names its registry."""

    registry: ClassVar[Registry[Any]]


def field_types(cls: type) -> dict[str, Any]:
    """The resolved type of every dataclass field of `cls`, in order."""
    hints = typing.get_type_hints(cls)
    return {f.name: hints[f.name] for f in dataclasses.fields(cls)}


def is_plugin(kind: Any) -> bool:
    """Whether the field type `kind` is a plug-in base class."""
    return isinstance(kind, type) and issubclass(kind, Plugin)


def to_json(thing: Any, identity_only: bool = False) -> Json:
    """The JSON object of a spec dataclass; with `identity_only`, without the fields that do not name it."""
    out: Json = {}
    if isinstance(thing, Plugin):
        out["name"] = type(thing).registry.name_of(thing)
    kinds = field_types(type(thing))
    for f in dataclasses.fields(thing):
        if identity_only and not f.metadata.get("identity", True):
            continue
        value = getattr(thing, f.name)
        if dataclasses.is_dataclass(value):
            value = to_json(value, identity_only)
        elif isinstance(value, tuple):
            inner = typing.get_args(kinds[f.name])[0]
            value = [_plain(part, inner) for part in value]
        else:
            value = _plain(value, kinds[f.name])
        out[f.name] = value
    return out


def _plain(value: Any, kind: Any) -> Any:
    """`value` for JSON: a whole number in a float field is written as a float, so that 1 and 1.0 are one config."""
    return float(value) if kind is float and isinstance(value, int) and not isinstance(value, bool) else value


def from_json(cls: type[S], data: Json) -> S:
    """Build `cls` from its JSON object.

    Raises ValueError for unknown keys, unknown plug-in names, and values of the wrong kind or outside the allowed
    range (the dataclass's own `__post_init__`).
    """
    data = dict(data)
    target: Any = cls
    if is_plugin(cls):
        registry: Registry[Any] = cls.registry  # type: ignore[attr-defined]
        if "name" not in data:
            raise ValueError(f"a {registry.noun} needs a 'name'. Known: {', '.join(registry.names())}")
        target = registry[data.pop("name")]
    kinds = field_types(target)
    unknown = sorted(set(data) - set(kinds))
    if unknown:
        raise ValueError(f"unknown key(s) {', '.join(unknown)} for {target.__name__}. Allowed: {', '.join(kinds)}")
    values = {key: convert(value, kinds[key], f"{target.__name__}.{key}") for key, value in data.items()}
    try:
        return typing.cast(S, target(**values))
    except TypeError as error:  # a required field is missing
        raise ValueError(f"{target.__name__}: {error}") from error


def convert(value: Any, kind: Any, where: str) -> Any:
    """`value` as the field type `kind`; ValueError naming `where`, the value and what is allowed."""
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        options = [k for k in typing.get_args(kind) if k is not type(None)]
        if value is None or (isinstance(value, str) and value.lower() == "none" and str not in options):
            return None
        return convert(value, options[0], where)
    if origin is Literal:
        allowed = typing.get_args(kind)
        if value not in allowed:
            raise ValueError(f"{where} is {value!r}; allowed: {', '.join(map(str, allowed))}")
        return value
    if origin is tuple:
        inner = typing.get_args(kind)[0]
        parts = [part for part in value.split(",") if part] if isinstance(value, str) else value
        return tuple(convert(part, inner, where) for part in parts)
    if dataclasses.is_dataclass(kind) or is_plugin(kind):
        return value if isinstance(value, kind) else from_json(kind, value)
    return _scalar(value, kind, where)


def _scalar(value: Any, kind: Any, where: str) -> Any:
    if kind is bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "yes", "1", "false", "no", "0"):
            return value.lower() in ("true", "yes", "1")
    elif kind is str and isinstance(value, str):
        return value
    elif kind in (int, float) and not isinstance(value, bool):
        try:
            number = float(value)
            if kind is float:
                return number
            if number.is_integer():
                return int(number)
        except (TypeError, ValueError, OverflowError):
            pass
    raise ValueError(f"{where} is {value!r}; expected {getattr(kind, '__name__', kind)}")


def canonical(data: Any) -> str:
    """The one JSON spelling of `data`: sorted keys, no spaces, NaN refused."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(thing: Any) -> str:
    """Twelve hex digits naming a spec: sha256 of the canonical JSON of its identity fields."""
    return hashlib.sha256(canonical(to_json(thing, identity_only=True)).encode()).hexdigest()[:12]


_FIELD_LINE = re.compile(r"^([A-Za-z_0-9]+(?:, [A-Za-z_0-9]+)*)  +(\S.*)$")


def field_help(cls: type) -> dict[str, str]:
    """What the docstrings of a spec dataclass and its bases say about each field.

    Lines `name   text` (two spaces or more between them) start an entry, indented lines go on with it.
    """
    texts: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        texts |= described(inspect.cleandoc(base.__dict__.get("__doc__") or ""))
    names = {f.name for f in dataclasses.fields(cls)}
    return {name: text for name, text in texts.items() if name in names}


def described(doc: str) -> dict[str, str]:
    """What a docstring says about each name: lines `name   text` or `one, two   text`; indented lines go on."""
    texts: dict[str, str] = {}
    current: tuple[str, ...] = ()
    for line in doc.splitlines():
        match = _FIELD_LINE.match(line)
        if match:
            current = tuple(match[1].split(", "))
            texts |= dict.fromkeys(current, match[2])
        elif line.startswith("  "):
            texts |= {name: f"{texts[name]} {line.strip()}" for name in current}
        else:
            current = ()
    return texts
