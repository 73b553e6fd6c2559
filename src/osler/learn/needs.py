"""The optional packages of this room, each with an explanation where it is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from osler.errors import MissingExtra


def torch(what: str = "training") -> Any:
    """The module ``torch``, or an error that says what needs it and how to install it."""
    return _module("torch", what)


def sklearn(name: str, what: str = "training") -> Any:
    """A module of scikit-learn, such as ``svm`` or ``linear_model``."""
    return _module(f"sklearn.{name}", what)


def _module(name: str, what: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtra(what, "neural") from None
