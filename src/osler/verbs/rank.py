"""``rank``: papers by relevance to a topic, learned from marked ones, each with its best sentence.

What teaches, in this order: the examples of the request, the marks that the library keeps for the
topic, a model that was trained for the topic in this library, the topic's own words.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Meta

from osler.errors import InputError, NeedsError, UnknownId
from osler.kinds import Ranking
from osler.rank.desk.recall import FoundSoFar
from osler.rank.examples import same_topic
from osler.rank.job import BY_MARKS, DEFAULT, best_sentence, rank_topic, sentence_ranker
from osler.rank.labels import Label
from osler.rank.models import PAPERS, SENTENCES, load_ranker, load_sentence_ranker
from osler.rank.pool import Pool
from osler.rank.progress import reading
from osler.rank.ranker import TopicRanker, rankers
from osler.rank.sentence_ranker import SentenceRanker
from osler.rank.topic import Topic
from osler.rank.trained import Trained
from osler.verbs.limits import Count, Text, VerbRequest, Words
from osler.verbs.marks import Marks, key_of, marks_of

if TYPE_CHECKING:
    from osler.library import Library

Encode = Callable[[Sequence[str]], npt.NDArray[np.float32]]
Say = Callable[[str], None]

MODEL = "rank"
"""Where a library keeps its rankers: LIB/models/rank/papers and LIB/models/rank/sentences."""
CANDIDATES = 1_500
"""Papers that are ranked for a topic: all of a small library, the nearest ones of a large one."""
LIKE = 200
"""Further candidates for each paper that was marked relevant."""


class RankRequest(VerbRequest, frozen=True, kw_only=True):
    """A topic. ``examples`` are marked papers; None takes the marks that the library keeps. Papers
    that were marked are left out unless ``seen``. ``candidates`` is how many papers of a large
    library are ranked; 0 ranks all."""

    topic: Words
    description: Text = ""
    examples: tuple[Label, ...] | None = None
    k: Count = 20
    seen: bool = False
    concepts: bool = False
    method: str | TopicRanker | None = None
    sentences: str | SentenceRanker | None = None
    candidates: Annotated[int, Meta(ge=0)] = CANDIDATES
    seed: int = 0
    without_model: bool = False


class Progress(msgspec.Struct, kw_only=True):
    """How far a reviewer has come, over all papers of the library. ``low`` and ``high`` bound
    ``recall`` at 95 %; ``words`` says it in a line. ``p`` is the chance of what was read lately,
    were recall below 95 %; below 0.05 reading may ``stop``."""

    read: int
    total: int
    found: int
    recall: float
    low: float
    high: float
    missed_at_most: int
    p: float
    stop: bool
    words: str

    @classmethod
    def of(cls, so_far: FoundSoFar, *, p: float, stop: bool) -> Progress:
        return cls(
            read=so_far.read,
            total=so_far.total,
            found=so_far.found,
            recall=so_far.estimate,
            low=so_far.low,
            high=so_far.high,
            missed_at_most=so_far.missed_at_most,
            p=p,
            stop=stop,
            words=so_far.words,
        )


class TopicRanking(Ranking, kw_only=True, omit_defaults=True):
    """Papers for a topic; ``marks`` are those that the library keeps, ``progress`` says how far
    reading has come where papers were marked both ways."""

    marks: dict[str, int] = {}
    progress: Progress | None = None


def _quiet(_: str) -> None:
    return


def rank(library: Library, request: RankRequest, *, say: Say = _quiet) -> TopicRanking:
    """The best papers for a topic. The last ranking is kept: the page is shown right after the
    events that told of it, and need not be learned twice."""
    marks = marks_of(library, request.topic)
    stamp = (
        request,
        tuple(marks.grades.items()),
        library.stamp("documents"),
        library.vector_stamp(),
        library.models.stamp(MODEL),
    )
    kept = library.keep("ranked", stamp, lambda: _rank(library, request, marks, say))
    return msgspec.structs.replace(kept, hits=list(kept.hits), notes=list(kept.notes))


def _rank(library: Library, request: RankRequest, marks: Marks, say: Say) -> TopicRanking:
    labels = list(request.examples) if request.examples is not None else marks.labels
    grades = {label.document: int(label.relevant) for label in labels}
    papers = pool(library, request, Marks(grades), say)
    topic = Topic(" ".join(request.topic.split()), description=request.description)
    ranker, model, notes = _ranker(library, request, topic, labels)
    ranker = _at_desk(library, papers, ranker, topic, labels, default=request.method is None)
    finder, finder_model = _finder(library, request, topic, papers, labels)
    say("learning from the marks" if labels else "ranking by the topic's words")
    ranking = rank_topic(
        papers,
        topic,
        labels,
        method=ranker,
        sentences=finder,
        encode=encode_of(library),
        k=request.k,
        seen=request.seen,
        seed=request.seed,
        progress=say,
    )
    notes += ranking.notes
    if len(papers) < len(library):
        notes.append(f"ranked among the {len(papers):,} papers that are nearest to the topic")
    return TopicRanking(
        query=request.topic,
        hits=ranking.hits,
        method=ranking.method,
        model=model or finder_model,
        total=ranking.total,
        notes=notes,
        marks=marks.grades,
        progress=_progress(library, topic, labels),
    )


# -- which model -----------------------------------------------------------------------------------


def _ranker(
    library: Library, request: RankRequest, topic: Topic, labels: Sequence[Label]
) -> tuple[str | TopicRanker, str, list[str]]:
    """What orders the papers, the name of the model at work, and what to say of it."""
    if request.method is not None:
        return request.method, "", []
    model = library.models.choose(f"{MODEL}/{PAPERS}", without=request.without_model)
    if not model:
        return DEFAULT, "", []
    trained = _loaded(library, model, load_ranker)
    if topic.key not in {known.key for known in trained.topics}:
        return DEFAULT, "", []
    if labels:
        taught = "the examples" if request.examples is not None else "the marks kept for the topic"
        return DEFAULT, "", [f"learned from {taught}, not from the library's trained model"]
    return Trained(trained), model, []


def _at_desk(
    library: Library,
    papers: Pool,
    ranker: str | TopicRanker,
    topic: Topic,
    labels: Sequence[Label],
    *,
    default: bool,
) -> str | TopicRanker:
    """ELAS where it is asked for, or where nothing else is and papers are marked both ways. The
    papers that it has read are kept, so that an order after a mark comes at once."""
    if default and ranker == DEFAULT:
        held = set(papers.ids)
        kinds = {
            label.relevant
            for label in labels
            if label.document in held and same_topic(label, topic) and not label.sentence
        }
        ranker = BY_MARKS if len(kinds) == 2 else ranker
    if ranker != BY_MARKS:
        return ranker
    return library.keep("desk", id(papers), lambda: rankers.resolve(BY_MARKS).read(papers))


def _finder(
    library: Library,
    request: RankRequest,
    topic: Topic,
    papers: Pool,
    labels: Sequence[Label],
) -> tuple[SentenceRanker, str]:
    """What picks the sentence, and the name of its model. Without sentences that somebody chose it
    is the same for every mark, so it is kept."""
    chosen = any(label.sentence for label in labels)
    encode = encode_of(library)
    if request.sentences is None and not chosen:
        name = f"{MODEL}/{SENTENCES}"
        if model := library.models.choose(name, without=request.without_model):
            return _loaded(library, model, load_sentence_ranker), model

    def make() -> SentenceRanker:
        return sentence_ranker(papers, topic, labels, request.sentences, encode=encode)

    if chosen or request.sentences is not None:
        return make(), ""
    return library.keep("sentences", (topic.key, id(papers)), make), ""


def _loaded(library: Library, name: str, load: Callable[[Any], Any]) -> Any:
    place = library.models.place(name)
    return library.keep(f"model {name}", library.models.stamp(name), lambda: load(place))


# -- which papers ----------------------------------------------------------------------------------


def pool(library: Library, request: RankRequest, marks: Marks, say: Say = _quiet) -> Pool:
    """The papers to rank, with their vectors: those near the topic's words, and those like the
    papers marked relevant. Kept until papers change, or relevant marks have doubled."""
    relevant = [id for id, grade in marks.grades.items() if grade > 0]
    learned = relevant[: _power(len(relevant))]

    def make() -> Pool:
        say("gathering papers")
        ids = _candidates(library, request, learned, marks)
        return pool_of(library, ids, concepts=request.concepts)

    state = (library.stamp("documents"), library.vector_stamp(), request.concepts)
    whole = not request.candidates or len(library) <= request.candidates
    if whole:
        return library.keep("pool", state, make)
    stamp = (*state, request.candidates, key_of(request.topic), tuple(learned))
    papers = library.keep("pool", stamp, make)
    if set(marks.grades).issubset(papers.ids):
        return papers
    return library.keep("pool", (*stamp, tuple(marks.grades)), make)


def _power(number: int) -> int:
    """The largest power of two that a number reaches."""
    return 1 << (number.bit_length() - 1) if number else 0


def _candidates(
    library: Library, request: RankRequest, relevant: Sequence[str], marks: Marks
) -> list[str] | None:
    if not request.candidates or len(library) <= request.candidates:
        return None
    ids: dict[str, None] = {}
    for id in marks.grades:
        with contextlib.suppress(UnknownId):
            ids[library.document(id).id] = None
    texts = [(request.topic, request.candidates)]
    texts += [(library.document(id).title, LIKE) for id in relevant if id in ids]
    for text, k in texts:
        with contextlib.suppress(InputError):
            for hit in library.search(text, k=k, evidence=False, plain=True):
                ids[hit.id] = None
    return list(ids)


def pool_of(library: Library, ids: Sequence[str] | None = None, *, concepts: bool = False) -> Pool:
    """The library's papers with the vectors that it has, and their concepts if asked for."""
    documents = list(library.documents(ids))
    if ids is not None:
        # In the order asked for, each as often as asked for.
        known = {document.id: document for document in documents}
        documents = [known[id] for id in ids if id in known]
    vectors = None
    try:
        kept, matrix = library.vectors([document.id for document in documents])
    except NeedsError:
        kept = []
    if kept:
        places = {id: row for row, id in enumerate(kept)}
        vectors = np.zeros((len(documents), matrix.shape[1]), dtype=np.float32)
        for row, document in enumerate(documents):
            if document.id in places:
                vectors[row] = matrix[places[document.id]]
    named = library.concepts([document.id for document in documents]) if concepts else None
    return Pool(documents, vectors=vectors, concepts=named)


def encode_of(library: Library) -> Encode | None:
    """The library's encoder as a function, or None where it is not fetched."""
    try:
        encoder = library.encoder
    except NeedsError:
        return None
    return lambda texts: encoder.encode(list(texts))


def _progress(library: Library, topic: Topic, labels: Sequence[Label]) -> Progress | None:
    known = set()
    for label in labels:
        with contextlib.suppress(UnknownId):
            library.document(label.document)
            known.add(label.document)
    now = reading(labels, topic, len(library), known=known)
    return None if now is None else Progress.of(now.so_far, p=now.p, stop=now.stop)


# -- sentences alone -------------------------------------------------------------------------------


class TopicSentence(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The sentence of a paper that is most relevant to a topic; null where none is."""

    id: str
    title: str
    sentence: str | None = None
    start: int | None = None
    end: int | None = None
    score: float | None = None


def sentences(
    library: Library, request: RankRequest, ids: Sequence[str] = ()
) -> list[TopicSentence]:
    """The sentence of each paper that is most relevant to a topic; without ids, of the papers
    that a search for the topic's words finds."""
    wanted = list(ids)
    if not wanted:
        hits = library.search(request.topic, k=request.k, method="words", plain=True)
        wanted = [hit.id for hit in hits]
    documents = [library.document(id) for id in wanted]
    marks = marks_of(library, request.topic)
    labels = list(request.examples) if request.examples is not None else marks.labels
    papers = pool(library, request, marks)
    topic = Topic(" ".join(request.topic.split()), description=request.description)
    finder, _ = _finder(library, request, topic, papers, labels)
    encode = encode_of(library)
    listed = []
    for document in documents:
        best = best_sentence(finder, document, topic, encode=encode)
        one = TopicSentence(id=document.id, title=document.title)
        if best is not None:
            one.sentence, one.start, one.end = best.text, best.start, best.end
            one.score = best.score
        listed.append(one)
    return listed
