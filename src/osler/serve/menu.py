"""The views of the page: one table for the routes and for the menu."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """A view: the module that serves it, where it stands, what the menu calls it (empty: not in
    the menu)."""

    module: str
    path: str
    label: str = ""

    @property
    def name(self) -> str:
        return self.module.rpartition(".")[2]


def _own(name: str, path: str, label: str = "") -> Entry:
    return Entry(f"osler.serve.views.{name}", path, label)


VIEWS = (
    _own("search", "/", "Search"),
    _own("document", "/document"),
    _own("rank", "/rank", "Rank"),
    _own("grade", "/grade", "Grade"),
    _own("match", "/match", "Match"),
    _own("ask", "/ask", "Ask"),
    _own("graph", "/graph", "Graph"),
    _own("status", "/status", "Status"),
    _own("docs", "/docs"),
    _own("login", "/login"),
)


def menu() -> list[tuple[str, str, str]]:
    """What the menu shows: name, address, label."""
    return [(view.name, view.path, view.label) for view in VIEWS if view.label]
