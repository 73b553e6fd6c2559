"""Training a matcher on files of pairs, and putting it where a library finds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from osler.errors import InputError
from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Pair, Reject
from osler.match.default import FEWEST, Default
from osler.match.gate import JudgedList, Verdict, judge, near_lists
from osler.match.matcher import Matcher, Progress, Sources, matchers
from osler.match.neural import word_vectors
from osler.match.saving import DEFAULT, model_name, save_matcher
from osler.match.splits import split

HELD_OUT = 0.8
"""The share that a default is trained on before it is judged by the rest."""


def read_pairs(paths: Sequence[Path]) -> list[Pair]:
    """The pairs of some files; a file that is none says what it lacks."""
    pairs: dict[str, Pair] = {}
    for path in paths:
        source = Source(path)
        for item in recognise(source, format="pairs").read(source):
            if isinstance(item, Pair):
                pairs[item.id] = item
            elif not isinstance(item, Reject):
                raise InputError(f"{source.name} holds no question-answer pairs")
    if not pairs:
        raise InputError(
            "there is no question with an answer to learn from",
            cure="a file of pairs has the columns question and answer",
        )
    return list(pairs.values())


def train_matcher(
    pairs: Sequence[Pair],
    sources: Sources,
    *,
    models: Path,
    method: str = "default",
    folder: Path | None = None,
    about: str = "",
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    judged: Sequence[JudgedList] = (),
    progress: Progress | None = None,
) -> Path:
    """Fit a matcher and save it; gives the folder. ``options`` are the method's own.

    The default has an untrained form, so that its training is judged (:mod:`osler.match.gate`)
    before nearest answers of held-out questions, and before ``judged``; its card says how that
    went, and whether it is used.
    """
    if not pairs:
        raise InputError(
            "there are no pairs to learn from",
            cure="give some with --pairs FILE, or add them to the library",
        )
    kind = matchers.get(method)
    given = {name: value for name, value in (options or {}).items() if value is not None}
    _check_options(kind, given)
    matcher = kind(sources, seed=seed, **given)
    if "vectors" in matcher.needs and sources.vectors is None:
        if progress:
            progress("word vectors")
        width = {"dimension": given["dimension"]} if "dimension" in given else {}
        sources.vectors = word_vectors(sources, pairs, seed=seed, **width)
    ordered = sorted(pairs, key=lambda pair: pair.id)
    verdicts: list[Verdict] = []
    if method == DEFAULT:
        verdicts = _verdicts(ordered, sources, judged, seed, progress)
    matcher.fit(ordered, progress=progress)
    if progress:
        for name, value in matcher.measures.items():
            progress(f"{name}: {value:.3f}")
        for verdict in verdicts:
            progress(str(verdict))
    return save_matcher(
        folder or models / model_name(method), matcher, pairs, about=about, verdicts=verdicts
    )


def _verdicts(
    pairs: Sequence[Pair],
    sources: Sources,
    judged: Sequence[JudgedList],
    seed: int,
    progress: Progress | None,
) -> list[Verdict]:
    """How a default trained on four fifths does where it did not learn, beside the untrained."""
    train, held = split(pairs, HELD_OUT, seed=seed)
    if len(train) < FEWEST or not held:
        return []
    if progress:
        progress(f"default: judged first, by {len(held):,} pairs that are held out")
    trained = Default(sources, seed=seed).fit(train, progress=progress)
    untrained = Default(sources, seed=seed)
    measured = [
        judge("nearest answers of held-out questions", near_lists(held, pairs, sources), trained,
              untrained),
        judge("graded answers", judged, trained, untrained),
    ]  # fmt: skip
    return [one for one in measured if one is not None]


def _parameters(method: Callable[..., Any]) -> list[str]:
    try:
        return list(signature(method).parameters)
    except ValueError:  # written in C
        return []


def _check_options(kind: type[Matcher], given: Mapping[str, Any]) -> None:
    """Raise where a method has no such option."""
    own = (vars(base)["__init__"] for base in kind.__mro__ if "__init__" in vars(base))
    takes = {name for method in own if callable(method) for name in _parameters(method)}
    for name in given:
        if name not in takes:
            raise InputError(
                f"the matcher {kind.name!r} has no option {name!r}",
                cure="leave it out, or name a method that has it, such as --method mkhan",
            )
