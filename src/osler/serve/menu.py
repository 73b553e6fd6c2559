"""The views of the page: one table for the routes and for the menu."""

from __future__ import annotations

from typing import NamedTuple

from osler.serve.plugin_views import plugin_views


class Entry(NamedTuple):
    """A view: its name, the module that serves it, where it stands, what the menu calls it (empty:
    not in the menu)."""

    name: str
    module: str
    path: str
    label: str = ""


def _own(name: str, path: str, label: str = "") -> Entry:
    return Entry(name, f"osler.serve.views.{name}", path, label)


VIEWS = (
    _own("search", "/", "Search"),
    _own("document", "/document"),
    _own("rank", "/rank", "Rank"),
    _own("review", "/review", "Review"),
    _own("screen", "/review/{name}/screen"),
    _own("grade", "/grade", "Grade"),
    _own("claim", "/claim", "Claim"),
    _own("brief", "/brief", "Brief"),
    _own("match", "/match", "Match"),
    _own("ask", "/ask", "Ask"),
    _own("graph", "/graph", "Graph"),
    _own("saved", "/saved", "Saved"),
    _own("duplicates", "/duplicates"),
    _own("status", "/status", "Status"),
    _own("docs", "/docs"),
    _own("login", "/login"),
)


def views() -> tuple[Entry, ...]:
    """Ours, and those that other packages bring."""
    taken = frozenset(view.path for view in VIEWS)
    return (*VIEWS, *(Entry(*view) for view in plugin_views(taken)))


def menu() -> list[tuple[str, str, str]]:
    """What the menu shows: name, address, label."""
    return [(view.name, view.path, view.label) for view in views() if view.label]
