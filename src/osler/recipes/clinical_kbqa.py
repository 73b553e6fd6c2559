"""Questions over a clinical knowledge base: the paper's tables on simulated records, then beyond
them."""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from osler.ask.aar import AAR
from osler.ask.aspects import Aspects
from osler.ask.embedding import EmbeddingAnswerer
from osler.ask.measure import Scores, measure
from osler.ask.reader import ReaderAnswerer
from osler.ask.sgemb import SGEmb
from osler.records.kb import ClinicalKB, merge
from osler.records.making import answerable, question_set, statistics_lines
from osler.records.questions import Question, questions, unanswerable
from osler.records.renaming import renamed
from osler.records.simulator import WRITERS, simulate
from osler.records.statistics import PAPER_TABLE_3, table_3
from osler.records.templates import Template, read_templates

Say = Callable[[str], None]

# Table 5: answers, precision, recall, accuracy, micro-F1, macro-F1.
PAPER_TABLE_5 = {
    "SGEmb full": (2726, 0.7447, 0.1249, 0.5105, 0.2139, 0.6617),
    "SGEmb entity & sub-graph": (3153, 0.3866, 0.0750, 0.2370, 0.1256, 0.3807),
    "SGEmb path": (26597, 0.4870, 0.7966, 0.7260, 0.6045, 0.8583),
    "AAR full": (3492, 0.8072, 0.1735, 0.6525, 0.2856, 0.7973),
    "AAR entity & context": (3707, 0.5964, 0.1360, 0.4725, 0.2216, 0.6645),
    "AAR type": (120128, 0.1205, 0.8908, 0.3685, 0.2123, 0.6177),
    "AAR path": (26900, 0.4780, 0.7913, 0.7665, 0.5960, 0.9057),
    "AAR type & path": (16297, 0.6598, 0.6616, 0.7745, 0.6607, 0.8980),
}
# Table 1: which sources answer which kind of question: notes, tables, knowledge base; and the
# template groups of ours that ask the same kind of thing.
PAPER_TABLE_1 = (
    ("Q1 medications of a patient", "yes yes yes", "patient{P} >prescribed with> medication?"),
    (
        "Q2 comorbidities of a disease",
        "yes yes yes",
        "patient{P} >diagnosed with> disease{D} >has comorbidity> disease?",
    ),
    (
        "Q3 reason of a medication",
        "yes no yes",
        "patient{P} >prescribed with> medication{M} >has reason> disease?",
    ),
    (
        "Q4 what a test revealed",
        "yes no yes",
        "patient{P} >received> test{T} >test reveals problem> problem?",
    ),
    (
        "Q5 patients with two diseases",
        "no yes yes",
        "disease{D} <diagnosed with< patient? ; disease{E} <diagnosed with< patient?",
    ),
    ("Q6 patients on a medication", "no yes yes", "medication{M} <prescribed with< patient?"),
    ("Q7 medications for a problem", "no no yes", "disease{D} <has reason< medication?"),
    (
        "Q8 indicators over all records",
        "no no yes",
        "patient{P} >has risk factor> *{F} >has indicator> indicator?",
    ),
)
HELD_TOPICS = ("obesity", "medications")


@dataclass(frozen=True)
class Size:
    """How much of it is run; the published size is the default."""

    records: float = 1.0
    questions: float = 1.0
    train: int = 5952
    dev: int = 1000
    test: int = 2000
    epochs: int = 10
    rows: tuple[str, ...] = tuple(PAPER_TABLE_5)
    seed: int = 0


def run(data: Path, out: Path, *, progress: Say) -> dict[str, float]:
    """The three parts at the published size."""
    return experiment(data, out, progress=progress)


def experiment(
    data: Path, out: Path, *, progress: Say, size: Size | None = None
) -> dict[str, float]:
    size = size or Size()
    out.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        progress(line)

    got: dict[str, float] = {}
    kb = _records(out / "records", size, say)
    found = question_set(kb, seed=size.seed, scale=size.questions)
    for line in statistics_lines(kb, found):
        say(line)
    Random(size.seed).shuffle(found)  # noqa: S311
    train = found[: size.train]
    dev = found[size.train : size.train + size.dev]
    test = found[size.train + size.dev : size.train + size.dev + size.test]
    got |= _table_5(kb, train, dev, test, size, say)
    got |= _default(kb, train, dev, test, size, data, say)
    got |= _held_out(kb, found, size, say)
    if (data / "synthea_fhir_r4").is_dir():
        got |= _fhir(data / "synthea_fhir_r4", size, say)
    (out / "tables.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return got


def _records(folder: Path, size: Size, say: Say) -> ClinicalKB:
    """Part 1: simulated records, read by the readers; Table 3 beside the paper's."""
    started = time.perf_counter()
    written = simulate(folder, seed=size.seed, scale=size.records)
    parts = []
    say("topic | patients entities types triples relations (the paper's)")
    for topic, path in written.items():
        part = ClinicalKB.read(path, format=WRITERS[topic][2])
        shown = table_3(part)
        counts = " ".join(
            f"{shown[n]:.0f}" for n in ("patients", "entities", "types", "triples", "relations")
        )
        say(f"{topic} | {counts} ({' '.join(map(str, PAPER_TABLE_3[topic][:5]))})")
        parts.append(part)
    kb = merge(parts)
    say(
        f"records simulated and read in {time.perf_counter() - started:.0f} s: "
        f"{len(kb.triples):,} triples"
    )
    return kb


def _row(name: str, scores: Scores, paper: tuple[float, ...] | None) -> str:
    ours = (
        f"{scores.answers} {scores.precision:.4f} {scores.recall:.4f} {scores.accuracy:.4f} "
        f"{scores.micro_f1:.4f} {scores.macro_f1:.4f} Hits@1 {scores.hits_at_1:.4f}"
    )
    theirs = " ".join(str(v) for v in paper) if paper else "-"
    return f"{name} | {ours} | paper {theirs}"


def _table_5(
    kb: ClinicalKB,
    train: Sequence[Question],
    dev: Sequence[Question],
    test: Sequence[Question],
    size: Size,
    say: Say,
) -> dict[str, float]:
    """Every row of Table 5, trained as published."""
    got: dict[str, float] = {}
    if not size.rows:
        return got
    started = time.perf_counter()
    aspects = Aspects(kb)
    examples = [aspects.example(q, grow=True) for q in train]
    held = [aspects.example(q) for q in dev]
    tested = [aspects.example(q) for q in test]
    counts = [len(e.found) for e in (*examples, *held, *tested)]
    say(
        f"candidates: min/max/mean {min(counts)}/{max(counts)}/{sum(counts) / len(counts):.0f} "
        f"(paper: 2/8,686/402), {time.perf_counter() - started:.0f} s"
    )
    gold = [q.entities for q in test]
    say("Table 5: # answers, precision, recall, accuracy, micro-F1, macro-F1")
    for name in size.rows:
        method, _, variant = name.partition(" ")
        kind: type[EmbeddingAnswerer] = AAR if method == "AAR" else SGEmb
        model = kind(kb, variant=variant, epochs=size.epochs)
        measures = model.fit(
            train, prepared=(aspects, examples, held), seed=size.seed, progress=say
        )
        predicted = [model.predict(q, example=e) for q, e in zip(test, tested, strict=True)]
        scores = measure(predicted, gold)
        say(_row(name, scores, PAPER_TABLE_5[name]))
        say(
            f"  trained in {measures['seconds']:.0f} s, "
            f"{measures['examples_a_second']:.0f} examples a second"
        )
        got[f"{name} accuracy"], got[f"{name} micro-F1"] = scores.accuracy, scores.micro_f1
        got[f"{name} seconds"] = measures["seconds"]
    if {"AAR type & path", "AAR path", "AAR type"} <= set(size.rows):
        variants = [n for n in size.rows if n.startswith("AAR")]
        best = max(variants, key=lambda n: got[f"{n} micro-F1"])
        got["type & path is best of AAR"] = float(best == "AAR type & path")
        got["path above type"] = got["AAR path micro-F1"] - got["AAR type micro-F1"]
    if {"AAR full", "SGEmb full"} <= set(size.rows):
        got["AAR full above SGEmb full"] = got["AAR full micro-F1"] - got["SGEmb full micro-F1"]
    return got


def trained_reader(
    kb: ClinicalKB,
    train: Sequence[Question],
    dev: Sequence[Question],
    *,
    seed: int,
    templates: Sequence[Template],
) -> ReaderAnswerer:
    reader = ReaderAnswerer(kb)
    absent = [text for text, _ in unanswerable(kb, templates, max(20, len(dev)), seed=seed + 1)]
    reader.fit(train, dev=dev, seed=seed, unanswerable=absent)
    return reader


def ask_all(reader: ReaderAnswerer, asked: Sequence[Question]) -> tuple[Scores, float]:
    """Measures over questions, and the median time of one in milliseconds."""
    predicted, times = [], []
    for question in asked:
        started = time.perf_counter()
        predicted.append(reader.ask(question.question).entities)
        times.append(time.perf_counter() - started)
    times.sort()
    return measure(predicted, [q.entities for q in asked]), 1000 * times[
        len(times) // 2
    ] if times else 0.0


def _templates(kb: ClinicalKB, topics: Sequence[str] = tuple(PAPER_TABLE_3)) -> list[Template]:
    return [t for topic in topics for t in answerable(kb, read_templates(topic))]


def _default(
    kb: ClinicalKB,
    train: Sequence[Question],
    dev: Sequence[Question],
    test: Sequence[Question],
    size: Size,
    data: Path,
    say: Say,
) -> dict[str, float]:
    """The default answerer on the test split, its refusals, Table 1."""
    untrained = ReaderAnswerer(kb)
    zero, _ = ask_all(untrained, test[: max(1, len(test) // 4)])
    say(_row("default, untrained", zero, None))
    reader = trained_reader(kb, train, dev, seed=size.seed, templates=_templates(kb))
    reader.warm()
    scores, median = ask_all(reader, test)
    say(_row("default, trained", scores, PAPER_TABLE_5["AAR type & path"]))
    say(f"one question over {len(kb.triples):,} triples: median {median:.1f} ms")
    absent = unanswerable(kb, _templates(kb), max(50, len(test) // 4), seed=size.seed + 7)
    refused = {
        kind: [reader.ask(t).refused for t, k in absent if k == kind]
        for kind in ("patient", "fact")
    }
    for kind, marks in refused.items():
        say(f"unanswerable, {kind} absent: {sum(marks)} of {len(marks)} refused")
    got = {
        "untrained accuracy": zero.accuracy,
        "accuracy": scores.accuracy,
        "micro-F1": scores.micro_f1,
        "macro-F1": scores.macro_f1,
        "answerable refused": scores.refused,
        "unanswerable refused": sum(map(sum, refused.values())) / max(1, len(absent)),
        "median milliseconds": median,
    }
    got |= _ehrsql(reader, data / "ehrsql" / "questions.jsonl.gz", size, say)
    say("Table 1: notes, tables, knowledge base (paper); answered here")
    for name, paper, query in PAPER_TABLE_1:
        some = [q for q in test if q.query == query][:20]
        right = sum(set(reader.ask(q.question).entities) == set(q.entities) for q in some)
        say(f"{name} | {paper} | {right} of {len(some)}")
    return got


def _ehrsql(reader: ReaderAnswerer, path: Path, size: Size, say: Say) -> dict[str, float]:
    """Questions that hospital staff asked and tables could not answer; as they are, and with a
    known patient."""
    if not path.is_file():
        return {}
    rng = Random(size.seed)  # noqa: S311
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    asked = [r["question"] for r in rows if r["is_impossible"]]
    asked = asked[: max(50, round(len(asked) * min(1.0, size.questions)))]
    patients = [reader.kb.names[n] for n in reader.kb.patients.tolist()]
    result = {}
    for name, change in (("as asked", False), ("about known patients", True)):
        texts = (
            [re.sub(r"(?<=patient )\d+", lambda _: rng.choice(patients), t) for t in asked]
            if change
            else asked
        )
        share = sum(reader.ask(t).refused for t in texts) / max(1, len(texts))
        say(f"ehrsql unanswerable, {name}: {share:.3f} of {len(texts)} refused")
        result[f"ehrsql refused, {name}"] = share
    return result


def _held_out(kb: ClinicalKB, found: Sequence[Question], size: Size, say: Say) -> dict[str, float]:
    """Templates, patients, topics that training never saw; relations renamed."""
    got: dict[str, float] = {}
    rng = Random(size.seed + 3)  # noqa: S311
    ids = sorted({q.template for q in found})
    held_templates = set(rng.sample(ids, len(ids) // 5))
    people = sorted({p for q in found for p in q.patients})
    held_people = set(rng.sample(people, max(1, len(people) // 5)))
    splits: dict[str, Callable[[Question], bool]] = {
        "held-out templates": lambda q: q.template in held_templates,
        "held-out patients": lambda q: bool(held_people.intersection(q.patients)),
        "held-out topics": lambda q: q.topic in HELD_TOPICS,
    }
    for name, is_held in splits.items():
        rest = [q for q in found if not is_held(q)]
        test = [q for q in found if is_held(q)][: size.test]
        cut = max(1, min(size.dev, len(rest) // 6))
        seen = {q.topic for q in rest}
        reader = trained_reader(
            kb,
            rest[cut : cut + size.train],
            rest[:cut],
            seed=size.seed,
            templates=_templates(kb, sorted(seen)),
        )
        scores, _ = ask_all(reader, test)
        say(_row(f"default, {name} ({len(test)} questions)", scores, None))
        got[f"{name} accuracy"], got[f"{name} refused"] = scores.accuracy, scores.refused
    other = renamed(kb)
    cut = max(1, min(size.dev, len(found) // 6))
    reader = trained_reader(
        kb, found[cut : cut + size.train], found[:cut], seed=size.seed, templates=_templates(kb)
    )
    moved = ReaderAnswerer(other, scorer=reader.scorer)
    scores, _ = ask_all(moved, found[-max(1, size.test // 2) :])
    say(_row("default, relations renamed", scores, None))
    got["relations renamed accuracy"] = scores.accuracy
    return got


def _fhir(folder: Path, size: Size, say: Say) -> dict[str, float]:
    """Part 2: the same on FHIR (Synthea)."""
    kb = ClinicalKB.read(folder, format="fhir-tables")
    templates = read_templates("fhir")
    found = list(questions(kb, templates, limit=max(4, round(40 * size.questions)), seed=size.seed))
    Random(size.seed).shuffle(found)  # noqa: S311
    cut = len(found) * 6 // 10
    dev, test = found[cut : cut + len(found) // 10], found[cut + len(found) // 10 :]
    zero, _ = ask_all(ReaderAnswerer(kb), test)
    reader = trained_reader(kb, found[:cut], dev, seed=size.seed, templates=templates)
    scores, _ = ask_all(reader, test)
    say(
        f"FHIR: {len(kb.patients)} patients, {len(kb.triples):,} triples, {len(test)} "
        f"test questions"
    )
    say(_row("default on FHIR, untrained", zero, None))
    say(_row("default on FHIR, trained", scores, None))
    return {
        "fhir untrained accuracy": zero.accuracy,
        "fhir accuracy": scores.accuracy,
        "fhir micro-F1": scores.micro_f1,
    }
