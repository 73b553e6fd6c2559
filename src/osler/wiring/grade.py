"""What `grade` takes out of a library: candidates for a fact, facts for a paper, the grader."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from osler.errors import InputError, LimitError, QueryError
from osler.grade.grader import Grader, graders
from osler.grade.job import GradedFact, fact_of_hit, grade_facts, grade_papers
from osler.grade.pair import Fact, Pair
from osler.grade.places import Place, TextNames
from osler.kinds import Document, Ranking, Triple
from osler.settings import MAX_HITS, MAX_QUERY

if TYPE_CHECKING:
    from osler.library import Library
    from osler.retrieve.concepts import Knowledge

MODEL = "grade"
"""Where a library keeps the grader that was trained on it: LIB/models/grade."""
MOST_NAMES = 20
MOST_FACTS = 5_000
HIERARCHY = "is a"


def grade(
    library: Library,
    head: str,
    relation: str,
    tail: str,
    *,
    k: int = 50,
    candidates: int = 1_000,
    method: str | Grader | None = None,
    explain: bool = True,
) -> Ranking:
    """Papers for a fact, graded H, F, M, I, best first.

    In two stages: ``candidates`` papers that name both entities (then those that name one, then
    those that share words), of which the grader looks at the best.
    """
    _check(head, relation, tail, k, candidates)
    notes: list[str] = []
    fact = resolved(library, head, relation, tail, notes)
    grader = grader_of(library, method)
    found = _candidates(library, fact, candidates, notes)
    pairs = [pair for _, pair in found]
    hits = grade_papers(grader, pairs, [paper for paper, _ in found], k=k, explain=explain)
    if not hits:
        notes.append("no paper of the library names these entities")
    elif not any(_names_both(pair) for pair in pairs):
        notes.append("no paper of the library names both entities")
    return Ranking(query=fact.text, hits=hits, method=grader.name, total=len(found), notes=notes)


def _names_both(pair: Pair) -> bool:
    places = pair.places
    head = places.heads or places.head_keywords
    return bool(head and (places.tails or places.tail_keywords))


def graded_papers(
    library: Library, head: str, relation: str, tail: str, **options: Any
) -> tuple[Ranking, list[GradedFact]]:
    """``grade``, and the same as graded facts, one a paper, for export with their sentences."""
    ranking = grade(library, head, relation, tail, **options)
    fact = resolved(library, head, relation, tail, [])
    triple = Triple(
        fact.head_ids[0] if fact.head_ids else fact.head,
        relation,
        fact.tail_ids[0] if fact.tail_ids else fact.tail,
    )
    return ranking, [fact_of_hit(hit, fact, triple) for hit in ranking.hits]


def facts(
    library: Library, paper_id: str, *, k: int = 20, method: str | Grader | None = None
) -> list[GradedFact]:
    """The facts of the library's graph that a paper speaks of, graded, best first."""
    if k < 1:
        raise InputError("there must be at least one fact to ask for")
    document = library.document(paper_id)
    grader = grader_of(library, method)
    pairs, triples = paper_pairs(library, document)
    return grade_facts(grader, pairs, triples, k=k)


def grader_of(library: Library, method: str | Grader | None = None) -> Grader:
    """A method by its name (trained in this library where it must be), the library's own grader,
    or, without one, the rules."""
    if isinstance(method, Grader):
        return method
    folder = library.path / "models" / MODEL
    if method is None or method == "trained":
        if (folder / "config.json").is_file():
            return _loaded(folder, _stamp(folder))
        if method == "trained":
            raise InputError(
                "the library has no trained grader", cure=f"osler train grade {library.path}"
            )
        return graders.resolve("rule")
    if not graders.get(method).learns and method == "rule":
        return graders.resolve(method)
    own = folder.with_name(f"{MODEL}-{method}")
    for place in (own, folder):
        if (place / "config.json").is_file():
            grader = _loaded(place, _stamp(place))
            if grader.name == method:
                return grader
    raise InputError(
        f"the library has no trained {method!r}",
        cure=f"osler train grade {library.path} --method {method}",
    )


def _stamp(folder: Path) -> float:
    return (folder / "config.json").stat().st_mtime


@lru_cache(maxsize=4)
def _loaded(folder: Path, stamp: float) -> Grader:
    from osler.grade.models import load_grader

    return load_grader(folder)


def _check(head: str, relation: str, tail: str, k: int, candidates: int) -> None:
    for what, text in (("head", head), ("relation", relation), ("tail", tail)):
        if not any(character.isalnum() for character in text):
            raise QueryError(
                f"the {what} is empty", query=text, place=0, cure="a fact is HEAD RELATION TAIL"
            )
        if len(text) > MAX_QUERY.get():
            raise LimitError(f"the {what} has {len(text)} characters")
    most = MAX_HITS.get()
    if not 1 <= k <= most or not 1 <= candidates <= most:
        raise LimitError(f"k and candidates lie between 1 and {most}")


# -- the fact ------------------------------------------------------------------------------------


def resolved(library: Library, head: str, relation: str, tail: str, notes: list[str]) -> Fact:
    """The fact with all names that the graph has for its entities; ``notes`` says what is
    unknown."""
    known = library.knowledge
    found = []
    for given in (head, tail):
        ids, names = _entity(known, given)
        if known is not None and not ids:
            notes.append(f"{given!r} is no entity of the graph: it is looked for by its words")
        found.append((ids, names))
    if known is None:
        notes.append("the library has no graph: entities are looked for by their words")
    elif relation not in known.graph.relations:
        near = difflib.get_close_matches(relation, known.graph.relations, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        notes.append(f"the graph has no relation {relation!r}{hint}")
    (head_ids, head_names), (tail_ids, tail_names) = found
    return Fact(
        head=head_names[0],
        relation=relation,
        tail=tail_names[0],
        head_names=head_names[1:],
        tail_names=tail_names[1:],
        head_ids=head_ids,
        tail_ids=tail_ids,
    )


def _entity(known: Knowledge | None, given: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ids and names of an entity that is given by its id or a name; the given one comes first."""
    if known is None:
        return (), (given,)
    graph = known.graph
    first = [given] if given in graph else graph.lookup(given)
    ids = dict.fromkeys(id for one in first for id in (one, *graph.same(one)))
    names = [name for id in ids for name in graph.names(id)]
    if given not in graph:
        names.insert(0, given)
    unique = dict.fromkeys(name for name in names if name)
    return tuple(ids), tuple(unique)[:MOST_NAMES] or (given,)


# -- candidates ----------------------------------------------------------------------------------


def _candidates(
    library: Library, fact: Fact, most: int, notes: list[str]
) -> list[tuple[Document, Pair]]:
    """Papers with their pairs: those that name both entities, then one, then share words."""
    ids = _co_mentions(library, fact, most)
    if len(ids) < most:
        words = f"{fact.head} {fact.tail}"
        for hit in library.search(words, k=most, method="words", evidence=False, plain=True):
            ids.setdefault(hit.id, None)
    kept = list(ids)[:most]
    held = {document.id: document for document in library.documents(kept)}
    pairs = [(held[id], Pair.of(fact, with_headings(held[id]))) for id in kept if id in held]
    bare = sum(not paper.abstract.strip() for paper, _ in pairs)
    if bare:
        notes.append(f"{bare:,} of {len(pairs):,} candidates have no abstract: graded by title")
    return pairs


def with_headings(document: Document) -> Document:
    """Subject headings count as keywords: an indexer's word on what a paper is about."""
    if not document.headings:
        return document
    import msgspec

    joined = dict.fromkeys((*document.keywords, *(h.name for h in document.headings)))
    return msgspec.structs.replace(document, keywords=tuple(joined))


def _co_mentions(library: Library, fact: Fact, most: int) -> dict[str, None]:
    """Ids of papers by the linker's mentions: how often both are named, the rarer one first."""
    known = library.knowledge
    if known is None or not (fact.head_ids or fact.tail_ids):
        return {}
    held = known.index.mentions
    counts = []
    for ids in (fact.head_ids, fact.tail_ids):
        numbers = [n for n in map(known.graph.find, ids) if n is not None]
        named = np.isin(held.concept, np.asarray(numbers, np.int32))
        places = np.searchsorted(held.offsets, np.flatnonzero(named), side="right") - 1
        counts.append(np.bincount(places, minlength=len(held.rows)))
    least, total = np.minimum(*counts), np.add(*counts)
    some = np.flatnonzero(total)
    order = some[np.lexsort((held.rows[some], -total[some], -least[some]))][:most]
    rows = held.rows[order].tolist()
    named_rows = library.searcher.view.documents.by_rows(rows)
    return {named_rows[row].id: None for row in rows if row in named_rows}


# -- facts of a paper ----------------------------------------------------------------------------


def paper_pairs(
    library: Library, document: Document, *, most: int = MOST_FACTS
) -> tuple[list[Pair], list[Triple]]:
    """All triples of the graph whose two ends a paper names, as pairs with it."""
    known = library.knowledge
    if known is None:
        raise InputError(
            "the library holds no graph", cure="osler add one: a terminology or triples"
        )
    graph = known.graph
    full = with_headings(document)
    places = _named(known, full)
    pairs: list[Pair] = []
    triples: list[Triple] = []
    for head, relation, tail in _edges(known, places):
        if len(pairs) >= most:
            break
        if _same_thing(known, head, tail) or places[head] == places[tail]:
            continue
        head_names, tail_names = graph.names(head), graph.names(tail)
        fact = Fact(
            head=head_names[0],
            relation=relation,
            tail=tail_names[0],
            head_names=head_names[1:MOST_NAMES],
            tail_names=tail_names[1:MOST_NAMES],
            head_ids=(head,),
            tail_ids=(tail,),
        )
        pairs.append(Pair.of(fact, full, head_places=places[head], tail_places=places[tail]))
        triples.append(Triple(head, relation, tail))
    return pairs, triples


def _same_thing(known: Knowledge, head: str, tail: str) -> bool:
    """Whether a triple joins a thing with itself, as two terminologies call it."""
    graph = known.graph
    return graph.name(head).casefold() == graph.name(tail).casefold() or tail in graph.same(head)


def _named(known: Knowledge, document: Document) -> dict[str, list[Place]]:
    """Entities that a paper names, with their places in its text; an entity is named too where
    another terminology's entry of the same thing is."""
    found: dict[str, dict[Place, None]] = {}
    for mention in known.linker.link(document.text):
        for id, _ in mention.entities:
            if id in known.graph:
                for one in (id, *known.graph.same(id)):
                    found.setdefault(one, {})[mention.start, mention.end] = None
    looked = TextNames(document.text)
    for keyword in document.keywords:
        for id in known.graph.lookup(keyword):
            if id not in found:
                found[id] = dict.fromkeys(looked.find(known.graph.names(id)[:MOST_NAMES]))
    return {id: sorted(places) for id, places in found.items()}


def _edges(known: Knowledge, places: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """The graph's triples among some entities, without is-a, by head."""
    graph = known.graph
    numbers = {n: id for id in places if (n := graph.find(id)) is not None}
    wanted = np.fromiter(numbers, np.int64, len(numbers))
    for number in sorted(numbers):
        others, labels = graph.edges_of(number)
        inside = np.isin(others, wanted) & (labels % 2 == 0)
        for other, label in sorted(
            zip(others[inside].tolist(), labels[inside].tolist(), strict=True)
        ):
            relation = graph.relations[label >> 1]
            if relation != HIERARCHY and other != number:
                yield numbers[number], relation, numbers[other]


def drawn_pairs(
    library: Library, *, limit: int = 2_000, a_paper: int = 20, seed: int = 0
) -> list[Pair]:
    """Pairs to label: papers drawn from the library, each with the graph's facts whose two ends
    it names, ``a_paper`` at most. Drawing goes on until ``limit`` papers have given some."""
    known = library.knowledge
    if known is None:
        raise InputError(
            "the library holds no graph", cure="osler add one: a terminology or triples"
        )
    rows = known.index.mentions.rows
    order = np.random.default_rng(seed).permutation(len(rows))
    found: list[Pair] = []
    papers = 0
    for start in range(0, len(order), 500):
        part = [int(rows[at]) for at in order[start : start + 500]]
        documents = library.searcher.view.documents.by_rows(part)
        for row in part:
            if papers >= limit:
                return found
            if row in documents:
                pairs, _ = paper_pairs(library, documents[row], most=a_paper)
                papers += bool(pairs)
                found += pairs
    return found


def weakly_labelled(
    library: Library, *, limit: int = 2_000, a_paper: int = 20, seed: int = 0
) -> list[Pair]:
    """Pairs of the library with weak labels, to train on."""
    from osler.grade.labels.weak import weak_labels

    pairs = drawn_pairs(library, limit=limit, a_paper=a_paper, seed=seed)
    if not pairs:
        raise InputError(
            "no paper names two entities that the graph joins",
            cure="give labelled pairs with --pairs, or add a graph with triples",
        )
    return weak_labels(pairs, seed=seed)


def graph_vectors(
    library: Library, method: str, *, dimension: int = 64, epochs: int = 10, seed: int = 0
) -> dict[str, Any]:
    """Embeddings of the library's graph by name, for the graders that take a fact from there."""
    from osler.grade.methods.graph_embedding import named_vectors

    names = {entity.id: entity.name for entity in library.entities()}
    triples = [
        (names.get(one.head, one.head), one.relation, names.get(one.tail, one.tail))
        for one in library.triples()
    ]
    if not triples:
        raise InputError("the library's graph has no triples", cure="osler add LIB triples.tsv")
    return named_vectors(triples, method=method, dimension=dimension, epochs=epochs, seed=seed)
