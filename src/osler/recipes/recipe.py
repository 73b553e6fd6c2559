"""What a recipe is: a paper's (or a data set's) experiment with the numbers to expect.

A recipe is an entry point of the group ``osler.recipes``: its name and a module. The module has one
function,

    def run(data: Path, out: Path, *, progress: Callable[[str], None]) -> dict[str, float]

where ``data`` is the folder that holds all data sets and ``out`` takes whatever the recipe writes.
Beside the module stands ``NAME.yaml``, which says what is done, with what data and which numbers
should come out. The papers' recipes come with the package osler-papers; another package brings its
own in the same way.
"""

from __future__ import annotations

import math
from importlib.metadata import EntryPoint
from importlib.resources import files
from typing import Any, Literal

import msgspec
import yaml

from osler.errors import ChoiceError, FormatError, NeedsError
from osler.registry import PAPERS_CURE, papers_missing, strangers

GROUP = "osler.recipes"
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


def names() -> list[str]:
    """The recipes at hand, by name."""
    return sorted(strangers(GROUP))


def module_of(name: str) -> str:
    """The module that runs the recipe of that name."""
    return _point(name).module


def load(name: str) -> Recipe:
    """The recipe of that name, as its YAML says it; its module is not imported."""
    point = _point(name)
    package = point.module.rpartition(".")[0]
    where = f"{name}.yaml"
    try:
        text = (files(package) / where).read_text(encoding="utf-8")
    except (OSError, ImportError):
        raise NeedsError(f"{package} has no {where}", cure="install that package again") from None
    recipe = parse(text, where=where)
    if recipe.name != name:
        raise FormatError(f"{where} calls itself {recipe.name!r}")
    return recipe


def _point(name: str) -> EntryPoint:
    points = strangers(GROUP)
    if name in points:
        return points[name]
    error = ChoiceError("recipe", name, points)
    if papers_missing():
        error.cure += f"; {PAPERS_CURE}"
    raise error


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
