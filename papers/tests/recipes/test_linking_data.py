"""The linker and the readers on the real tables, where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Entity, Reject, Triple
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler_papers.recipes.linking import _papers, micro


@pytest.fixture(scope="module")
def mesh(data_dir: Path) -> list[Entity]:
    source = Source(data_dir / "mesh" / "descriptors.tsv.gz")
    items = list(recognise(source).read(source))
    assert [item.reason for item in items if isinstance(item, Reject)] == [
        "its parent MESH:D015835 closes a cycle of is-a"
    ]
    return [item for item in items if isinstance(item, Entity)]


def test_mesh_table(mesh: list[Entity]) -> None:
    assert len(mesh) == 30_764
    graph = Graph.build(mesh, [])
    assert graph.name("MESH:D003924") == "Diabetes Mellitus, Type 2"
    assert "MESH:D003920" in graph.parents("MESH:D003924")
    assert "MESH:D003924" in graph.branch("MESH:D003920")
    assert graph.lookup("type 2 diabetes mellitus")[0] == "MESH:D003924"


def test_disease_mentions_reach_the_bar(mesh: list[Entity], data_dir: Path) -> None:
    linker = Linker.build(mesh).within(branches=("C", "F03"))
    ids = {entity.id for entity in mesh}
    papers = list(_papers(data_dir / "ncbi_disease" / "devel.jsonl.gz"))
    found = [{m.entity for m in linker.link(f"{p.title} {p.abstract}")} for p in papers]
    gold = [{f"MESH:{id}" for m in p.mentions for id in m.ids} & ids for p in papers]
    precision, recall, f1 = micro(found, gold)
    assert f1 >= 0.65, f"precision {precision:.3f}, recall {recall:.3f}"


@pytest.mark.parametrize(
    ("path", "entities", "triples"),
    [
        ("kg_zh/triples.tsv.gz", 46_359, 360_347),
        ("drugmechdb/triples.tsv.gz", 5_128, 10_791),
        ("drugmechdb/nodes.tsv.gz", 5_128, 0),
        ("hetionet_subset/triples.tsv.gz", 0, 112_725),
        ("hetionet_subset/nodes.tsv.gz", 47_031, 0),
        ("hpo/terms.tsv.gz", 19_034, 0),
        ("mondo/terms.tsv.gz", 23_964, 0),
        ("doid/terms.tsv.gz", 11_454, 0),
    ],
)
def test_counts(data_dir: Path, path: str, entities: int, triples: int) -> None:
    source = Source(data_dir / path)
    items = list(recognise(source).read(source))
    assert sum(isinstance(item, Entity) for item in items) == entities
    assert sum(isinstance(item, Triple) for item in items) == triples
    assert not [item for item in items if isinstance(item, Reject)]
