"""Mixed requests, of which a tenth is dropped half-way: what comes back, and what is left to do.

    python benchmarks/load.py [LIBRARY] [--requests 20000] [--connections 32] [--dropped 0.1]
                              [--idle 1100]

The bar (issue 18): no 5xx but 503 under load, and all lanes of the server free within 10 s of the
end. Without a library a small one is made. The server is a process of its own on the loopback; it
is asked over its standard input how much each lane has to do. A dropped request is cut inside its
head or its body, or is sent whole and its answer is not waited for. ``--seed`` says which.
``--idle`` connections are opened first and say nothing; the server may open 1,024 files, as on most
systems, so that they would shut it if it let them all stay.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

FREE = 10.0
"""Seconds after the end within which all lanes must be free."""
TOPICS = ("asthma in children", "statins and muscle pain", "sleep and wakefulness", "telehealth")
QUESTIONS = ("Which drugs does P7 take?", "What helps against migraine?", "Who takes aspirin?")
KINDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "search, words": ("GET", "/api/v1/search", {"q": "", "method": "words"}),
    "search": ("GET", "/api/v1/search", {"q": ""}),
    "documents": ("GET", "/api/v1/documents", {"limit": 20}),
    "rank": ("POST", "/api/v1/rank", {"topic": ""}),
    "rank, marks": ("GET", "/api/v1/rank", {"topic": ""}),
    "grade": ("GET", "/api/v1/grade", {"head": "asthma", "relation": "causes", "tail": "cough"}),
    "match": ("POST", "/api/v1/match", {"question": ""}),
    "ask": ("POST", "/api/v1/ask", {"question": ""}),
    "link": ("POST", "/api/v1/link", {"text": ""}),
    "status": ("GET", "/api/v1/status", {}),
    "page of search": ("GET", "/", {"q": ""}),
    "page of rank": ("GET", "/rank", {"topic": ""}),
}
"""What is asked for; an empty value is filled with a topic."""

SERVER = """
import json, resource, sys, threading
resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
from osler.serve.app import create_app
from osler.serve.run import configured, listen
import uvicorn
app = create_app(sys.argv[1])
bound = listen("127.0.0.1", 0)
print(bound.getsockname()[1], flush=True)
def told():
    for _ in sys.stdin:
        print(json.dumps(app.state.desk.load()), flush=True)
threading.Thread(target=told, daemon=True).start()
uvicorn.Server(configured(app)).run(sockets=[bound])
"""


@dataclass
class Tally:
    """What came of the requests."""

    statuses: Counter[int] = field(default_factory=Counter)
    dropped: int = 0
    broken: int = 0
    worst: Counter[str] = field(default_factory=Counter)

    @property
    def failures(self) -> int:
        """Answers that say that the server is at fault, but for 503."""
        return sum(n for status, n in self.statuses.items() if status >= 500 and status != 503)


def small_library(folder: Path) -> Path:
    from osler import Library
    from osler.kinds import Document, Section

    subjects = ("Asthma in children", "Statins and muscle pain", "Sleep", "Telehealth visits")
    with Library.create(folder / "library") as library:
        library.add_documents(
            Document(
                id=f"d{n}",
                title=f"{subjects[n % 4]}, part {n}",
                sections=(Section(f"{subjects[n % 4]} was studied in {n} adults. It helped."),),
            )
            for n in range(400)
        )
        facts = folder / "facts.tsv"
        facts.write_text(
            "head\trelation\ttail\thead_type\ttail_type\nasthma\tcauses\tcough\tdisease\tsymptom\n"
        )
        demo = Path(str(resources.files("osler.demo")))
        library.add([facts, demo / "answers.tsv"])
        ward = folder / "ward.tsv"
        ward.write_text(
            "head\thead_type\trelation\ttail\ttail_type\nP7\tpatient\ttakes\taspirin\tdrug\n"
        )
        library.add([ward], format="clinical-triples")
    return folder / "library"


def request(chance: random.Random) -> tuple[str, bytes]:
    """One request: its kind, and its bytes."""
    kind = chance.choice(list(KINDS))
    method, path, fields = KINDS[kind]
    filled = {
        name: value or chance.choice(QUESTIONS if name == "question" else TOPICS)
        for name, value in fields.items()
    }
    if method == "GET":
        path, body = f"{path}?{urlencode(filled)}", b""
    else:
        body = json.dumps(filled).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    if body:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return kind, head.encode() + b"\r\n" + body


async def ask(port: int, chance: random.Random, dropped: float, tally: Tally) -> None:
    kind, data = request(chance)
    drop = chance.random() < dropped
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        tally.broken += 1
        return
    try:
        if drop:
            tally.dropped += 1
            cut = len(data) if chance.random() < 0.7 else chance.randrange(1, len(data))
            writer.write(data[:cut])
            await writer.drain()
            await asyncio.sleep(chance.random() * 0.05)
            return
        writer.write(data)
        await writer.drain()
        answer = await reader.read()
        status = int(answer[9:12]) if answer[:5] == b"HTTP/" else 0
        tally.statuses[status] += 1
        if status >= 500 and status != 503:
            tally.worst[kind] += 1
    except OSError:
        tally.broken += 1
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def load(port: int, given: argparse.Namespace) -> Tally:
    tally = Tally()
    left = iter(range(given.requests))

    async def client(number: int) -> None:
        chance = random.Random(f"{given.seed} {number}")
        for _ in left:
            await ask(port, chance, given.dropped, tally)

    await asyncio.gather(*(client(number) for number in range(given.connections)))
    return tally


def idle_connections(port: int, count: int) -> list[socket.socket]:
    """Connections that say nothing. One that is not taken within a second is counted as opened:
    the server's queue has it."""
    held = []
    for _ in range(count):
        one = socket.socket()
        one.settimeout(1)
        with contextlib.suppress(OSError):
            one.connect(("127.0.0.1", port))
        held.append(one)
    return held


def is_open(one: socket.socket) -> bool:
    """Whether the other side has left it open."""
    one.setblocking(False)
    try:
        return one.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("library", nargs="?", type=Path)
    asked.add_argument("--requests", type=int, default=20_000)
    asked.add_argument("--connections", type=int, default=32)
    asked.add_argument("--dropped", type=float, default=0.1)
    asked.add_argument("--idle", type=int, default=0)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        library = given.library or small_library(Path(folder))
        server = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(library)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert server.stdin is not None
        assert server.stdout is not None
        watch = threading.Timer(7_200, server.kill)
        watch.daemon = True
        watch.start()
        try:
            port = int(server.stdout.readline())
            for _ in range(600):
                with contextlib.suppress(OSError):
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                time.sleep(0.1)
            idle = idle_connections(port, given.idle)
            begun = time.monotonic()
            tally = asyncio.run(load(port, given))
            spent = time.monotonic() - begun
            silent = sum(map(is_open, idle))
            ended = time.monotonic()
            while True:
                server.stdin.write("\n")
                server.stdin.flush()
                lanes = json.loads(server.stdout.readline())
                after = time.monotonic() - ended
                if not any(lanes.values()) or after > 6 * FREE:
                    break
                time.sleep(0.1)
        finally:
            server.terminate()
            server.wait()
            watch.cancel()
    answered = sum(tally.statuses.values())
    print("| what | count |\n| --- | ---: |")
    print(f"| requests | {given.requests:,} in {spent:.0f} s |")
    if given.idle:
        print(f"| idle connections | {given.idle:,} opened first, {silent:,} open at the end |")
    print(f"| dropped half-way | {tally.dropped:,} |")
    for status, count in sorted(tally.statuses.items()):
        print(f"| answered {status} | {count:,} |")
    print(f"| connections that failed | {tally.broken:,} |")
    print(f"| 5xx but 503 | {tally.failures:,} {dict(tally.worst) or ''} |")
    print(f"| lanes free after the end | {after:.1f} s {lanes if any(lanes.values()) else ''} |")
    whole = answered + tally.dropped + tally.broken == given.requests
    raise SystemExit(bool(tally.failures or tally.broken or after > FREE or not whole))


if __name__ == "__main__":
    main()
