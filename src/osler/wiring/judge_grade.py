"""Pools of papers to judge for facts, out of a library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from osler.errors import FieldError, InputError
from osler.files.source import Source
from osler.grade.judging import Task, pooled
from osler.grade.pair import Pair
from osler.kinds import Run
from osler.wiring.grade import grade, resolved, with_headings

if TYPE_CHECKING:
    from osler.library import Library

Triple3 = tuple[str, str, str]


def read_facts(path: str | Path) -> list[Triple3]:
    """Facts out of a TSV with the columns head, relation, tail."""
    name = Path(path).name
    header: list[str] | None = None
    found = []
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
        found.append((row["head"], row["relation"], row["tail"]))
    if not found:
        raise InputError(f"{name} holds no fact")
    return found


def pooled_tasks(
    library: Library, facts: Sequence[Triple3], methods: Sequence[str], *, top: int
) -> list[Task]:
    """Each fact with the papers that any method has among its best ``top``."""
    from osler.grade.job import evidence

    runs: dict[str, Run] = {}
    for method in methods:
        run: Run = {}
        for number, (head, relation, tail) in enumerate(facts):
            if method == "words":
                text = f"{head} {relation} {tail}"
                found = library.search(text, k=top, method="words", evidence=False, plain=True)
            else:
                found = grade(library, head, relation, tail, k=top, method=method, explain=False)
            run[f"{number:06d}"] = {hit.id: hit.score for hit in found.hits}
        runs[method] = run
    tasks = []
    for query, ids in pooled(runs, top=top).items():
        head, relation, tail = facts[int(query)]
        fact = resolved(library, head, relation, tail, [])
        for document in library.documents(ids):
            sentence = evidence(Pair.of(fact, with_headings(document)), 0.0)
            tasks.append(
                Task(
                    head=head,
                    relation=relation,
                    tail=tail,
                    paper=document.id,
                    title=document.title,
                    sentence=sentence.text if sentence else "",
                )
            )
    return tasks
