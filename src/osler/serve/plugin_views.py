"""Views of other packages: pages that stand in the menu beside ours.

An entry point of the group ``osler.views`` names a module that keeps :class:`PageView`.
Its templates, in the folder ``templates`` of its package, are found under the entry point's name:
``shown(request, "NAME/page.html", view="NAME", title=...)``; they may extend ``base.html``. What a
view needs of the library it asks the desk for, as ours do.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from functools import cache
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from osler.registry import strangers

if TYPE_CHECKING:
    from fastapi import APIRouter

log = logging.getLogger(__name__)
GROUP = "osler.views"


class PageView(Protocol):
    """What a module that serves a view has. Every route of ``router`` lies at or below ``PATH``."""

    router: APIRouter
    PATH: str
    LABEL: str
    """What the menu calls it; empty: not in the menu."""


class PluginView(NamedTuple):
    """A view of another package, by the entry point's name."""

    name: str
    module: str
    path: str
    label: str


@cache
def plugin_views(taken: Collection[str]) -> tuple[PluginView, ...]:
    """The views that other packages bring. One that cannot be loaded, or that stands where one of
    ours does (``taken``), is left out and logged."""
    views = []
    for name, point in sorted(strangers(GROUP).items()):
        try:
            view: PageView = point.load()
            for wrong in _wrong(view, taken):
                raise ValueError(wrong)
        except Exception as error:
            log.warning("the view %s of another package is left out: %s", name, error)
            continue
        views.append(PluginView(name, point.module, view.PATH, view.LABEL))
    return tuple(views)


def template_folders() -> dict[str, str]:
    """The packages whose templates can be shown, by the name of their view."""
    return {name: _package(point) for name, point in strangers(GROUP).items()}


def _package(point: EntryPoint) -> str:
    return point.module.partition(".")[0]


def _wrong(view: PageView, taken: Collection[str]) -> Iterator[str]:
    if not view.PATH.startswith("/") or view.PATH in taken:
        yield f"{view.PATH!r} is no path of its own"
    for route in view.router.routes:
        path: Any = getattr(route, "path", "")
        if path != view.PATH and not path.startswith((f"{view.PATH}/", f"{view.PATH}.")):
            yield f"{path} is not below {view.PATH}"
