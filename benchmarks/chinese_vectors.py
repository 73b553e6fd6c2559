"""Chinese: papers by their titles and answers by their questions, by words and by vectors.

    python benchmarks/chinese_vectors.py DATA [--answers 2000] [--questions 400] [--encoder NAME]

``DATA`` holds csl_medicine and qa_zh_toyhom; the encoder comes by ``osler fetch bge-small-zh``.
Each title looks for its own abstract, each question for its own answer; nothing is trained. Whole
abstracts repeat their titles so well that words find nearly all of them first, and no method can be
told from another: how many titles are left to win is printed. So titles look for the second halves
of abstracts as well. Printed are nDCG@10 (a constant order beside, which knows nothing), the
difference of vectors to words, and the paired bootstrap's p-value after Holm's correction.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import msgspec

from osler import Document, Library
from osler.files.source import Source
from osler.kinds import Section
from osler.measures.comparison import compare

METHODS = ("words", "vectors", "hybrid")


def rows(path: Path) -> list[dict[str, str]]:
    return [msgspec.json.decode(line) for _, line in Source(path).lines() if line]


def titles_to_abstracts(data: Path) -> tuple[dict[str, str], dict[str, str]]:
    papers = [row for row in rows(data / "csl_medicine" / "corpus.jsonl") if row["text"]]
    return {p["_id"]: p["text"] for p in papers}, {p["_id"]: p["title"] for p in papers}


def second_halves(texts: dict[str, str]) -> dict[str, str]:
    """What stands behind the middle of each text, from the next sentence on."""
    halves = {}
    for id, text in texts.items():
        middle = len(text) // 2
        end = text.find("。", middle)
        halves[id] = text[end + 1 :] if 0 <= end < len(text) - 20 else text[middle:]
    return halves


def questions_to_answers(data: Path, answers: int, questions: int) -> tuple[dict[str, str], ...]:
    pairs = rows(data / "qa_zh_toyhom" / "qa.jsonl.gz")
    step = max(1, len(pairs) // answers)
    kept = pairs[::step][:answers]
    asked = kept[:: max(1, len(kept) // questions)][:questions]
    return {p["_id"]: p["answer"] for p in kept}, {p["_id"]: p["question"] for p in asked}


def measure(name: str, texts: dict[str, str], queries: dict[str, str], encoder: str) -> None:
    documents = [Document(id=id, sections=(Section(text),)) for id, text in texts.items()]
    with (
        tempfile.TemporaryDirectory() as folder,
        Library.create(Path(folder) / "library", encoder=encoder) as library,
    ):
        library.add_documents(documents)
        library.embed()
        runs = {m: library.search_many(queries, k=100, method=m) for m in METHODS}
    first = {id: 1 / (place + 1) for place, id in enumerate(sorted(texts)[:10])}
    runs["constant"] = dict.fromkeys(queries, first)
    table = compare({id: {id: 1} for id in queries}, runs, ("nDCG@10",), base="words")
    print(f"{name}: {len(texts)} texts, {len(queries)} questions")
    first_by_words = sum(max(run, key=run.get) == id for id, run in runs["words"].items() if run)
    print(f"  words put the right text first for all but {len(queries) - first_by_words}")
    tests = {one.run: one for one in table.comparisons}
    for method in runs:
        line = f"  {method:10} {table.means[method]['nDCG@10'].value:.4f}"
        if method in tests:
            test = tests[method]
            line += f"  {test.difference.mean:+.4f} to words, p {test.bootstrap_holm:.4f}"
        print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--answers", type=int, default=2000)
    parser.add_argument("--questions", type=int, default=400)
    parser.add_argument("--encoder", default="bge-small-zh")
    given = parser.parse_args()
    abstracts, titles = titles_to_abstracts(given.data)
    measure("csl_medicine, titles to abstracts", abstracts, titles, given.encoder)
    halves = second_halves(abstracts)
    measure("csl_medicine, titles to second halves", halves, titles, given.encoder)
    pairs = questions_to_answers(given.data, given.answers, given.questions)
    measure("toyhom, questions to answers", *pairs, given.encoder)


if __name__ == "__main__":
    main()
