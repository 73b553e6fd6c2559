"""Questions whose answer is known, put to libraries that hold it and to others: what the verdict is
taught by and measured on.

- pubmedqa, medquad: their questions, put to their own library ("own"), to it without the papers
  that answer ("without") and to the library of the other ("elsewhere");
- focus: what MedQuAD's questions are about, as a short phrase: its name, or a synonym of it;
- keywords: one or two keywords of a paper of the demo library, as its authors gave them; "without"
  every paper that names them. Where many papers do, those that are left may well answer by other
  words, and such lists are not taken as unanswered;
- questions by hand, put to the demo library.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from osler import Library
from osler.measures.trec import read_qrels, read_queries
from osler.retrieve.verdict import look, nearest_of
from osler.verbs.search import ranker_of

HERE = Path(__file__).parent
TAUGHT = ("pubmedqa", "medquad")
PHRASES = ("focus", "keywords")
MEASURED = ("nfcorpus", "cystic_fibrosis", "cranfield")
MOST = 60
"""Questions of a set, drawn by a seed."""
ANSWER = 3_000
"""Letters of an answer that are taken as its paper: as long as an abstract."""
FEW = 3
"""Papers that name a phrase, at most, for a library without them not to answer it."""


class List(NamedTuple):
    """What is seen of a list: of each paper that is looked at, what the model reads, and for the
    dumb rows the best BM25 score and the best cosine of all papers."""

    papers: list[dict[str, float]]
    words: float
    cosine: float


class Row(NamedTuple):
    """One question put to one library."""

    set: str
    kind: str
    answerable: bool
    papers: list[dict[str, float]]
    words: float
    cosine: float


def texts_of(name: str, data: Path) -> tuple[dict[str, str], dict[str, str], dict[str, set[str]]]:
    """Papers of a taught set, its questions, and which papers answer each."""
    papers: dict[str, str] = {}
    questions: dict[str, str] = {}
    file = {"pubmedqa": "questions.jsonl.gz", "medquad": "qa.jsonl.gz"}[name]
    with gzip.open(data / name / file, "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    if name == "medquad":
        random.Random(1).shuffle(entries)
    foci: set[str] = set()
    for entry in entries:
        if name == "pubmedqa":
            papers[entry["_id"]] = " ".join([*entry["contexts"], entry["long_answer"]])
        elif entry["focus"].lower() in foci or not entry["answer"].strip() or len(papers) >= 900:
            continue
        else:
            foci.add(entry["focus"].lower())
            papers[entry["_id"]] = entry["answer"][:ANSWER]
        questions[entry["_id"]] = entry["question"]
    return papers, questions, {id: {id} for id in questions}


def questions_of(name: str, data: Path) -> tuple[dict[str, str], dict[str, set[str]]]:
    """The questions of a set and the papers that are relevant to each."""
    if name in TAUGHT:
        _, questions, relevant = texts_of(name, data)
    else:
        questions = read_queries(data / name / "queries.jsonl")
        judged = read_qrels(data / name / "qrels.tsv")
        relevant = {
            id: {paper for paper, grade in judged.get(id, {}).items() if grade > 0}
            for id in questions
        }
    chosen = sorted(id for id in questions if relevant[id])
    random.Random(24).shuffle(chosen)
    return {id: questions[id] for id in chosen[:MOST]}, relevant


def library_of(name: str, data: Path, place: Path) -> Library:
    """The library of a set with vectors and MeSH, built on the first call."""
    if (place / "library.json").exists():
        return Library.open(place)
    library = Library.create(place)
    corpus = data / name / "corpus.jsonl.gz"
    if name in TAUGHT:
        corpus = place.with_suffix(".jsonl.gz")
        papers, _, _ = texts_of(name, data)
        with gzip.open(corpus, "wt", encoding="utf-8") as out:
            for id, text in papers.items():
                out.write(json.dumps({"_id": id, "title": "", "text": text}) + "\n")
    library.add([corpus])
    library.add([data / "mesh" / "descriptors.tsv.gz"], format="mesh")
    library.embed()
    return library


def looked_at(library: Library, text: str, *withouts: set[str]) -> list[List]:
    """What is seen of a question's list, with some papers taken as not there."""
    ranker, _ = ranker_of(library, None)
    lists = []
    searcher = library.searcher
    request = searcher.request(text, 1_000, None, plain=True)
    with library.truth.snapshot():
        view = searcher.view.for_question(text)
        fused = ranker.rank(request, view)
        rows = fused.rows[fused.order()].tolist()
        nearest = nearest_of(request, view)
        for without in withouts:
            left_out = {row for row, _ in view.documents.numbered(sorted(without)).values()}
            seen = look(text, rows, view, nearest=nearest, without=frozenset(left_out))
            kept = ~np.isin(fused.rows, sorted(left_out))
            words = float(fused.raw["words"][kept].max(initial=0.0))
            cosine = 0.0
            if nearest is not None:
                left = ~np.isin(nearest.rows, sorted(left_out))
                cosine = float(nearest.scores[left].max(initial=0.0))
            lists.append(List(seen.papers, words, cosine))
    return lists


def rows_of(name: str, asked: argparse.Namespace) -> Iterator[Row]:
    """A set's questions, put to its own library and to those of the others."""
    questions, relevant = questions_of(name, asked.data)
    others = [other for other in (TAUGHT if name in TAUGHT else MEASURED) if other != name]
    with library_of(name, asked.data, asked.libraries / name) as library:
        for id, text in questions.items():
            own, without = looked_at(library, text, set(), relevant[id])
            yield Row(name, "own", True, *own)
            yield Row(name, "without", False, *without)
    for other in others:
        with library_of(other, asked.data, asked.libraries / other) as library:
            for text in list(questions.values())[: MOST // 2]:
                (elsewhere,) = looked_at(library, text, set())
                yield Row(name, "elsewhere", False, *elsewhere)


def focus(asked: argparse.Namespace) -> Iterator[Row]:
    """What MedQuAD's questions are about, as short phrases, with the answer and without it."""
    papers, _, _ = texts_of("medquad", asked.data)
    with gzip.open(asked.data / "medquad" / "qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        entries = {entry["_id"]: entry for entry in map(json.loads, lines)}
    chosen = sorted(papers)
    random.Random(24).shuffle(chosen)
    with library_of("medquad", asked.data, asked.libraries / "medquad") as library:
        for number, id in enumerate(chosen[:MOST]):
            names = [name for name in entries[id]["synonyms"] if name.isascii() and len(name) > 4]
            phrase = names[0] if number % 2 and names else entries[id]["focus"]
            own, without = looked_at(library, phrase, set(), {id})
            yield Row("focus", "own", True, *own)
            yield Row("focus", "without", False, *without)


def keywords(asked: argparse.Namespace) -> Iterator[Row]:
    """Keywords of the demo library's papers, with the papers that name them and without."""
    draw = random.Random(24)
    with Library.open(asked.demo) as library:
        papers = sorted(library.documents(), key=lambda paper: paper.id)
        texts = {
            paper.id: f"{paper.text} {' '.join(paper.keywords)}".casefold() for paper in papers
        }
        keyed = [paper for paper in papers if len(paper.keywords) > 1 and len(paper.abstract) > 300]
        for number, paper in enumerate(draw.sample(keyed, MOST)):
            words = [word for word in paper.keywords if word.isascii() and 3 < len(word) < 40]
            words = draw.sample(words, min(len(words), 1 if number % 3 == 0 else 2))
            if not words:
                continue
            phrase = (" " if number % 3 == 1 else " and ").join(words)
            naming = {
                id for id, text in texts.items() if all(word.casefold() in text for word in words)
            }
            own, without = looked_at(library, phrase, set(), naming)
            yield Row("keywords", "own", True, *own)
            if len(naming) <= FEW:
                yield Row("keywords", "without", False, *without)


def by_hand(part: str, demo: Path) -> Iterator[Row]:
    """The questions written by hand, put to the demo library; ids have no need of a model."""
    with (HERE / "verdict_questions.tsv").open(encoding="utf-8") as lines:
        entries = [
            entry
            for entry in csv.DictReader(lines, delimiter="\t")
            if entry["part"] == part and entry["kind"] != "id"
        ]
    with Library.open(demo) as library:
        for entry in entries:
            (seen,) = looked_at(library, entry["question"], set())
            yield Row(part, entry["question"], entry["answerable"] == "yes", *seen)
