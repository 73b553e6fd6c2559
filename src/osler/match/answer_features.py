"""What the default looks at in a question with an answer: one number each, by name.

Words and pieces that both texts share (BM25 as a share of what it could be, cosines, those of the
question's first sentence, how much of the answer the question speaks of), the learned alignment of
the two sides and of what each begins with, answers to like questions, entities that both name,
entities an edge apart by relation, and an encoder's cosine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from osler.kinds import Pair
from osler.match.alignment import Alignment
from osler.match.known import Known
from osler.match.lexicon import Cut, Lexicon, Row, Rows
from osler.match.matcher import Progress, Sources
from osler.match.neighbours import Neighbours
from osler.match.texts import Kept, head

if TYPE_CHECKING:
    from osler.text.encoder import Encoder

Floats = NDArray[np.float64]
ENCODER = "encoder"
KINDS = ("words", "bigrams", "characters", "trigrams")
COVERED = KINDS[:2]
LEXICAL = (
    *KINDS,
    *(f"{kind} cosine" for kind in KINDS),
    *(f"{kind} covered" for kind in COVERED),
    *(f"first {kind}" for kind in KINDS[:3]),
    "length",
)
ALIGNMENT = ("alignment", "alignment of what is asked first", "alignment of what is told first")
GRAPH = ("entities", "entities cosine", "near", "near covered")
LENT = "bigrams"
MOST_RELATIONS = 60
"""Labels (relations, each both ways) that have a feature of their own."""


class Features:
    """Fitted on pairs, or, without any, on the texts at hand."""

    def __init__(
        self,
        sources: Sources,
        lexicons: Mapping[str, Lexicon],
        entities: Lexicon | None,
        *,
        alignment: Alignment | None = None,
        neighbours: Neighbours | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        self.sources = sources
        self.encoder = encoder
        self.lexicons = dict(lexicons)
        self.entities = entities
        self.alignment = alignment
        self.neighbours = neighbours
        self.vector = Kept(self._vector)
        self.labels = _labels(sources.known)

    @property
    def names(self) -> tuple[str, ...]:
        columns = [*LEXICAL]
        if self.alignment is not None:
            columns += ALIGNMENT
        if self.neighbours is not None:
            columns.append("like questions")
        if self.entities is not None:
            columns += [*GRAPH, *self.labels]
        if self.encoder is not None:
            columns.append(ENCODER)
        return tuple(columns)

    @classmethod
    def over(
        cls,
        sources: Sources,
        texts: Sequence[str],
        *,
        least: int = 1,
        encoder: Encoder | None = None,
    ) -> Self:
        """Statistics of some texts; nothing is learned."""
        known = sources.known
        return cls(
            sources,
            {kind: Lexicon.build(_cut(sources, kind), texts, least=least) for kind in KINDS},
            Lexicon.build(_entities(known), texts) if known is not None and len(known) else None,
            encoder=encoder,
        )

    def learned(
        self,
        pairs: Sequence[Pair],
        *,
        basis: Any = None,
        tune: bool = True,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Self:
        """The same statistics with alignment and like questions learned from pairs."""
        copy = type(self)(self.sources, self.lexicons, self.entities, encoder=self.encoder)
        copy.vector = self.vector
        if len(pairs) > 2:
            copy.alignment = Alignment.fit(
                self.aligned, pairs, basis=basis, tune=tune, seed=seed, progress=progress
            )
            copy.neighbours = Neighbours.of(self.lexicons[LENT], pairs)
        return copy

    @property
    def aligned(self) -> list[Lexicon]:
        """The lexicons that the alignment reads."""
        return [self.lexicons[kind] for kind in KINDS]

    # Numbers ----------------------------------------------------------------------------------

    def matrix(self, question: str, answers: Sequence[str], *, encode: bool = True) -> Floats:
        """A row an answer, a column a name; without ``encode`` the encoder's column is zero."""
        columns = self._lexical(question, answers)
        if self.alignment is not None:
            columns += [
                self.alignment.cosine(question, answers),
                self.alignment.cosine(head(question), answers),
                self.alignment.cosine(question, [head(answer) for answer in answers]),
            ]
        if self.neighbours is not None:
            columns.append(self.neighbours.likeness(question, answers))
        if self.entities is not None:
            columns += self._graph(question, answers)
        if self.encoder is not None:
            zero = np.zeros(len(answers))
            columns.append(self.encoded(question, answers) if encode else zero)
        return np.stack(columns, 1)

    def _lexical(self, question: str, answers: Sequence[str]) -> list[Floats]:
        shares, cosines, covered, first = [], [], [], []
        begin = head(question)
        for kind, lexicon in self.lexicons.items():
            asked, answer_rows = lexicon.row(question), lexicon.rows(answers)
            shares.append(lexicon.bm25(asked, answer_rows) / max(lexicon.best(asked), 1e-9))
            cosines.append(lexicon.cosine(asked, answer_rows))
            if kind in COVERED:
                covered.append(_covered(lexicon, asked, answer_rows))
            if f"first {kind}" in LEXICAL:
                first.append(lexicon.cosine(lexicon.row(begin), answer_rows))
        length = np.log1p(np.array([len(text) for text in answers], np.float64))
        return [*shares, *cosines, *covered, *first, length]

    def _graph(self, question: str, answers: Sequence[str]) -> list[Floats]:
        known, lexicon = self.sources.known, self.entities
        if known is None or lexicon is None:
            return []
        asked, answer_rows = lexicon.row(question), lexicon.rows(answers)
        idf = lexicon.idf[answer_rows.ids]
        mass = np.maximum(answer_rows.summed(idf), 1e-9)
        both = lexicon.looked_up(asked.ids, np.ones(len(asked.ids)), answer_rows)
        shared = answer_rows.summed(both * idf) / max(float(lexicon.idf[asked.ids].sum()), 1e-9)
        near, labels = self._near(question, lexicon)
        close = lexicon.looked_up(near, labels + 1.0, answer_rows) * (1 - both)
        reached = close > 0
        columns = [
            shared,
            lexicon.cosine(asked, answer_rows),
            np.log1p(answer_rows.summed(reached * idf)),
            answer_rows.summed(reached * idf) / mass,
        ]
        for label in range(len(self.labels)):
            columns.append(np.log1p(answer_rows.summed((close == label + 1) * idf)))
        return columns

    def _near(self, question: str, lexicon: Lexicon) -> tuple[Any, Any]:
        """The entities an edge from the question's that the lexicon knows, and their labels."""
        known = self.sources.known
        if known is None:
            return np.zeros(0, np.int64), np.zeros(0)
        ids, labels = [], []
        for entity, label in known.near(question).items():
            number = lexicon.numbers.get(str(entity))
            if number is not None:
                ids.append(number)
                labels.append(min(label, len(self.labels) - 1))
        return np.array(ids, np.int64), np.array(labels, np.float64)

    def encoded(self, question: str, answers: Sequence[str]) -> Floats:
        """The encoder's cosines; zero where it does not read the question's language."""
        encoder = self.encoder
        if encoder is None or not encoder.reads(question):
            return np.zeros(len(answers))
        wanted = list(dict.fromkeys([question, *answers]))
        missing = [text for text in wanted if text not in self.vector]
        if missing:
            # A batch is far quicker than one by one.
            for text, row in zip(missing, encoder.encode(missing), strict=True):
                self.vector.put(text, np.asarray(row))
        asked = self.vector(question)
        return np.array([float(asked @ self.vector(text)) for text in answers], np.float64)

    def _vector(self, text: str) -> Any:
        return np.zeros(1) if self.encoder is None else np.asarray(self.encoder.encode([text]))[0]

    # On disk ----------------------------------------------------------------------------------

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors: dict[str, Any] = {}
        config: dict[str, Any] = {}
        parts = [lexicon.state(kind) for kind, lexicon in self.lexicons.items()]
        if self.entities is not None:
            parts.append(self.entities.state("entities"))
        for more, part_config in parts:
            tensors |= more
            config |= part_config
        if self.alignment is not None:
            tensors |= self.alignment.state()
        if self.neighbours is not None:
            tensors |= self.neighbours.state()
        config["labels"] = list(self.labels)
        return tensors, config

    @classmethod
    def restore(
        cls,
        sources: Sources,
        tensors: Mapping[str, Any],
        config: Mapping[str, Any],
        *,
        encoder: Encoder | None = None,
    ) -> Self:
        known = sources.known
        lexicons = {
            kind: Lexicon.restore(_cut(sources, kind), kind, tensors, config) for kind in KINDS
        }
        entities = None
        if "entities" in config and known is not None:
            entities = Lexicon.restore(_entities(known), "entities", tensors, config)
        features = cls(sources, lexicons, entities, encoder=encoder)
        if "align.question" in tensors:
            features.alignment = Alignment.restore(features.aligned, tensors)
        if "neighbours.offsets" in tensors:
            features.neighbours = Neighbours.restore(lexicons[LENT], tensors)
        return features


def _covered(lexicon: Lexicon, asked: Row, answers: Rows) -> Floats:
    """The share of an answer's rare terms that the question holds."""
    idf = lexicon.idf[answers.ids]
    both = lexicon.looked_up(asked.ids, np.ones(len(asked.ids)), answers)
    return answers.summed(both * idf) / np.maximum(answers.summed(idf), 1e-9)


def _cut(sources: Sources, kind: str) -> Cut:
    texts = sources.texts
    return {
        "words": texts.words,
        "bigrams": texts.grams,
        "characters": texts.characters,
        "trigrams": texts.trigrams,
    }[kind]


def _entities(known: Known) -> Any:
    """A text's entities as terms, so that what counts words can count them."""
    return lambda text: [str(number) for number in known.link(text).main]


def _labels(known: Known | None) -> tuple[str, ...]:
    if known is None:
        return ()
    both = (f"{mark}{name}" for name in known.graph.relations for mark in ("", "inverse "))
    return tuple(both)[:MOST_RELATIONS]
