"""Public doors that cost nothing to open: names are fetched from their homes when they are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy(door: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module ``door`` whose public names live elsewhere: a home is
    ``module`` or, where the name differs there, ``module:name``."""

    def fetch(name: str) -> Any:
        try:
            home = homes[name]
        except KeyError:
            raise AttributeError(f"module {door!r} has no attribute {name!r}") from None
        module, _, called = home.partition(":")
        return getattr(import_module(module), called or name)

    return fetch
