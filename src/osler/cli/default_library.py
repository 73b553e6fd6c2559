"""Which library a command means when none is named.

The first argument is the library if it is a folder with a library's card, or if the command has
been given as many arguments as it takes. Else the library was left out, and it is the folder that
``OSLER_LIBRARY`` names, or the library in the current folder. A line on standard error says which.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from osler.errors import InputError
from osler.settings import LIBRARY

METAVAR = "LIB"
"""The argument that a library's folder is given in."""


def is_library(folder: str | Path) -> bool:
    """Whether a folder has a library's card, or what a library without one would hold."""
    place = Path(folder)
    try:
        return (place / "library.json").is_file() or (place / "truth.sqlite").is_file()
    except OSError:  # a question can be longer than a file's name may be
        return False


def default_library() -> tuple[Path, str]:
    """The library that is meant when none is named, and why it is that one."""
    named = LIBRARY.get()
    if named:
        if not is_library(named):
            raise InputError(
                f"{LIBRARY.variable} names {named}, which is no library",
                cure="name the library as the first argument, or set it to one",
            )
        return Path(named), LIBRARY.variable
    here = Path()
    if is_library(here):
        return here, "the current folder"
    inside = sorted(place.name for place in here.iterdir() if place.is_dir() and is_library(place))
    if len(inside) == 1:
        return Path(inside[0]), "the library in the current folder"
    several = f"{len(inside)} libraries are here: {', '.join(inside)}" if inside else ""
    raise InputError(
        f"no library is named{'; ' + several if several else ''}",
        cure=f"name one as the first argument, or set {LIBRARY.variable}",
    )


def say_which(lib: Path, why: str) -> None:
    sys.stderr.write(f"library: {lib} ({why})\n")


def with_library(command: Any, ctx: Any, args: list[str]) -> list[str]:
    """What was typed, with the library put in where it was left out."""
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    if not arguments or arguments[0].metavar != METAVAR or not arguments[0].required:
        return args
    if ctx.resilient_parsing or any(name in args for name in ctx.help_option_names):
        return args
    given = positionals(command.params, args)
    most = sum(one.nargs for one in arguments) if all(one.nargs > 0 for one in arguments) else None
    if given and (is_library(args[given[0]]) or len(given) == most):
        return args
    if given and _reads_files(arguments[1:]) and not Path(args[given[0]]).exists():
        raise InputError(
            f"{args[given[0]]} is neither a library nor a file", cure=f"osler new {args[given[0]]}"
        )
    try:
        lib, why = default_library()
    except InputError as error:
        if not given:
            raise
        raise InputError(
            f"{args[given[0]]!r} is no library, and {error.message}", cure=error.cure
        ) from None
    say_which(lib, why)
    return [str(lib), *args]


def _reads_files(arguments: Sequence[Any]) -> bool:
    """Whether what follows the library is any number of files: then a word that is none was meant
    as the library, and must not send the others into another one."""
    return any(one.nargs < 0 and one.metavar == "FILES" for one in arguments)


def positionals(parameters: Sequence[Any], args: Sequence[str]) -> list[int]:
    """Where in what was typed the arguments stand that belong to no option."""
    takes = {
        name: not (one.is_flag or one.count)
        for one in parameters
        if one.param_type_name == "option"
        for name in (*one.opts, *one.secondary_opts)
    }
    places: list[int] = []
    at = 0
    while at < len(args):
        word = args[at]
        if word == "--":
            return [*places, *range(at + 1, len(args))]
        if word.startswith("-") and len(word) > 1:
            # "--k=5" and "-k5" carry their value with them.
            at += 1 if "=" in word or not takes.get(word, False) else 2
            continue
        places.append(at)
        at += 1
    return places
