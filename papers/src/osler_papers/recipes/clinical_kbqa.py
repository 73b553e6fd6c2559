"""Questions over a clinical knowledge base: the paper's tables on simulated records, then beyond
them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from osler.ask.reader import ReaderAnswerer
from osler.ask.reading.scorer import Row, Scorer, starting_weights
from osler.measures.calibration import expected_calibration_error
from osler.records.kb import ClinicalKB, merge
from osler.records.making import answerable, question_set, statistics_lines
from osler.records.questions import Question, unanswerable
from osler.records.statistics import PAPER_TABLE_3, table_3
from osler.records.templates import Template, read_templates
from osler_papers.ask.measure import Scores, measure
from osler_papers.recipes.clinical_absent import about_known, ehrsql_absent, off_the_record
from osler_papers.recipes.clinical_rows import PAPER_TABLE_5, Rows, row_line, table_5
from osler_papers.recipes.clinical_sql_ward import ward
from osler_papers.renaming import renamed
from osler_papers.simulator import WRITERS, simulate

Say = Callable[[str], None]

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
    rows = Rows(
        kb,
        train,
        dev,
        test,
        epochs=size.epochs,
        seed=size.seed,
        kept=out / "rows",
        say=say,
    )
    got |= table_5(rows, size.rows)
    shared = Shared(kb, found)
    got |= _default(shared, train, dev, test, size, data, say)
    got |= _held_out(shared, found, size, say)
    if (data / "mimicsql" / "questions.jsonl.gz").is_file():
        got |= _sql_ward(data, size, say)
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


class Shared:
    """The questions, read once for all of the trainings that learn from some of them."""

    def __init__(self, kb: ClinicalKB, found: Sequence[Question]) -> None:
        self.kb = kb
        self.found = found
        self._rows: dict[str, Row] = {}

    def fresh(self) -> ReaderAnswerer:
        """A reader that nothing was learned for: weights by judgement, none of the package's."""
        return ReaderAnswerer(self.kb, scorer=Scorer(starting_weights()))

    def rows(self, questions: Sequence[Question], say: Say) -> list[Row]:
        missing = [q for q in questions if q.question not in self._rows]
        made = self.fresh().rows(missing, progress=say)
        self._rows |= {q.question: row for q, row in zip(missing, made, strict=True)}
        return [self._rows[q.question] for q in questions]

    def trained(
        self,
        train: Sequence[Question],
        dev: Sequence[Question],
        *,
        seed: int,
        templates: Sequence[Template],
        say: Say,
    ) -> ReaderAnswerer:
        reader = self.fresh()
        absent = absent_questions(self.kb, templates, max(20, len(dev) // 2), seed=seed + 1)
        reader.fit(train, dev=dev, seed=seed, unanswerable=absent, rows=self.rows(train, say))
        return reader


def absent_questions(
    kb: ClinicalKB, templates: Sequence[Template], count: int, *, seed: int
) -> list[str]:
    """Questions without an answer to calibrate on: absent facts, and what no record holds."""
    rng = Random(seed)  # noqa: S311
    people = [kb.names[n] for n in kb.patients.tolist()]
    found = [text for text, _ in unanswerable(kb, templates, count, seed=seed)]
    return [*found, *off_the_record(people, rng, count=count // 4)]


@dataclass
class Answered:
    """What came of a list of questions: entities, whether right, how sure, how long each took."""

    predicted: list[list[str]] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    confidences: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    gold: list[list[str]] = field(default_factory=list)

    @property
    def scores(self) -> Scores:
        return measure(self.predicted, self.gold)

    @property
    def median(self) -> float:
        """Milliseconds."""
        return 1000 * sorted(self.times)[len(self.times) // 2] if self.times else 0.0

    def calibration(self, *others: Answered) -> float:
        """The expected calibration error over all answers that were given."""
        parts = (self, *others)
        sure = [
            c for part in parts for c, p in zip(part.confidences, part.predicted, strict=True) if p
        ]
        right = [r for part in parts for r, p in zip(part.right, part.predicted, strict=True) if p]
        return expected_calibration_error(sure, right) if sure else 0.0


def ask_all(reader: ReaderAnswerer, asked: Sequence[Question]) -> Answered:
    result = Answered()
    for question in asked:
        started = time.perf_counter()
        answer = reader.ask(question.question)
        result.times.append(time.perf_counter() - started)
        result.predicted.append(answer.entities)
        result.gold.append(question.entities)
        result.right.append(set(answer.entities) == set(question.entities))
        result.confidences.append(answer.confidence)
    return result


def ask_absent(reader: ReaderAnswerer, texts: Sequence[str]) -> Answered:
    """Questions without an answer: nothing that is given is right."""
    return ask_all(reader, [Question(id=str(at), question=t) for at, t in enumerate(texts)])


def _templates(kb: ClinicalKB, topics: Sequence[str] = tuple(PAPER_TABLE_3)) -> list[Template]:
    return [t for topic in topics for t in answerable(kb, read_templates(topic))]


def _default(
    shared: Shared,
    train: Sequence[Question],
    dev: Sequence[Question],
    test: Sequence[Question],
    size: Size,
    data: Path,
    say: Say,
) -> dict[str, float]:
    """The default answerer on the test split, its refusals and confidence, Table 1."""
    kb = shared.kb
    zero = ask_all(ReaderAnswerer(kb), test[: max(1, len(test) // 4)])
    say(row_line("default, untrained", zero.scores, None))
    started = time.perf_counter()
    reader = shared.trained(train, dev, seed=size.seed, templates=_templates(kb), say=say)
    reader.warm()
    say(
        f"  default trained in {time.perf_counter() - started:.0f} s, "
        f"{len(train) / (time.perf_counter() - started):.0f} examples a second"
    )
    done = ask_all(reader, test)
    scores = done.scores
    say(row_line("default, trained", scores, PAPER_TABLE_5["AAR type & path"]))
    say(f"one question over {len(kb.triples):,} triples: median {done.median:.1f} ms")
    got = {
        "untrained accuracy": zero.scores.accuracy,
        "accuracy": scores.accuracy,
        "micro-F1": scores.micro_f1,
        "macro-F1": scores.macro_f1,
        "answerable refused": scores.refused,
        "median milliseconds": done.median,
        "calibration error": done.calibration(),
    }
    absent = unanswerable(kb, _templates(kb), max(50, len(test) // 4), seed=size.seed + 7)
    refusals = ask_absent(reader, [text for text, _ in absent])
    for kind in ("patient", "fact"):
        marks = [not p for p, (_, k) in zip(refusals.predicted, absent, strict=True) if k == kind]
        say(f"unanswerable, {kind} absent: {sum(marks)} of {len(marks)} refused")
        got[f"unanswerable refused, {kind} absent"] = sum(marks) / max(1, len(marks))
    got["unanswerable refused"] = refusals.scores.refused
    got["calibration error, with unanswerable"] = done.calibration(refusals)
    say(
        f"calibration error of the confidence: {got['calibration error']:.3f} on the test split, "
        f"{got['calibration error, with unanswerable']:.3f} with questions without an answer"
    )
    got |= _ehrsql(reader, data, size, say)
    say("Table 1: notes, tables, knowledge base (paper); answered here")
    for name, paper, query in PAPER_TABLE_1:
        some = [right for right, q in zip(done.right, test, strict=True) if q.query == query][:20]
        say(f"{name} | {paper} | {sum(some)} of {len(some)}")
    return got


def _ehrsql(reader: ReaderAnswerer, data: Path, size: Size, say: Say) -> dict[str, float]:
    """Questions that hospital staff asked and tables could not answer; as they are, and with a
    known patient."""
    asked = ehrsql_absent(data, learn=False)
    asked = asked[: max(50, round(len(asked) * min(1.0, size.questions)))]
    if not asked:
        return {}
    people = [reader.kb.names[n] for n in reader.kb.patients.tolist()]
    rng = Random(size.seed)  # noqa: S311
    result = {}
    for name, texts in (
        ("as asked", asked),
        ("about known patients", about_known(asked, people, rng)),
    ):
        share = ask_absent(reader, texts).scores.refused
        say(f"ehrsql unanswerable, {name}: {share:.3f} of {len(texts)} refused")
        result[f"ehrsql refused, {name}"] = share
    return result


def _held_out(shared: Shared, found: Sequence[Question], size: Size, say: Say) -> dict[str, float]:
    """Templates, patients, topics that training never saw; relations renamed."""
    kb = shared.kb
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
        "relations renamed": lambda q: False,
    }
    for name, is_held in splits.items():
        rest = [q for q in found if not is_held(q)]
        cut = max(1, min(size.dev, len(rest) // 6))
        train = rest[cut : cut + size.train]
        test = [q for q in found if is_held(q)][: size.test]
        seen = sorted({q.topic for q in train})
        reader = shared.trained(
            train, rest[:cut], seed=size.seed, templates=_templates(kb, seen), say=say
        )
        if name == "relations renamed":
            test = rest[cut + size.train :][: size.test]
            reader = ReaderAnswerer(renamed(kb), scorer=reader.scorer)
        done = ask_all(reader, test)
        scores = done.scores
        say(row_line(f"default, {name} ({len(test)} questions)", scores, None))
        error = done.calibration()
        say(f"  refused {scores.refused:.3f}, calibration error {error:.3f}")
        got[f"{name} accuracy"], got[f"{name} refused"] = scores.accuracy, scores.refused
        got[f"{name} calibration error"] = error
    return got


def _sql_ward(data: Path, size: Size, say: Say) -> dict[str, float]:
    """Questions that people worded, over relation names of another house, without training."""
    kb, asked = ward(data / "mimicsql" / "questions.jsonl.gz")
    tested = [a for a in asked if not a.learn]
    tested = tested[: max(30, round(len(tested) * min(1.0, size.questions)))]
    reader = ReaderAnswerer(kb)
    right, refused, sure, marks = 0, 0, [], []
    for one in tested:
        answer = reader.ask(one.question)
        good = one.right(answer.answers, answer.entities)
        right, refused = right + good, refused + answer.refused
        if not answer.refused:
            sure.append(answer.confidence)
            marks.append(good)
    people = [kb.names[n] for n in kb.patients.tolist()]
    absent = about_known(ehrsql_absent(data, learn=False), people, Random(size.seed))  # noqa: S311
    absent = absent[: max(30, round(len(absent) * min(1.0, size.questions)))]
    kept_back = ask_absent(reader, absent).scores.refused if absent else 0.0
    error = expected_calibration_error(sure, marks) if sure else 0.0
    say(
        f"mimicsql's wording, untrained: {right} of {len(tested)} right, {refused} refused, "
        f"calibration error {error:.3f}; ehrsql's unanswerable there: {kept_back:.3f} refused"
    )
    return {
        "mimicsql untrained accuracy": right / max(1, len(tested)),
        "mimicsql refused": refused / max(1, len(tested)),
        "mimicsql calibration error": error,
        "mimicsql ehrsql refused": kept_back,
    }
