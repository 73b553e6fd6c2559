"""Paths as pictures, for the views that have some."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from osler.explain.flow_svg import flow
from osler.kinds import Path, PathReason
from osler.serve.page import entity_link


def draw_paths(
    paths: Sequence[Path], names: Mapping[str, str], type_of: Callable[[str], str]
) -> str:
    """Paths of the graph that weigh alike."""
    weight = 1.0 / max(len(paths), 1)
    return draw_reasons([PathReason(path, weight, dict(names)) for path in paths], type_of)


def draw_reasons(
    reasons: Sequence[PathReason], type_of: Callable[[str], str], *, linked: bool = True
) -> str:
    """Weighted paths, from left to right; ``linked`` where their entities are the graph's."""
    about = f"{len(reasons)} paths, from left to right"
    return flow(reasons, about=about, type_of=type_of, href=entity_link if linked else None)
