"""Files that a person hands to a command: what reads each, its name, and one that is sound."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from osler.grade.judging import read_facts, read_tasks
from osler.grade.labels.checking import read_checks
from osler.grade.table import read_pairs
from osler.match.answers import read_answers
from osler.match.splits import read_lists
from osler.rank.labels import read_labels
from osler.records.questions import read_questions
from osler.retrieve.learned import LearnedWeights
from osler.text.word_vectors import WordVectors


def _weights(path: Path) -> LearnedWeights:
    return LearnedWeights.parse(path.read_bytes(), where=path.name)


HANDED: dict[str, tuple[Callable[[Path], object], str, bytes]] = {
    "answers, JSON lines": (read_answers, "a.jsonl", b'{"id": "1", "text": "rest"}\n'),
    "answers, table": (read_answers, "a.csv", b'id,answer\n1,"rest, and drink"\n2,aspirin\n'),
    "answers, text": (read_answers, "a.txt", "多喝水\nrest\n".encode()),
    "questions with candidates": (
        read_lists,
        "q.jsonl",
        b'{"id": 1, "question": "q", "candidates": [{"id": "a", "text": "rest"}], "true": "a"}\n',
    ),
    "questions with a query": (
        read_questions,
        "g.jsonl",
        b'{"id": "1", "question": "q", "answers": ["a"], "topic_entity": ["patient", "P1"]}\n',
    ),
    "marked papers": (
        read_labels,
        "l.tsv",
        b"document\tlabel\ttopic\tsentence\nd1\t1\tasthma\tIt helps.\nd2\t0\tasthma\t\n",
    ),
    "facts": (read_facts, "f.tsv", b"head\trelation\ttail\nasthma\ttreated with\tsalbutamol\n"),
    "papers and facts": (
        read_pairs,
        "p.tsv",
        b"head\trelation\ttail\ttitle\tabstract\tlabel\nasthma\ttreats\tx\tA title\tSome.\tII\n",
    ),
    "a judging list": (
        read_tasks,
        "t.tsv",
        b"paper\thead\trelation\ttail\ttitle\tsentence\tann\nd1\ta\tr\tb\tT\tS\tI\n",
    ),
    "checked clusters": (
        read_checks,
        "c.tsv",
        b"relation\tcluster\tsize\tdescribes\tguess\ttext\nr\t1\t3\t1\t1\tsome\n",
    ),
    "learned weights": (
        _weights,
        "w.json",
        LearnedWeights({"words": [0.5, 1, 0.1]}, agreements={"words vectors": 0.2}).json(),
    ),
    "word vectors": (WordVectors.load, "v.txt", b"2 3\nasthma 1 2 3\nfever 0.5 -1 0\n"),
}
