"""Name → entry, filled by the files of one folder.

A registry imports the modules of its package on the first look-up, so that adding a plug-in is adding a file.
Files whose name starts with an underscore are not plug-ins. Registering a name twice is an error.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(Generic[T]):
    """The named entries of one plug-in folder. `noun` is what an entry is called in error messages."""

    def __init__(self, noun: str, package: str) -> None:
        self.noun = noun
        self.package = package
        self._entries: dict[str, T] = {}
        self._discovered = False

    def register(self, name: str) -> Callable[[T], T]:
        """Decorator that files an entry under `name`. Raises ValueError when the name is taken."""

        def file(entry: T) -> T:
            if name in self._entries:
                raise ValueError(f"{self.noun} {name!r} is registered twice ({self._entries[name]} and {entry})")
            self._entries[name] = entry
            return entry

        return file

    def _discover(self) -> None:
        if self._discovered:
            return
        package = importlib.import_module(self.package)
        for module in pkgutil.iter_modules(package.__path__):
            if not module.name.startswith("_"):
                importlib.import_module(f"{self.package}.{module.name}")
        self._discovered = True

    def __getitem__(self, name: str) -> T:
        """The entry called `name`. Raises ValueError with the nearest known name and the folder to extend."""
        self._discover()
        if name not in self._entries:
            near = difflib.get_close_matches(name, self._entries, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            folder = self.package.replace(".", "/") + "/"
            raise ValueError(
                f"no {self.noun} called {name!r}.{hint} Known: {', '.join(self.names())}. "
                f"To add one, put a file in {folder}."
            )
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        self._discover()
        return tuple(sorted(self._entries))

    def name_of(self, entry: object) -> str:
        """The name `entry` (or the class of `entry`) is registered under. Raises ValueError when it is not."""
        self._discover()
        for name, known in self._entries.items():
            if known is entry or known is type(entry):
                return name
        raise ValueError(f"{entry!r} is not a registered {self.noun}")
