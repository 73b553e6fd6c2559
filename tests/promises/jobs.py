"""The jobs that are killed, cut off and starved: each from a small library that stands already.

A job says how to prepare, how to run, and which states of the library are whole: what the truth
holds after each of its commits, noted by one run that nothing disturbs.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osler import Library
from samples import TrigramEncoder, paper

os.environ.setdefault("OSLER_THREADS", "1")

HELD, COMING = 24, 40
BATCH = "16"
DISEASES = ("asthma", "gout", "measles", "anaemia", "scurvy", "rickets", "malaria", "tetanus")


def documents(start: int, count: int) -> list[Any]:
    rng = random.Random(start)
    made = []
    for i in range(start, start + count):
        words = " ".join(rng.choices([f"word{n}" for n in range(60)], k=12))
        disease = DISEASES[i % len(DISEASES)]
        made.append(paper(f"d{i:03}", f"Common paper {i}", f"On {disease}. {words}."))
    return made


def corpus(path: Path) -> Path:
    lines = [
        json.dumps({"_id": d.id, "title": d.title, "text": d.abstract})
        for d in documents(HELD - 4, COMING)  # four stand there already
    ]
    lines[7] = "{no json"
    lines.insert(20, lines[3])
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def terminology(path: Path, names: tuple[str, ...] = DISEASES) -> Path:
    rows = ["id\tname\tsynonyms\tparents", "DIS:0\tdisease\t\t"]
    rows += [f"DIS:{n}\t{name}\t{name} disease\tDIS:0" for n, name in enumerate(names, 1)]
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


def _library(folder: Path) -> Library:
    return Library.open(folder, encoder=TrigramEncoder())  # type: ignore[arg-type]


def _prepare(folder: Path, *, terms: bool, vectors: bool) -> None:
    with Library.create(folder, encoder=TrigramEncoder()) as library:  # type: ignore[arg-type]
        library.add_documents(documents(0, HELD))
        if terms:
            half = terminology(folder.with_name("half.tsv"), DISEASES[:4])
            library.add([half], format="terms")
        if vectors:
            library.embed()


def rebuild(folder: Path) -> None:
    """What a person does when damage was named: ``osler rebuild``, with the library's encoder."""
    Library.rebuild_folder(folder)
    with _library(folder) as library:
        library.rebuild()


Note = Callable[[], None]


def _add(folder: Path, note: Note) -> None:
    os.environ["OSLER_BATCH"] = BATCH
    with _library(folder) as library:
        library.add([folder.with_name("corpus.jsonl")], progress=lambda *_: note())


def _remove(folder: Path, note: Note) -> None:
    with _library(folder) as library:
        held = {document.id for document in library.documents()}
        library.remove([id for id in ("d003", "d011", "d019") if id in held])


def _link(folder: Path, note: Note) -> None:
    os.environ["OSLER_BATCH"] = "4"
    with _library(folder) as library:
        library.add([folder.with_name("terms.tsv")], format="terms", progress=lambda *_: note())


def _embed(folder: Path, note: Note) -> None:
    from osler.store import embedding

    embedding.CHUNK = 8
    with _library(folder) as library:
        library.embed(progress=lambda *_: note())


def model(number: int) -> Any:
    from osler.rank import Pool, Topic, rankers

    pool = Pool(documents(0, 16))
    import numpy as np

    targets = np.arange(16) % 2
    ranker = rankers.resolve("hybrid", seed=number, strength=10.0 * (number + 1))
    return ranker.fit(pool, targets, [Topic("asthma"), Topic("gout")])


def _save(folder: Path, number: int) -> None:
    from osler.learn.card import Card
    from osler.rank.models import save_ranker

    save_ranker(folder / "models" / "topic", MODELS[number], Card(name="topic", what="test"))


MODELS: list[Any] = []


def _train(folder: Path, note: Note) -> None:
    _save(folder, 1)


def _judge(folder: Path, note: Note) -> None:
    with _library(folder) as library:
        library.judge({"q": {f"d{n:03}": n % 3 for n in range(12)}}, {"q": "asthma"})


def _prepare_train(folder: Path) -> None:
    if not MODELS:
        MODELS.extend((model(0), model(1)))
    _prepare(folder, terms=False, vectors=False)
    _save(folder, 0)


@dataclass(frozen=True)
class Job:
    prepare: Callable[[Path], None]
    run: Callable[[Path, Note], None]
    needs: str = ""


JOBS = {
    "add": Job(lambda f: _prepare(f, terms=True, vectors=True), _add),
    "remove": Job(lambda f: _prepare(f, terms=True, vectors=True), _remove),
    "link": Job(lambda f: _prepare(f, terms=True, vectors=False), _link),
    "embed": Job(lambda f: _prepare(f, terms=False, vectors=False), _embed),
    "judge": Job(lambda f: _prepare(f, terms=False, vectors=False), _judge),
    "train": Job(_prepare_train, _train, needs="sklearn"),
}


def prepare(name: str, work: Path) -> Path:
    """The starting library and the files that the job reads."""
    work.mkdir(parents=True, exist_ok=True)
    corpus(work / "corpus.jsonl")
    terminology(work / "terms.tsv")
    folder = work / "library"
    JOBS[name].prepare(folder)
    return folder


def truth(folder: Path) -> str:
    """What the truth holds, and the model in use: the state that must be an old or a new one."""
    total = hashlib.sha256()
    with _library(folder) as library:
        total.update(library.digest().encode())
    if (folder / "models").exists() and any((folder / "models").iterdir()):
        from osler.rank.models import load_ranker

        tensors, config = load_ranker(folder / "models" / "topic").state()
        for name in sorted(tensors):
            total.update(name.encode() + tensors[name].tobytes())
        total.update(json.dumps(config, sort_keys=True, default=str).encode())
    return total.hexdigest()


def look(folder: Path) -> dict[str, Any]:
    """Opens the library as a person would and holds everything derived against the truth."""
    with _library(folder) as library:
        held = sorted(document.id for document in library.documents())
        found = library.search("common", k=500, method="words", evidence=False)
        problems = [] if sorted(h.id for h in found) == held else ["the words are not the truth's"]
        problems += library.verify()
        coverage = library.coverage()
        known = library.knowledge
        concepts = {}
        if known is not None:
            for id, numbers in library.concepts(held).items():
                concepts[id] = sorted(numbers)
            if len(concepts) != len(held):
                problems.append(f"{len(concepts)} of {len(held)} documents are linked")
        ids, matrix = library.vectors(held)
        return {
            "held": held,
            "problems": problems,
            "vectors": [coverage.done, coverage.waiting],
            "matrix": hashlib.sha256(
                b"".join(i.encode() + v.tobytes() for i, v in zip(ids, matrix, strict=True))
            ).hexdigest(),
            "concepts": concepts,
            "rejects": sorted((r.place, r.reason) for r in library.rejects()),
            # What a killed program was writing is not left lying about for ever.
            "left": left_behind(folder),
        }


def left_behind(folder: Path) -> list[str]:
    """Hidden files and folders, and files of tantivy's that its index does not know."""
    found = {str(path.relative_to(folder)) for path in folder.rglob(".*")}
    for meta in folder.rglob("meta.json"):
        known = {
            part["segment_id"].replace("-", "") for part in json.loads(meta.read_text())["segments"]
        }
        for path in meta.parent.iterdir():
            segment = path.name.partition(".")[0]
            if len(segment) == 32 and segment not in known:
                found.add(f"{meta.parent.name}: a file of no segment{path.suffix}")
    return sorted(found)
