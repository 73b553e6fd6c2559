"""Readers, a writer, searches and kills, for as long as is asked; then nothing may be lost.

    python tests/promises/soak.py --seconds 600

The writer adds files, removes papers and makes vectors; after each step that the library said was
done it notes so in a journal of its own. It is killed at random moments, and so are the readers,
which search all the while and hold every hit against what its id says it must be. At the end the
library must hold whatever the journal says, must verify, and must have the same digest as one that
was made of the same files without any kill.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

TESTS = Path(__file__).parent.parent
sys.path.insert(0, str(TESTS))

from osler import Library  # noqa: E402
from osler.errors import LockedError  # noqa: E402
from promises.jobs import DISEASES, terminology  # noqa: E402
from samples import TrigramEncoder  # noqa: E402

PAPERS = 120
REMOVED = (3, 40, 77)
os.environ.setdefault("OSLER_BATCH", "25")
os.environ.setdefault("OSLER_THREADS", "1")


def title(id: str) -> str:
    return f"Common paper {id} on {DISEASES[int(id.split('-')[1]) % len(DISEASES)]}"


def corpus(folder: Path, number: int) -> Path:
    path = folder / f"papers-{number:05}.jsonl"
    if not path.exists():
        rng = random.Random(number)
        lines = []
        for place in range(PAPERS):
            id = f"{number}-{place}"
            words = " ".join(rng.choices([f"word{n}" for n in range(500)], k=25))
            lines.append(json.dumps({"_id": id, "title": title(id), "text": f"{words}."}))
        lines[50] = "{broken"
        temporary = path.with_suffix(".part")
        temporary.write_text("\n".join(lines) + "\n", "utf-8")
        temporary.replace(path)
    return path


def gone(number: int) -> list[str]:
    return [f"{number}-{place}" for place in REMOVED]


def note(journal: Path, line: str) -> None:
    with journal.open("a") as stream:
        stream.write(line + "\n")
        stream.flush()
        os.fsync(stream.fileno())


def opened(folder: Path) -> Library:
    return Library.open(folder, encoder=TrigramEncoder())  # type: ignore[arg-type]


def step(library: Library, inputs: Path, number: int) -> None:
    """One file in, three of its papers out, now and then vectors: what a kill may cut anywhere."""
    library.add([corpus(inputs, number)])
    held = [id for id in gone(number) if library._documents.rows_of([id])]
    if held:
        library.remove(held)
    if number % 5 == 0:
        library.embed()


def write(base: Path) -> None:
    """The writer: goes on where the journal ends."""
    journal = base / "journal"
    while True:
        done = len(journal.read_text().splitlines()) if journal.exists() else 0
        try:
            with opened(base / "library") as library:
                step(library, base / "inputs", done)
        except LockedError:
            time.sleep(0.02)  # a reader that opened just now is catching up
            continue
        note(journal, f"done {done}")


def read(base: Path, seed: int) -> None:
    """A reader: whatever it finds is whole, and nothing that was said to be done is missing."""
    rng = random.Random(seed)
    journal = base / "journal"
    while True:
        with opened(base / "library") as library:
            for _ in range(rng.randint(1, 12)):
                method = rng.choice(["words", "concepts"])
                if rng.random() < 0.2:
                    done = len(journal.read_text().splitlines()) if journal.exists() else 0
                    known = rng.randrange(done) if done else None
                    if known is not None:
                        assert library.document(f"{known}-1").title == title(f"{known}-1")
                        assert not library._documents.rows_of(gone(known)), "it came back"
                asked = f"word{rng.randrange(500)} {rng.choice(DISEASES)}"
                ranking = library.search(asked, k=30, method=method, evidence=rng.random() < 0.3)
                scores = [hit.score for hit in ranking]
                assert scores == sorted(scores, reverse=True)
                for hit in ranking:
                    assert hit.title == title(hit.id), (hit.id, hit.title)
                note(base / f"searches-{os.getpid()}", "1")


def forked(base: Path, work: Callable[[], object]) -> int:
    """A child of its own for everything that opens a library: the parent stays without threads, so
    a child is there at once and need not import anything."""
    child = os.fork()
    if child == 0:
        code = 0
        try:
            work()
        except BaseException:
            (base / f"error-{os.getpid()}").write_text(traceback.format_exc())
            code = 1
        os._exit(code)
    return child


def ended(child: int, *, wait: bool) -> int | None:
    pid, status = os.waitpid(child, 0 if wait else os.WNOHANG)
    return status if pid else None


def errors(base: Path) -> list[str]:
    return [path.read_text()[-2000:] for path in sorted(base.glob("error-*"))]


def checked(base: Path) -> None:
    """A writer that is dead may have left an index unsettled: opening settles it."""
    with opened(base / "library") as library:
        damaged = library.verify()
        assert not damaged, damaged


def soak(base: Path, seconds: float, readers: int, seed: int) -> dict[str, object]:
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    (base / "inputs").mkdir()

    def begin() -> None:
        terms = terminology(base / "terms.tsv")
        with Library.create(base / "library", encoder=TrigramEncoder()) as library:  # type: ignore[arg-type]
            library.add([terms], format="terms")

    ended(forked(base, begin), wait=True)

    def first() -> None:
        with opened(base / "library") as library:
            step(library, base / "inputs", 0)
        note(base / "journal", "done 0")

    begun = time.monotonic()
    ended(forked(base, first), wait=True)
    # A writer that never gets as far as to finish a file proves little: on a slow or a busy machine
    # kills come later.
    pace = max(0.5, time.monotonic() - begun)
    roles = ["writer", *["reader"] * readers]

    def start(place: int) -> int:
        number = rng.randrange(10**6)
        if roles[place] == "writer":
            return forked(base, lambda: write(base))
        return forked(base, lambda: read(base, number))

    running = [start(place) for place in range(len(roles))]
    end = time.monotonic() + seconds
    while time.monotonic() < end and not errors(base):
        time.sleep(rng.uniform(0.05, 3.0) * pace * rng.random())
        victim = 0 if rng.random() < 0.7 else rng.randrange(len(running))
        os.kill(running[victim], signal.SIGKILL)
        ended(running[victim], wait=True)
        counts[f"{roles[victim]} kills"] += 1
        if victim == 0 and rng.random() < 0.2:
            ended(forked(base, lambda: checked(base)), wait=True)
            counts["verified while running"] += 1
        running[victim] = start(victim)
    for process in running:
        os.kill(process, signal.SIGKILL)
        ended(process, wait=True)
    journal = base / "journal"
    done = len(journal.read_text().splitlines()) if journal.exists() else 0
    counts["files"] = done
    counts["searches"] = sum(len(p.read_text().splitlines()) for p in base.glob("searches-*"))
    failures = errors(base) or settle(base, done, base / "terms.tsv", counts)
    if done < 2 or not counts["searches"] or not counts["writer kills"]:
        failures.append("too little was done to prove anything: give it longer")
    return {**counts, "seconds": seconds, "failures": failures}


def settle(base: Path, done: int, terms: Path, counts: Counter[str]) -> list[str]:
    """Everything that was promised is there; and the same files, without kills, give the same."""
    failures = []
    with opened(base / "library") as library:
        for number in range(done):
            for place in range(PAPERS):
                id = f"{number}-{place}"
                held = bool(library._documents.rows_of([id]))
                if held == (place in REMOVED or place == 50):
                    failures.append(f"{id} is {'there' if held else 'lost'}")
                counts["papers held against the journal"] += 1
        # The file that a kill cut off is finished first.
        step(library, base / "inputs", done)
        library.embed()
        failures += library.verify()
        digest, count = library.digest(), len(library)
        rejects = len(list(library.rejects()))
        found = {h.id for h in library.search("common", k=10_000, method="words", evidence=False)}
        if found != {document.id for document in library.documents()} and count < 10_000:
            failures.append("the words are not the truth's")
    with Library.create(base / "again", encoder=TrigramEncoder()) as again:  # type: ignore[arg-type]
        again.add([terms], format="terms")
        for number in range(done + 1):
            step(again, base / "inputs", number)
        if again.digest() != digest:
            failures.append("another digest than without kills")
        if (len(again), len(list(again.rejects()))) != (count, rejects):
            failures.append("other counts than without kills")
    counts["documents"] = count
    return failures


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--seconds", type=float, default=600)
    asked.add_argument("--readers", type=int, default=3)
    asked.add_argument("--seed", type=int, default=0)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        told = soak(Path(folder), given.seconds, given.readers, given.seed)
    print(json.dumps(told, indent=1))
    raise SystemExit(bool(told["failures"]))


if __name__ == "__main__":
    main()
