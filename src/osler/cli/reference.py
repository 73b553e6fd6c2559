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
from osler.cli.helping import EPILOG, panels, parted
from osler.settings import PLUGINS, SETTINGS


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """A command, or those of a group, with their paths."""
    subs = getattr(command, "commands", None)
    if subs is None:
        yield name, command
        return
    for sub, inner in subs.items():
        yield from _commands(inner, f"{name} {sub}")


def _parameter(parameter: Any) -> str:
    """A row of a command's table."""
    if parameter.param_type_name == "argument":
        shown = f"`{parameter.metavar}`"
    else:
        shown = ", ".join(f"`{option}`" for option in (*parameter.opts, *parameter.secondary_opts))
        if not parameter.is_flag:
            shown += f" {parameter.metavar}"
    help = " ".join((getattr(parameter, "help", "") or "").split()).replace("|", "\\|")
    return f"| {shown} | {help} |"


def _described(name: str, command: Any) -> list[str]:
    """A command with its words, its examples, its arguments and options."""
    words, examples = parted(command.help or "")
    told = [" ".join(paragraph.split()) for paragraph in words.split("\n\n")]
    lines = [f"### `{name}`", "", *(line for one in told for line in (one, ""))]
    if examples:
        lines += ["```sh", *examples, "```", ""]
    rows = [
        _parameter(one)
        for one in command.params
        if one.name != "help" and not getattr(one, "hidden", False)
    ]
    return [*lines, "| | |", "| --- | --- |", *rows, ""] if rows else lines


def commands_page() -> str:
    """Every command with its arguments and options."""
    from osler.cli.main import build

    lines = ["# Commands", "", "Made by `python -m osler.cli.reference docs/reference`.", ""]
    lines += [" ".join(EPILOG.split()), ""]
    root: Any = typer.main.get_command(build())
    shown = [name for name, command in root.commands.items() if not command.hidden]
    for panel, names in panels(shown).items():
        lines += [f"## {panel}", ""]
        for name in names:
            for path, command in _commands(root.commands[name], f"osler {name}"):
                lines += _described(path, command)
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
