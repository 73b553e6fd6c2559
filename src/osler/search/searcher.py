"""One search from the question to the hits: parse, rank, hold against the truth, explain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from osler.errors import InputError, LimitError
from osler.kinds import Document, Filter, Hit, KnownItem, Ranking, Reason, ScoreParts
from osler.kinds.query import Exact, Node, Or
from osler.retrieve import parse as language
from osler.retrieve.channel import Fused
from osler.retrieve.estimate import ESTIMATED
from osler.retrieve.evidence import evidence_of, highlight
from osler.retrieve.known import (
    KnownItems,
    author_of,
    identifier,
    identifiers,
    ids_of,
    named_papers,
    with_names,
)
from osler.retrieve.spelling import respelled
from osler.retrieve.verdict import ANSWERED, LOOKED_AT, verdict_on
from osler.retrieve.view import Best, Request, View
from osler.search.ordering import ranked
from osler.search.ranker import SearchRanker
from osler.search.telling import WORDLESS, note_headings, note_minus, note_nearest, note_order
from osler.settings import MAX_HITS
from osler.stopping import check_stopped
from osler.store.analyser import analyse
from osler.store.passages import Passage
from osler.store.truth import Truth
from osler.text.bm25 import idf
from osler.text.design.judge import design_of
from osler.text.design.sample_size import took_part
from osler.text.stopwords import STOPWORDS

DEPTH = 1_000
"""Candidates that each channel brings before they are fused."""


class Searcher:
    """Searches one state of a library."""

    def __init__(self, truth: Truth, view: View) -> None:
        self.truth = truth
        self.view = view

    def parse(self, text: str, *, plain: bool, syntax: str = "") -> Node:
        """The query's tree, with each heading asked for taken as the branch below it."""
        if plain or not (syntax or language.is_structured(text)):
            return language.plain(text)
        tree = language.parse(text, syntax)
        note_headings(tree, self.view)
        return with_names(language.expand_headings(tree, self.view.branch), self.view)

    def search(
        self,
        text: str,
        ranker: SearchRanker,
        *,
        k: int,
        filter: Filter | None,
        evidence: bool,
        plain: bool,
        skip: int = 0,
        syntax: str = "",
        sort: str = "",
        abstract: bool = False,
        verdict: bool = True,
    ) -> Ranking:
        with self.truth.snapshot():
            request = self.request(text, k, filter, plain, syntax=syntax, sort=sort)
            request = replace(request, k=skip + k)
            view = self.view.for_question(text)
            fused, total = self._ranked(request, ranker, view)
            # Who judges the list looks at its beginning, however short the page is.
            best = self.view.best(fused, max(request.k, LOOKED_AT) if verdict else request.k)
            shown = best[skip : request.k]
            hits = self._hits(request, fused, shown, ranker, view, evidence=evidence)
            if hits and not total:
                view.note(WORDLESS)
            if abstract:
                self._add_abstracts(hits)
            ranking = Ranking(
                query=text, hits=hits, method=ranker.name, total=total, notes=self.view.notes
            )
            if verdict:
                by_vectors = "vectors" in ranker.needs
                rows = [row for row, *_ in best[:LOOKED_AT]]
                ranking.verdict = verdict_on(request, rows, view, by_vectors=by_vectors)
                if ranking.verdict is not None and ranking.verdict.kind != ANSWERED:
                    ranking.suggestion = respelled(request, view)
        return ranking

    def _ranked(self, request: Request, ranker: SearchRanker, view: View) -> tuple[Fused, int]:
        """The candidates in their order, and how many papers match."""
        reaching = self._reaching(request)
        total = self.view.engine.count(reaching, request.filter)
        if request.sort:
            request = replace(request, node=reaching)
            note_order(request, total, self.view)
        fused = ranked(request, ranker, view, total)
        return (fused if request.sort else with_known(fused, request.known)), total

    def count(self, text: str, filter: Filter | None) -> int:
        """How many papers match, full texts included: the total of its search."""
        request = self.request(text, 1, filter, False)
        with self.truth.snapshot():
            return self.view.engine.count(self._reaching(request), request.filter)

    def _reaching(self, request: Request) -> Node:
        """A query that finds what the request's words find, and the papers that it names."""
        reaching = self.view.reaching(request.node, request.depth)
        if request.known is None:
            return reaching
        held = self.view.documents.current([each.row for each in request.known.rows])
        return Or((reaching, Exact("id", tuple(sorted(id for id, _ in held.values())))))

    def _add_abstracts(self, hits: list[Hit]) -> None:
        rows = self.view.documents.rows_of([hit.id for hit in hits])
        documents = self.view.documents.by_rows(list(rows.values()))
        for hit in hits:
            hit.abstract = documents[rows[hit.id]].abstract

    def everything(
        self,
        text: str,
        ranker: SearchRanker,
        *,
        filter: Filter | None = None,
        plain: bool = False,
        syntax: str = "",
        sort: str = "",
    ) -> list[tuple[int, str, float]]:
        """(row, id, score) of all hits in their order, however many they are: what an export
        holds, and what the pages of a list show one after the other."""
        request = self.request(text, 1, filter, plain, syntax=syntax, sort=sort)
        with self.truth.snapshot():
            view = self.view.for_question(text)
            whole = replace(request, k=max(1, self.view.total))
            fused, total = self._ranked(whole, ranker, view)
            best = self.view.best(fused, whole.k)
            note_nearest(len(best), total, self.view)
            return [(row, id, score) for row, id, score, _ in best]

    def scores(
        self, text: str, ranker: SearchRanker, *, k: int, filter: Filter | None, plain: bool
    ) -> dict[str, float]:
        """Ids and scores alone: what a run file holds."""
        request = self.request(text, k, filter, plain)
        request = replace(request, depth=max(DEPTH, k))
        with self.truth.snapshot():
            fused, _ = self._ranked(request, ranker, self.view.for_question(text))
            best = self.view.best(fused, k)
        return {id: score for _, id, score, _ in best}

    def request(
        self,
        text: str,
        k: int,
        filter: Filter | None,
        plain: bool,
        *,
        syntax: str = "",
        sort: str = "",
    ) -> Request:
        if k < 1:
            raise InputError("a search asks for at least one hit")
        if k > MAX_HITS.get():
            raise LimitError(f"a search gives at most {MAX_HITS.get()} hits")
        request = Request(
            text=text, node=Or(()), k=k, depth=DEPTH, filter=filter or None, sort=sort
        )
        if plain:
            return replace(request, node=language.plain(text))
        if syntax:
            tree = self.parse(text, plain=False, syntax=syntax)
            return replace(request, node=tree, structured=True)
        name = identifier(text)
        if name is not None:
            ids = ids_of(self.view, text)
            if ids:
                # A number alone is an id before it is words, and then nothing else.
                named = Exact("id", ids)
                rows = tuple(self.view.engine.search_words(named, k, request.filter))
                known = KnownItems(rows, str(name))
                return replace(request, node=named, structured=True, known=known)
            self.view.note(f"the library holds no paper with the {name}: searched as words")
            return replace(request, node=language.plain(text), unknown=str(name))
        if names := identifiers(text):
            listed = {name: ids_of(self.view, name.value) for name in names}
            held = tuple(dict.fromkeys(id for ids in listed.values() for id in ids))
            if held:
                for name in [name for name, ids in listed.items() if not ids]:
                    self.view.note(f"the library holds no paper with the {name}")
                named = Exact("id", held)
                rows = tuple(self.view.engine.search_words(named, len(held), request.filter))
                known = KnownItems(rows, "an id of the list")
                return replace(request, node=named, structured=True, known=known)
        if language.is_structured(text):
            return replace(request, node=self.parse(text, plain=False), structured=True)
        author = author_of(text, self.view)
        if author is not None:
            (whose,) = author.values
            self.view.note(
                f'read as author:"{whose}"; search it as plain words (--plain) for others'
            )
            return replace(request, node=author, structured=True)
        note_minus(text, self.view)
        known_papers = named_papers(text, self.view, request.filter)
        return replace(request, node=language.plain(text), known=known_papers)

    def _hits(
        self,
        request: Request,
        fused: Fused,
        best: Sequence[Best],
        ranker: SearchRanker,
        view: View,
        *,
        evidence: bool,
    ) -> list[Hit]:
        documents = view.papers([row for row, *_ in best])
        shown = [documents[row] for row, *_ in best]
        weights = self._term_weights(request) if evidence else {}
        further: list[tuple[Reason, ...]] = [() for _ in best]
        if evidence:
            further = ranker.reasons(request, view, [row for row, *_ in best], shown)
        passages: dict[int, Passage] = {}
        if evidence and any(document.full_text for document in shown):
            passage_hits = self.view.engine.search_passages(request.node, request.depth)
            passages = {scored.row: scored.passage for scored in passage_hits}
        hits = []
        for (row, id, score, place), document, more in zip(best, shown, further, strict=True):
            check_stopped()
            reasons = [_parts(fused, place), *more]
            if request.known is not None and any(each.row == row for each in request.known.rows):
                reasons.append(KnownItem(request.known.by))
            chosen = evidence_of(document, weights, passages.get(row)) if evidence else None
            if chosen is not None:
                reasons.insert(1, chosen[0])
            hit = hit_of(document, score, tuple(reasons), weights, id=id)
            hit.no_finding = chosen is not None and not chosen[1]
            hits.append(hit)
        return hits

    def _term_weights(self, request: Request) -> dict[str, float]:
        """The question's terms with their idf."""
        words = [
            word
            for word in " ".join(language.words_of(request.node)).split()
            if word.lower() not in STOPWORDS
        ]
        total = self.view.total
        weights: dict[str, float] = {}
        for term in analyse(" ".join(words)):
            weights[term] = float(idf(self.view.engine.document_frequency(term), total))
        return weights


def hit_of(
    document: Document,
    score: float,
    reasons: tuple[Reason, ...] = (),
    weights: dict[str, float] | None = None,
    *,
    id: str = "",
) -> Hit:
    """A document as a hit; ``weights`` are those of the words to mark in its title."""
    design = design_of(document)
    size, arms = took_part(document.abstract)
    return Hit(
        id=id or document.id,
        score=round(float(score), 6),
        title=document.title,
        highlights=highlight(document.title, weights) if weights else (),
        retracted=document.retracted,
        published=document.published,
        journal=document.journal,
        authors=tuple(author.short for author in document.authors[:AUTHORS]),
        doi=document.ids.get("doi", ""),
        design=design.name,
        design_probability=design.probability,
        sample_size=size,
        arms=arms,
        reasons=reasons,
    )


AUTHORS = 20
"""Authors that a hit names; the document has all of them."""


KNOWN = "known item"
"""The channel that lifts the paper which a question names."""


def with_known(fused: Fused, known: KnownItems | None) -> Fused:
    """The candidates with the papers that the question names lifted above all others."""
    if known is None or not known.rows:
        return fused
    new = [each for each in known.rows if each.row not in set(fused.rows.tolist())]
    rows = np.concatenate([fused.rows, np.array([each.row for each in new], np.int64)])
    seqs = np.concatenate([fused.seqs, np.array([each.seq for each in new], np.int64)])
    none = np.zeros(len(new))
    scores = np.concatenate([fused.scores, none])
    named = np.isin(rows, [each.row for each in known.rows])
    others = scores[~named]
    top = max(1.0, float(others.max(initial=0.0)) + 1.0)
    # All that are named come together, in the order that they have among themselves.
    lift = np.where(named, top - float(scores[named].min()), 0.0)
    return Fused(
        rows,
        seqs,
        scores + lift,
        {name: np.concatenate([values, none]) for name, values in fused.raw.items()},
        {
            **{name: np.concatenate([values, none]) for name, values in fused.contributed.items()},
            KNOWN: lift,
        },
    )


def _parts(fused: Fused, place: int) -> ScoreParts:
    return ScoreParts(
        {name: _number(values[place]) for name, values in fused.raw.items()},
        {
            name: _number(values[place])
            for name, values in fused.contributed.items()
            # What stands for a missing vector is told where it does.
            if name not in (ESTIMATED, KNOWN) or values[place]
        },
    )


def _number(value: float) -> float:
    return 0.0 if math.isnan(value) else round(float(value), 6)
