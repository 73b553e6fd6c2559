"""The server under load: 32 connections on loopback, words search and hybrid search.

    python benchmarks/serving.py [LIBRARY] [--seconds 60] [--connections 32]

Words: the server's CPU time a request beside the CPU time of the same search in process; the bar
is 2 ms more, and no error. Hybrid: p95 under 10 times p50, and memory that stays. Both run the same
questions (beginnings of the library's own titles) on the same machine. CPU time is counted, not
the clock; and since a busy machine makes CPU time dearer too (caches, sibling threads), searches
in process are timed before, between and after the two halves of the load.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from osler import Library

TICKS = os.sysconf("SC_CLK_TCK")


def questions(library: Library, count: int = 200) -> list[str]:
    """The first words of titles, spread over the library."""
    found = []
    for number, document in enumerate(library.documents()):
        if number % 97 == 0 and len(document.title.split()) > 4:
            found.append(" ".join(document.title.split()[:6]))
        if len(found) == count:
            break
    return found


def in_process(path: Path, asked: list[str], method: str) -> float:
    """CPU seconds of one search without a server, in one thread."""
    with Library.open(path) as library:
        for text in asked[:20]:
            library.search(text, method=method, plain=True)
        started = time.process_time()
        for text in asked:
            library.search(text, method=method, plain=True)
        return (time.process_time() - started) / len(asked)


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_of(pid: int) -> float:
    """Megabytes that the process holds for itself: files that it only maps are the system's."""
    text = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"RssAnon:\s+(\d+)", text)
    return int(found.group(1)) / 1024 if found else 0.0


@dataclass
class Load:
    """What came back."""

    times: list[float] = field(default_factory=list)
    errors: int = 0


async def visitor(port: int, paths: list[str], offset: int, until: float, load: Load) -> None:
    """One connection that asks one question after the other."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    number = offset
    while time.monotonic() < until:
        path = paths[number % len(paths)]
        number += 7
        started = time.perf_counter()
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(re.search(rb"content-length: (\d+)", head.lower()).group(1))  # type: ignore[union-attr]
            await reader.readexactly(length)
        except (OSError, asyncio.IncompleteReadError, AttributeError):
            load.errors += 1
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            continue
        if b" 200 " not in head[:16]:
            load.errors += 1
        load.times.append(time.perf_counter() - started)
    writer.close()


def serve(path: Path) -> tuple[subprocess.Popen[str], int]:
    process = subprocess.Popen(
        [sys.executable, "-m", "osler.cli.main", "serve", str(path), "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r":(\d+)/", line)
    if found is None:
        process.kill()
        raise SystemExit(f"the server did not start: {line}")
    return process, int(found.group(1))


def settle(pid: int) -> None:
    """Wait until the server has nothing more to do."""
    last = -1.0
    for _ in range(60):
        now = cpu_of(pid)
        if now - last < 0.02:
            return
        last = now
        time.sleep(1.0)


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def run(path: Path, asked: list[str], method: str, seconds: float, connections: int) -> bool:
    alone = [in_process(path, asked, method)]
    process, port = serve(path)
    try:
        addresses = [f"/api/v1/search?q={quote(q)}&method={method}&plain=true" for q in asked]

        async def load_for(duration: float) -> Load:
            load = Load()
            until = time.monotonic() + duration
            step = max(1, len(addresses) // connections)
            await asyncio.gather(
                *(visitor(port, addresses, n * step, until, load) for n in range(connections))
            )
            return load

        # Every thread has opened the library, and what is loaded ahead is there.
        asyncio.run(load_for(min(5.0, seconds / 4)))
        settle(process.pid)
        before, memory = cpu_of(process.pid), memory_of(process.pid)
        half = asyncio.run(load_for(seconds / 2))
        middle = memory_of(process.pid)
        alone.append(in_process(path, asked, method))
        rest = asyncio.run(load_for(seconds / 2))
        spent, after = cpu_of(process.pid) - before, memory_of(process.pid)
        alone.append(in_process(path, asked, method))
    finally:
        process.terminate()
        process.wait(15)
    times = half.times + rest.times
    errors = half.errors + rest.errors
    each, own = spent / max(1, len(times)), (alone[0] + 2 * alone[1] + alone[2]) / 4
    p50, p95 = percentile(times, 0.5), percentile(times, 0.95)
    print(f"{method}: {connections} connections for {seconds:.0f} s, {len(times):,} requests")
    print(f"  errors                    {errors}")
    told = ", ".join(f"{1000 * one:.2f}" for one in alone)
    print(f"  CPU a search in process   {1000 * own:.2f} ms (before, between, after: {told})")
    print(f"  CPU a request, server     {1000 * each:.2f} ms ({1000 * (each - own):+.2f} ms)")
    print(
        f"  p50, p95                  {1000 * p50:.0f} ms, {1000 * p95:.0f} ms ({p95 / p50:.1f}x)"
    )
    print(f"  memory before, half, end  {memory:.0f}, {middle:.0f}, {after:.0f} MB")
    if method == "words":
        return errors == 0 and each - own <= 0.002
    return errors == 0 and p95 < 10 * p50 and after - middle < 0.05 * middle


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", nargs="?", default="demo/library", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    if not (options.library / "library.json").exists():
        raise SystemExit(f"there is no library at {options.library}: make demo builds one")
    with Library.open(options.library) as library:
        asked = questions(library)
    kept = [
        run(options.library, asked, method, options.seconds, options.connections)
        for method in ("words", "hybrid")
    ]
    print("the bars hold" if all(kept) else "a bar does not hold")
    raise SystemExit(0 if all(kept) else 1)


if __name__ == "__main__":
    main()
