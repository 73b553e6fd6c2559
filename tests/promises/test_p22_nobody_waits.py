"""P22: work that nobody waits for ends, and one client cannot stop another.

A real server, and clients that leave half-way, send half a head, thousands of parameters, trailers
without end, or nothing at all.
"""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from contextlib import contextmanager
from itertools import repeat

import pytest

from osler import Library
from osler.serve.app import create_app
from osler.serve.desk import LANES, Desk
from osler.stopping import check_stopped
from samples import PAPERS, TrigramEncoder
from serving import running

ROUTES = {
    "search": ("GET", "/api/v1/search?q=asthma&method=hybrid", None),
    "brief": ("GET", "/api/v1/search?q=asthma&method=words", None),
    "rank": ("GET", "/api/v1/rank?topic=asthma", None),
    "rank by examples": ("POST", "/api/v1/rank", {"topic": "asthma"}),
    "events": ("GET", "/api/v1/rank/events?topic=asthma", None),
    "grade": ("GET", "/api/v1/grade?head=asthma&relation=treated+by&tail=budesonide", None),
    "match": ("POST", "/api/v1/match", {"question": "What helps against asthma?"}),
    "ask": ("POST", "/api/v1/ask", {"question": "Which drugs does P7 take?"}),
    "view of search": ("GET", "/papers?q=asthma", None),
    "view of rank": ("GET", "/rank?topic=asthma", None),
    "view of grade": ("GET", "/facts/relevance?head=a&relation=b&tail=c", None),
    "view of match": ("GET", "/answers?q=asthma", None),
}
"""Every route behind which long work may stand."""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("p22") / "library"
    with Library.create(folder, encoder=TrigramEncoder()) as made:
        made.add_documents(PAPERS)
        made.embed()
    return folder


@contextmanager
def server(library):
    """A server, its desk and its port."""
    app = create_app(library, encoder=TrigramEncoder())
    with running(app) as address:
        yield app.state.desk, int(address.rsplit(":", 1)[1])


def asked(port: int, path: str, timeout: float = 20.0) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def sent(port: int, method: str, path: str, body: object = None) -> socket.socket:
    """A request that was sent, and whose answer nobody has read yet."""
    data = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(data)}\r\n"
    if data:
        head += "Content-Type: application/json\r\n"
    client = socket.create_connection(("127.0.0.1", port))
    client.sendall(head.encode() + b"\r\n" + data)
    return client


def within(seconds: float, holds) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


@pytest.fixture
def endless(monkeypatch):
    """All work goes on until it is told to stop; how many pieces have begun and ended."""
    counts = {"begun": 0, "ended": 0}
    real = Desk._work

    def work(self, piece, stop):
        def loop(reader):
            counts["begun"] += 1
            try:
                while True:
                    check_stopped()
                    time.sleep(0.005)
            finally:
                counts["ended"] += 1

        return real(self, loop, stop)

    monkeypatch.setattr(Desk, "_work", work)
    return counts


@pytest.mark.parametrize("route", ROUTES)
def test_work_whose_client_has_left_ends(library, endless, route):
    with server(library) as (desk, port):
        clients = [sent(port, *ROUTES[route]) for _ in range(6)]
        assert within(10, lambda: endless["begun"]), "the work never began"
        assert within(10, lambda: sum(desk.load().values()) == 6)
        for client in clients:
            client.close()
        assert within(10, lambda: not any(desk.load().values())), desk.load()
        # Those that waited were dropped: no thread took them up.
        assert within(10, lambda: endless["begun"] == endless["ended"])


def test_work_that_takes_too_long_ends_too(library, endless, monkeypatch):
    monkeypatch.setenv("OSLER_SERVE_SECONDS", "0.5")
    with server(library) as (desk, port):
        assert asked(port, "/api/v1/rank?topic=asthma") == 503
        assert within(5, lambda: not any(desk.load().values()))
        assert endless["begun"] == endless["ended"]


def test_a_queue_of_rankings_turns_away_rankings_alone(library, monkeypatch):
    """260 requests that nobody waited for kept the whole server at 503 for eight minutes."""
    monkeypatch.setenv("OSLER_SERVE_WAITING", "64")
    stuck = threading.Event()

    def never(*_: object, **__: object) -> None:
        stuck.wait(30)

    monkeypatch.setattr("osler.serve.api.rank.rank", never)
    with server(library) as (desk, port):
        clients = [sent(port, "GET", "/api/v1/rank?topic=asthma") for _ in range(64)]
        try:
            assert within(10, lambda: desk.load()["learn"] >= 8)
            assert asked(port, "/api/v1/rank?topic=asthma") == 503
            for _ in range(5):
                assert asked(port, "/api/v1/search?q=asthma&method=words") == 200
        finally:
            for client in clients:
                client.close()
            stuck.set()
        assert within(10, lambda: not any(desk.load().values())), desk.load()


def test_the_lanes_are_all_counted():
    assert set(LANES) == {"brief", "look", "think", "learn", "write"}


# -- what comes over the wire ------------------------------------------------------------------


def taken(client: socket.socket, parts, pause: float = 0.0) -> bool:
    """Whether the server lets itself be sent all of it."""
    try:
        for part in parts:
            client.sendall(part)
            time.sleep(pause)
    except OSError:
        return False
    return True


def closed(client: socket.socket, seconds: float) -> bytes | None:
    """What the server said before it closed the connection; None where it did not."""
    client.settimeout(seconds)
    told = b""
    try:
        while data := client.recv(65_536):
            told += data
    except TimeoutError:
        return None
    except OSError:
        pass
    return told


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
        b"POST /api/v1/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: 100\r\n\r\n{",
        b"POST /api/v1/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n",
    ],
    ids=["nothing", "half a line", "half a head", "half a body", "half a chunk"],
)
def test_whoever_does_not_finish_is_let_go(library, monkeypatch, begun):
    monkeypatch.setenv("OSLER_SERVE_PATIENCE", "0.5")
    with server(library) as (_, port), socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(begun)
        assert closed(client, 10) is not None


def test_a_head_that_comes_byte_by_byte_has_no_more_time(library, monkeypatch):
    monkeypatch.setenv("OSLER_SERVE_PATIENCE", "1")
    with server(library) as (_, port), socket.create_connection(("127.0.0.1", port)) as client:
        begun = time.monotonic()
        head = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + 100 * b"X: y\r\n"
        assert not taken(client, (bytes([byte]) for byte in head), pause=0.05)
        assert time.monotonic() - begun < 10


def is_open(one: socket.socket) -> bool:
    """Whether the server has left a silent connection open."""
    one.setblocking(False)
    try:
        return one.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def test_idle_connections_make_room(library, monkeypatch):
    """1,100 idle ones shut the server."""
    monkeypatch.setenv("OSLER_SERVE_CONNECTIONS", "20")
    with server(library) as (_, port):
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
        try:
            for _ in range(5):
                assert asked(port, "/api/v1/search?q=asthma&method=words") == 200
            # Those that were idle longest made room: they do not pile up until none is left.
            assert sum(map(is_open, idle)) <= 20
            assert not is_open(idle[0])
        finally:
            for one in idle:
                one.close()


def test_trailers_have_an_end(library):
    """They grew the server by 880 MB, before any token was asked for."""
    with server(library) as (_, port), socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(
            b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"1\r\na\r\n0\r\n"
        )
        line = b"X-Trailer: " + 8_000 * b"x" + b"\r\n"
        assert not taken(client, repeat(line, 4_000))  # 32 MB


def test_many_small_chunks_are_a_body_all_the_same(library):
    body = json.dumps({"question": "Which drugs does P7 take?" + 2_000 * " x"}).encode()
    with server(library) as (_, port), socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(
            b"POST /api/v1/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n"
            b"Content-Type: application/json\r\nConnection: close\r\n\r\n"
        )
        client.sendall(b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n")
        told = closed(client, 20)
    assert told is not None
    assert b" 431 " not in told[:20]
    assert b" 408 " not in told[:20]


@pytest.mark.parametrize("path", ["/", "/api/v1/search", "/rank", "/papers.csv"])
def test_thousands_of_parameters_are_refused_at_once(library, path):
    """One address with 2,000 of them kept the server for 46 seconds."""
    query = "q=asthma&" + "&".join(f"type=kind{n}" for n in range(2_000))
    with server(library) as (_, port):
        begun = time.monotonic()
        assert asked(port, f"{path}?{query}") == 413
        assert time.monotonic() - begun < 2
        assert asked(port, "/papers?q=asthma&" + "&".join(f"type=k{n}" for n in range(90))) < 500


def test_a_reader_that_takes_nothing_is_let_go(library, monkeypatch):
    monkeypatch.setenv("OSLER_SERVE_PATIENCE", "1")
    with server(library) as (_, port), socket.create_connection(("127.0.0.1", port)) as client:
        line = b"GET /static/osler.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        client.settimeout(20)
        assert not taken(client, repeat(line, 100_000))
