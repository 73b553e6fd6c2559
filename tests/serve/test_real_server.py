"""A real server over a real socket: long addresses, many at once, what it says at its start."""

from __future__ import annotations

import http.client
import json
import re
import signal
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


@pytest.mark.parametrize("view", ["/?q=", "/rank?topic=", "/match?q=", "/ask?q=", "/graph?entity="])
def test_a_very_long_question_is_told_its_limit(address, view):
    status, text = fetch(address, view + "a" * 100_000)
    assert status in (400, 404, 413)
    assert "Not medical advice" in text
    status, text = fetch(address, "/api/v1/search?q=" + "a" * 100_000)
    assert status == 422
    assert "E104" in text


def test_an_endless_address_is_refused(address):
    try:
        status, _ = fetch(address, "/?q=" + "a" * 3_000_000)
    except (ConnectionError, http.client.HTTPException):
        return
    assert status >= 400


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
        status, _ = fetch(found.group(), "/status")
        assert status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130, -2)
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        process.stderr.close()
