"""The side of a whole paper: its abstract, and its title where that states a finding."""

from __future__ import annotations

import msgspec

from osler.claims.judge import MAX_TEXT, stance
from osler.claims.reading import read
from osler.claims.verdict import MENTIONS, UNCLEAR, Stance
from osler.claims.weights import Weights
from osler.kinds import Document


def paper_stance(claim: str, document: Document, *, weights: Weights | None = None) -> Stance:
    """What a paper says to a claim. Places count in ``Document.text``. A title that states a
    finding and an abstract that says the opposite leave the side unclear."""
    title, abstract = document.title.strip(), document.abstract[:MAX_TEXT]
    whole = document.text[:MAX_TEXT]
    told: Stance | None = None
    if any(character.isalnum() for character in abstract):
        told = stance(claim, abstract, context=whole, weights=weights, searched=True)
        told = _moved(told, len(document.text) - len(document.abstract))
    if not any(character.isalnum() for character in title):
        return told or Stance(stance=MENTIONS, supports=0.0, refutes=0.0, neutral=1.0)
    if not _states(title):
        # A title that names a subject states nothing of it, all the less where it stands alone.
        return told or Stance(stance=MENTIONS, supports=0.0, refutes=0.0, neutral=1.0)
    by_title = stance(claim, title, context=whole, weights=weights, searched=True)
    if told is None or told.neutral >= max(told.supports, told.refutes):
        # A title alone says less than an abstract would: it must be the surer one.
        return by_title if told is None or by_title.neutral < min(0.4, told.neutral) else told
    opposite = (by_title.supports - by_title.refutes) * (told.supports - told.refutes) < 0
    if opposite and by_title.neutral < 0.4:
        half = (1 - told.neutral) / 2
        return msgspec.structs.replace(
            told,
            stance=UNCLEAR,
            supports=round(told.supports * 0.5, 4),
            refutes=round(told.refutes * 0.5, 4),
            no_effect=round(told.no_effect * 0.5, 4),
            neutral=round(told.neutral + half, 4),
            why=(*told.why, "the title and the abstract say opposite things"),
        )
    if not opposite and by_title.probability > told.probability:
        # Both say it: the surer probabilities, with the abstract's sentence.
        return msgspec.structs.replace(
            told,
            supports=by_title.supports,
            refutes=by_title.refutes,
            neutral=by_title.neutral,
            no_effect=by_title.no_effect,
        )
    return told


def _states(title: str) -> bool:
    """A title that says what was found: a verb of direction, no question, no colon list."""
    return not title.rstrip().endswith("?") and any(
        cue.family == "signed" or cue.denied for cue in read(title).cues
    )


def _moved(told: Stance, by: int) -> Stance:
    return msgspec.structs.replace(told, start=told.start + by, end=told.end + by)
