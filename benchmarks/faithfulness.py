"""Promise P17 on real data: do reasons name what moved the score, and are confidences honest?

    python benchmarks/faithfulness.py --data DIR [--out FOLDER] [--only search,rank,ask,match,grade]

For each kind of reason: how far the score falls without what the reason weighs most, and without as
much of anything else, with the chance of such a lead if naming meant nothing. For each confidence
that a person sees: the expected calibration error over ten bins, and, with ``--out``, a reliability
diagram.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import numpy as np

from osler import Document, Library
from osler.errors import OslerError
from osler.fetch import fetched
from osler.kinds import Section
from osler.measures.calibration import expected_calibration_error, reliability_bins
from promises import faithful

LIMIT = 0.05


class Told:
    """What was measured, one line each; ``held`` is whether the promise holds everywhere."""

    def __init__(self, out: Path | None) -> None:
        self.out = out
        self.held = True

    def falls(self, what: str, falls: faithful.Falls) -> None:
        told = falls.told()
        good = told["p"] < LIMIT
        self.held &= good
        print(
            f"{what:44} {told['cases']:5} cases  fall {told['named']:+.3f} named, "
            f"{told['drawn']:+.3f} drawn  p = {told['p']:.5f}  {'holds' if good else 'FAILS'}",
            flush=True,
        )

    def confidence(self, what: str, sure: Sequence[float], right: Sequence[bool]) -> None:
        error = expected_calibration_error(np.asarray(sure), np.asarray(right))
        good = error <= LIMIT
        self.held &= good
        print(
            f"{what:44} {len(sure):5} cases  calibration error {error:.3f}  "
            f"{'holds' if good else 'FAILS'}",
            flush=True,
        )
        if self.out is not None:
            diagram(self.out / f"{what.split(':')[0].replace(' ', '-')}.png", what, sure, right)

    def exact(self, what: str, count: int, worst: float) -> None:
        good = worst < 1e-4 and count > 0
        self.held &= good
        print(f"{what:44} {count:5} cases  largest gap {worst:.6f}  {'holds' if good else 'FAILS'}")


def diagram(path: Path, title: str, sure: Sequence[float], right: Sequence[bool]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    path.parent.mkdir(parents=True, exist_ok=True)
    bins = reliability_bins(np.asarray(sure), np.asarray(right))
    figure, axes = plt.subplots(figsize=(4, 4))
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
    axes.bar(
        [(b.low + b.high) / 2 for b in bins],
        [b.accuracy for b in bins],
        width=[0.9 * (b.high - b.low) for b in bins],
        alpha=0.5,
    )
    axes.scatter([b.confidence for b in bins], [b.accuracy for b in bins])
    axes.set(xlabel="confidence", ylabel="share that is right", title=title)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


# -- search ----------------------------------------------------------------------------------------


def papers(count: int) -> list[Document]:
    from osler.files.reader import recognise
    from osler.files.source import Source

    here = fetched("pubmed-sample")
    if here is None:
        raise OslerError("the sample of PubMed is not here: osler fetch pubmed-sample")
    source = Source(here / "pubmed21n1298.xml.gz")
    found = []
    for item in recognise(source).read(source):
        if isinstance(item, Document) and len(item.abstract) > 600 and item.language == "eng":
            found.append(item)
            if len(found) >= count:
                break
    return found


def search(told: Told, data: Path) -> None:
    everything = papers(1_060)
    held, asked = everything[:1_000], everything[1_000:]
    questions = [document.title for document in asked]
    mesh = fetched("mesh")
    with tempfile.TemporaryDirectory() as folder, Library.create(Path(folder) / "lib") as library:
        library.add_documents(held)
        falls = faithful.search_falls(library, questions, kind="sentence", method="words")
        told.falls("evidence sentence (search by words)", falls)
        told.exact("score parts (words)", *faithful.parts_hold(library, questions, method="words"))
        if mesh is not None:
            library.add([mesh / "mesh_id_label_mappings.tsv"])
            falls = faithful.search_falls(library, questions, kind="concept", method="concepts")
            told.falls("shared concept (search by concepts)", falls)
            gap = faithful.parts_hold(library, questions, method="concepts")
            told.exact("score parts (concepts)", *gap)


# -- rank ------------------------------------------------------------------------------------------


def rdoc(data: Path) -> tuple[list[Document], list[str]]:
    documents, labels = [], []
    with gzip.open(data / "rdoc" / "train.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            documents.append(
                Document(id=row["pmid"], title=row["title"], sections=(Section(row["abstract"]),))
            )
            labels.append(row["construct"])
    return documents, labels


def rank(told: Told, data: Path) -> None:
    from osler.rank import Pool, Topic, rankers

    documents, labels = rdoc(data)
    names = sorted(set(labels))
    topics = [Topic(name.replace("_", " ")) for name in names]
    targets = np.asarray([names.index(label) for label in labels])
    sure: list[float] = []
    right: list[bool] = []
    cases: list[Any] = []
    order = np.random.default_rng(0).permutation(len(documents))
    for fold in range(4):
        held = order[fold::4]
        rest = np.setdiff1d(order, held)
        pool = Pool(documents)
        ranker = rankers.resolve("hybrid").fit(pool.take(rest), targets[rest], topics)
        scores = ranker.scores(pool.take(held))
        for row, at in enumerate(held.tolist()):
            for topic in range(len(topics)):
                sure.append(float(scores[row, topic]))
                right.append(bool(targets[at] == topic))
        for at in held.tolist():
            topic = int(targets[at])
            (reasons,) = ranker.reasons(Pool([documents[at]]), topic)

            def score(text: str, r: Any = ranker, a: int = at, t: int = topic) -> float:
                other = faithful.rewritten(documents[a], "x", text)
                return float(r.scores(Pool([other]))[0, t])

            cases.append((documents[at].text, faithful.heat_of(reasons), score))
    told.falls("topic words (rank)", faithful.heat_falls(cases))
    told.confidence("rank probability: a paper is of a topic", sure, right)


# -- ask -------------------------------------------------------------------------------------------


def records(data: Path, folder: Path) -> Any:
    with Library.create(folder / "records") as library:
        library.add([data / "synthea_fhir_r4"], format="fhir-tables")
        return library.records()


def ask(told: Told, data: Path) -> None:
    from osler.ask.answerer import answerers
    from osler.records.making import question_set

    with tempfile.TemporaryDirectory() as folder:
        kb = records(data, Path(folder))
        found = question_set(kb, seed=3, limit=12, scale=0.3)
        random.Random(0).shuffle(found)
        found = found[:400]
        reader = answerers.get("reader")(kb)
        sure, right, cases = [], [], []
        for question in found:
            answer = reader.ask(question.question, explain=True)
            if not answer.entities:
                continue
            sure.append(float(answer.confidence))
            right.append(set(answer.entities) == set(question.entities))
            words = faithful.heat_of(answer.reasons)

            def score(text: str, wanted: Any = frozenset(answer.entities)) -> float:
                again = reader.ask(text)
                return again.confidence if set(again.entities) == wanted else 0.0

            cases.append((question.question, words, score))
        told.falls("attention, words of the question (ask)", faithful.heat_falls(cases, count=1))
        told.confidence("ask confidence: the answer is the whole answer", sure, right)
    told.falls("path (ask)", hospital_paths())


def hospital_paths() -> faithful.Falls:
    """On the small hospitals of our own making: for each case the records are built anew."""
    from osler.files.reader import recognise
    from osler.files.source import Source
    from osler.kinds import Entity, Triple

    hospitals = Path(__file__).parent.parent / "tests" / "ask" / "hospitals"
    total = faithful.Falls()
    for file in sorted(hospitals.glob("*.tsv")):
        source = Source(file)
        items = list(recognise(source, format="clinical-triples").read(source))
        questions = [
            json.loads(line)["question"]
            for line in file.with_suffix(".jsonl").read_text("utf-8").splitlines()
        ]
        falls = faithful.path_falls(
            [item for item in items if isinstance(item, Entity)],
            [item for item in items if isinstance(item, Triple)],
            questions,
            most=15,
        )
        total.named += falls.named
        total.drawn += falls.drawn
    return total


# -- match -----------------------------------------------------------------------------------------


def medquad(data: Path) -> Iterator[tuple[str, str]]:
    with gzip.open(data / "medquad" / "qa.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            if row.get("answer") and len(row["answer"]) > 200:
                yield row["question"], row["answer"][:1_500]


def match(told: Told, data: Path) -> None:
    from osler.wiring.match import matcher_of

    mesh = fetched("mesh")
    if mesh is None:
        raise OslerError("MeSH is not here: osler fetch mesh")
    pairs = list(medquad(data))
    random.Random(1).shuffle(pairs)
    with tempfile.TemporaryDirectory() as folder, Library.create(Path(folder) / "lib") as library:
        library.add([mesh / "mesh_id_label_mappings.tsv"])
        matcher = matcher_of(library, None)
        falls = faithful.pair_falls(matcher, pairs[:150], link=library.linker.link)
        told.falls("entity pair (match)", falls)


# -- grade -----------------------------------------------------------------------------------------


def grade(told: Told, data: Path) -> None:
    from osler.grade.grader import graders
    from osler.grade.table import read_pairs

    pairs = read_pairs(data / "hicapsrkl_sample" / "train.tsv")
    order = np.random.default_rng(0).permutation(len(pairs)).tolist()
    sure, right, cases = [], [], []
    for fold in range(4):
        held = order[fold::4]
        rest = [at for at in order if at not in set(held)]
        grader = graders.resolve("evidence").fit([pairs[at] for at in rest])
        given = grader.grades([pairs[at] for at in held])
        gold = [grader.scale.grade_of(pairs[at].label) for at in held]
        for row, wanted in zip(given, gold, strict=True):
            best = int(np.argmax(row))
            sure.append(float(row[best]))
            right.append("HFMI"[best] == wanted)
        for at in held:
            pair = pairs[at]
            heats = [heat for heat in grader.heats(pair) if heat.view == "RCor"]
            if not heats:
                continue

            def score(text: str, g: Any = grader, p: Any = pair) -> float:
                title, _, abstract = text.partition("\n")
                less = replace(p, title=title, abstract=abstract, rcor_text="", kimp_text="")
                return float(g.scores([less])[0])

            cases.append((f"{pair.title}\n{pair.abstract}", heats[0].words, score))
    told.falls("heat, RCor (grade)", faithful.heat_falls(cases))
    told.confidence("grade probability: the grade is right", sure, right)


PARTS: dict[str, Callable[[Told, Path], None]] = {
    "search": search,
    "rank": rank,
    "ask": ask,
    "match": match,
    "grade": grade,
}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--out", type=Path)
    asked.add_argument("--only", default=",".join(PARTS))
    given = asked.parse_args()
    told = Told(given.out)
    for name in given.only.split(","):
        try:
            PARTS[name](told, given.data)
        except (OslerError, OSError) as problem:
            print(f"{name}: skipped, {problem}")
    raise SystemExit(not told.held)


if __name__ == "__main__":
    main()
