"""The views of the page: one table for the routes and for the menu.

A view is called by what a person brings: papers to look for, a review to go on with, a fact, a
health question, a question about patients, a concept, files.
"""

from __future__ import annotations

from typing import NamedTuple

from osler.serve.plugin_views import plugin_views


class MenuEntry(NamedTuple):
    """A view: its name, the module that serves it, where it stands, what the menu calls it (empty:
    not in the menu), and what a person brings to it."""

    name: str
    module: str
    path: str
    label: str = ""
    brings: str = ""


def _own(name: str, path: str, label: str = "", brings: str = "") -> MenuEntry:
    return MenuEntry(name, f"osler.serve.views.{name}", path, label, brings)


VIEWS = (
    _own("home", "/"),
    _own("papers", "/papers", "Papers", "A question, words or a query: papers, each with why."),
    _own("basket", "/papers/basket"),
    _own("builder", "/papers/builder"),
    _own("document", "/document"),
    _own("rank", "/rank"),
    _own("review", "/review", "Review", "A review to screen: papers to decide on, one by one."),
    _own("screen", "/review/{name}/screen"),
    _own("facts", "/facts", "Facts", "A fact: papers for it, against it, and that only name it."),
    _own("relevance", "/facts/relevance"),
    _own("answers", "/answers", "Answers", "A health question: the best answers kept here."),
    _own("patients", "/patients", "Patients", "A question about patients, out of their records."),
    _own("graph", "/graph", "Graph", "A concept: its names, neighbours and paths to another."),
    _own("brief", "/brief"),
    _own("saved", "/saved"),
    _own("duplicates", "/duplicates"),
    _own("library", "/library", "Library", "Files to add; what is here, and what goes on."),
    _own("work", "/library/jobs"),
    _own("docs", "/docs"),
    _own("login", "/login"),
    _own("moved", "/search"),
)


MOVED = {
    "/search": "/papers",
    "/grade": "/facts/relevance",
    "/claim": "/facts",
    "/match": "/answers",
    "/ask": "/patients",
    "/status": "/library",
}
"""Where views stood before, and where they stand now: old links lead on."""


def taken() -> frozenset[str]:
    """Paths that no view of another package may have."""
    return frozenset(view.path for view in VIEWS) | frozenset(MOVED)


def views() -> tuple[MenuEntry, ...]:
    """Ours, and those that other packages bring."""
    return (*VIEWS, *(MenuEntry(*view) for view in plugin_views(taken())))


def menu() -> list[MenuEntry]:
    """What the menu shows."""
    return [view for view in views() if view.label]
