"""What every reader of terminologies and triples must hold, the built-in and a stranger's alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.errors import InputError
from osler.files.reader import Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Note, Reject, Triple

FIXTURES = Path(__file__).parent.parent / "knowledge" / "fixtures"
GOOD = {
    "obo": "small.obo",
    "mesh": "descriptors.tsv",
    "mesh-xml": "desc.xml",
    "mesh-supplementary": "supp.xml",
    "orphanet": "orphanet.xml",
    "terms": "terms.tsv",
    "indra-json": "terms.json",
    "triples": "typed.tsv",
    "nodes": "hetio_nodes.tsv",
    "hpo-annotations": "small.hpoa",
    "hpo-genes": "genes_to_phenotype.txt",
    "snomed-rf2": "rf2",
    "umls-rrf": "rrf",
}
OURS = [
    (name, cls)
    for name, cls in readers
    if cls.gives in ("terminology", "triples") and cls.__module__.startswith("osler.knowledge")
]


def test_each_reader_has_a_sample() -> None:
    assert {name for name, _ in OURS} == set(GOOD)


@pytest.fixture(params=OURS, ids=[name for name, _ in OURS])
def reader(request: pytest.FixtureRequest) -> type[Reader]:
    return request.param[1]  # type: ignore[no-any-return]


def sample(reader: type[Reader]) -> Source:
    return Source(FIXTURES / GOOD[reader.name])


def test_says_what_it_is(reader: type[Reader]) -> None:
    assert readers.get(reader.name) is reader
    assert len(reader.help) < 100


def test_recognises_its_own_and_no_other_format(reader: type[Reader]) -> None:
    assert reader.recognises(sample(reader).head())
    for name, file in GOOD.items():
        if name != reader.name:
            assert not reader.recognises(Source(FIXTURES / file).head()), name


def test_recognises_nothing_in_noise(reader: type[Reader]) -> None:
    for head in (
        Head("x"),
        Head("x", b"\x00\xff" * 50),
        Head("x", b"plain text\n"),
        Head("x", b"{}"),
    ):
        assert not reader.recognises(head)


def test_gives_sound_items(reader: type[Reader]) -> None:
    source = sample(reader)
    items = list(reader().read(source))
    ids = {item.id for item in items if isinstance(item, Entity)}
    assert items
    for item in items:
        if isinstance(item, Entity):
            assert ":" in item.id
            assert item.name.strip()
            assert item.name not in item.synonyms
            assert len(set(item.names)) == len(item.names)
            assert item.id not in item.parents
            # Supplementary records hang under descriptors, which have a file of their own.
            assert set(item.parents) <= ids or reader.name == "mesh-supplementary"
        elif isinstance(item, Triple):
            assert all((item.head, item.relation, item.tail, item.source))
        else:
            assert isinstance(item, Reject | Note)
            assert item.file.startswith(source.name)
            assert all((item.place, item.reason))


def test_reads_the_same_twice(reader: type[Reader]) -> None:
    assert list(reader().read(sample(reader))) == list(reader().read(sample(reader)))


def test_one_object_reads_twice(reader: type[Reader]) -> None:
    one = reader()
    assert list(one.read(sample(reader))) == list(one.read(sample(reader)))


def test_empty_source_is_no_success(reader: type[Reader], tmp_path: Path) -> None:
    source = Source(tmp_path) if sample(reader).is_folder else Source(_touch(tmp_path / "empty"))
    code, items = "", []
    try:
        items = [item for item in reader().read(source) if not isinstance(item, Reject)]
    except InputError as error:
        code = error.code
    assert not items
    assert code in ("", "E101", "E104")


def test_wrong_kind_of_source_is_an_input_error(reader: type[Reader], tmp_path: Path) -> None:
    source = Source(_touch(tmp_path / "file")) if sample(reader).is_folder else Source(tmp_path)
    with pytest.raises(InputError):
        list(reader().read(source))


def _touch(path: Path) -> Path:
    path.write_bytes(b"")
    return path
