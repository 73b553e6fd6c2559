"""Trained matchers on disk: folders with weights, configuration and card, without pickles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from osler.errors import MissingModel
from osler.kinds import Pair
from osler.learn.card import Card, Measured, data_hash, versions
from osler.learn.saved import load_model, save_model
from osler.match.matcher import Matcher, Sources, matchers

KIND = "match"
DEFAULT = "default"


def model_name(method: str) -> str:
    """The folder of a method's model below a library's ``models``."""
    return KIND if method == DEFAULT else f"{KIND}-{method}"


def save_matcher(
    folder: str | Path, matcher: Matcher, pairs: Sequence[Pair], *, about: str = ""
) -> Path:
    """Write a fitted matcher with the card of what it was fitted on."""
    tensors, config = matcher.state()
    card = Card(
        name=Path(folder).name,
        what=f"Orders candidate answers to a health question: {matcher.help}.",
        method=matcher.name,
        data=about or f"{len(pairs):,} questions with answers",
        data_hash=data_hash(text for pair in pairs for text in (pair.question, pair.answer)),
        seed=matcher.seed,
        measures=tuple(
            Measured(name, value, on="the training pairs, held out")
            for name, value in matcher.measures.items()
        ),
        versions=versions(),
        intended_use="To find, among given answers, the one that fits a question of the kind it "
        "was trained on. It judges fit, not truth: an answer may fit and be wrong.",
        known_failures=(
            "Two answers that say the same to the same complaint are told apart by chance.",
            "Questions of another service, language or department score lower than measured.",
        ),
    )
    return save_model(folder, tensors, {"kind": KIND, "name": matcher.name, "state": config}, card)


def load_matcher(folder: str | Path, sources: Sources) -> Matcher:
    """The matcher that :func:`save_matcher` wrote."""
    tensors, config = load_model(folder, framework="numpy")
    if config.get("kind") != KIND:
        raise MissingModel(
            f"the model {Path(folder).name} does not match answers",
            cure="train one with 'osler train match'",
        )
    matcher = matchers.get(config["name"])(sources)
    return matcher.restore(tensors, config["state"])
