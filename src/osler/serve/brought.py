"""What a person brings to the one box of the home page: a paper's id, a fact, a patient's name, a
concept, a question, words. Each reading is an offer: the view that fits, and why.

Nothing is guessed beyond what the library holds: an id is one of its papers', a name one of its
patients' or of its concepts'. Whatever was typed can always be searched for among the papers.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from osler.claims.reading import Reading, read
from osler.claims.rules import parts
from osler.errors import NeedsError, OslerError, UnknownId
from osler.grade.biolink import PREDICATES
from osler.retrieve.known import identifier
from osler.retrieve.parse import is_structured
from osler.serve.page import document_link, link
from osler.serve.reader import Reader

STATED = ("signed", "relation", "difference")
"""What makes a sentence a fact: a direction, a relation, a difference."""
_QUESTION = frozenset(["what", "which", "who", "when", "where", "why", "how", "whose"])
_ASKING = frozenset(
    [
        "do",
        "does",
        "did",
        "is",
        "are",
        "was",
        "were",
        "can",
        "could",
        "should",
        "will",
        "would",
        "has",
        "have",
        "may",
    ]
)


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A view that fits what was brought. ``sent`` are fields of a form, for what belongs in no
    address; ``certain`` where nothing else can be meant."""

    view: str
    title: str
    why: str
    href: str
    sent: dict[str, str] = {}
    certain: bool = False


def offers(reader: Reader, text: str) -> list[Offer]:
    """The views that fit, the likeliest first. The papers are always among them."""
    text = " ".join(text.split())
    paper = _paper(reader, text)
    if paper is not None:
        return [paper]
    papers = Offer(
        view="Papers",
        title="Look for papers",
        why="a query of the query language" if is_structured(text) else "papers on these words",
        href=link("/papers", q=text),
    )
    first: list[Offer] = []
    if not is_structured(text):
        first = [*_patients(reader, text), *_facts(text), *_concepts(reader, text)]
    if not first:
        return [msgspec.structs.replace(papers, certain=True)]
    return [*first, papers]


def _paper(reader: Reader, text: str) -> Offer | None:
    named = identifier(text)
    wanted = [text] if named is None else [named.value, text]
    for id in wanted:
        try:
            document = reader.document(id)
        except UnknownId:
            continue
        why = f"{named} is in this library" if named else "its id in this library"
        href = document_link(document.id)
        return Offer(view="Papers", title=document.title, why=why, href=href, certain=True)
    return None


def _patients(reader: Reader, text: str) -> Iterator[Offer]:
    from osler.ask.form.tokens import tokens
    from osler.verbs.ask import facts_answerer

    try:
        described = facts_answerer(reader)
    except OslerError:
        return
    if described is None:
        return
    words = tokens(text)
    bearers = {id: None for named in described.people.find(words) for id in named.patients}
    if not bearers:
        return
    lines = [described.people.all[id].line() for id in list(bearers)[:3]]
    # A name alone is no question: what is asked first of somebody is what they have.
    asked = text if len(words) > 4 else f"What conditions does {text} have?"
    yield Offer(
        view="Patients",
        title=asked,
        why="a patient of these records: " + "; ".join(lines),
        href="/patients",
        sent={"q": asked},
    )


def fact_of(text: str) -> tuple[str, str, str] | None:
    """Head, relation and tail of a sentence that states or asks a fact ("does X treat Y")."""
    reading = read(text)
    if not reading.words or reading.words[0].text.lower() in _QUESTION:
        return None
    at = _stating(reading)
    if at is None:
        return None
    asked = reading.words[0].text.lower() in _ASKING
    # "machine learning to predict sepsis" names a subject and states nothing.
    if not asked and any(word.text.lower() == "to" for word in reading.words[:at]):
        return None
    return _cut(text, reading, at, 1 if asked else 0)


def _stating(reading: Reading) -> int | None:
    """The word that states: a relation by its name, else the main cue of the sentence."""
    for at, word in enumerate(reading.words):
        verb = word.text.lower()
        if at and (verb in PREDICATES or f"{verb}s" in PREDICATES):
            return at
    cut = parts(reading)
    stated = cut.cue.family in STATED and cut.before and cut.behind
    return cut.cue.at if stated else None


def _cut(text: str, reading: Reading, at: int, begin: int) -> tuple[str, str, str] | None:
    cue, behind = reading.words[at], at + 1
    while behind < len(reading.words) and reading.words[behind].text.lower() in (
        "with",
        "to",
        "by",
    ):
        behind += 1
    end = reading.words[behind - 1].end
    head = text[reading.words[begin].start : cue.start].strip()
    tail = text[end:].strip(" ?？。.!吗呢")
    return (head, text[cue.start : end], tail) if head and tail else None


def _facts(text: str) -> Iterator[Offer]:
    fact = fact_of(text)
    if fact is None:
        return
    said = " · ".join(fact)
    yield Offer(
        view="Facts",
        title=f"Papers for and against: {said}",
        why="a fact, of which papers may take a side",
        href=link("/facts", claim=text.rstrip("?？ ")),
    )
    yield Offer(
        view="Brief",
        title="One page of evidence",
        why="what the papers say to it, word for word, to print or to hand on",
        href=link("/brief", question=text),
    )


def _concepts(reader: Reader, text: str) -> Iterator[Offer]:
    try:
        graph = reader.graph
    except NeedsError:
        return
    ids = [text] if text in graph else list(graph.lookup(text))
    if ids:
        yield Offer(
            view="Graph",
            title=graph.name(ids[0]),
            why="a concept: its names, neighbours and paths",
            href=link("/graph", entity=ids[0]),
        )
