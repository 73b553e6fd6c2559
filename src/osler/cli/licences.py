"""``osler licences``: what Osler is built on, and under which terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")
DEVELOPMENT = ("dev",)
"""Extras that nobody installs to use Osler."""


def register(commands: Commands) -> None:
    @commands.app.command()
    def licences(
        json: Annotated[bool, typer.Option("--json", help="As JSON lines.")] = False,
        development: Annotated[
            bool, typer.Option(help="Also what only those who work on Osler install.")
        ] = False,
    ) -> None:
        """List every package that Osler needs, with its version and its licence.

        Only what is installed is listed: extras that are not here are not.
        """
        rows = list(packages(development=development))
        if json:
            show.json_lines(
                {"package": p, "version": v, "licence": t, "needed by": w} for p, v, t, w in rows
            )
            return
        show.table(["package", "version", "licence", "needed by"], rows)


def packages(*, development: bool = False) -> Iterator[tuple[str, str, str, str]]:
    """Package, version, licence and who needs it: ``osler``, or one of its extras; by name."""
    listed: dict[str, tuple[str, str, str, str]] = {}
    # What the core needs is told first, so that an extra is named only for what it adds.
    pending: list[tuple[str, str]] = []
    extras: list[tuple[str, str]] = []
    for requirement in metadata.requires("osler") or ():
        extra = _EXTRA.search(requirement)
        if extra is None:
            pending.append((_name(requirement), "osler"))
        elif development or extra[1] not in DEVELOPMENT:
            extras.append((_name(requirement), f"osler[{extra[1]}]"))
    for start in (pending, sorted(extras, key=lambda pair: pair[1] == "osler[dev]")):
        queue = list(start)
        while queue:
            name, wanted = queue.pop(0)
            if name in listed:
                continue
            try:
                here = metadata.distribution(name)
            except metadata.PackageNotFoundError:
                continue
            listed[name] = (here.metadata["Name"], here.version, licence(here), wanted)
            for requirement in here.requires or ():
                if _EXTRA.search(requirement) is None:
                    queue.append((_name(requirement), wanted))
    yield from (listed[name] for name in sorted(listed))


def licence(package: metadata.Distribution) -> str:
    """The licence as the package states it: an expression, classifiers, or the first line of its
    text."""
    card = package.metadata
    if expression := card.get_all("License-Expression"):
        return str(expression[0])
    named = [
        line.rsplit(" :: ", 1)[1]
        for line in card.get_all("Classifier") or ()
        if line.startswith("License :: ") and line.count(" :: ") > 1
    ]
    if named:
        return "; ".join(named)
    text = "".join(card.get_all("License") or ()).strip().splitlines()
    return text[0][:80] if text else "not stated"


def _name(requirement: str) -> str:
    match = _NAME.match(requirement)
    return re.sub(r"[-_.]+", "-", match[0]).lower() if match else ""
