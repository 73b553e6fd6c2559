"""What ``grade`` learns from and is judged by: pairs drawn from a library, pools of papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from osler.errors import InputError
from osler.grade.judging import Task, Triple3, pooled
from osler.grade.pair import Pair
from osler.kinds import Run
from osler.verbs.fact_ends import resolved
from osler.verbs.grade import GradeRequest, grade
from osler.verbs.grade_candidates import with_headings
from osler.verbs.paper_facts import paper_pairs

if TYPE_CHECKING:
    from osler.library import Library


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
    drawn: list[Pair] = []
    papers = 0
    for start in range(0, len(order), 500):
        part = [int(rows[at]) for at in order[start : start + 500]]
        documents = library.by_rows(part)
        for row in part:
            if papers >= limit:
                return drawn
            if row in documents:
                pairs, _ = paper_pairs(library, documents[row], most=a_paper, others=True)
                papers += bool(pairs)
                drawn += pairs
    return drawn


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
    from osler.knowledge.embeddings import named_vectors

    names = {entity.id: entity.name for entity in library.entities()}
    triples = [
        (names.get(one.head, one.head), one.relation, names.get(one.tail, one.tail))
        for one in library.triples()
    ]
    if not triples:
        raise InputError("the library's graph has no triples", cure="osler add LIB triples.tsv")
    return named_vectors(triples, method=method, dimension=dimension, epochs=epochs, seed=seed)


def pooled_tasks(
    library: Library, facts: Sequence[Triple3], methods: Sequence[str], *, top: int
) -> list[Task]:
    """Each fact with the papers that any method has among its best ``top``."""
    from osler.grade.job import evidence

    runs: dict[str, Run] = {}
    for method in methods:
        run: Run = {}
        for number, (head, relation, tail) in enumerate(facts):
            if method == "words":
                text = f"{head} {relation} {tail}"
                ranking = library.search(text, k=top, method="words", evidence=False, plain=True)
            else:
                request = GradeRequest(
                    head=head, relation=relation, tail=tail, k=top, method=method, explain=False
                )
                ranking = grade(library, request)
            run[f"{number:06d}"] = {hit.id: hit.score for hit in ranking.hits}
        runs[method] = run
    tasks = []
    for query, ids in pooled(runs, top=top).items():
        head, relation, tail = facts[int(query)]
        fact = resolved(library, head, relation, tail, [])
        for document in library.documents(ids):
            sentence = evidence(Pair.of(fact, with_headings(document)), 0.0)
            tasks.append(
                Task(
                    head=head,
                    relation=relation,
                    tail=tail,
                    paper=document.id,
                    title=document.title,
                    sentence=sentence.text if sentence else "",
                )
            )
    return tasks
