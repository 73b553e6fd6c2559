"""Every recipe in the package is whole: it parses, has its module, says where numbers come from."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from osler.errors import ChoiceError, FormatError
from osler.recipes import load, names
from osler.recipes.recipe import Expected, module_of, parse

MINIMAL = "{name: x, title: t, what: w, steps: [one], expected: []}"


@pytest.mark.parametrize("name", names())
def test_a_recipe_is_whole(name: str) -> None:
    recipe = load(name)
    assert recipe.steps
    assert recipe.expected, "a recipe without expected numbers proves nothing"
    assert all(one.source for one in recipe.expected)
    parameters = inspect.signature(import_module(module_of(name)).run).parameters
    assert list(parameters)[:2] == ["data", "out"]
    assert parameters["progress"].kind is inspect.Parameter.KEYWORD_ONLY


def test_the_first_recipes_are_there() -> None:
    assert {"nfcorpus", "cystic-fibrosis"} <= set(names())


def test_a_wrong_name_shows_the_nearest() -> None:
    with pytest.raises(ChoiceError, match="did you mean 'nfcorpus'"):
        load("nfcorpsu")
    with pytest.raises(ChoiceError):
        load("../recipes/nfcorpus")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "is not YAML"),
        ("3", "is no recipe"),
        ("{name: x}", "is no recipe: Object missing required field"),
        (MINIMAL.replace("title: t", "title: 3"), "is no recipe: Expected `str`"),
        (MINIMAL[:-1] + ", more: 1}", "is no recipe: Object contains unknown field"),
        ("!!python/object/apply:os.system [true]", "is not YAML"),
        (
            MINIMAL.replace(
                "[]", "[{name: a, value: 1, source: s}, {name: a, value: 2, source: s}]"
            ),
            "expects one number twice",
        ),
    ],
)
def test_a_broken_recipe_says_so(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse(text, where="x.yaml")


def test_bounds() -> None:
    near = Expected(name="n", value=0.3, tolerance=0.01, source="s")
    assert near.holds(0.31)
    assert near.holds(0.29)
    assert not near.holds(0.3101)
    least = Expected(name="n", value=0.3, bound="least", source="s")
    assert least.holds(0.3)
    assert least.holds(9)
    assert not least.holds(0.2999)
    most = Expected(name="n", value=0.05, bound="most", source="s")
    assert most.holds(0.0)
    assert not most.holds(0.06)
    assert not most.holds(float("nan"))
    assert not near.holds(float("inf"))
