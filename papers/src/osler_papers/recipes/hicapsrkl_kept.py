"""What was trained is kept: a run that stops goes on where it was, and nothing stale is read.

A result is an array under ``OUT/kept/STAMP/``. The stamp is a hash of the pairs, of the recipe's
settings and of the sources that a trained grader runs through, so that another code or other data
never meets it; the options of a method are part of the array's name.
"""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from osler.grade.grader import Floats
from osler.grade.pair import Pair
from osler.learn.card import data_hash

SOURCES = (
    "osler.grade.calibrate",
    "osler.grade.cues",
    "osler.grade.features",
    "osler.grade.fragments",
    "osler.grade.grader",
    "osler.grade.methods.evidence",
    "osler.grade.methods.hicapsrkl",
    "osler.grade.methods.neural",
    "osler.grade.methods.rule",
    "osler.grade.networks.capsules",
    "osler.grade.networks.heads",
    "osler.grade.networks.hicaps",
    "osler.grade.networks.hints",
    "osler.grade.networks.small",
    "osler.grade.networks.views",
    "osler.grade.places",
    "osler.grade.scale",
    "osler.learn.loop",
    "osler_papers.grade.bm25",
    "osler_papers.grade.cross_encoder",
    "osler_papers.grade.graph_embedding",
    "osler_papers.grade.kernels",
    "osler_papers.grade.lookup",
    "osler_papers.grade.siamese",
    "osler_papers.grade.tfidf",
    "osler_papers.recipes.hicapsrkl_dumb",
)


def stamp(pairs: Sequence[Pair], settings: Any) -> str:
    """Changes with a label, a text, a setting or the code; not with a comment or a docstring."""
    told = hashlib.sha256()
    told.update(
        data_hash(f"{p.label} {p.rcor} {p.kimp} {p.fact.text} {p.text}" for p in pairs).encode()
    )
    told.update(repr(settings).encode())
    for name in SOURCES:
        told.update(_code(Path(str(import_module(name).__file__)).read_text("utf-8")).encode())
    return told.hexdigest()[:16]


def _code(source: str) -> str:
    """What a source does: its syntax tree without strings that stand alone."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [one for one in body if not _said(one)]  # type: ignore[attr-defined]
    return ast.dump(tree)


def _said(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


class Kept:
    """Arrays by name below one folder, each written whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def has(self, name: str) -> bool:
        return self._path(name).is_file()

    def get(self, name: str, make: Callable[[], Floats]) -> Floats:
        """The array of that name, made where it is not there."""
        path = self._path(name)
        if not path.is_file():
            temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
            with temporary.open("wb") as file:
                np.save(file, make(), allow_pickle=False)
            temporary.replace(path)
        return np.asarray(np.load(path, allow_pickle=False), dtype=np.float64)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name.replace('/', '-').replace(' ', '_')}.npy"
