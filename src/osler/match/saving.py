"""Trained matchers on disk (``osler.store.models``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from osler.kinds import Pair
from osler.learn.card import Card, Measured, data_hash, versions
from osler.match.matcher import Matcher, Sources, matchers
from osler.store import models

if TYPE_CHECKING:
    from osler.match.gate import Verdict

KIND = "match"
DEFAULT = "default"


def model_name(method: str) -> str:
    """The folder of a method's model below a library's ``models``."""
    return models.name_for(KIND, method, DEFAULT)


def save_matcher(
    folder: str | Path,
    matcher: Matcher,
    pairs: Sequence[Pair],
    *,
    about: str = "",
    verdicts: Sequence[Verdict] = (),
) -> Path:
    """Write a fitted matcher with the card of what it was fitted on; it is used unless a judge
    found it no better than the untrained one."""
    tensors, state = matcher.state()
    card = Card(
        name=Path(folder).name,
        what=f"Orders candidate answers to a health question: {matcher.help}.",
        method=matcher.name,
        data=about or f"{len(pairs):,} questions with answers",
        data_hash=data_hash(text for pair in pairs for text in (pair.question, pair.answer)),
        seed=matcher.seed,
        measures=(
            *(
                Measured(name, value, on="the training pairs, held out")
                for name, value in matcher.measures.items()
            ),
            *(
                Measured(f"P@1, {name}", value, on=f"{one.judge}, {one.lists}")
                for one in verdicts
                for name, value in (("trained", one.trained), ("untrained", one.untrained))
            ),
        ),
        taken=all(one.won for one in verdicts),
        verdict="; ".join(map(str, verdicts)),
        versions=versions(),
        intended_use="To find, among given answers, the one that fits a question of the kind it "
        "was trained on. It judges fit, not truth: an answer may fit and be wrong.",
        known_failures=(
            "Two answers that say the same to the same complaint are told apart by chance.",
            "Questions of another service, language or department score lower than measured.",
        ),
    )
    return models.save(
        folder, kind=KIND, name=matcher.name, tensors=tensors, state=state, card=card
    )


def load_matcher(folder: str | Path, sources: Sources) -> Matcher:
    """The matcher that :func:`save_matcher` wrote."""
    name, tensors, state = models.load(folder, kind=KIND, does="match answers", verb="match")
    return matchers.get(name)(sources).restore(tensors, state)
