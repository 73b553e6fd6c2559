"""Judging by hand: a pool of several runs' best papers, three annotators, the paper's rule.

Appendix A.2.3 pools the top 5 of every run. Appendix A.2.2: a label stands when two annotators or
more give it and the third gives none that conflicts with it; H conflicts with M, F with M, and I
with all others. What conflicts is discussed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from osler.errors import FieldError, InputError, StorageError
from osler.files.source import Source
from osler.grade.scale import GRADES
from osler.kinds import Run
from osler.measures.agreement import cohen_kappa

TOP = 5
ANNOTATORS = ("first", "second", "third")
COLUMNS = ("head", "relation", "tail", "paper", "title", "sentence", *ANNOTATORS)
CONFLICTS = frozenset(
    frozenset(pair) for pair in (("H", "M"), ("F", "M"), ("I", "H"), ("I", "F"), ("I", "M"))
)


Triple3 = tuple[str, str, str]
"""A fact by the words of its head, its relation and its tail."""


class Task(msgspec.Struct, kw_only=True):
    """One paper to judge for one fact, with what the annotators have said so far."""

    head: str
    relation: str
    tail: str
    paper: str
    title: str = ""
    sentence: str = ""
    marks: dict[str, str] = {}


class Verdict(msgspec.Struct, frozen=True):
    """``label`` None: the annotators have to talk; ``why`` says about what."""

    label: str | None
    why: str = ""


class Outcome(msgspec.Struct, frozen=True):
    """All verdicts, in the tasks' order; kappa of each two annotators."""

    verdicts: tuple[Verdict, ...]
    kappas: dict[str, float]

    @property
    def decided(self) -> int:
        return sum(verdict.label is not None for verdict in self.verdicts)


def pooled(runs: Mapping[str, Run], *, top: int = TOP) -> dict[str, list[str]]:
    """For each query the documents that any run has among its best ``top``, each once, by id (so
    that the order tells nothing of the runs)."""
    if top < 1:
        raise InputError("a pool takes at least one document of each run")
    pool: dict[str, set[str]] = {}
    for run in runs.values():
        for query, scores in run.items():
            best = sorted(scores, key=lambda id: (-scores[id], id))[:top]
            pool.setdefault(query, set()).update(best)
    return {query: sorted(pool[query]) for query in sorted(pool)}


def verdict(marks: Sequence[str]) -> Verdict:
    """The label of one pair by the annotators' marks."""
    for mark in marks:
        if mark not in GRADES:
            raise FieldError(
                f"the mark {mark[:20]!r} is no grade", cure=f"marks: {', '.join(GRADES)}"
            )
    if len(marks) < 2:
        return Verdict(None, "too few marks")
    (label, count), *_ = sorted(Counter(marks).items(), key=lambda item: (-item[1], item[0]))
    if count < 2:
        return Verdict(None, "no two agree")
    for mark in marks:
        if frozenset((mark, label)) in CONFLICTS:
            return Verdict(None, f"{mark} conflicts with {label}")
    return Verdict(label)


def decide(tasks: Sequence[Task]) -> Outcome:
    """Verdicts over all tasks, and kappa of each two annotators over what both marked."""
    names = sorted({name for task in tasks for name in task.marks})
    kappas = {}
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            both = [
                (task.marks[one], task.marks[other])
                for task in tasks
                if one in task.marks and other in task.marks
            ]
            if both:
                kappas[f"{one} and {other}"] = cohen_kappa(*zip(*both, strict=True), labels=GRADES)
    verdicts = tuple(verdict([task.marks[name] for name in sorted(task.marks)]) for task in tasks)
    return Outcome(verdicts, kappas)


def write_tasks(path: str | Path, tasks: Sequence[Task], outcome: Outcome | None = None) -> None:
    """The judging list as a TSV: a column an annotator; with an outcome, label and why too."""
    names = list(dict.fromkeys([*ANNOTATORS, *(n for task in tasks for n in task.marks)]))
    heads = [*COLUMNS[:6], *names, *(["label", "why"] if outcome else [])]
    lines = ["\t".join(heads)]
    for number, task in enumerate(tasks):
        cells = [task.head, task.relation, task.tail, task.paper, task.title, task.sentence]
        cells += [task.marks.get(name, "") for name in names]
        if outcome:
            cells += [outcome.verdicts[number].label or "", outcome.verdicts[number].why]
        lines.append("\t".join(" ".join(cell.split()) for cell in cells))
    target = Path(path)
    temporary = target.with_name(f".{target.name}.part")
    try:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StorageError(f"{target} cannot be written: {error.strerror}") from None


def read_tasks(path: str | Path) -> list[Task]:
    """A judging list; columns after ``sentence`` (but label and why) are annotators."""
    name = Path(path).name
    header: list[str] | None = None
    tasks = []
    for number, line in Source(Path(path)).sure_lines():
        cells = [cell.strip() for cell in line.rstrip("\r\n").split("\t")]
        if header is None:
            header = cells
            missing = [column for column in COLUMNS[:4] if column not in header]
            if missing:
                raise FieldError(
                    f"{name} has no column {', '.join(missing)}", cure="make one: osler judge grade"
                )
            continue
        # Trailing blanks of a hand-made file are cells without a mark.
        cells += [""] * (len(header) - len(cells))
        if len(cells) != len(header):
            raise FieldError(
                f"{name} line {number} has {len(cells)} fields, expected {len(header)}"
            )
        row = dict(zip(header, cells, strict=True))
        marks = {}
        for column in header:
            if column in COLUMNS[:6] or column in ("label", "why") or not row[column]:
                continue
            mark = row[column].upper()
            if mark not in GRADES:
                raise FieldError(
                    f"{name} line {number}: {row[column][:20]!r} is no grade",
                    cure=f"marks: {', '.join(GRADES)}",
                )
            marks[column] = mark
        tasks.append(Task(**{c: row.get(c, "") for c in COLUMNS[:6]}, marks=marks))
    return tasks


def read_facts(path: str | Path) -> list[Triple3]:
    """Facts out of a TSV with the columns head, relation, tail."""
    name = Path(path).name
    header: list[str] | None = None
    facts = []
    for number, line in Source(Path(path)).sure_lines():
        cells = [cell.strip() for cell in line.rstrip("\r\n").split("\t")]
        if header is None:
            header = cells
            missing = [column for column in ("head", "relation", "tail") if column not in header]
            if missing:
                raise FieldError(f"{name} has no column {', '.join(missing)}")
            continue
        if len(cells) != len(header):
            raise FieldError(
                f"{name} line {number} has {len(cells)} fields, expected {len(header)}"
            )
        row = dict(zip(header, cells, strict=True))
        facts.append((row["head"], row["relation"], row["tail"]))
    if not facts:
        raise InputError(f"{name} holds no fact")
    return facts
