"""Recipes: an experiment as steps and expected numbers, run by name."""

from osler.recipes.recipe import Expected, Recipe, load, names
from osler.recipes.runner import Check, RecipeOutcome, run

__all__ = ["Check", "Expected", "Recipe", "RecipeOutcome", "load", "names", "run"]
