"""Settings of a ranker as a person types them: ``lambda=0.05``, ``hidden=100``."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from osler.errors import InputError

PAPERS_NAMES = {"lambda": "weight"}
"""What the paper calls a setting whose name is a word of the language."""


def parsed(pairs: Sequence[str]) -> dict[str, str]:
    """``name=value`` pairs by name."""
    given = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name or not value:
            raise InputError(f"{pair!r} is no setting", cure="write it as name=value: hidden=100")
        given[PAPERS_NAMES.get(name, name)] = value
    return given


def settings_of(ranker: type) -> dict[str, Any]:
    """The settings that a ranker takes, with their defaults."""
    return {
        name: parameter.default
        for name, parameter in inspect.signature(ranker).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def fitting(ranker: type, given: Mapping[str, str]) -> dict[str, Any]:
    """Those of the given settings that a ranker takes, as numbers or names like their defaults."""
    known = settings_of(ranker)
    return {name: _value(name, text, known[name]) for name, text in given.items() if name in known}


def _value(name: str, text: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return {"true": True, "false": False}[text.lower()]
        if isinstance(default, int | float):
            return type(default)(text)
        if isinstance(default, tuple):
            kind = type(default[0]) if default else str
            return tuple(kind(part) for part in text.split(","))
    except (KeyError, ValueError):
        raise InputError(
            f"{name} is not {text!r}", cure=f"it is like its default, {default}"
        ) from None
    return text


def check_taken(given: Mapping[str, str], rankers: Sequence[type]) -> None:
    """Refuse a setting that none of the rankers takes."""
    known = sorted({name for ranker in rankers for name in settings_of(ranker)})
    for name in given:
        if name not in known:
            raise InputError(f"nothing here takes {name!r}", cure="known are " + ", ".join(known))
