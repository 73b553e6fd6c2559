"""The matchers on Huatuo's questions, which have no departments: false answers from everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from osler_papers.recipes.match_experiment import METHODS, chinese, one_split

Progress = Callable[[str], None]


def run(data: Path, out: Path, *, progress: Progress) -> dict[str, float]:
    return one_split(chinese("huatuo", data, out, progress), METHODS)
