"""Running a recipe: check its data, run it, hold its numbers against the expected ones."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import msgspec

from osler.errors import InputError, StorageError
from osler.recipes.recipe import Expected, Recipe, load, module_of

RESULTS = "results.json"


class Check(msgspec.Struct, frozen=True):
    """An expected number beside the one that came out; None where none did."""

    expected: Expected
    got: float | None
    within: bool


class RecipeOutcome(msgspec.Struct, frozen=True):
    """What a run of a recipe gave. ``within`` says that every expected number was met."""

    recipe: str
    within: bool
    checks: tuple[Check, ...]
    got: dict[str, float]
    seconds: float
    version: str


def run(
    name: str,
    data: str | Path,
    out: str | Path,
    *,
    progress: Callable[[str], None] = lambda line: None,
    settings: Sequence[str] = (),
) -> RecipeOutcome:
    """Run the recipe ``name`` on the data sets below ``data``; write what it gives to ``out``.

    ``settings`` are ``name=value`` of what its ``run`` takes by name (``seeds=2``).
    """
    from osler import __version__
    from osler.learn.options import check_taken, fitting, parsed

    recipe = load(name)
    data, out = Path(data), Path(out)
    require(recipe, data)
    run_recipe = import_module(module_of(name)).run
    given = parsed(settings)
    check_taken(given, [run_recipe])
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{out} cannot be made a folder: {error.strerror}") from None
    started = time.perf_counter()
    got = run_recipe(data, out, progress=progress, **fitting(run_recipe, given))
    outcome = judge(recipe, got, seconds=time.perf_counter() - started, version=__version__)
    _write(out / RESULTS, msgspec.json.format(msgspec.json.encode(outcome), indent=2) + b"\n")
    return outcome


def judge(recipe: Recipe, got: dict[str, float], *, seconds: float, version: str) -> RecipeOutcome:
    """The numbers that came out against those expected. One that is missing does not hold."""
    checks = tuple(
        Check(one, got.get(one.name), one.name in got and one.holds(got[one.name]))
        for one in recipe.expected
    )
    within = all(check.within for check in checks)
    return RecipeOutcome(recipe.name, within, checks, got, round(seconds, 1), version)


def require(recipe: Recipe, data: Path) -> None:
    """Raise if a data set that the recipe needs is not below ``data``."""
    for folder, needed in recipe.data.items():
        place = data / folder
        if not place.is_dir():
            raise InputError(
                f"the recipe {recipe.name} needs the data set {folder}: there is no folder {place}",
                cure="give the folder that holds it with --data",
            )
        for file in needed:
            if not (place / file).exists():
                raise InputError(
                    f"the recipe {recipe.name} needs {file}: it is not in {place}",
                    cure=f"complete the data set {folder}",
                )


def _write(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StorageError(f"{path} cannot be written: {error.strerror}") from None
