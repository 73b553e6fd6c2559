"""What a question costs, in processor time: cold from the command line, in its parts; and in a
library that stays open, when it is asked for the first time and when it is asked again.

    python benchmarks/question_time.py --library FOLDER [--against SRC] [--questions FILE]

``--against`` is the ``src`` of another checkout: both are measured in turns, on the same library
and the same questions. Bytecode is there before it counts, as it is where a package was installed.
``--questions`` are JSON lines with a ``text``; without it ten of the benchmark's own are asked.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from beside import Result, Table, json_option, write

HERE = "this checkout"
OWN = (
    "does vitamin D protect against COVID-19",
    "heart attack in young women",
    "machine learning to predict sepsis in intensive care",
    "kidney stones and diet",
    "statins and muscle pain",
    "breast cancer screening in older women",
    "antibiotic resistance in urinary tract infections",
    "depression after stroke",
    "telemedicine for diabetes",
    "gut microbiome and obesity",
)
METHODS = ("concepts", "hybrid", "words")
COLD = {
    "the whole, by concepts": (),
    "the whole, by words": ("--method", "words"),
}
Figures = dict[str, list[float]]


def parts(library: str) -> Figures:
    """The parts of a cold question, in the order in which a command comes to them. What a part
    imports is a part of it."""
    figures: Figures = {}
    last = time.process_time()
    figures["Python itself and this script"] = [last]

    def done(part: str) -> None:
        nonlocal last
        now = time.process_time()
        figures[part] = [now - last]
        last = now

    import osler.cli.main as command

    command.alone("search")
    done("the command line")
    from osler.library import Library
    from osler.verbs.search import ranker_of

    done("numpy, tantivy, our own modules")
    held = Library.open(library)
    done("opening the library")
    searcher = held.searcher
    ranker_of(held, None)
    done("the searcher and its ranker")
    with held.truth.snapshot():
        view = searcher.view.for_question(OWN[0])
        _ = view.knowledge
        done("graph, linker, concepts")
        _ = view.encoder
        done("the encoder's session")
        view.encode(OWN[0])
        done("the question's vector")
    held.search(OWN[0])
    done("the rest of the search, for the first time")
    held.search(OWN[0])
    figures["the same once more (not a part)"] = [time.process_time() - last]
    return figures


def warm(library: str, questions: list[str]) -> Figures:
    """Questions asked for the first time in an open library, and again."""
    from osler import Library

    figures: Figures = {}
    with Library.open(library) as held:
        for method in METHODS:
            for question in OWN:
                held.search(f"{question} today", method=method)
            for turn in ("for the first time", "again"):
                times = figures.setdefault(f"{method}, {turn}", [])
                for question in questions:
                    begun = time.process_time()
                    held.search(question, method=method, plain=True)
                    times.append(time.process_time() - begun)
    return figures


def child(work: str, source: Path, library: Path, questions: Path, bytecode: str) -> Figures:
    """The figures of one process with one checkout."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, "PYTHONPATH": str(source), "PYTHONPYCACHEPREFIX": bytecode}
    if work in COLD:
        asked = ["-m", "osler.cli.main", "search", str(library), OWN[0], *COLD[work]]
    else:
        asked = [__file__, "--library", str(library), "--questions", str(questions), "--work", work]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = subprocess.run(
        [sys.executable, *asked], env=environment, capture_output=True, text=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if work not in COLD:
        figures: Figures = json.loads(told.stdout)
        return figures
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {work: [took]}


def measured(sources: dict[str, Path], rounds: int, run: Callable[[Path], Figures]) -> Figures:
    """Figures by ``checkout: part``, each checkout once a round, the first one changing."""
    figures: Figures = {}
    names = list(sources)
    for turn in range(rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            for part, values in run(sources[name]).items():
                figures.setdefault(f"{name}: {part}", []).extend(values)
    return figures


def table(title: str, figures: Figures, names: list[str]) -> Table:
    listed = list(dict.fromkeys(each.partition(": ")[2] for each in figures))
    rows = []
    for part in listed:
        held = [figures.get(f"{name}: {part}", []) for name in names]
        rows.append([part, *(f"{statistics.median(each) * 1e3:.1f} ms" for each in held)])
    return Table(title=title, head=["processor time, median", *names], rows=rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--against", type=Path, help="the src of another checkout")
    parser.add_argument("--questions", type=Path, help="JSON lines with a text")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--work", choices=("parts", "warm"), help=argparse.SUPPRESS)
    json_option(parser)
    given = parser.parse_args()
    questions = list(OWN)
    if given.questions:
        lines = given.questions.read_text("utf-8").splitlines()
        questions = [json.loads(line)["text"] for line in lines if line.strip()]
    if given.work:
        library = str(given.library)
        print(json.dumps(parts(library) if given.work == "parts" else warm(library, questions)))
        return
    sources = {HERE: Path(__file__).parent.parent / "src"}
    if given.against:
        sources = {"before": given.against, **sources}
    tables = []
    with tempfile.TemporaryDirectory() as bytecode:
        asked = Path(bytecode) / "questions.jsonl"
        asked.write_text("\n".join(json.dumps({"text": each}) for each in questions), "utf-8")

        def runs(work: str) -> Callable[[Path], Figures]:
            return lambda source: child(work, source, given.library, asked, bytecode)

        for source in sources.values():
            for work in (*COLD, "parts"):
                runs(work)(source)  # bytecode, and the library in the system's memory
        cold: Figures = {}
        for work in (*COLD, "parts"):
            cold |= measured(sources, given.rounds, runs(work))
        tables.append(table("A cold question from the command line", cold, list(sources)))
        kept = measured(sources, max(1, given.rounds // 3), runs("warm"))
        title = f"{len(questions)} questions to a library that stays open, with evidence"
        tables.append(table(title, kept, list(sources)))
    for each in tables:
        print(f"\n{each.title}\n\n| {' | '.join(each.head)} |\n|{' --- |' * len(each.head)}")
        for row in each.rows:
            print(f"| {' | '.join(row)} |")
    write(Result(name="question_time", tables=tables), given.json)


if __name__ == "__main__":
    main()
