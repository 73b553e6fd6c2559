"""A real server over a real socket: long addresses, many at once, what it says at its start."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

import serving


@pytest.fixture(scope="module")
def address(served_library):
    with serving.served(served_library) as found:
        yield found


def fetch(address, path, host=None):
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    try:
        connection.request("GET", path, headers={"Host": host} if host else {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


@pytest.mark.parametrize(
    "view", ["/papers?q=", "/rank?topic=", "/answers?q=", "/patients?q=", "/graph?entity="]
)
def test_a_very_long_question_is_told_its_limit(address, view):
    status, text = fetch(address, view + "a" * 100_000)
    assert status in (400, 404, 413)
    assert "Not medical advice" in text
    status, text = fetch(address, "/api/v1/search?q=" + "a" * 100_000)
    assert status == 422
    assert "E104" in text


def flood(address, piece, times):
    """Send a head that does not end, until the server has had enough; what it said."""
    host, port = urlsplit(address).netloc.split(":")
    with socket.create_connection((host, int(port)), timeout=30) as sent:
        sent.sendall(b"GET /?q=a HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        try:
            for _ in range(times):
                sent.sendall(piece)
        except ConnectionError:
            pass
        said = b""
        try:
            while piece := sent.recv(65536):
                said += piece
        except ConnectionError:
            pass
    return said


def test_a_head_without_end_is_refused(address):
    # 3 MB in many lines, and in one that never ends; the server goes on answering.
    assert flood(address, b"X-More: " + b"a" * 990 + b"\r\n", 3_000)[:12] == b"HTTP/1.1 431"
    assert flood(address, b"a" * 1_000, 3_000)[:12] == b"HTTP/1.1 431"
    assert fetch(address, "/api/v1/search?q=asthma")[0] == 200


def test_an_endless_address_is_refused(address):
    try:
        status, _ = fetch(address, "/papers?q=" + "a" * 3_000_000)
    except (ConnectionError, http.client.HTTPException):
        return
    assert status in (413, 431)


def test_many_requests_of_one_connection_are_not_one_long_head(address):
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    try:
        for _ in range(4):
            connection.request("GET", "/api/v1/search?q=asthma", headers={"X-Long": "a" * 400_000})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
    finally:
        connection.close()


def test_many_at_once_get_the_same_answer(address):
    def one(_):
        return fetch(address, "/api/v1/search?q=asthma+cough&limit=5")

    with ThreadPoolExecutor(16) as pool:
        answers = set(pool.map(one, range(160)))
    assert len(answers) == 1
    assert answers.pop()[0] == 200


def test_searches_and_marks_at_once(address):
    """A writer beside readers: every answer is whole."""
    failures: list[object] = []

    def read(number):
        status, _ = fetch(address, f"/api/v1/search?q=sleep+{number % 5}")
        if status != 200:
            failures.append(status)

    def mark(number):
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
        body = json.dumps({"query": "at once", "judgements": {f"sleep-{number:02d}": number % 2}})
        connection.request("POST", "/api/v1/feedback", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            failures.append(answer.status)
        connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: mark(n % 20) if n % 4 == 0 else read(n), range(80)))
    assert failures == []


def test_the_command_serves_and_stops(served_library):
    process = subprocess.Popen(
        [sys.executable, "-m", "osler.cli.main", "serve", served_library, "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        timer = threading.Timer(60, process.kill)
        timer.start()
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, line
        assert process.stderr.readline()
        status, _ = fetch(found.group(), "/library")
        assert status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130, -2)
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        process.stderr.close()
