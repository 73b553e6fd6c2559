"""Writes the reference pages that are made from the program itself: commands, settings, errors,
the REST interface.

python -m osler.cli.reference docs/reference
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

import osler.errors
from osler.settings import PLUGINS, SETTINGS


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    subs = getattr(command, "commands", None)
    if subs is None:
        yield name, command
        return
    for sub, inner in subs.items():
        yield from _commands(inner, f"{name} {sub}")


def commands_page() -> str:
    """Every command with its arguments and options."""
    from osler.cli.main import build

    lines = ["# Commands", "", "Made by `python -m osler.cli.reference docs/reference`.", ""]
    for name, command in _commands(typer.main.get_command(build()), "osler"):
        lines += [f"## `{name}`", "", " ".join((command.help or "").split("\n\n")[0].split()), ""]
        rows = []
        for parameter in command.params:
            if parameter.name == "help" or getattr(parameter, "hidden", False):
                continue
            shown = (
                ", ".join(f"`{o}`" for o in (*parameter.opts, *parameter.secondary_opts))
                if parameter.opts and parameter.opts[0].startswith("-")
                else f"`{(parameter.metavar or parameter.name or '').upper()}`"
            )
            help = " ".join((getattr(parameter, "help", "") or "").split()).replace("|", "\\|")
            rows.append(f"| {shown} | {help} |")
        if rows:
            lines += ["| | |", "| --- | --- |", *rows, ""]
    return "\n".join(lines).rstrip() + "\n"


def settings_page() -> str:
    """Every setting with its default."""
    lines = [
        "# Settings",
        "",
        "Each is an environment variable. `osler settings` shows the values in force.",
        "",
        "| variable | default | what it sets |",
        "| --- | --- | --- |",
    ]
    for s in SETTINGS:
        default = "(empty)" if s.default == "" else s.default
        lines.append(f"| `{s.variable}` | {default} | {s.help} |")
    return "\n".join(lines) + "\n"


def errors_page() -> str:
    """Every error code: the tree as it is drawn in ``osler.errors``."""
    kinds = {
        value.code: value
        for value in vars(osler.errors).values()
        if isinstance(value, type) and issubclass(value, osler.errors.OslerError)
    }
    tree = (osler.errors.__doc__ or "").split("\n\n", 1)[1].rstrip()
    lines = [
        "# Errors",
        "",
        "Every error is one line: its code, what is wrong, what to do. Exit codes: 1 for the "
        "library and what it needs, 2 for input, 3 when an `add` rejected records.",
        "",
        "```",
        tree,
        "```",
        "",
        "| code | class | exit code |",
        "| --- | --- | --- |",
    ]
    lines += [f"| `{code}` | `{k.__name__}` | {k.exit_code} |" for code, k in sorted(kinds.items())]
    return "\n".join(lines) + "\n"


def rest_page() -> str:
    """Every operation of the REST interface."""
    from osler.serve.reference import rest_page as page

    return page()


PAGES = {
    "commands.md": commands_page,
    "settings.md": settings_page,
    "errors.md": errors_page,
    "rest.md": rest_page,
}


def main(folder: Path) -> None:
    """Write the pages into a folder: of what Osler brings, whatever else is installed here."""
    os.environ[PLUGINS.variable] = "0"
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (folder / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/reference"))
