"""What a recipe is: a paper's (or a data set's) experiment with the numbers to expect.

A recipe is two files of one name in this room: ``NAME.yaml`` says what is done, with what data and
which numbers should come out; ``NAME.py`` (hyphens as underscores) does it. Its one function is

    def run(data: Path, out: Path, *, progress: Callable[[str], None]) -> dict[str, float]

where ``data`` is the folder that holds all data sets and ``out`` takes whatever the recipe writes.
"""

from __future__ import annotations

import math
from importlib.resources import files
from typing import Any, Literal

import msgspec
import yaml

from osler.errors import ChoiceError, FormatError

Bound = Literal["near", "least", "most"]


class Expected(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number that should come out.

    ``near``: within ``tolerance`` of ``value`` on either side. ``least`` and ``most``: no worse
    than ``value`` by more than ``tolerance``. ``source`` says where the number comes from.
    """

    name: str
    value: float
    source: str
    tolerance: float = 0.0
    bound: Bound = "near"

    def holds(self, got: float) -> bool:
        if not math.isfinite(got):
            return False
        # Decimal values of a YAML file are not binary ones: leave room for their rounding.
        slack = self.tolerance + 1e-12
        if self.bound == "least":
            return got >= self.value - slack
        if self.bound == "most":
            return got <= self.value + slack
        return abs(got - self.value) <= slack


class Recipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``data`` names the folders needed, each with the files that must be in it; ``extras`` the
    optional packages."""

    name: str
    title: str
    what: str
    steps: tuple[str, ...]
    expected: tuple[Expected, ...]
    paper: str = ""
    data: dict[str, tuple[str, ...]] = {}
    extras: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        return f"osler.recipes.{self.name.replace('-', '_')}"


def names() -> list[str]:
    """The recipes that Osler has, by name."""
    folder = files("osler.recipes")
    return sorted(
        entry.name.removesuffix(".yaml")
        for entry in folder.iterdir()
        if entry.name.endswith(".yaml")
    )


def load(name: str) -> Recipe:
    """The recipe of that name."""
    known = names()
    if name not in known:
        raise ChoiceError("recipe", name, known)
    text = (files("osler.recipes") / f"{name}.yaml").read_text(encoding="utf-8")
    recipe = parse(text, where=f"{name}.yaml")
    if recipe.name != name:
        raise FormatError(f"{name}.yaml calls itself {recipe.name!r}")
    return recipe


def parse(text: str, *, where: str) -> Recipe:
    """A recipe from its YAML."""
    try:
        raw: Any = yaml.safe_load(text)
        recipe = msgspec.convert(raw, Recipe, strict=True)
    except yaml.YAMLError:
        raise FormatError(f"{where} is not YAML") from None
    except msgspec.ValidationError as error:
        raise FormatError(f"{where} is no recipe: {error}") from None
    expected = [(one.name, one.bound) for one in recipe.expected]
    if len(set(expected)) != len(expected):
        raise FormatError(f"{where} expects one number twice")
    return recipe
