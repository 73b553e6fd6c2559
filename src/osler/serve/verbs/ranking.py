"""Ranking for a topic: marks are kept as qrels under the topic's name, and each one teaches."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from osler.errors import InputError, UnknownId
from osler.rank.job import best_sentence, rank_topic, sentence_ranker
from osler.rank.labels import Label
from osler.rank.progress import reading
from osler.rank.topic import Topic
from osler.serve.models import Judged, Progress, Ranked, TopicSentence, TopicSentences
from osler.serve.reader import Reader
from osler.wiring.rank import encode_of, pool_of

if TYPE_CHECKING:
    from osler.rank.pool import Pool
    from osler.rank.sentence_ranker import SentenceRanker

Say = Callable[[str], None]


def key_of(topic: str) -> str:
    """The id under which a topic's marks are kept: its words, however they are spelled."""
    return Topic(" ".join(topic.split())).key


class Marks(msgspec.Struct, frozen=True):
    """Grades by document, in the order in which they were given."""

    grades: dict[str, int]

    @property
    def labels(self) -> list[Label]:
        return [Label(document, grade > 0) for document, grade in self.grades.items()]


def marks_of(reader: Reader, topic: str) -> Marks:
    with reader.truth.snapshot() as connection:
        rows = connection.execute(
            "SELECT document, grade FROM judgements WHERE query = ? ORDER BY seq", (key_of(topic),)
        ).fetchall()
    return Marks(dict(rows))


def mark(reader: Reader, topic: str, grades: Mapping[str, int | None]) -> Judged:
    """Keep marks of papers that the library holds, under the topic's name; None takes a mark
    back."""
    known: dict[str, int | None] = {}
    for id, grade in grades.items():
        try:
            known[reader.document(id).id] = grade
        except UnknownId:
            if grade is not None:
                raise
            known[id] = None  # the mark may have outlived the paper
    key = key_of(topic)
    reader.judge({key: known}, {key: " ".join(topic.split())})
    return Judged(query=key, judgements=marks_of(reader, topic).grades)


def topics(reader: Reader, limit: int = 12) -> list[tuple[str, int]]:
    """Topics that have marks, those marked last first, with how many."""
    with reader.truth.snapshot() as connection:
        return connection.execute(
            "SELECT coalesce(queries.text, query), count(*) FROM judgements "
            "LEFT JOIN queries ON queries.id = query "
            "GROUP BY query ORDER BY max(judgements.seq) DESC LIMIT ?",
            (limit,),
        ).fetchall()


CANDIDATES = 1_500
"""Papers that are ranked for a topic: all of a small library, the nearest ones of a large one."""
LIKE = 200
"""Further candidates for each paper that was marked relevant."""


def pool(reader: Reader, topic: str, marks: Marks, say: Say) -> Pool:
    """The papers to rank, with their vectors: those near the topic's words, and those like the
    papers marked relevant. Kept until papers change, or relevant marks have doubled."""
    with reader.truth.snapshot() as connection:
        (last,) = connection.execute("SELECT coalesce(max(seq), 0) FROM documents").fetchone()
    relevant = [id for id, grade in marks.grades.items() if grade > 0]
    learned = relevant[: _power(len(relevant))]

    def make() -> Pool:
        say("gathering papers")
        return pool_of(reader, _candidates(reader, topic, learned, marks))

    stamp = (last, key_of(topic), tuple(learned))
    held = reader.shared.keep("pool", stamp, make)
    if set(marks.grades).issubset(held.ids):
        return held
    return reader.shared.keep("pool", (*stamp, tuple(marks.grades)), make)


def _power(number: int) -> int:
    """The largest power of two that a number reaches."""
    return 1 << (number.bit_length() - 1) if number else 0


def _candidates(
    reader: Reader, topic: str, relevant: Sequence[str], marks: Marks
) -> list[str] | None:
    if len(reader) <= CANDIDATES:
        return None
    found: dict[str, None] = {}
    for id in marks.grades:
        with contextlib.suppress(UnknownId):
            found[reader.document(id).id] = None
    texts = [(topic, CANDIDATES)]
    texts += [(reader.document(id).title, LIKE) for id in relevant if id in found]
    for text, k in texts:
        with contextlib.suppress(InputError):
            for hit in reader.search(text, k=k, evidence=False, plain=True):
                found[hit.id] = None
    return list(found)


def _quiet(_: str) -> None:
    return


def _finder(reader: Reader, topic: Topic, papers: Pool, labels: Sequence[Label]) -> SentenceRanker:
    """What picks the sentence. Without sentences that somebody chose it is the same for every
    mark, so it is kept."""
    chosen = any(label.sentence for label in labels)

    def make() -> SentenceRanker:
        return sentence_ranker(papers, topic, labels, None, encode=encode_of(reader))

    if chosen:
        return make()
    return reader.shared.keep("sentences", (topic.key, id(papers)), make)


def rank(
    reader: Reader,
    topic: str,
    *,
    k: int,
    labels: Sequence[Label] | None = None,
    description: str = "",
    seen: bool = False,
    say: Say = _quiet,
) -> Ranked:
    """The best papers for a topic, learned from ``labels`` or else from the marks kept for it."""
    marks = marks_of(reader, topic)
    if labels is not None:
        given = Marks({label.document: int(label.relevant) for label in labels})
        return _rank(reader, topic, given, labels, marks, k, description, seen, say)
    papers = pool(reader, topic, marks, say)
    stamp = (key_of(topic), id(papers), tuple(marks.grades.items()), k, seen)
    # The page is shown right after the events that told of it: it need not be learned twice.
    return reader.shared.keep(
        "ranked",
        stamp,
        lambda: _rank(reader, topic, marks, marks.labels, marks, k, description, seen, say),
    )


def _rank(
    reader: Reader,
    topic: str,
    given: Marks,
    labels: Sequence[Label],
    marks: Marks,
    k: int,
    description: str,
    seen: bool,
    say: Say,
) -> Ranked:
    papers = pool(reader, topic, given, say)
    held = set(papers.ids)
    examples = [label for label in labels if label.document in held]
    asked = Topic(" ".join(topic.split()), description=description)
    say("learning from the marks" if examples else "ranking by the topic's words")
    found = rank_topic(
        papers,
        asked,
        examples,
        sentences=_finder(reader, asked, papers, examples),
        encode=encode_of(reader),
        k=k,
        seen=seen,
        progress=say,
    )
    notes = list(found.notes)
    if len(papers) < len(reader):
        notes.append(f"ranked among the {len(papers):,} papers that are nearest to the topic")
    return Ranked(
        topic=topic,
        method=found.method,
        hits=found.hits,
        marks=marks.grades,
        progress=_progress(papers, asked, examples),
        notes=notes,
    )


def _progress(papers: Pool, topic: Topic, labels: Sequence[Label]) -> Progress | None:
    now = reading(papers, topic, labels) if labels else None
    if now is None:
        return None
    recall = now.recall
    return Progress(
        read=now.read,
        total=now.total,
        found=recall.found,
        recall=recall.estimate,
        low=recall.low,
        high=recall.high,
        stop=now.stop,
    )


def sentences(reader: Reader, topic: str, ids: Sequence[str]) -> TopicSentences:
    """The sentence of each paper that is most relevant to a topic."""
    wanted = list(ids) or [hit.id for hit in reader.search(topic, k=10, method="words", plain=True)]
    documents = [reader.document(id) for id in wanted]
    marks = marks_of(reader, topic)
    papers = pool(reader, topic, marks, _quiet)
    asked = Topic(" ".join(topic.split()))
    finder = _finder(reader, asked, papers, marks.labels)
    found = []
    for document in documents:
        best = best_sentence(finder, document, asked, encode=encode_of(reader))
        told = TopicSentence(id=document.id, title=document.title)
        if best is not None:
            told.sentence, told.start, told.end = best.text, best.start, best.end
            told.score = best.score
        found.append(told)
    return TopicSentences(topic=topic, sentences=found)


def judged(reader: Reader, query: str) -> Judged:
    """What was judged for a query, by its id or its words."""
    for key in (query, key_of(query)):
        found = reader.decisions.judgements([key])
        if found:
            return Judged(query=key, judgements=found[key])
    raise UnknownId("nothing was judged for this query", cure="judge some hits first")
