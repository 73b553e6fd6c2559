"""Paths: the same as networkx finds, capped and said so."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osler.errors import LimitError
from osler.kinds import Path, Step, Triple
from osler.knowledge import paths as module
from osler.knowledge.graph import Graph
from osler.knowledge.paths import paths, paths_many

networkx = pytest.importorskip("networkx")

_ids = st.integers(0, 9).map(lambda n: f"X:{n}")
_edges = st.lists(st.tuples(_ids, st.sampled_from("rs"), _ids), max_size=30)


def reference(edges: list[tuple[str, str, str]], sources: set[str], targets: set[str], length: int):
    """networkx's simple edge paths on the same edges, walked both ways."""
    graph = networkx.MultiGraph()
    # The key is the directed edge: two relations, or both directions, are different edges.
    graph.add_edges_from((h, t, (h, r, t)) for h, r, t in set(edges))
    found: Counter[Path] = Counter()
    for source in sources & set(graph):
        for walk in networkx.all_simple_edge_paths(graph, source, targets, cutoff=length - 1):
            steps = tuple(Step(key[1], to, key[0] != start) for start, to, key in walk)
            if steps:
                found[Path(source, steps)] += 1
    return found


@settings(max_examples=150, deadline=None)
@given(
    edges=_edges,
    sources=st.sets(_ids, min_size=1, max_size=4),
    targets=st.sets(_ids, min_size=1, max_size=4),
    length=st.integers(2, 5),
)
def test_equal_to_networkx(
    edges: list[tuple[str, str, str]], sources: set[str], targets: set[str], length: int
) -> None:
    graph = Graph.build([], [Triple(*edge) for edge in edges])
    result = paths(graph, sorted(sources), sorted(targets), length, hub=None, limit=None)
    assert Counter(result.paths) == reference(edges, sources, targets, length)
    assert len(result) == len(result.paths)
    order = {name: number for number, name in enumerate(graph.relations)}
    keys = []
    for path in result:
        steps = [(s.entity, order[s.relation], s.inverse) for s in path.steps]
        # Of two directions of one relation in the last step either may come first.
        keys.append((path.length, path.start, steps[:-1], steps[-1][:2]))
    assert keys == sorted(keys)


@settings(max_examples=60, deadline=None)
@given(
    edges=_edges,
    pairs=st.lists(st.tuples(st.lists(_ids, max_size=3), st.lists(_ids, max_size=3)), max_size=6),
    length=st.integers(2, 5),
)
def test_many_at_once_are_each_alone(
    edges: list[tuple[str, str, str]], pairs: list[tuple[list[str], list[str]]], length: int
) -> None:
    graph = Graph.build([], [Triple(*edge) for edge in edges])
    together = paths_many(graph, pairs, length)
    for (sources, targets), result in zip(pairs, together, strict=True):
        alone = paths(graph, sources, targets, length)
        assert result.paths == alone.paths
        assert result.cut == alone.cut


@settings(max_examples=60, deadline=None)
@given(
    edges=_edges,
    pairs=st.lists(st.tuples(st.lists(_ids, max_size=3), st.lists(_ids, max_size=3)), max_size=6),
    length=st.integers(2, 5),
    budget=st.integers(1, 12),
    limit=st.integers(1, 6),
)
def test_a_budget_and_a_limit_are_each_pair_s_own(
    edges: list[tuple[str, str, str]],
    pairs: list[tuple[list[str], list[str]]],
    length: int,
    budget: int,
    limit: int,
) -> None:
    """Which paths a pair gets must not depend on what is looked for beside it."""
    graph = Graph.build([], [Triple(*edge) for edge in edges])
    together = paths_many(graph, pairs, length, limit=limit, budget=budget)
    for pair, result in zip(pairs, together, strict=True):
        (alone,) = paths_many(graph, [pair], length, limit=limit, budget=budget)
        assert result.paths == alone.paths
        assert result.cut == alone.cut
        if len(result) < limit and not any("cut at" in note for note in result.cut):
            assert result.paths == paths(graph, *pair, length, limit=None).paths


@pytest.fixture
def star() -> Graph:
    """A hub that joins everything, and one honest way round it."""
    edges = [Triple(f"X:{n:03}", "in", "H:hub") for n in range(100)]
    edges += [Triple("X:001", "sees", "Y:1"), Triple("Y:1", "sees", "X:002")]
    return Graph.build([], edges)


def test_hub_is_cut_and_named(star: Graph) -> None:
    result = paths(star, ["X:001"], ["X:002"], 3, hub=50)
    assert [path.entities for path in result] == [("X:001", "Y:1", "X:002")]
    assert result.cut == ["not walked through H:hub: 100 edges"]
    assert len(paths(star, ["X:001"], ["X:002"], 3, hub=100)) == 2


def test_hub_may_be_an_end(star: Graph) -> None:
    assert len(paths(star, ["X:001"], ["H:hub"], 2, hub=50)) == 1


def test_limit_is_said(star: Graph) -> None:
    everyone = [f"X:{n:03}" for n in range(100)]
    result = paths(star, everyone[:10], everyone[10:], 3, limit=7)
    assert len(result) == 7
    assert result.cut == ["893 paths of 3 entities beyond the limit"]
    longer = paths(star, everyone[:10], everyone[10:], 5, limit=7)
    assert longer.paths == result.paths
    assert longer.cut[1:] == ["paths of 4 entities and more not looked for: 7 are found"]


def test_budget_keeps_the_specific(star: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUDGET", 50)
    result = paths(star, ["X:001"], ["X:002"], 4, hub=None)
    assert ("X:001", "Y:1", "X:002") in [path.entities for path in result]
    assert any("cut at 50" in note for note in result.cut)


def test_order_does_not_depend_on_the_input() -> None:
    edges = [("X:1", "r", "X:2"), ("X:1", "s", "X:3"), ("X:3", "r", "X:2"), ("X:2", "r", "X:1")]
    graphs = [Graph.build([], [Triple(*e) for e in order]) for order in (edges, edges[::-1])]
    found = [paths(g, ["X:1", "X:3"], ["X:2"], 4).paths for g in graphs]
    assert found[0] == found[1]


def test_unknown_ends_are_noted(star: Graph) -> None:
    result = paths(star, ["X:001", "nobody"], ["X:002"], 3)
    assert len(result) == 2
    assert result.cut == ["the graph holds no entity nobody"]


def test_nothing_to_find(star: Graph) -> None:
    assert len(paths(star, [], ["X:001"])) == 0
    assert len(paths(star, ["X:001"], ["X:001"])) == 0
    assert len(paths(Graph.build([], []), ["a"], ["b"])) == 0


@pytest.mark.parametrize("length", [0, 1, 6])
def test_length_is_bounded(star: Graph, length: int) -> None:
    with pytest.raises(LimitError):
        paths(star, ["X:001"], ["X:002"], length)


def test_million_edge_hub_answers_in_time() -> None:
    """P11: a hub of a million edges, walked from and past."""
    graph = Graph.build([], (Triple("H:hub", "r", f"X:{n}") for n in range(300_000)))
    begun = time.perf_counter()
    result = paths(graph, ["X:1", "H:hub"], ["X:2"], 5)
    assert time.perf_counter() - begun < 10
    assert result.paths[0].entities == ("H:hub", "X:2")
    assert any("H:hub" in note for note in result.cut)
