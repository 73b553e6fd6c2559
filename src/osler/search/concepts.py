"""Search that understands concepts: the default of a library that holds a terminology.

Built on section 3.4 of "Semantic Enrichment of Pretrained Embedding Output for Unsupervised IR"
(AAAI-MAKE 2021), and meant to do better than its product score (``concepts-paper``):

1. Words (with synonyms of the question's concepts), vectors and concepts are fused by z-score.
   Concepts count by how much of the question they cover (``retrieve.covering``).
2. The best of these feed three more channels: words (RM3), vectors (Rocchio), concepts.
3. All are fused again, and the best lean on their neighbours; where the library holds judged
   questions, their votes join.

Every part can be switched off. Weights are one setting for all collections, taken from the middle
of a plateau over two development sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from osler.errors import ChoiceError
from osler.kinds import Document, Reason, SharedConcept
from osler.retrieve import feedback
from osler.retrieve.channel import Candidates, Fused, Scores
from osler.retrieve.concepts import ConceptIndex, Knowledge
from osler.retrieve.covering import coverage, trust
from osler.retrieve.estimate import ESTIMATED
from osler.retrieve.expansion import expanded, index_terms
from osler.retrieve.judgements import BOUND, Votes
from osler.retrieve.learned import SHIPPED, LearnedWeights
from osler.retrieve.neighbours import NEIGHBOURS, moved
from osler.retrieve.parse import words_of
from osler.retrieve.pool import Like, Pool, standard_scores
from osler.retrieve.reading_now import read_likely
from osler.retrieve.view import Request, View
from osler.search.judged import judged
from osler.search.ranker import SearchRanker, rankers

PARTS = (
    "synonyms",
    "headings",
    "concepts",
    "word feedback",
    "vector feedback",
    "concept feedback",
    "neighbours",
    "judgements",
)
"""What can be switched off."""

FIRST: Mapping[str, float] = {"words": 0.27, "vectors": 0.73, "concepts": 0.2}
"""Weights of the ranking that seeds feedback."""

WEIGHTS: Mapping[str, float] = {
    "words": 0.15,
    "vectors": 0.5,
    "concepts": 0.2,
    "word feedback": 0.35,
    "vector feedback": 0.5,
    "concept feedback": 0.1,
}
JUDGEMENTS = 1.8
"""Weight of the votes, in standard deviations of everything else."""

FIELDS: Mapping[str, float] = {"title": 0.5, "abstract": 1.0, "keywords": 0.2, "headings": 0.5}
SHOWN_CONCEPTS = 8

Floats = npt.NDArray[Any]


@dataclass
class Asked:
    """A request with what is found out about it on the way."""

    request: Request
    view: View
    known: Knowledge | None
    concepts: dict[int, float] = field(default_factory=dict)
    trust: float = 0.0
    """What the question's concepts count for: 1 where they are all that it says."""
    vector: Floats | None = None
    moved: Floats | None = None
    words: Candidates = field(default_factory=Candidates.none)
    vectors: Candidates = field(default_factory=Candidates.none)
    like: Like | None = None

    @property
    def bound(self) -> bool:
        """Whether only what words and vectors found may be shown: a filter, a structured query."""
        return bool(self.request.filter) or self.request.structured


@rankers.register("concepts")
class Concepts(SearchRanker):
    """Words, vectors and concepts with feedback; see the module for the steps."""

    name = "concepts"
    help = "words, vectors and shared concepts with feedback; the default with a terminology"
    needs: ClassVar[frozenset[str]] = frozenset({"vectors", "concepts"})
    learns = True
    takes_marks = True

    def __init__(
        self,
        *,
        off: Sequence[str] = (),
        weights: Mapping[str, float] | None = None,
        learned: str | LearnedWeights | None = None,
    ) -> None:
        for part in off:
            if part not in PARTS:
                raise ChoiceError("part of the concept search", part, PARTS)
        self.off = frozenset(off)
        self.weights = {**WEIGHTS, **(weights or {})}
        self.learned = None if learned is None else LearnedWeights.resolve(learned)

    def on(self, part: str) -> bool:
        return part not in self.off

    # -- ranking ---------------------------------------------------------------------------------

    def rank(self, request: Request, view: View) -> Fused:
        asked, pool, standard = self.standard(request, view)
        votes = self._votes(asked)
        if votes is not None and not asked.bound:
            pool, standard = _widened(pool, votes.candidates)
            if "concepts" in standard:
                standard["concepts"] *= asked.trust
        contributed = _told(self._contributions(standard), pool)
        if self.on(NEIGHBOURS) and asked.vector is not None:
            total = sum(contributed.values(), np.zeros(len(pool)))
            contributed[NEIGHBOURS] = moved(pool.rows, total, view)
        if votes is not None:
            total = sum(contributed.values(), np.zeros(len(pool)))
            vote = pool.put("judgements", votes.candidates)
            if votes.own:
                vote = np.clip(vote, -BOUND, BOUND)
            whose = "of this question" if votes.own else "of questions like it"
            view.note(
                f"ordered with {votes.marks:,} marks {whose} that the library keeps for everybody; "
                "without marks they play no part"
            )
            contributed["judgements"] = JUDGEMENTS * votes.trust * float(total.std()) * vote
        return pool.fused(contributed)

    def standard(self, request: Request, view: View) -> tuple[Asked, Pool, dict[str, Scores]]:
        """All channels but the votes, as standard scores over one pool."""
        asked = self._ask(request, view)
        channels = {"words": asked.words, "vectors": asked.vectors}
        index = self._index(asked)
        concept_scores: Floats | None = None
        if index is not None and asked.concepts:
            concept_scores = index.scores(asked.concepts)
            if not asked.bound:
                channels["concepts"] = index.candidates(concept_scores, k=request.depth)
        pool = Pool(channels)
        standard = {"words": pool.put("words", asked.words, depth=request.depth)}
        known: dict[str, Scores] = {}
        if index is not None and concept_scores is not None:
            held = index.candidates(concept_scores, rows=pool.rows)
            known["concepts"] = asked.trust * pool.put("concepts", held)
        if len(asked.vectors):
            asked.like = _like(asked, pool, channels, {**standard, **known})
            standard["vectors"] = pool.put(
                "vectors", asked.vectors, depth=request.depth, like=asked.like
            )
        standard |= known
        pool.raw = {name: pool.raw[name] for name in standard}  # told in the order of the channels
        seed = _weighted(standard, FIRST)
        self._feed_back(asked, pool, seed, standard)
        return asked, pool, standard

    def _ask(self, request: Request, view: View) -> Asked:
        """Words and vectors, and the question's concepts."""
        asked = Asked(request, view, view.knowledge)
        if asked.known is None:
            view.note("no terminology in this library: concepts play no part (osler add one)")
        else:
            asked.concepts, named = asked.known.read(request.text)
            frequencies = view.engine.document_frequencies
            asked.trust = trust(coverage(request.text, named, frequencies, view.total))
        node = request.node
        if asked.known is not None and self.on("synonyms") and not request.structured:
            node = expanded(node, request.text, asked.concepts, asked.known.graph)
        # A query of the query language finds what its count counts: headings only where it asks
        # for them.
        fields = None if request.structured else self._fields
        asked.words = view.words(node, request.depth, request.filter, weights=fields)
        if not view.has_vectors():
            pass  # a note says why
        elif view.reads(request.text, otherwise="searched by words and concepts"):
            read_likely(request, view, asked.words)
            asked.vector = view.encode(request.text)
            nearest = view.vectors(asked.vector, request.depth, request.filter)
            asked.vectors = _among(nearest, asked.words) if request.structured else nearest
        return asked

    @property
    def _fields(self) -> dict[str, float]:
        fields = dict(FIELDS)
        if not self.on("headings"):
            del fields["headings"]
        return fields

    def _index(self, asked: Asked) -> ConceptIndex | None:
        if asked.known is None or not self.on("concepts"):
            return None
        index = asked.known.index
        return index if self.on("headings") else index.without_headings

    def _feed_back(
        self, asked: Asked, pool: Pool, seed: Scores, standard: dict[str, Scores]
    ) -> None:
        """Three more channels, out of the best of the first ranking."""
        best = np.lexsort((pool.rows, -seed))[: feedback.DOCUMENTS]
        rows = pool.rows[best].tolist()
        shares = feedback.shares(seed[best])
        if not rows:
            return
        view, request = asked.view, asked.request
        if self.on("word feedback"):
            node = self._relevance_query(asked, rows, shares)
            if node is not None:
                depth = request.depth // 2
                candidates = view.words(node, depth, request.filter, weights=self._fields)
                standard["word feedback"] = pool.put("word feedback", candidates, depth=depth)
        if asked.vector is not None:
            near = rows[: feedback.NEAREST]
            held, vectors = view.vectors_of(near)
            weight = dict(zip(near, feedback.shares(seed[best[: len(near)]]), strict=True))
            asked.moved = feedback.rocchio(
                asked.vector, vectors, np.array([weight[row] for row in held])
            )
            if self.on("vector feedback"):
                candidates = view.vectors(asked.moved, request.depth, request.filter)
                standard["vector feedback"] = pool.put(
                    "vector feedback", candidates, depth=request.depth, like=asked.like
                )
        index = self._index(asked)
        if index is not None and self.on("concept feedback"):
            likeness = index.feedback(rows, shares.tolist())
            standard["concept feedback"] = pool.put(
                "concept feedback", index.candidates(likeness, rows=pool.rows)
            )

    def _relevance_query(self, asked: Asked, rows: list[int], shares: Floats) -> Any:
        documents = asked.view.papers(rows)
        weighted = [
            (self._document_words(documents[row]), float(share))
            for row, share in zip(rows, shares, strict=True)
            if row in documents
        ]
        model = feedback.relevance_model(
            weighted, asked.view.engine.document_frequencies, asked.view.total
        )
        words = [
            (word, 1.0) for word in index_terms(" ".join(words_of(asked.request.node))).values()
        ]
        return feedback.rm3(words, model)

    def _document_words(self, document: Document) -> Mapping[str, float]:
        return feedback.document_words(document, headings=self.on("headings"))

    def _votes(self, asked: Asked) -> Votes | None:
        if not self.on("judgements"):
            return None
        held = judged(asked.view)
        if held is None or not len(held):
            return None
        votes = held.votes(asked.request.text, asked.vector, asked.moved)
        return votes if votes.trust > 0 else None

    def _contributions(self, standard: Mapping[str, Scores]) -> dict[str, Scores]:
        if self.learned is not None:
            return self.learned.contributions(standard)
        return {name: self.weights[name] * values for name, values in standard.items()}

    # -- explaining ------------------------------------------------------------------------------

    def reasons(
        self, request: Request, view: View, rows: Sequence[int], documents: Sequence[Document]
    ) -> list[tuple[Reason, ...]]:
        """The shared concepts of each hit: through which parent, and where in the text."""
        known: Knowledge | None = view.knowledge
        if known is None or not self.on("concepts"):
            return [() for _ in rows]
        query = known.concepts(request.text)
        return [shared_concepts(known, query, row) for row in rows]


@rankers.register("concepts-learned")
class ConceptsLearned(Concepts):
    """The same with learned weights: the package's own, or a file that training wrote."""

    name = "concepts-learned"
    help = "concepts with learned weights (osler train search) in place of the fixed ones"

    def __init__(self, *, learned: str | LearnedWeights = SHIPPED, off: Sequence[str] = ()) -> None:
        super().__init__(off=off, learned=learned)


def shared_concepts(
    known: Knowledge, query: Mapping[int, float], row: int
) -> tuple[SharedConcept, ...]:
    """Where a question's concepts and a document's meet, the weightiest first."""
    graph, index = known.graph, known.index
    shown = []
    informing = [meeting for meeting in index.meetings(query, row) if index.informs(meeting)]
    for meeting in informing[:SHOWN_CONCEPTS]:
        asked, held, at = (graph.id(n) for n in (meeting.query, meeting.document, meeting.at))
        through = at not in (asked, held)
        shown.append(
            SharedConcept(
                entity=asked,
                name=graph.name(asked),
                weight=round(meeting.weight, 6),
                via=at if through else "",
                via_name=graph.name(at) if through else "",
                in_document=held,
                in_document_name=graph.name(held),
                spans=index.spans(row, meeting.document),
                denied=index.spans(row, meeting.document, denied=True),
            )
        )
    return tuple(shown)


def _weighted(standard: Mapping[str, Scores], weights: Mapping[str, float]) -> Scores:
    parts = [weights[name] * values for name, values in standard.items()]
    total: Scores = np.sum(parts, axis=0) if parts else np.zeros(0)
    return total


def _like(
    asked: Asked, pool: Pool, channels: Mapping[str, Candidates], known: Mapping[str, Scores]
) -> Like | None:
    """What stands for vectors that are not there yet; None where all are."""
    unseen = asked.view.without_vector(pool.rows, asked.vectors.rows)
    if not unseen.any():
        return None
    others = [candidates.rows for name, candidates in channels.items() if name != "vectors"]
    brought = np.isin(pool.rows, np.concatenate(others))
    return Like(unseen, _weighted(known, FIRST), brought)


def _told(contributed: dict[str, Scores], pool: Pool) -> dict[str, Scores]:
    """What was estimated for lack of a vector, as a part of its own."""
    estimated = np.zeros(len(pool))
    for name, seen in pool.seen.items():
        estimated += np.where(seen, 0.0, contributed[name])
        contributed[name] = np.where(seen, contributed[name], 0.0)
    return {**contributed, ESTIMATED: estimated} if pool.seen else contributed


def _among(candidates: Candidates, others: Candidates) -> Candidates:
    kept = np.isin(candidates.rows, others.rows)
    return Candidates(candidates.rows[kept], candidates.scores[kept], candidates.seqs[kept])


def _widened(pool: Pool, more: Candidates) -> tuple[Pool, dict[str, Scores]]:
    """The pool with the rows of one more channel; the others see them at their floor."""
    wider = Pool({"pool": Candidates(pool.rows, np.zeros(len(pool)), pool.seqs), "more": more})
    at = np.searchsorted(wider.rows, pool.rows)
    wider.seqs[at] = pool.seqs
    standard = {}
    for name, values in pool.raw.items():
        filled = np.full(len(wider), float(values.min()) if len(values) else 0.0)
        filled[at] = values
        wider.raw[name] = filled
        if name in pool.seen:
            wider.seen[name] = np.ones(len(wider), np.bool_)
            wider.seen[name][at] = pool.seen[name]
        standard[name] = standard_scores(filled, among=wider.seen.get(name))
    return wider, standard
