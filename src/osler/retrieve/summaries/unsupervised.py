"""Summarisers that nothing was trained for: lead, LexRank on terms, nearness to the centre."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from osler.errors import InputError
from osler.kinds import Document
from osler.retrieve.summaries.sentences import Candidate
from osler.retrieve.summaries.summariser import Summariser, summarisers
from osler.text.language import language
from osler.text.tokens import terms


@summarisers.register("lead")
class Lead(Summariser):
    """The first sentences: the baseline that any summariser must beat."""

    name = "lead"
    help = "the first sentences of the full text"
    redundancy = 0.0

    def scores(self, document: Document, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        return -np.arange(len(candidates), dtype=np.float64)


@summarisers.register("lexrank")
class LexRank(Summariser):
    """Erkan and Radev (2004), continuous form: the stationary share of a walk between sentences.

    A step goes to a sentence in proportion to the tf-idf cosine of both, and with probability
    1 - ``damping`` to any. ``title`` of the walk's restarts go to sentences in proportion to their
    likeness to the title instead. Needs no encoder, reads English and Chinese.
    """

    name = "lexrank"
    help = "sentences that many others resemble, by their terms; needs no model"

    def __init__(self, *, damping: float = 0.85, title: float = 0.5, rounds: int = 100) -> None:
        self.damping = damping
        self.title = title
        self.rounds = rounds

    def scores(self, document: Document, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        n = len(candidates)
        if n < 2:
            return np.ones(n)
        vectors = term_vectors([*(one.clean for one in candidates), document.title])
        sentences, title = vectors[:-1], vectors[-1]
        likeness = sentences @ sentences.T
        # A sentence without terms resembles none: it would trap the walk.
        sums = likeness.sum(axis=1, keepdims=True)
        steps = np.divide(likeness, sums, out=np.full_like(likeness, 1 / n), where=sums > 0)
        restart = np.full(n, 1 / n)
        near = sentences @ title
        if near.sum() > 0:
            restart = (1 - self.title) * restart + self.title * near / near.sum()
        share = np.full(n, 1 / n)
        for _ in range(self.rounds):
            moved = self.damping * (share @ steps) + (1 - self.damping) * restart
            if np.abs(moved - share).sum() < 1e-9:
                break
            share = moved
        return np.asarray(share * n, dtype=np.float64)


@summarisers.register("centroid")
class Centroid(Summariser):
    """Likeness to the middle of the document's sentence vectors and to its title.

    score = (1 - title) cos(s, mean of all s) + title cos(s, title), by a sentence encoder.
    """

    name = "centroid"
    help = "sentences nearest to the middle of all, by an encoder"

    def __init__(self, *, encoder: Any = None, title: float = 0.5) -> None:
        if encoder is None or isinstance(encoder, str):
            from osler.text.encoder import DEFAULT, load_encoder

            encoder = load_encoder(encoder or DEFAULT)
        self.encoder = encoder
        self.title = title

    def scores(self, document: Document, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        if not candidates:
            return np.zeros(0)
        spoken = language(" ".join(one.text for one in candidates[:20]))
        known: frozenset[str] = getattr(self.encoder, "languages", frozenset())
        if known and spoken in ("en", "zh") and spoken not in known:
            raise InputError(
                f"the encoder does not read the language of {document.id} ({spoken})",
                cure="take another encoder, or the method lexrank",
            )
        texts = [*(one.clean for one in candidates), document.title or candidates[0].clean]
        vectors = np.asarray(self.encoder.encode(texts), dtype=np.float64)
        sentences, title = vectors[:-1], vectors[-1]
        middle = sentences.mean(axis=0)
        size = float(np.linalg.norm(middle))
        central = sentences @ (middle / size) if size > 0 else np.zeros(len(sentences))
        return np.asarray((1 - self.title) * central + self.title * (sentences @ title))


def term_vectors(texts: Sequence[str]) -> NDArray[np.float64]:
    """tf-idf vectors of unit length over the texts' own terms; idf counts the texts."""
    counted = [Counter(terms(text, stopwords=False)) for text in texts]
    seen = Counter(term for counts in counted for term in counts)
    places = {term: i for i, term in enumerate(sorted(seen))}
    idf = {term: math.log(1 + len(texts) / count) for term, count in seen.items()}
    vectors = np.zeros((len(texts), max(1, len(places))))
    for row, counts in enumerate(counted):
        for term, count in counts.items():
            vectors[row, places[term]] = count * idf[term]
    sizes = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(vectors, sizes, out=vectors, where=sizes > 0)
    return unit
