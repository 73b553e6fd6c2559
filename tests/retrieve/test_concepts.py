"""Concept postings against the plain formula, over a small hierarchy of our own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osler.kinds import Document, Entity, Heading, Section
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.retrieve.ancestors import DECAY
from osler.retrieve.concepts import MAJOR_WEIGHT, B, ConceptIndex, Knowledge
from osler.retrieve.mentions import (
    DENIED,
    HEADING,
    MAJOR,
    NAMED,
    Entry,
    Headings,
    Mentions,
    entries_of,
)
from osler.text.bm25 import K1

ENTITIES = [
    Entity(id="MESH:D1", name="Lipid Agents", places=("D27",)),
    Entity(id="MESH:D2", name="Statins", parents=("MESH:D1",), places=("D27.1",)),
    Entity(id="MESH:D3", name="Simvastatin", parents=("MESH:D2",), synonyms=("Zocor",)),
    Entity(id="MESH:D4", name="Atorvastatin", parents=("MESH:D2",)),
    Entity(id="MESH:D5", name="Muscle Pain", synonyms=("Myalgia",)),
]


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph.build(ENTITIES)


def number(graph: Graph, id: str) -> int:
    return graph.number(f"MESH:{id}")


def named(graph: Graph, *ids: str) -> list[Entry]:
    return [Entry(number(graph, id), 10 * i, 10 * i + 5, 1.0, NAMED) for i, id in enumerate(ids)]


@pytest.fixture
def index(graph: Graph) -> ConceptIndex:
    linked = [
        (7, 1, named(graph, "D3", "D3", "D5")),
        (3, 2, named(graph, "D4")),
        (9, 3, []),
        (12, 4, [*named(graph, "D5"), Entry(number(graph, "D3"), 0, 0, 1.0, MAJOR)]),
    ]
    return ConceptIndex.build(Mentions.of(linked), graph)


def by_hand(
    graph: Graph, documents: list[dict[int, float]], query: dict[int, float]
) -> list[float]:
    """The formula of the module, document by document."""

    def expand(weights: dict[int, float]) -> dict[int, float]:
        reached: dict[int, float] = {}
        for concept, weight in weights.items():
            above = {concept: 0}
            above |= {
                graph.number(id): level
                for id, level in graph.ancestors(graph.id(concept), 2).items()
            }
            for other, level in above.items():
                reached[other] = max(reached.get(other, 0.0), weight * DECAY**level)
        return reached

    usual = sum(sum(d.values()) for d in documents) / len(documents) or 1.0
    held = []
    for counts in documents:
        norm = K1 * (1 - B + B * sum(counts.values()) / usual)
        held.append(expand({c: w * (K1 + 1) / (w + norm) for c, w in counts.items()}))
    scores = []
    for weights in held:
        total = 0.0
        for concept, weight in expand(query).items():
            frequency = sum(concept in other for other in held)
            idf = math.log(1 + (len(held) - frequency + 0.5) / (frequency + 0.5))
            total += weight * idf * weights.get(concept, 0.0)
        scores.append(total)
    return scores


def test_scores_follow_the_formula(graph, index):
    query = {number(graph, "D4"): 1.0, number(graph, "D5"): 0.5}
    counts = [
        {number(graph, "D4"): 1.0},
        {number(graph, "D3"): 2.0, number(graph, "D5"): 1.0},
        {},
        {number(graph, "D5"): 1.0, number(graph, "D3"): MAJOR_WEIGHT},
    ]
    assert index.mentions.rows.tolist() == [3, 7, 9, 12]
    assert index.scores(query) == pytest.approx(by_hand(graph, counts, query), rel=1e-5)


@settings(max_examples=40, deadline=None)
@given(
    documents=st.lists(st.lists(st.integers(0, 4), max_size=6), min_size=1, max_size=6),
    query=st.dictionaries(st.integers(0, 4), st.floats(0.1, 2.0), max_size=3),
)
def test_any_collection_scores_as_the_formula_says(documents, query):
    graph = Graph.build(ENTITIES)
    linked = [
        (i, i, [Entry(c, 0, 1, 1.0, NAMED) for c in held]) for i, held in enumerate(documents)
    ]
    index = ConceptIndex.build(Mentions.of(linked), graph)
    counts = [{c: float(held.count(c)) for c in held} for held in documents]
    assert index.scores(query) == pytest.approx(by_hand(graph, counts, query), rel=1e-4, abs=1e-6)


def test_a_sibling_meets_at_the_common_parent_and_the_nearer_concept_wins(graph, index):
    scores = index.scores({number(graph, "D3"): 1.0})
    same, sibling, empty = scores[1], scores[0], scores[2]
    assert same > sibling > empty == 0.0
    (meeting,) = index.meetings({number(graph, "D3"): 1.0}, 3)
    assert graph.id(meeting.at) == "MESH:D2"
    assert graph.id(meeting.document) == "MESH:D4"
    assert meeting.weight > 0


def test_a_direct_meeting_is_at_the_concept_itself(graph, index):
    meetings = index.meetings({number(graph, "D3"): 1.0, number(graph, "D5"): 1.0}, 7)
    assert {graph.id(m.at) for m in meetings} == {"MESH:D3", "MESH:D5"}
    assert index.spans(7, number(graph, "D3")) == ((0, 5), (10, 15))
    assert index.spans(12, number(graph, "D3")) == ()  # a heading stands nowhere in the text
    assert index.meetings({number(graph, "D3"): 1.0}, 9) == []
    assert index.meetings({number(graph, "D3"): 1.0}, 99) == []


def test_feedback_prefers_documents_with_the_same_concepts(index):
    likeness = index.feedback([7], [1.0])
    rows = index.mentions.rows.tolist()
    assert likeness[rows.index(7)] == pytest.approx(1.0)  # a cosine: like itself in full
    assert 1.0 > likeness[rows.index(3)] > likeness[rows.index(9)] == 0.0
    assert not index.feedback([9, 1000], [0.5, 0.5]).any()


def test_without_headings_a_heading_no_longer_counts(graph, index):
    rows = index.mentions.rows.tolist()
    query = {number(graph, "D3"): 1.0}
    bare = index.without_headings
    assert index.scores(query)[rows.index(12)] > 0
    assert bare.scores(query)[rows.index(12)] == 0
    assert bare.scores(query)[rows.index(7)] > 0
    assert bare.mentions.rows.tolist() == rows


def test_saved_and_loaded_it_answers_the_same(graph, index, tmp_path):
    index.save(tmp_path / "concepts")
    again = ConceptIndex.load(tmp_path / "concepts", graph)
    query = {number(graph, "D4"): 1.0}
    assert np.array_equal(index.scores(query), again.scores(query))
    assert again.meetings(query, 7) == index.meetings(query, 7)


def test_an_empty_collection_scores_nothing(graph):
    index = ConceptIndex.build(Mentions.of([]), graph)
    assert index.scores({0: 1.0}).tolist() == []
    assert len(index.candidates(index.scores({0: 1.0}), k=5)) == 0
    assert index.feedback([1], [1.0]).tolist() == []


def test_updated_equals_made_at_once(graph):
    old = Mentions.of([(1, 1, named(graph, "D3")), (2, 2, named(graph, "D4")), (5, 3, [])])
    new = Mentions.of([(2, 9, named(graph, "D5", "D3")), (4, 8, named(graph, "D2"))])
    made = old.updated(new, gone=[5])
    whole = Mentions.of(
        [
            (1, 1, named(graph, "D3")),
            (2, 9, named(graph, "D5", "D3")),
            (4, 8, named(graph, "D2")),
        ]
    )
    for name, column in whole.columns.items():
        assert np.array_equal(made.columns[name], column), name
    assert np.array_equal(Mentions.joined([old, new]).rows, [1, 2, 4, 5])


def test_an_index_made_from_a_former_one_is_the_same_to_the_last_bit(graph, monkeypatch):
    first = Mentions.of([(1, 1, named(graph, "D3")), (2, 2, named(graph, "D4"))])
    new = Mentions.of([(2, 9, named(graph, "D5", "D3")), (4, 8, named(graph, "D2"))])
    former = ConceptIndex.build(first, graph)
    whole = ConceptIndex.build(first.updated(new), graph)
    walked = []
    above = graph.above

    def counted(number, levels):
        walked.append(graph.id(number))
        return above(number, levels)

    monkeypatch.setattr(graph, "above", counted)
    index = former.updated(new)
    assert sorted(walked) == ["MESH:D2", "MESH:D5"]  # D3 is known; D4's document is replaced
    assert index._p.keys() == whole._p.keys()
    for name, column in whole._p.items():
        assert np.array_equal(index._p[name], column), name
        assert index._p[name].dtype == column.dtype, name


def test_candidates_are_the_best_k_with_ties_and_carry_their_seqs(graph, index):
    scores = np.array([1.0, 3.0, 0.0, 3.0])
    found = index.candidates(scores, k=1)
    assert found.rows.tolist() == [7, 12]
    assert found.seqs.tolist() == [1, 4]
    assert index.candidates(scores, rows=np.array([3, 4, 9])).rows.tolist() == [3, 9]


def test_documents_are_linked_with_headings_and_denials(graph):
    linker = Linker.build(graph.entities())
    document = Document(
        id="1",
        title="Zocor in practice.",
        sections=(Section("There was no evidence of muscle pain."),),
        headings=(
            Heading("Statins", major=True),
            Heading("whatever", id="D4"),
            Heading("MUSCLE-PAIN"),
            Heading("Unheard Of"),
        ),
    )
    found = {(graph.id(e.concept), e.kind) for e in entries_of(document, graph, linker)}
    assert ("MESH:D3", NAMED) in found
    assert ("MESH:D5", DENIED) in found
    assert {("MESH:D2", MAJOR), ("MESH:D4", HEADING), ("MESH:D5", HEADING)} <= found
    index = Mentions.of([(1, 1, entries_of(document, graph, linker))])
    mentions = index.mentions(1, document.text, graph.id)
    assert [m.text for m in mentions] == ["Zocor", "muscle pain"]
    assert [m.negated for m in mentions] == [False, True]


def test_headings_are_found_by_id_then_name(graph):
    headings = Headings(graph)
    assert headings(Heading("Statins", id="D3")) == number(graph, "D3")
    assert headings(Heading("statins")) == number(graph, "D2")
    assert headings(Heading("nothing")) is None


def test_a_branch_is_named_as_documents_name_it(graph):
    empty = ConceptIndex.build(Mentions.of([]), graph)
    known = Knowledge(graph, Linker.build(graph.entities()), empty)
    branch = known.branch("Statins")
    assert "MESH:D2" in branch
    assert "D2" in branch
    assert "Statins" in branch
    assert known.branch("D2") == branch
    assert known.branch("unheard of") == ()
