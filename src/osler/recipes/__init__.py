"""Recipes: an experiment as steps and expected numbers, run by name."""

from osler.recipes.recipe import Expected, Recipe, load, names
from osler.recipes.runner import Check, Outcome, run

__all__ = ["Check", "Expected", "Outcome", "Recipe", "load", "names", "run"]
