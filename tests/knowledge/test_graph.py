"""The graph's arrays: what goes in comes out, and damage is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osler.errors import DamageError, StorageError, UnknownId, VersionError
from osler.kinds import Entity, Step, Triple
from osler.knowledge.graph import Graph

MESH = [
    Entity(id="MESH:D1", name="Lung Diseases", type="Disease", places=("C08.381",), language="en"),
    Entity(
        id="MESH:D2",
        name="Asthma",
        type="Disease",
        synonyms=("Asthmas", "Bronchial Asthma"),
        definition="Wheezing that comes and goes.",
        parents=("MESH:D1",),
        places=("C08.381.520", "C20.543"),
        language="en",
    ),
    Entity(id="MESH:D3", name="Asthma, Occupational", parents=("MESH:D2",), places=("C20.543.1",)),
    Entity(id="MESH:D4", name="Not a Child", places=("C08.3815",)),
]
OTHERS = [
    Entity(id="HP:1", name="Asthma", xrefs=("UMLS:C1", "MESH:D2"), images=("lung.png",)),
    Entity(id="MONDO:1", name="asthma", xrefs=("UMLS:C1",)),
    Entity(id="疾病:哮喘", name="哮喘", type="疾病", language="zh"),
]
TRIPLES = [
    Triple("HP:1", "seen in", "MONDO:1", "ours"),
    Triple("MONDO:1", "seen in", "HP:1", "ours"),
    Triple("HP:1", "seen in", "MONDO:1", "elsewhere"),
    Triple("HP:1", "treated by", "Drug:x"),
]


@pytest.fixture(params=["built", "mapped", "read"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Graph:
    built = Graph.build(MESH + OTHERS, TRIPLES)
    if request.param == "built":
        return built
    built.save(tmp_path / "graph")
    return Graph.load(tmp_path / "graph", mmap=request.param == "mapped")


def test_entities_come_back(graph: Graph) -> None:
    given = {entity.id: entity for entity in MESH + OTHERS}
    back = {entity.id: entity for entity in graph.entities()}
    assert {id: back[id] for id in given} == given
    assert back["Drug:x"].name == "Drug:x"
    assert graph.notes["bare entities"] == 1
    assert list(graph.ids) == sorted(back)


def test_triples_come_back_once(graph: Graph) -> None:
    assert {(t.head, t.relation, t.tail) for t in graph.triples()} == {
        (t.head, t.relation, t.tail) for t in TRIPLES
    }
    assert len(list(graph.triples())) == 3
    assert graph.notes["repeated triples"] == 1


def test_access(graph: Graph) -> None:
    assert graph.name("MESH:D2") == "Asthma"
    assert graph.names("MESH:D2") == ("Asthma", "Asthmas", "Bronchial Asthma")
    assert graph.type("MESH:D2") == "Disease"
    assert graph.places("MESH:D2") == ("C08.381.520", "C20.543")
    assert "MESH:D2" in graph
    assert "MESH:D9" not in graph
    with pytest.raises(UnknownId):
        graph.name("MESH:D9")


def test_hierarchy(graph: Graph) -> None:
    assert graph.parents("MESH:D3") == ["MESH:D2"]
    assert graph.children("MESH:D1") == ["MESH:D2"]
    assert graph.ancestors("MESH:D3") == {"MESH:D2": 1, "MESH:D1": 2}
    assert graph.ancestors("MESH:D3", 1) == {"MESH:D2": 1}
    assert graph.descendants("MESH:D1") == {"MESH:D2": 1, "MESH:D3": 2}


def test_branch_goes_by_tree_numbers(graph: Graph) -> None:
    # D3 stands below D2 only at D2's other place: exploding D1 does not reach it, as in PubMed,
    # and C08.3815 is no child of C08.381.
    assert graph.branch("MESH:D1") == ["MESH:D1", "MESH:D2"]
    assert graph.branch("MESH:D2") == ["MESH:D2", "MESH:D3"]
    assert graph.under("C08") == ["MESH:D1", "MESH:D2", "MESH:D4"]
    assert graph.under("C08.381") == ["MESH:D1", "MESH:D2"]
    assert graph.under("C") == ["MESH:D1", "MESH:D2", "MESH:D3", "MESH:D4"]


def test_branch_goes_by_is_a_without_tree_numbers() -> None:
    graph = Graph.build(
        [Entity(id="X:1", name="a"), Entity(id="X:2", name="b", parents=("X:1",))], []
    )
    assert graph.branch("X:1") == ["X:1", "X:2"]


def test_same_joins_terminologies(graph: Graph) -> None:
    assert graph.same("MESH:D2") == ["HP:1"]
    assert graph.same("HP:1") == ["MESH:D2", "MONDO:1"]  # by name of id, and by a shared CUI
    assert graph.same("MONDO:1") == ["HP:1"]
    assert graph.same("MESH:D3") == []


def test_neighbours(graph: Graph) -> None:
    assert graph.neighbours("HP:1") == [
        Step("treated by", "Drug:x"),
        Step("seen in", "MONDO:1"),
        Step("seen in", "MONDO:1", True),
    ]
    assert graph.neighbours("HP:1", relation="treated by") == [Step("treated by", "Drug:x")]
    assert graph.neighbours("Drug:x", direction="out") == []
    assert graph.neighbours("Drug:x", direction="in") == [Step("treated by", "HP:1", True)]
    assert graph.degree("HP:1") == 3
    assert graph.neighbours("MESH:D3") == [Step("is a", "MESH:D2")]


def test_hierarchy_may_stay_out_of_the_edges() -> None:
    assert Graph.build(MESH, [], hierarchy=False).edges == 0


def test_lookup_by_name(graph: Graph) -> None:
    assert graph.lookup("ASTHMA") == ["HP:1", "MESH:D2", "MONDO:1"]
    assert graph.lookup("bronchial asthmas") == ["MESH:D2"]
    assert graph.lookup("哮喘") == ["疾病:哮喘"]
    assert graph.lookup("nothing") == []


def test_cycles_and_dangling_parents_are_counted() -> None:
    entities = [
        Entity(id="X:1", name="a", parents=("X:2",)),
        Entity(id="X:2", name="b", parents=("X:1", "X:9")),
    ]
    one = Graph.build(entities, [])
    two = Graph.build(entities[::-1], [])
    assert one.notes["cycles broken"] == one.notes["dangling parents"] == 1
    assert [*one.entities()] == [*two.entities()]
    assert one.ancestors("X:1") == {"X:2": 1}


def test_empty_graph(tmp_path: Path) -> None:
    Graph.build([], []).save(tmp_path / "graph")
    graph = Graph.load(tmp_path / "graph")
    assert len(graph) == graph.edges == 0
    assert graph.lookup("x") == []
    assert "x" not in graph


def test_saving_again_replaces_and_leaves_nothing_behind(tmp_path: Path) -> None:
    Graph.build(MESH, []).save(tmp_path / "graph")
    Graph.build(OTHERS, []).save(tmp_path / "graph")
    assert len(Graph.load(tmp_path / "graph")) == len(OTHERS)
    assert [path.name for path in tmp_path.iterdir()] == ["graph"]


def test_failed_save_leaves_the_old_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Graph.build(MESH, []).save(tmp_path / "graph")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("osler.knowledge.arrays._put", full)
    with pytest.raises(StorageError, match="No space left"):
        Graph.build(OTHERS, []).save(tmp_path / "graph")
    assert len(Graph.load(tmp_path / "graph")) == len(MESH)
    assert [path.name for path in tmp_path.iterdir()] == ["graph"]


def test_every_flipped_byte_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "graph"
    Graph.build(MESH + OTHERS, TRIPLES).save(folder)
    rng = np.random.default_rng(0)
    for path in sorted(folder.glob("*.npy")):
        whole = path.read_bytes()
        place = int(rng.integers(len(whole)))
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(DamageError, match=path.name):
            Graph.load(folder)
        path.write_bytes(whole[:-1])
        with pytest.raises(DamageError, match=path.name):
            Graph.load(folder)
        path.unlink()
        with pytest.raises(DamageError, match=path.name):
            Graph.load(folder)
        path.write_bytes(whole)
    Graph.load(folder)


def test_no_pickle_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "graph"
    Graph.build(MESH, []).save(folder)
    evil = np.array([{"a": 1}], dtype=object)
    np.save(folder / "type.npy", evil, allow_pickle=True)
    with pytest.raises(DamageError):
        Graph.load(folder, check=False)


def test_manifest_must_fit(tmp_path: Path) -> None:
    folder = tmp_path / "graph"
    Graph.build(MESH, []).save(folder)
    manifest = folder / "manifest.json"
    text = manifest.read_text()
    manifest.write_text(text.replace('"format":1', '"format":99'))
    with pytest.raises(VersionError):
        Graph.load(folder)
    manifest.write_text(text.replace('"kind":"graph"', '"kind":"linker"'))
    with pytest.raises(DamageError):
        Graph.load(folder)
    manifest.write_text("{")
    with pytest.raises(DamageError):
        Graph.load(folder)


_ids = st.integers(0, 12).map(lambda n: f"X:{n}")


@settings(max_examples=60, deadline=None)
@given(edges=st.lists(st.tuples(_ids, st.sampled_from("rst"), _ids), max_size=60))
def test_any_triples_come_back(edges: list[tuple[str, str, str]]) -> None:
    graph = Graph.build([], [Triple(*edge) for edge in edges])
    assert [(t.head, t.relation, t.tail) for t in graph.triples()] == sorted(
        set(edges), key=lambda e: (list(graph.ids).index(e[0]), list(graph.ids).index(e[2]), e[1])
    )


@settings(max_examples=60, deadline=None)
@given(parents=st.dictionaries(_ids, st.lists(_ids, max_size=4), max_size=13))
def test_any_hierarchy_can_be_walked(parents: dict[str, list[str]]) -> None:
    entities = [Entity(id=id, name=id, parents=tuple(above)) for id, above in parents.items()]
    graph = Graph.build(entities, [])
    for id in graph.ids:
        assert id not in graph.ancestors(id)


def test_wide_ids_take_the_other_sort() -> None:
    """Where an edge does not fit into one whole number, the slower way gives the same."""
    from osler.knowledge import building

    heads = np.array([3, 1, 1, 0], np.uint32)
    tails = np.array([0, 2, 2, 3], np.uint32)
    labels = np.array([1, 0, 0, 1], np.uint32)
    small: dict[str, np.ndarray] = {}
    large: dict[str, np.ndarray] = {}
    assert building._adjacency([labels, tails, heads], 4, 2, small) == 1
    assert building._adjacency([labels, tails, heads], 4, 1 << 61, large) == 1
    for name in small:
        assert small[name].tolist() == large[name].tolist()


def test_what_stands_above_is_the_same_by_number(graph):
    for id in graph.ids:
        by_number = graph.above(graph.number(id), 2)
        assert {graph.id(one): far for one, far in by_number.items()} == graph.ancestors(id, 2)
        assert list(by_number) == [graph.number(one) for one in graph.ancestors(id, 2)]
