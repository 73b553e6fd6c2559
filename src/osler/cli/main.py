"""``osler``: the entry point. Every error is one line with a code and what to do."""

from __future__ import annotations

import gc
import logging
import os
import pkgutil
import shlex
import sys
from importlib import import_module

import typer

import osler.cli
from osler.cli.commands import Commands, called
from osler.errors import InputError, OslerError, QueryError
from osler.registry import strangers

log = logging.getLogger(__name__)

# First what a library needs, then the verbs, then the rest by name.
FIRST = (
    "library",
    "removing",
    "search",
    "saved",
    "link",
    "rank",
    "sentences",
    "grade",
    "match",
    "ask",
)
SHARED = ("commands", "default_library", "helping", "main", "options", "reference", "show")


def modules() -> list[str]:
    """The files of this room that add commands."""
    names = {module.name for module in pkgutil.iter_modules(osler.cli.__path__)}.difference(SHARED)
    return [name for name in FIRST if name in names] + sorted(names.difference(FIRST))


HOMES = {
    **dict.fromkeys(
        ("new", "add", "show", "status", "verify", "rebuild", "embed", "snapshot", "settings"),
        "library",
    ),
    **dict.fromkeys(("remove", "erase"), "removing"),
    **dict.fromkeys(("save", "alerts", "searches"), "saved"),
    "paths": "link",
    **dict.fromkeys(("add-images", "images"), "graph"),
}
"""The file that adds a command, where it is not called like it."""


def alone(name: str) -> typer.Typer | None:
    """The command line with one command and its neighbours: making all of them takes longer than
    most of them run. None where no file of ours adds that command."""
    home = HOMES.get(name, name.replace("-", "_"))
    if home not in modules():
        return None
    commands = Commands()
    register = getattr(import_module(f"osler.cli.{home}"), "register", None)
    if register is not None:
        register(commands)
    return commands.joined() if name in commands.names() else None


def asked_for(args: list[str]) -> typer.Typer:
    """What is needed to run a command line: one command, or all where none is named."""
    completing = any(variable.startswith("_OSLER") for variable in os.environ)
    return (None if completing or not args else alone(args[0])) or build()


def build() -> typer.Typer:
    """The command line with all commands."""
    commands = Commands()
    for name in modules():
        register = getattr(import_module(f"osler.cli.{name}"), "register", None)
        if register is not None:
            register(commands)
    add_strangers(commands)
    return commands.joined()


def add_strangers(commands: Commands) -> None:
    """Commands of other packages: an entry point of ``osler.commands`` is a ``register``. What has
    a name of ours is left out: a command does the same whoever else is installed."""
    ours = list(commands.app.registered_commands)
    taken = commands.names()
    for point in strangers("osler.commands").values():
        try:
            point.load()(commands)
        except Exception as error:
            log.warning("commands of %s are left out: %s", point.module, error)
    theirs = commands.app.registered_commands[len(ours) :]
    for info in theirs:
        if called(info) in taken:
            log.warning("a command of another package is left out: %s is ours", called(info))
    kept = [info for info in theirs if called(info) not in taken]
    commands.app.registered_commands[:] = [*ours, *kept]


def main() -> None:
    """Run the command line and leave with its exit code."""
    # To load a hundred modules makes a hundred thousand objects and no garbage.
    gc.set_threshold(YOUNG, 20, 20)
    logging.basicConfig(
        level=os.environ.get("OSLER_LOG", "WARNING").upper(), format="%(levelname)s %(message)s"
    )
    try:
        code = asked_for(sys.argv[1:])(standalone_mode=False, prog_name="osler")
    except OslerError as error:
        _report(error)
        raise SystemExit(error.exit_code) from None
    except typer.Exit as stop:
        code = stop.exit_code
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except OSError as error:
        if not error.filename:
            raise
        # A file that somebody named and that cannot be opened or written, whatever the command.
        wrong = InputError(f"{error.filename} cannot be used: {error.strerror}")
        _report(wrong)
        raise SystemExit(wrong.exit_code) from None
    except Exception as error:
        show = getattr(error, "show", None)
        if show is None:
            raise
        show()  # a usage error of the command line itself
        raise SystemExit(getattr(error, "exit_code", 2)) from None
    # All of it goes with the process: nothing needs to be looked through once more.
    gc.freeze()
    if code == INTERRUPTED:
        sys.stderr.write(f"\n{stopped(sys.argv[1:])}\n")
    raise SystemExit(code if isinstance(code, int) else 0)


YOUNG = 200_000
"""New objects before the collector looks at them, more than a cold search makes: looking once takes
a thirtieth of its time, and as often as Python looks by itself, a tenth."""
INTERRUPTED = 130
"""What a shell says of a program that Ctrl-C ended; typer gives it back as an exit code."""

RESUMED = ("add", "demo", "embed", "rebuild")
"""Commands that commit as they go: typed once more, they go on where they were stopped."""


def stopped(args: list[str]) -> str:
    """What is said after Ctrl-C: whether anything stays, and how to go on."""
    if args and args[0] in RESUMED:
        return f"stopped; what was committed stays. To go on: {shlex.join(['osler', *args])}"
    return "stopped"


def _report(error: OslerError) -> None:
    if isinstance(error, QueryError):
        sys.stderr.write(error.marked + "\n")
    sys.stderr.write(f"{error}\n")


if __name__ == "__main__":
    main()
