"""Suggested facts: the weights of walks by hand, what is learned, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from osler.errors import InputError
from osler.kinds import Entity, Triple
from osler.knowledge.graph import Graph
from osler.knowledge.plausible import Plausible, walks

KINDS = 8


def world() -> Graph:
    """Eight genes; drugs bind one, diseases hang on one, and a drug treats what hangs on its gene.
    Of each gene's four drugs and two diseases one fact is missing."""
    triples = []
    for gene in range(KINDS):
        for disease in range(2):
            triples.append(Triple(f"D{gene}{disease}", "hangs on", f"G{gene}"))
        for drug in range(4):
            triples.append(Triple(f"C{gene}{drug}", "binds", f"G{gene}"))
            triples += [
                Triple(f"C{gene}{drug}", "treats", f"D{gene}{disease}")
                for disease in range(2)
                if (drug, disease) != (3, 1)
            ]
    names = {end for one in triples for end in (one.head, one.tail)}
    entities = [Entity(id=name, name=f"the {name}", type=name[0]) for name in sorted(names)]
    return Graph.build(entities, triples)


def test_weights_of_walks_by_hand() -> None:
    """a - b - c and a - d - c by one kind, a - b - e - c by another; b and d have two and three
    edges, and so on."""
    triples = [
        Triple("a", "r", "b"),
        Triple("a", "r", "d"),
        Triple("b", "s", "c"),
        Triple("d", "s", "c"),
        Triple("b", "t", "e"),
        Triple("e", "u", "c"),
    ]
    graph = Graph.build([Entity(id=n, name=n, type="") for n in "abcde"], triples)
    learned_edges = [np.asarray(part, dtype=np.int64) for part in graph.adjacency]
    from osler.knowledge.plausible import _Edges

    found = walks(_Edges(*learned_edges), graph.number("a"), np.asarray([graph.number("c")]))
    label = {name: 2 * graph.relations.index(name) for name in "rstu"}
    c = graph.number("c")
    w = 0.4
    # From a two edges of r leave; b has 3 edges, d 2, c 3; one s leaves each of b and d.
    through_b = 2**-w * 3**-w * 1 * 3**-w
    through_d = 2**-w * 2**-w * 1 * 3**-w
    assert found[f"path {label['r']} {label['s']}"] == {c: pytest.approx(through_b + through_d)}
    # a - b - e - c: e has two edges.
    long = 2**-w * 3**-w * 1 * 2**-w * 1 * 3**-w
    assert found[f"path {label['r']} {label['t']} {label['u']}"] == {c: pytest.approx(long)}
    assert all(kind.count(" ") in (2, 3) for kind in found)


def test_the_missing_fact_comes_first_with_its_reasons() -> None:
    graph = world()
    learned = Plausible(graph, "treats")
    for gene in range(KINDS):
        told = learned.suggest(graph.number(f"C{gene}3"), most=3)
        assert graph.id(told[0].tail) == f"D{gene}1"
        assert told[0].score > 2 * told[1].score
        assert told[0].score == max(one.score for one in told)
        kinds = [kind for kind, weight in told[0].reasons if weight > 0]
        assert kinds
        paths = [kind for kind in kinds if kind.startswith("path ")]
        assert paths
        way = learned.example(paths[0], told[0].head, told[0].tail)
        assert way[0] == told[0].head
        assert way[-1] == told[0].tail
        assert all(str(gene) in graph.id(number) for number in way)


def test_known_facts_are_not_suggested() -> None:
    graph = world()
    learned = Plausible(graph, "treats")
    told = learned.suggest(graph.number("C00"), most=100)
    tails = {graph.id(one.tail) for one in told}
    assert not tails & {"D00", "D01"}
    assert len(told) == 2 * KINDS - 2


def test_what_a_caller_counts_is_a_witness() -> None:
    """Pairs that papers name together and that no path joins."""
    graph = world()

    def counted(head: int, tail: int) -> float:
        return 9.0 if graph.id(head)[1] == graph.id(tail)[1] else 0.0

    learned = Plausible(graph, "treats", counted=counted)
    told = learned.suggest(graph.number("C33"), most=1)[0]
    assert "papers" in dict(told.reasons)
    assert learned.said("papers") == "papers"


def test_a_kind_of_path_is_said_in_words() -> None:
    graph = world()
    learned = Plausible(graph, "treats")
    binds, hangs = (2 * graph.relations.index(name) for name in ("binds", "hangs on"))
    assert learned.said(f"path {binds} {hangs + 1}") == "binds > hangs on (inverse)"
    assert learned.example("near", 0, 1) == []


def test_what_cannot_be_learned_is_refused() -> None:
    graph = world()
    with pytest.raises(InputError, match="no relation 'cures'"):
        Plausible(graph, "cures")
    few = Graph.build([], [Triple(f"a{n}", "r", f"b{n}") for n in range(9)])
    with pytest.raises(InputError, match="9 facts of 'r'"):
        Plausible(few, "r")
