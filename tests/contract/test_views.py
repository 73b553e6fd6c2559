"""What every view of another package keeps, and what becomes of one that does not."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest
from fastapi import APIRouter

import osler.registry
from osler.registry import strangers
from osler.serve.menu import VIEWS, menu, taken, views
from osler.serve.plugin_views import plugin_views

OURS = taken()


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    plugin_views.cache_clear()
    yield
    plugin_views.cache_clear()


@pytest.mark.parametrize("name", sorted(strangers("osler.views")))
def test_a_view_is_whole(name: str) -> None:
    view = strangers("osler.views")[name].load()
    assert name in {view.name for view in plugin_views(OURS)}, "it was left out: see the log"
    assert view.PATH not in OURS
    for route in view.router.routes:
        assert route.path == view.PATH or route.path.startswith((f"{view.PATH}/", f"{view.PATH}."))
    if view.LABEL:
        assert (name, view.PATH, view.LABEL) in [entry[:1] + entry[2:4] for entry in menu()]


def module(name: str, path: str, *routes: str) -> ModuleType:
    made = ModuleType(name)
    made.router, made.PATH, made.LABEL = APIRouter(), path, "A label"  # type: ignore[attr-defined]
    for route in routes:
        made.router.add_api_route(route, lambda: "")
    return made


@pytest.mark.parametrize(
    ("path", "routes", "reason"),
    [
        ("/search2", ["/search2", "/search2/more", "/search2.json"], ""),
        ("/", ["/"], "no path of its own"),
        ("/status", ["/status"], "no path of its own"),
        ("/fine", ["/login"], "is not below /fine"),
        ("/fine", ["/finest"], "is not below /fine"),
    ],
)
def test_a_view_cannot_stand_in_the_way_of_ours(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    path: str,
    routes: list[str],
    reason: str,
) -> None:
    point = EntryPoint("x", "a_view_of_nobody", "osler.views")
    monkeypatch.setitem(__import__("sys").modules, "a_view_of_nobody", module("x", path, *routes))
    monkeypatch.setattr(osler.registry, "entry_points", lambda group: [point])
    assert ("x" in [view.name for view in views()]) == (not reason)
    assert reason in caplog.text


def test_a_view_that_cannot_be_loaded_is_left_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    point = EntryPoint("gone", "no_such_module", "osler.views")
    monkeypatch.setattr(osler.registry, "entry_points", lambda group: [point])
    assert [view.name for view in views()] == [view.name for view in VIEWS]
    assert "no_such_module" in caplog.text
