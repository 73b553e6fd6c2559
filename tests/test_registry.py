"""Registries: built-ins and strangers' by one way, and a broken stranger spoils only itself."""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import osler.registry
from osler.errors import ChoiceError, NeedsError
from osler.registry import GROUPS, PAPERS_CURE, Registry

SOURCES = Path(osler.registry.__file__).parent


def points(*given: tuple[str, str]):
    return lambda group: [EntryPoint(name, value, group) for name, value in given]


def test_a_stranger_is_loaded_only_when_asked_for(monkeypatch):
    monkeypatch.setattr(
        osler.registry,
        "entry_points",
        points(("date", "datetime:date"), ("gone", "no_such_module:X")),
    )
    registry: Registry[object] = Registry("thing", group="osler.fusions")
    assert registry.names() == ["date", "gone"]
    assert registry.get("date").__name__ == "date"


def test_a_broken_stranger_spoils_only_itself(monkeypatch, caplog):
    monkeypatch.setattr(
        osler.registry,
        "entry_points",
        points(("gone", "no_such_module:X"), ("date", "datetime:date")),
    )
    registry: Registry[object] = Registry("thing", group="osler.fusions")
    assert [name for name, _ in registry] == ["date"]
    assert "no_such_module" in caplog.text
    with pytest.raises(NeedsError, match="'gone' of no_such_module cannot be loaded"):
        registry.get("gone")


def test_a_stranger_cannot_take_a_name_of_ours(monkeypatch):
    monkeypatch.setattr(osler.registry, "entry_points", points(("ours", "datetime:date")))
    registry: Registry[object] = Registry("thing", group="osler.fusions")

    @registry.register("ours")
    class Ours:
        pass

    assert registry.get("ours") is Ours


def test_who_asks_for_one_of_ours_does_not_wait_for_strangers(monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(osler.registry, "entry_points", lambda group: asked.append(group) or [])
    registry: Registry[object] = Registry(
        "search method", group="osler.search_rankers", builtin=("osler.search.words",)
    )
    registry.register("ours")(dict)
    assert registry.get("ours") is dict
    assert asked == []
    with pytest.raises(ChoiceError):
        registry.get("theirs")
    assert asked == ["osler.search_rankers"]


def test_where_the_papers_are_missing_a_name_says_how_to_get_them(monkeypatch):
    monkeypatch.setattr(osler.registry, "entry_points", points())
    monkeypatch.setattr(osler.registry, "find_spec", lambda name: None)
    with pytest.raises(ChoiceError) as caught:
        Registry("matcher", group="osler.matchers", papers=True).get("knrm")
    assert PAPERS_CURE in str(caught.value)
    with pytest.raises(ChoiceError) as caught:
        Registry("fusion", group="osler.fusions").get("knrm")
    assert PAPERS_CURE not in str(caught.value)


def test_every_kind_has_a_group_of_its_own():
    used = [
        group
        for path in SOURCES.rglob("*.py")
        for group in re.findall(r'group="(osler\.\w+)"', path.read_text("utf-8"))
    ]
    assert sorted(used) == sorted(set(used)), "two registries share a group"
    assert set(used) <= set(GROUPS)


def test_plugins_can_be_left_out(monkeypatch):
    monkeypatch.setattr(osler.registry, "entry_points", points(("date", "datetime:date")))
    monkeypatch.setenv("OSLER_PLUGINS", "0")
    assert Registry("thing", group="osler.fusions").names() == []


def test_commands_that_cannot_be_loaded_cost_one_line(monkeypatch, caplog):
    from osler.cli.main import build

    monkeypatch.setattr(osler.registry, "entry_points", points(("x", "no_such_module:register")))
    build()
    assert [record.getMessage() for record in caplog.records] == [
        "commands of no_such_module are left out: No module named 'no_such_module'"
    ]
    assert caplog.records[0].exc_info is None
