"""A library on Milvus: made, filled, away, back, refused, replicated."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent import futures

import numpy as np
import pytest

pytest.importorskip("pymilvus", reason="pip install 'osler[milvus]'")

from osler import Filter, Library
from osler.errors import (
    AwayError,
    InputError,
    LockedError,
    MissingLibrary,
    RefusedError,
    UnknownId,
)
from osler.kinds.query import Term
from osler.replica import open_replica
from osler.store.milvus.engine import MilvusEngine
from osler.store.milvus.place import Place, kept_uri, place_of
from samples import PAPERS, TrigramEncoder, paper
from servers import MilvusServer

TERMS = "head\trelation\ttail\thead_type\ttail_type\nasthma\tis treated by\tsteroids\tD\tC\n"


@pytest.fixture
def impatient(monkeypatch):
    """For what is asked of a server that is away."""

    def wait(seconds: float) -> None:
        monkeypatch.setenv("OSLER_MILVUS_SECONDS", str(seconds))

    return wait


@pytest.fixture
def on_milvus(tmp_path, encoder) -> Iterator[Callable[..., Library]]:
    """Makes libraries on Milvus; ``on_milvus(documents, name=..., uri=...)``."""
    opened: list[Library] = []

    def make(documents=PAPERS, *, name="milvus", **options) -> Library:
        library = Library.create(tmp_path / name, encoder=encoder, engine="milvus", **options)
        opened.append(library)
        if documents:
            library.add_documents(documents)
        return library

    yield make
    for library in opened:
        library.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[MilvusServer]:
    held = MilvusServer(tmp_path_factory.mktemp("server") / "data")
    yield held
    held.kill()


def found(library: Library, text: str, **options) -> list[tuple[str, float]]:
    return [(hit.id, hit.score) for hit in library.search(text, **options).hits]


def same(one: list[tuple[str, float]], other: list[tuple[str, float]]) -> None:
    assert [id for id, _ in one] == [id for id, _ in other]
    assert [s for _, s in one] == pytest.approx([s for _, s in other], abs=1e-3)


# -- the same answers ----------------------------------------------------------------------------


def test_a_library_on_milvus_answers_like_an_embedded_one(tmp_path, on_milvus, make_library):
    (tmp_path / "terms.tsv").write_text(TERMS)
    pair = [make_library(), on_milvus()]
    for library in pair:
        library.add(tmp_path / "terms.tsv")
        library.embed()
    assert pair[0].digest() == pair[1].digest()
    for method in ("words", "vectors", "hybrid", "concepts", "concepts-paper"):
        for text in ("asthma steroids in children", "statins", "肺癌化疗"):
            for filter in (None, Filter(years=(2019, 2021))):
                one, other = (
                    library.search(text, method=method, filter=filter) for library in pair
                )
                assert [h.id for h in one.hits] == [h.id for h in other.hits], (method, text)
                for left, right in zip(one.hits, other.hits, strict=True):
                    assert left.score == pytest.approx(right.score, abs=1e-3)
                    assert left.evidence == right.evidence
    assert pair[1].verify() == []


def test_full_text_is_found_by_its_passages(on_milvus, make_library):
    from osler.kinds import Document, Section

    text = "Sleep was measured. " * 80 + "Melatonin shortened the time to fall asleep. "
    whole = Document(id="9", title="A trial", full_text=(Section(text, "RESULTS"),))
    pair = [make_library((*PAPERS, whole)), on_milvus((*PAPERS, whole))]
    one, other = (library.search("melatonin asleep", method="words") for library in pair)
    assert [h.id for h in other.hits] == ["9"]
    assert other.hits[0].evidence == one.hits[0].evidence
    assert other.hits[0].score == pytest.approx(one.hits[0].score, rel=1e-4)
    pair[1].remove(["9"])
    assert found(pair[1], "melatonin", method="words") == []
    assert pair[1].verify() == []


def test_it_opens_again_and_follows_changes(on_milvus, tmp_path, encoder):
    library = on_milvus()
    library.add_documents([paper("2", "Now on gout")])
    library.remove(["3"])
    expected = library.search("gout asthma", method="words").hits
    library.close()
    with Library.open(tmp_path / "milvus", encoder=encoder) as again:
        assert again.search("gout asthma", method="words").hits == expected
        assert [hit.id for hit in expected] == ["2"]
        again.rebuild()
        assert again.search("gout asthma", method="words").hits == expected
    assert Library.verify_folder(tmp_path / "milvus") == []


def test_a_library_moves_with_its_file(on_milvus, tmp_path, encoder):
    on_milvus().close()
    (tmp_path / "milvus").rename(tmp_path / "moved")
    with Library.open(tmp_path / "moved", encoder=encoder) as moved:
        assert found(moved, "statins", method="words")


# -- cut off, away, back ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "at"),
    [("insert", 2), ("insert", 3), ("add_counts", 1), ("write", 2), ("write", 3), ("delete", 1)],
)
def test_a_commit_that_is_cut_off_is_done_again(on_milvus, make_library, monkeypatch, method, at):
    library = on_milvus()
    engine = library.engine
    assert isinstance(engine, MilvusEngine)
    changed = [paper("2", "Now on gout and asthma"), paper("6", "Gout again"), paper("1", "Gone")]
    left = at
    target = engine.ledger if hasattr(engine.ledger, method) else engine.connection
    real = getattr(target, method)

    def broken(*arguments, **options):
        nonlocal left
        left -= 1
        if left <= 0:
            raise AwayError("cut off")
        return real(*arguments, **options)

    monkeypatch.setattr(target, method, broken)
    library.add_documents(changed)
    library.remove(["3"])
    monkeypatch.undo()
    library.catch_up()
    whole = make_library()
    whole.add_documents(changed)
    whole.remove(["3"])
    whole.rebuild()
    for term in ("asthma", "gout", "statin", "gone"):
        assert engine.document_frequency(term) == whole.engine.document_frequency(term), term
    for field in ("title", "abstract"):
        assert engine.average_length(field) == pytest.approx(whole.engine.average_length(field))
    text = "asthma gout statins"
    same(found(library, text, method="words"), found(whole, text, method="words"))
    assert library.verify() == []


def test_away_during_add_then_back(server, on_milvus, make_library, tmp_path, encoder, impatient):
    server.start()
    library = on_milvus(PAPERS[:2], uri=server.uri, collection="away")
    library.embed()
    server.kill()
    impatient(1.5)
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(
        "".join(f'{{"_id": "n{i}", "title": "gout {i}", "text": "asthma"}}\n' for i in range(30))
    )
    summary = library.add(corpus)
    assert summary.counts["stored"] == 30
    assert "catches up" in summary.notes[0]
    with pytest.raises(AwayError, match="does not answer"):
        library.search("gout", method="words")
    library.close()
    impatient(120)
    server.start()
    whole = make_library(PAPERS[:2])
    whole.add(corpus)
    whole.embed()
    with Library.open(tmp_path / "milvus", encoder=encoder) as again:
        again.embed()
        assert again.digest() == whole.digest()
        for method in ("words", "hybrid"):
            same(*(found(each, "gout asthma", method=method, k=40) for each in (again, whole)))
        assert again.verify() == []
    server.kill()


# -- replicas --------------------------------------------------------------------------------------


def test_a_replica_answers_without_the_library(on_milvus, tmp_path, encoder):
    library = on_milvus(uri=str(tmp_path / "shared.db"))
    (tmp_path / "terms.tsv").write_text(TERMS)
    library.add(tmp_path / "terms.tsv")
    library.embed()
    library.snapshot(tmp_path / "snapshot")
    options = {"graph_snapshot": tmp_path / "snapshot", "encoder": encoder}
    with open_replica(str(tmp_path / "shared.db"), **options) as replica:
        assert replica.default_method() == "concepts"
        for method in ("words", "hybrid", "concepts"):
            one = library.search("asthma steroids", method=method)
            assert replica.search("asthma steroids", method=method).hits == one.hits
        assert replica.document("1") == library.document("1")
        assert replica.document("10.1000/STATINS").id == "1"
        assert replica.paths(["D:asthma"], ["C:steroids"]).paths
        assert replica.concepts(["2"]) == library.concepts(["2"])
        assert len(replica) == 5
        assert {d.id for d in replica.documents()} == {d.id for d in PAPERS}
        library.add_documents([paper("7", "Asthma in athletes", "Exercise and asthma.")])
        time.sleep(1.1)
        assert [id for id, _ in found(replica, "athletes", method="words")] == ["7"]
        notes = replica.search("athletes", method="concepts").notes
        assert any("1 documents are not linked" in note for note in notes)
        with pytest.raises(UnknownId):
            replica.document("nobody")
        for write in (
            lambda: replica.add_documents(PAPERS),
            lambda: replica.judge({"q": {"1": 1}}),
            replica.rebuild,
            lambda: replica.engine.commit(9),
        ):
            with pytest.raises(InputError, match="only reads"):
                write()
        assert replica.status()["counts"]["documents"] == 6
        assert replica.entity("D:asthma").name == "asthma"
        kept = replica.path
    assert not kept.exists()


def test_a_replica_without_a_snapshot_knows_no_concepts(on_milvus, tmp_path, encoder):
    on_milvus(uri=str(tmp_path / "shared.db"))
    with pytest.raises(MissingLibrary, match="no snapshot"):
        open_replica(str(tmp_path / "shared.db"), graph_snapshot=tmp_path, encoder=encoder)
    with open_replica(str(tmp_path / "shared.db"), encoder=encoder) as replica:
        assert replica.default_method() == "words"
        assert found(replica, "statins")


# -- refusals --------------------------------------------------------------------------------------


def test_an_address_where_nobody_is(tmp_path, impatient):
    impatient(1.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        uri = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(AwayError, match="does not answer"):
        Library.create(tmp_path / "lib", engine="milvus", uri=uri)
    assert not (tmp_path / "lib").exists()
    with pytest.raises(AwayError):
        open_replica(uri)


def test_wrong_credentials(tmp_path):
    import grpc

    class Closed(grpc.GenericRpcHandler):
        def service(self, details):
            def refuse(request, context):
                context.abort(grpc.StatusCode.UNAUTHENTICATED, "auth check failure")

            return grpc.unary_unary_rpc_method_handler(refuse)

    closed = grpc.server(futures.ThreadPoolExecutor(2), handlers=(Closed(),))
    port = closed.add_insecure_port("127.0.0.1:0")
    closed.start()
    try:
        with pytest.raises(RefusedError, match="credentials") as caught:
            Library.create(tmp_path / "lib", engine="milvus", uri=f"http://127.0.0.1:{port}")
        assert "OSLER_MILVUS_TOKEN" in caught.value.cure
    finally:
        closed.stop(None)


def test_a_collection_made_by_something_else(tmp_path, encoder):
    from pymilvus import DataType, MilvusClient

    place = place_of("other.db", root=tmp_path)
    engine = MilvusEngine(place, library="x")
    schema = MilvusClient.create_schema(auto_id=False)
    schema.add_field("id", DataType.INT64, is_primary=True)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=4)
    engine.connection.call("create_collection", "osler_docs", schema=schema)
    with pytest.raises(RefusedError, match="made by something else"):
        Library.create(tmp_path / "lib", engine="milvus", uri=place.uri)
    with pytest.raises(RefusedError, match="no library 'osler'"):
        open_replica(place.uri, encoder=encoder)
    engine.close()


def test_collections_of_another_library(on_milvus, tmp_path):
    uri = str(tmp_path / "shared.db")
    on_milvus(uri=uri)
    with pytest.raises(RefusedError, match="another library"):
        on_milvus(name="second", uri=uri)
    assert found(on_milvus(name="third", uri=uri, collection="third"), "statins", method="words")


def test_a_library_with_quick_vectors_alone_is_replicated(tmp_path, monkeypatch):
    """Whose papers wait for the encoder's own vectors, as after every first ``osler add``."""
    monkeypatch.delenv("OSLER_WEIGHTS")
    uri = str(tmp_path / "shared.db")
    with Library.create(tmp_path / "library", engine="milvus", uri=uri) as library:
        table = tmp_path / "papers.csv"
        table.write_text("id,title,abstract\n1,Melatonin for jet lag,It shortened jet lag.\n")
        library.add([table])
        assert library.engine.encoders()
    with open_replica(uri) as replica:
        assert [hit.id for hit in replica.search("melatonin", k=1)] == ["1"]


def test_another_encoder_is_refused(on_milvus, tmp_path):
    uri = str(tmp_path / "shared.db")
    library = on_milvus(uri=uri)
    library.embed()

    class Other(TrigramEncoder):
        fingerprint = "other"

    with pytest.raises(RefusedError, match="made by trigrams-64"):
        open_replica(uri, encoder=Other())
    with pytest.raises(RefusedError, match="64 numbers"):
        library.engine.vectors_applied("trigrams-64", 32)
    library.embed()
    with pytest.raises(RefusedError, match="64 numbers"):
        library.engine.add_vectors("trigrams-64", [1], [9], np.zeros((1, 8), np.float32), applied=9)


def test_a_file_that_another_program_has_open(tmp_path):
    uri = str(tmp_path / "shared.db")
    code = (
        f"from milvus_lite import MilvusLite; m = MilvusLite({uri!r}); "
        "print('open', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(LockedError, match="another program"):
            Library.create(tmp_path / "lib", engine="milvus", uri=uri)
        other.kill()


@pytest.mark.parametrize(
    "uri",
    ["http://user:secret@host:19530", "ftp://host", "milvus.sqlite", "http://"],
)
def test_addresses_that_cannot_be_used(tmp_path, uri):
    with pytest.raises(InputError):
        Library.create(tmp_path / "lib", engine="milvus", uri=uri)
    assert not (tmp_path / "lib").exists()


def test_other_choices_that_cannot_be_used(tmp_path):
    with pytest.raises(InputError, match="no engine"):
        Library.create(tmp_path / "lib", engine="milvos")
    with pytest.raises(InputError, match="no address"):
        Library.create(tmp_path / "lib", uri="milvus.db")
    with pytest.raises(InputError, match="cannot name"):
        Library.create(tmp_path / "lib", engine="milvus", collection="a-b")


def test_where_a_file_stands(tmp_path):
    inside = Place(str(tmp_path / "lib" / "milvus.db"))
    assert kept_uri(inside, tmp_path / "lib") == "milvus.db"
    outside = Place(str(tmp_path / "milvus.db"))
    assert kept_uri(outside, tmp_path / "lib") == str((tmp_path / "milvus.db").resolve())
    assert place_of(f"file://{tmp_path}/x.db").path == tmp_path / "x.db"
    assert not place_of("http://host:19530").is_file


def test_an_error_that_is_its_own_cause_is_looked_at_once():
    from osler.store.milvus.connection import _causes

    error = ValueError("around")
    error.__cause__ = error
    walk = _causes(error)
    assert next(walk) == ("None", "around")
    assert next(walk, None) is None


def test_a_canary_in_a_query_is_in_no_log(on_milvus, caplog):
    caplog.set_level("DEBUG")
    library = on_milvus()
    library.search("xyzzycanary", method="words")
    library.engine.count(Term("xyzzycanary", "title"))
    assert "xyzzycanary" not in caplog.text
