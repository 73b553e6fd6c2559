"""Training a matcher on files of pairs, and putting it where a library finds it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from osler.errors import InputError
from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Pair, Reject
from osler.match.matcher import Progress, Sources, matchers
from osler.match.neural import word_vectors
from osler.match.saving import model_name, save_matcher


def read_pairs(paths: Sequence[Path]) -> list[Pair]:
    """The pairs of some files; a file that is none says what it lacks."""
    found: dict[str, Pair] = {}
    for path in paths:
        source = Source(path)
        for item in recognise(source, format="pairs").read(source):
            if isinstance(item, Pair):
                found[item.id] = item
            elif not isinstance(item, Reject):
                raise InputError(f"{source.name} holds no question-answer pairs")
    if not found:
        raise InputError(
            "there is no question with an answer to learn from",
            cure="a file of pairs has the columns question and answer",
        )
    return list(found.values())


def train_matcher(
    pairs: Sequence[Pair],
    sources: Sources,
    *,
    models: Path,
    method: str = "default",
    folder: Path | None = None,
    about: str = "",
    seed: int = 0,
    progress: Progress | None = None,
) -> Path:
    """Fit a matcher and save it; gives the folder."""
    if not pairs:
        raise InputError(
            "there are no pairs to learn from",
            cure="give some with --pairs FILE, or add them to the library",
        )
    matcher = matchers.get(method)(sources, seed=seed)
    if "vectors" in matcher.needs and sources.vectors is None:
        if progress:
            progress("word vectors")
        sources.vectors = word_vectors(sources, pairs, seed=seed)
    matcher.fit(sorted(pairs, key=lambda pair: pair.id), progress=progress)
    if progress:
        for name, value in matcher.measures.items():
            progress(f"{name}: {value:.3f}")
    return save_matcher(folder or models / model_name(method), matcher, pairs, about=about)
