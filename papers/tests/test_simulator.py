"""Simulated records: the same for a seed, read whole by the readers, at the paper's proportions."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from osler.errors import ChoiceError, InputError
from osler.files.reader import readers, recognise
from osler.files.source import Source
from osler.kinds import Entity, Reject, Triple
from osler.records.kb import ClinicalKB
from osler.records.statistics import PAPER_TABLE_3
from osler_papers.simulator import TOPICS, WRITERS, simulate


def digest(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        found.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return simulate(tmp_path_factory.mktemp("records"), seed=1, scale=0.03)


def test_deterministic_by_seed(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        simulate(tmp_path / name, seed=seed, scale=0.01, topics=("smoking", "risk"))
    assert digest(tmp_path / "a") == digest(tmp_path / "b") != digest(tmp_path / "c")


@pytest.mark.parametrize("topic", TOPICS)
def test_read_whole_and_in_proportion(records: dict[str, Path], topic: str) -> None:
    source = Source(records[topic])
    assert recognise(source).name == WRITERS[topic][2]
    items = list(readers.resolve(WRITERS[topic][2]).read(source))
    assert not [i for i in items if isinstance(i, Reject)]
    kb = ClinicalKB.build(
        (i for i in items if isinstance(i, Entity)), (i for i in items if isinstance(i, Triple))
    )
    patients, entities, _, triples, relations = PAPER_TABLE_3[topic][:5]
    scale = len(kb.patients) / patients
    assert len(kb.relations) <= relations
    assert len(kb.relations) >= relations - 3, "a small sample may lack the rarest relations"
    assert 0.75 < len(kb) / (entities * scale) < 1.3
    assert 0.7 < len(kb.triples) / (triples * scale) < 1.3
    assert all(s for s in kb.sources)


def test_bad_orders(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        simulate(tmp_path, scale=0)
    with pytest.raises(ChoiceError):
        simulate(tmp_path, topics=("weather",))
