"""Bulk work on Dask gives the library that one machine makes."""

from __future__ import annotations

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import numpy as np
import pytest

pytest.importorskip("distributed", reason="pip install 'osler[dask]'")

from osler import Library
from osler.bulk import cluster as clusters
from osler.bulk.cluster import Cluster
from osler.bulk.packing import Failure, pack, unpack
from osler.bulk.work import Linking
from osler.errors import AwayError, FormatError, InputError, RefusedError
from osler.kinds import Deletion, Document, Entity, Pair, Reject, Triple
from samples import PAPERS, TrigramEncoder

TERMS = (
    "head\trelation\ttail\thead_type\ttail_type\n"
    "asthma\tis treated by\tsteroids\tdisease\tdrug\n"
    "gout\tis treated by\tcolchicine\tdisease\tdrug\n"
)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster("local:2") as made:
        yield made


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> list[Path]:
    """A terminology, and three files that share ids: their order matters."""
    folder = tmp_path_factory.mktemp("corpus")
    files = [folder / "terms.tsv"]
    files[0].write_text(TERMS)
    for number in range(3):
        lines = [
            json.dumps(
                {
                    "_id": str(i * (number + 1)),
                    "title": f"Gout {i} of {number}",
                    "text": "Asthma needs steroids. " * (i % 5) + f"Colchicine {number}.",
                }
            )
            for i in range(400)
        ]
        lines[7] = '{"_id": "broken'
        path = folder / f"{number}.jsonl.gz"
        path.write_bytes(gzip.compress("\n".join(lines).encode()))
        files.append(path)
    return files


@pytest.fixture
def make(tmp_path) -> Iterator[Callable[..., Library]]:
    opened: list[Library] = []

    def make(name: str, encoder: object | None = None) -> Library:
        library = Library.create(tmp_path / name, encoder=encoder or TrigramEncoder())
        opened.append(library)
        return library

    yield make
    for library in opened:
        library.close()


@pytest.fixture
def alone(make, corpus) -> Library:
    """What one machine makes."""
    library = make("alone")
    library.add(corpus)
    library.embed()
    return library


def same(one: Library, other: Library) -> None:
    assert one.digest() == other.digest()
    ids = [document.id for document in one.documents()]
    assert one.concepts(ids) == other.concepts(ids)
    (left, these), (right, those) = one.vectors(ids), other.vectors(ids)
    assert left == right
    np.testing.assert_allclose(these, those, atol=1e-3)
    for method in ("words", "hybrid", "concepts"):
        assert (
            one.search("gout steroids", method=method).hits
            == other.search("gout steroids", method=method).hits
        )


def test_a_cluster_makes_what_one_machine_makes(cluster, alone, make, corpus):
    spread = make("spread")
    summary = spread.add(corpus, on=cluster)
    spread.embed(on=cluster)
    same(alone, spread)
    assert summary.counts["rejected"] == 3
    assert [r.place for r in spread.rejects()] == [r.place for r in alone.rejects()]
    assert spread.add(corpus, on=cluster).already == [path.name for path in corpus]


def test_a_worker_that_is_killed_costs_time_alone(cluster, alone, make, corpus):
    class Slow(TrigramEncoder):
        def encode(self, texts, **options):
            time.sleep(0.2)
            return super().encode(texts)

    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[TrigramEncoder.__module__])
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    spread = make("spread", Slow())
    spread.add(corpus, on=cluster)
    pids = sorted(cluster.client.run(os.getpid).values())
    killer = threading.Timer(0.3, os.kill, (pids[0], signal.SIGKILL))
    killer.start()
    spread.embed(on=cluster)
    killer.join()
    same(alone, spread)
    cluster.client.wait_for_workers(2, timeout=30)
    assert sorted(cluster.client.run(os.getpid).values()) != pids


def test_files_that_workers_do_not_see_are_read_by_the_writer(
    cluster, alone, make, corpus, monkeypatch
):
    monkeypatch.setattr("osler.bulk.work.read_file", _sees_nothing)
    monkeypatch.setattr("osler.bulk.work.sees", _no)
    spread = make("spread")
    spread.add(corpus, on=cluster)
    spread.embed(on=cluster)
    same(alone, spread)


def _sees_nothing(*given: object) -> str:
    return "missing"


def _no(*given: object) -> bool:
    return False


def test_a_file_that_breaks_off_is_told_as_on_one_machine(cluster, make, corpus, tmp_path):
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(corpus[1].read_bytes()[:-400])
    alone, spread = make("alone"), make("spread")
    one, other = alone.add([cut, corpus[2]]), spread.add([cut, corpus[2]], on=cluster)
    assert one.failed == other.failed
    assert one.counts == other.counts
    assert alone.digest() == spread.digest()


def test_work_is_given_out_a_little_ahead_only(cluster):
    given: list[int] = []

    def work() -> Iterator[tuple[int, tuple[int]]]:
        for number in range(100):
            given.append(number)
            yield number, (number,)

    most = 0
    for number, result in cluster.map(abs, work()):
        assert number == result
        most = max(most, len(given) - number)
    assert most <= cluster.window
    assert len(given) == 100


def test_a_cluster_of_our_own_takes_a_free_port_of_this_machine_alone(cluster):
    server = cluster.client.cluster.scheduler.http_server
    places = {each.getsockname()[0] for each in server._sockets.values()}
    assert places == {"127.0.0.1"}
    # Dask's own, which a second cluster would find taken.
    assert server.port != 8787


def test_whoever_stops_early_leaves_no_work_behind(cluster, monkeypatch):
    given = []
    submit = cluster.submit

    def noted(*arguments):
        given.append(submit(*arguments))
        return given[-1]

    monkeypatch.setattr(cluster, "submit", noted)
    results = cluster.map(abs, ((number, (number,)) for number in range(50)))
    assert next(results) == (0, 0)
    results.close()
    assert len(given) > 1
    assert all(future.cancelled() for future in given[1:])


def test_an_error_of_a_worker_is_told(cluster, make):
    library = make("library")
    library.add_documents(PAPERS)

    class Other(TrigramEncoder):
        fingerprint = "another"

    from osler.bulk.giving import encoding

    with pytest.raises(RefusedError, match="another model"):
        library._embedding().run(encode=encoding(cluster, TrigramEncoder(), Other.fingerprint))


def test_a_graph_that_is_gone_is_an_error_of_ours(cluster, tmp_path):
    (tmp_path / "graph").mkdir()
    pages = Linking(cluster)(tmp_path, iter([[]]))
    with pytest.raises(Exception, match="E2|damaged|missing|manifest"):
        list(pages)


# -- addresses, versions -------------------------------------------------------------------------


def test_a_scheduler_that_does_not_answer(monkeypatch):
    monkeypatch.setattr(clusters, "SECONDS", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(AwayError, match="does not answer"):
        Cluster(address)


@pytest.mark.parametrize("address", ["local:none", "local:0", "nonsense://x"])
def test_addresses_that_cannot_be_used(address, monkeypatch):
    monkeypatch.setattr(clusters, "SECONDS", 0.5)
    with pytest.raises(InputError):
        Cluster(address)


def test_a_scheduler_with_another_version_of_osler(tmp_path):
    fake = tmp_path / "osler-9.9.9.dist-info"
    fake.mkdir()
    (fake / "METADATA").write_text("Metadata-Version: 2.1\nName: osler\nVersion: 9.9.9\n")
    code = (
        "from distributed import LocalCluster; c = LocalCluster(n_workers=1, threads_per_worker=1,"
        " processes=False, protocol='tcp://', host='127.0.0.1', dashboard_address='127.0.0.1:0');"
        " print(c.scheduler_address, flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    ) as other:
        assert other.stdout is not None
        address = other.stdout.readline().decode().strip()
        with pytest.raises(RefusedError, match=r"osler 9\.9\.9, this is osler"):
            Cluster(address)
        other.kill()


# -- packing -------------------------------------------------------------------------------------


def test_every_kind_of_item_travels():
    items = [
        *PAPERS,
        Deletion("1"),
        Entity(id="a", name="b", synonyms=("c",)),
        Triple("a", "r", "b"),
        Pair(id="1", question="question", answer="answer"),
        Reject("f", "line 1", "reason"),
    ]
    packs, failure = pack(iter(items))
    assert failure is None
    assert list(unpack(packs)) == items
    assert {type(item) for item in items} == {Document, Deletion, Entity, Triple, Pair, Reject}


def test_what_was_whole_before_a_break_travels_too():
    def broken() -> Iterator[Document]:
        yield PAPERS[0]
        raise FormatError("cut off", cure="get it again")

    packs, failure = pack(broken())
    assert list(unpack(packs)) == [PAPERS[0]]
    assert failure is not None
    assert str(failure.error()) == "E101 cut off; get it again"
    assert Failure("E999", "strange").error().code == "E999"


def test_another_user_of_the_machine_cannot_join_a_local_cluster(cluster):
    """Who reaches a scheduler runs code as its owner; every user reaches the loopback."""
    import subprocess
    import sys

    address = cluster.client.scheduler.address
    assert address.startswith("tls://")
    # A stranger is another process, with a loop of its own, for every try.
    for way in ("plain", "tcp", "own certificate"):
        tried = subprocess.run(
            [sys.executable, "-c", STRANGER, address, way],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert tried.stdout.split() == ["refused"], (way, tried.stderr[-2000:])


STRANGER = """
import sys, distributed
address, way = sys.argv[1:]
place = address.replace("tls:", "tcp:") if way == "tcp" else address
security = distributed.security.Security.temporary() if way == "own certificate" else None
try:
    distributed.Client(place, timeout=2, set_as_default=False, security=security)
    print("joined")
except (OSError, TypeError, TimeoutError):
    print("refused")
"""


def test_a_local_cluster_shows_nobody_what_goes_on(cluster):
    page = cluster.client.dashboard_link.removesuffix("/status")
    for path in ("/status", "/info/main/workers.html", "/metrics", "/json/identity.json"):
        with pytest.raises(HTTPError) as refused:
            urlopen(page + path, timeout=5)
        assert refused.value.code == 404
        refused.value.close()
