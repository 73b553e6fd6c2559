"""How help is written: commands under what a person does, examples apart, words for values."""

from __future__ import annotations

import inspect
import os
import re
from functools import partial
from pathlib import Path
from typing import Any, get_args

import typer
import typer.core

from osler.cli.default_library import METAVAR, with_library

PANELS: dict[str, tuple[str, ...]] = {
    "Ask and read": ("search", "brief", "match", "ask", "show", "summarise", "query"),
    "Review": (
        *("project", "rank", "sentences", "save", "searches", "alerts", "duplicates", "simulate"),
    ),
    "Curate facts": (
        *("grade", "stance", "curate", "suggest", "graph", "paths", "link", "add-images", "images"),
    ),
    "Build a library and care for it": (
        *("demo", "samples", "new", "add", "embed", "status", "remove", "erase", "verify"),
        *("rebuild", "snapshot", "records", "fetch", "settings", "licences"),
    ),
    "Serve": ("serve", "mcp"),
    "Teach and measure": (
        *("train", "label", "judge", "predict", "methods", "evaluate", "evaluate-graph", "recipe"),
    ),
}
"""What a person does, and the commands for it, those most used first."""

STRANGERS = "From other packages"

EPILOG = """Most commands take a library first (LIB). Left out, it is the folder that OSLER_LIBRARY
names, else the library in the current folder. osler COMMAND -h shows examples."""

VALUES: tuple[tuple[type, str], ...] = ((Path, "PATH"), (int, "N"), (float, "X"), (str, "TEXT"))
"""What help calls a value, by its type."""

PROGRAM = "osler "
"""Lines of a docstring that begin so are examples; what is indented below one belongs to it."""


def parted(text: str) -> tuple[str, list[str]]:
    """A docstring's words, and its examples line by line."""
    words: list[str] = []
    examples: list[str] = []
    for paragraph in inspect.cleandoc(text).partition("\f")[0].split("\n\n"):
        if paragraph.startswith(PROGRAM):
            examples += paragraph.splitlines()
        else:
            words.append(paragraph)
    return "\n\n".join(words), examples


def _values(parameter: Any) -> str:
    """A word for each value that a parameter takes."""
    annotation = parameter.type_descriptor.annotation
    return " ".join(_word(kind) for kind in get_args(annotation) or (annotation,))


def _word(kind: Any) -> str:
    for known, word in VALUES:
        if isinstance(kind, type) and issubclass(kind, known):
            return word
    return "VALUE"


def _in_usage(argument: Any) -> str:
    """An argument in the line of usage; brackets where it may be left out."""
    name = f"{argument.metavar}{'...' if argument.nargs != 1 else ''}"
    return name if argument.required and argument.metavar != METAVAR else f"[{name}]"


class _Value:
    """What a parameter's value becomes. Typer asks pydantic, which takes longer to load than most
    commands run, even where there is no value: what is nothing yet, what is plain text and what
    names a plain path need nobody. All else goes typer's way, and so do its errors."""

    PATH = ("exists", "writable", "resolve_path", "allow_dash", "path_type", "parser")
    """What would ask more of a path than that it can be read."""

    NUMBER = ("min", "max", "clamp", "parser")

    def __init__(self, parameter: Any) -> None:
        annotation = parameter.type_descriptor.annotation
        info = parameter.type_descriptor.parameter_info
        self.many = getattr(parameter, "multiple", False) or parameter.nargs == -1
        self.text = annotation is str and not getattr(info, "parser", True)
        self.number = (
            annotation
            if annotation in (int, float)
            and all(getattr(info, name, 0) in (None, False) for name in self.NUMBER)
            else None
        )
        self.path = (
            annotation is Path
            and not any(getattr(info, name, True) for name in self.PATH)
            and all(getattr(info, name, False) for name in ("file_okay", "dir_okay"))
        )

    def coerce(self, value: Any, *, param: Any, ctx: Any) -> Any:
        if value is None:
            return () if self.many else None
        if not self.many:
            if type(value) is self.number or (self.text and _is_plain(value)):
                return value
            # What cannot be read, or is not there, is typer's to refuse.
            if self.path and _is_plain(value) and os.access(value, os.R_OK):
                return Path(value)
        return type(param).get_runtime_param(param).coerce(value, param=param, ctx=ctx)


def quick(parameters: list[Any]) -> list[Any]:
    """The parameters, each with a ``_Value`` of its own."""
    for parameter in parameters:
        if "get_runtime_param" not in vars(parameter) and hasattr(parameter, "get_runtime_param"):
            parameter.get_runtime_param = partial(_Value, parameter)
    return parameters


def _is_plain(value: Any) -> bool:
    """Whether a value is a text of characters: an argument may hold bytes that are none."""
    if not isinstance(value, str) or "\0" in value:
        return False
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


class Command(typer.core.TyperCommand):
    """One command: its library may be left out, and its help shows words, then examples, then
    what it takes."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        for parameter in self.params:
            self._dress(parameter)

    @staticmethod
    def _dress(parameter: Any) -> None:
        """No types of Python, and no default where it says nothing: that a switch is off."""
        if parameter.param_type_name == "argument":
            parameter.metavar = parameter.metavar or str(parameter.name).upper()
            if parameter.default == "":
                parameter.show_default = False
        elif parameter.is_flag:
            parameter.show_default = bool(parameter.default) and bool(parameter.secondary_opts)
        elif parameter.metavar is None:
            parameter.metavar = _values(parameter)

    def get_params(self, ctx: Any) -> list[Any]:
        return quick(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, with_library(self, ctx, list(args)))

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        words, examples = parted(self.help or "")
        if words:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(words)
        if examples:
            with formatter.section("Examples"):
                # As they stand: a command that is broken off elsewhere cannot be copied.
                for line in examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        arguments = [one for one in self.get_params(ctx) if one.param_type_name == "argument"]
        return [str(self.options_metavar), *map(_in_usage, arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        rows: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                shown = parameter.metavar if parameter.param_type_name == "argument" else record[0]
                told = str(record[1]).replace("  [required]", "")
                # A default in words is set in brackets of its own, which say nothing.
                told = re.sub(r"\[default: \((.*)\)\]", r"[default: \1]", told)
                rows[parameter.param_type_name].append((str(shown), told))
        for title, listed in (("Arguments", rows["argument"]), ("Options", rows["option"])):
            if listed:
                with formatter.section(title):
                    formatter.write_dl(listed)

    def get_short_help_str(self, limit: int = 45) -> str:
        return first_sentence(self.help or "", limit)


class Group(typer.core.TyperGroup):
    """Several commands; those of the root stand under what a person does."""

    def get_params(self, ctx: Any) -> list[Any]:
        return quick(super().get_params(ctx))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        shown = [name for name in self.list_commands(ctx) if not self.commands[name].hidden]
        if ctx.parent is not None:
            self._section(formatter, "Commands", shown, shown)
            return
        for panel, names in panels(shown).items():
            self._section(formatter, panel, names, shown)

    def _section(self, formatter: Any, title: str, names: list[str], all_names: list[str]) -> None:
        # One width for all sections, so that what is said of commands stands in one column.
        width = max(map(len, all_names))
        limit = formatter.width - 4 - width
        rows = [
            (name.ljust(width), first_sentence(self.commands[name].help or "", limit))
            for name in names
        ]
        with formatter.section(title):
            formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        if ctx.parent is None:
            formatter.write_paragraph()
            formatter.write_text(" ".join(EPILOG.split()))


def panels(names: list[str]) -> dict[str, list[str]]:
    """The commands that are there under what a person does; others' own at the end."""
    found = {panel: [name for name in ours if name in names] for panel, ours in PANELS.items()}
    ours = {name for listed in PANELS.values() for name in listed}
    found[STRANGERS] = [name for name in names if name not in ours]
    return {panel: listed for panel, listed in found.items() if listed}


def first_sentence(text: str, limit: int) -> str:
    """The first sentence of a docstring, or as much of it as fits."""
    words = " ".join(inspect.cleandoc(text).split("\n\n")[0].split())
    sentence = words.split(". ")[0].rstrip(".")
    for mark in ("; ", ": "):
        if len(sentence) <= limit:
            break
        sentence = sentence.split(mark)[0]
    if len(sentence) <= limit:
        return sentence
    return sentence[: limit - 3].rsplit(" ", 1)[0] + "..."


class App(typer.Typer):
    """A Typer whose commands and groups are ours."""

    def __init__(self, **more: Any) -> None:
        more.setdefault("cls", Group)
        more.setdefault("no_args_is_help", True)
        more.setdefault("rich_markup_mode", None)
        more.setdefault("context_settings", {"help_option_names": ["-h", "--help"]})
        super().__init__(**more)

    def command(self, name: str | None = None, **more: Any) -> Any:
        more.setdefault("cls", Command)
        return super().command(name, **more)
