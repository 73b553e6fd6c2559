"""A document in a few of its own sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from osler.errors import InputError
from osler.kinds import Document
from osler.retrieve.summaries.sentences import Candidate, body, needs_summary, own
from osler.retrieve.summaries.summariser import Summariser, summarisers
from osler.retrieve.summaries.unsupervised import term_vectors
from osler.text.language import language

# What a trained model's card calls its measure, and that of the method it must beat.
TRAINED = "ROUGE-L F1, trained"
UNTRAINED = "ROUGE-L F1, lexrank"


class SummarySentence(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sentence as it stands. Offsets count characters of the full text's section number
    ``section`` (from 0), or of ``Document.text`` where ``section`` is -1."""

    text: str
    start: int
    end: int
    score: float
    section: int = -1
    label: str = ""


class Summary(msgspec.Struct, frozen=True):
    """Sentences in the order of the paper, and the method that chose them."""

    document: str
    method: str
    sentences: tuple[SummarySentence, ...]

    @property
    def text(self) -> str:
        joint = "" if language("".join(one.text for one in self.sentences)) == "zh" else " "
        return joint.join(one.text for one in self.sentences)


def summarise(
    document: Document,
    *,
    sentences: int = 3,
    method: str | type[Summariser] | Summariser = "auto",
    encoder: Any = None,
    model: str | Path | None = None,
) -> Summary:
    """The ``sentences`` that carry the document's full text (its abstract, where it has none).

    ``method`` is a name (``lead``, ``lexrank``, ``centroid``, ``bertsum``), a class or an object.
    ``auto`` takes the trained ``model`` if one is given whose card shows it better than ``lexrank``
    on held-out papers; else ``lexrank`` itself, which needs nothing and reads both languages.
    ``encoder`` is what ``centroid`` reads with, MiniLM by default.
    """
    if sentences < 1:
        raise InputError("a summary has at least one sentence")
    candidates = body(document) or own(document)
    summariser = _summariser(method, encoder, model)
    scores = summariser.scores(document, candidates)
    chosen = choose(candidates, scores, sentences, redundancy=summariser.redundancy)
    return Summary(
        document.id,
        summariser.name,
        tuple(
            SummarySentence(
                one.text, one.start, one.end, float(scores[place]), one.section, one.label
            )
            for place, one in ((place, candidates[place]) for place in chosen)
        ),
    )


def represent(document: Document, **options: Any) -> str:
    """The text that stands for a document (seed 002, section 3.2): title and abstract, or title
    and summary where the abstract is invalid and there is a full text."""
    if not needs_summary(document):
        return document.text
    return f"{document.title}\n{summarise(document, **options).text}"


def better_than_lexrank(model: str | Path) -> bool:
    """Whether a trained model's card says that it beat the untrained method on held-out papers."""
    from osler.learn.saved import load_card

    measured = {one.name: one.value for one in load_card(model).measures}
    trained, untrained = measured.get(TRAINED), measured.get(UNTRAINED)
    return trained is not None and untrained is not None and trained > untrained


def choose(
    candidates: Sequence[Candidate],
    scores: np.typing.NDArray[np.float64],
    count: int,
    *,
    redundancy: float,
) -> list[int]:
    """Places of the best sentences, in the paper's order, by maximal marginal relevance: each next
    one is the best of (1 - redundancy) score - redundancy likeness to those already chosen.

    Scores are scaled to 0-1 first, so that redundancy means the same for every summariser.
    """
    if not len(candidates):
        return []
    count = min(count, len(candidates))
    low, high = float(scores.min()), float(scores.max())
    scaled = (scores - low) / (high - low) if high > low else np.ones(len(scores))
    if redundancy <= 0:
        return sorted(int(i) for i in np.argsort(-scaled, kind="stable")[:count])
    vectors = term_vectors([one.clean for one in candidates])
    likeness = np.zeros(len(candidates))
    left = np.ones(len(candidates), dtype=bool)
    chosen: list[int] = []
    for _ in range(count):
        merit = np.where(left, (1 - redundancy) * scaled - redundancy * likeness, -np.inf)
        place = int(np.argmax(merit))
        chosen.append(place)
        left[place] = False
        likeness = np.maximum(likeness, vectors @ vectors[place])
    return sorted(chosen)


def _summariser(
    method: str | type[Summariser] | Summariser, encoder: Any, model: str | Path | None
) -> Summariser:
    if method == "auto":
        method = "lexrank" if model is None or not better_than_lexrank(model) else "bertsum"
    if method == "bertsum":
        return summarisers.resolve("bertsum", folder=model)
    if method == "centroid":
        return summarisers.resolve("centroid", encoder=encoder)
    return summarisers.resolve(method)
