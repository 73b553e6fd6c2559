"""Options that several verbs share, so that they are called alike and mean the same."""

from __future__ import annotations

from typing import Annotated

import typer

WithoutModel = Annotated[
    bool,
    typer.Option("--without-model", help="Set a model aside that was trained into the library."),
]
Whole = Annotated[
    bool,
    typer.Option("--whole", help="With --json: one object with method, model and notes."),
]


def method_help(verb: str, more: str = "") -> str:
    """The help of ``--method``: names come from the registries, strangers' packages included."""
    return f"A method by its name (osler methods {verb} lists them){more}."
