"""Settings of a method or a recipe as a person types them: ``lambda=0.05``, ``hidden=100``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from osler.errors import InputError

PAPERS_NAMES = {"lambda": "weight"}
"""What the paper calls a setting whose name is a word of the language."""

Takes = Callable[..., Any]
"""A class or a function: its settings are the arguments that are given by name alone."""


def parsed(pairs: Sequence[str]) -> dict[str, str]:
    """``name=value`` pairs by name."""
    given = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name or not value:
            raise InputError(f"{pair!r} is no setting", cure="write it as name=value: hidden=100")
        given[PAPERS_NAMES.get(name, name)] = value
    return given


def settings_of(takes: Takes) -> dict[str, Any]:
    """The settings that a class or function takes, with their defaults; a class that hands further
    ones on takes those of the class above it too."""
    found: dict[str, Any] = {}
    for one in inspect.getmro(takes) if inspect.isclass(takes) else (takes,):
        signature = _own_signature(one)
        if signature is None:
            continue
        handed_on = False
        for name, parameter in signature.parameters.items():
            handed_on |= parameter.kind is inspect.Parameter.VAR_KEYWORD
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                found.setdefault(name, parameter.default)
        if not handed_on:
            break
    return found


def _own_signature(takes: Takes) -> inspect.Signature | None:
    if not inspect.isclass(takes):
        return inspect.signature(takes)
    own = vars(takes).get("__init__")
    return None if own is None else inspect.signature(own)


def fitting(takes: Takes, given: Mapping[str, str]) -> dict[str, Any]:
    """Those of the given settings that it takes, as numbers or names like their defaults."""
    known = settings_of(takes)
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
    # A setting that is left open may be a number.
    return int(text) if default is None and text.isdecimal() else text


def check_taken(given: Mapping[str, str], takers: Sequence[Takes]) -> None:
    """Refuse a setting that none of them takes."""
    known = sorted({name for takes in takers for name in settings_of(takes)})
    for name in given:
        if name not in known:
            raise InputError(f"nothing here takes {name!r}", cure="known are " + ", ".join(known))


def check_least(least: float, **settings: float) -> None:
    """Refuse a setting that is below what makes sense."""
    for name, value in settings.items():
        if not value >= least:
            raise InputError(f"{name} is not {value:g}", cure=f"it is {least:g} or more")
