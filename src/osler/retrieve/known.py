"""Known items: a paper that somebody names rather than asks about.

A PMID, a PMCID, a DOI (bare, with ``doi:``, as a link), a title typed whole, or "first author
year". What is named is found first, and the hit says by what.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import structs

from osler.corpus.fields import doi
from osler.errors import UnknownId
from osler.files.reader import Item
from osler.kinds import Document
from osler.kinds.document import FILE
from osler.kinds.query import And, Exact, Filter, Node, Not, Or, Span, Term
from osler.retrieve.view import View
from osler.store.derived import Scored
from osler.text.names import FIRST, folded

TITLE_WORDS = 4
"""Fewer words are a topic, however they are spelled."""
SAME_TITLE = 92.0
"""How alike (0 to 100: 100 times one less the share of letters to change) a typed title and a
paper's are at least. A typo in a title of thirty letters leaves 96."""
LOOKED_AT = 30
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
MOST = 10
"""More papers of one first author and year are no known item but a list."""

_PUBMED_LINK = re.compile(
    r"(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d+)"
    r"/?(?:[?#]\S*)?",
    re.IGNORECASE,
)
_PMC_LINK = re.compile(
    r"(?:https?://)?(?:www\.)?(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/"
    r"(PMC\d+)/?(?:[?#]\S*)?",
    re.IGNORECASE,
)
_PMID = re.compile(r"(?:pmid\s*:?\s*)?(\d{1,9})", re.IGNORECASE)
_PMCID = re.compile(r"(?:pmcid\s*:?\s*)?(PMC\d{1,9})(?:\.\d+)?", re.IGNORECASE)
_DOI = re.compile(
    r"(?:(?:https?://)?(?:dx\.)?doi\.org/|doi\s*:?\s*)?(10\.\d{4,9}/\S+)(?<!\])", re.IGNORECASE
)
"""No DOI ends in a bracket: what does, bears a tag of PubMed (``10.1000/x[aid]``)."""
_AUTHOR_YEAR = re.compile(
    r"(?P<name>[^\W\d_][^\d\"\[\]:()]{0,60}?),?(?:\s+et\.?\s+al\.?,?)?\s+\(?(?P<year>(?:1[89]|20)\d\d)\)?"
)

_AUTHOR = re.compile(r"[^\W\d_](?:[^\W\d_]|['’\- ]){1,40} [A-Z]{1,3}")


class Name(NamedTuple):
    """An identifier out of a text: its scheme as people call it, and its value."""

    scheme: str
    value: str

    def __str__(self) -> str:
        return f"{self.scheme} {self.value}"


class KnownItems(NamedTuple):
    """Papers that a text names: their candidates, and by what it names them."""

    rows: tuple[Scored, ...]
    by: str


def identifier(text: str) -> Name | None:
    """The identifier that a text is, and nothing beside it. A number alone is a PMID."""
    text = text.strip()
    for scheme, pattern in (("PMID", _PUBMED_LINK), ("PMCID", _PMC_LINK)):
        if match := pattern.fullmatch(text):
            return Name(scheme, match.group(1).upper())
    if match := _DOI.fullmatch(text):
        return Name("DOI", doi(match.group(1).rstrip(".,;")))
    for scheme, pattern in (("PMCID", _PMCID), ("PMID", _PMID)):
        if match := pattern.fullmatch(text):
            return Name(scheme, match.group(1).upper())
    return None


def identifiers(text: str) -> tuple[Name, ...]:
    """The identifiers that a text is a list of, as people paste one; empty where it is anything
    else, or one alone."""
    text = re.sub(r"\bPMC?IDs?\b\s*:?", " ", text, flags=re.IGNORECASE)
    names = [identifier(piece) for piece in re.split(r"[\s,;]+", text) if piece]
    listed = tuple(name for name in names if name is not None)
    return listed if len(listed) == len(names) > 1 else ()


def ids_of(view: View, value: str) -> tuple[str, ...]:
    """The id of the paper that goes by a name; empty where the library has none."""
    name = identifier(value)
    for each in dict.fromkeys((value.strip(), name.value if name else value)):
        try:
            return (view.documents.get(each).id,)
        except UnknownId:
            continue
    return ()


def author_of(text: str, view: View) -> Exact | None:
    """The query for an author, where a text is one as PubMed writes them (Nogues X) and the library
    has papers by that author; None where the terminology knows the words ("vitamin D")."""
    name = " ".join(text.split())
    if not _AUTHOR.fullmatch(name):
        return None
    author = Exact("author", (name,))
    if not view.engine.count(author):
        return None
    known = view.knowledge
    return None if known is not None and known.linker.link(name) else author


def named_papers(text: str, view: View, filter: Filter | None) -> KnownItems | None:
    """The papers that a text names by the id that the library shows, by title, or by first author
    and year; None where it names none, as most questions do."""
    if held := ids_of(view, text):
        rows = tuple(view.engine.search_words(Exact("id", held), len(held), filter))
        if rows:
            return KnownItems(rows, "its id")
    if match := _AUTHOR_YEAR.fullmatch(text.strip()):
        rows = _by_author(match["name"], int(match["year"]), view, filter)
        if rows:
            return KnownItems(rows, f"first author and year, {match['name']} {match['year']}")
    if len(text.split()) >= TITLE_WORDS or len(folded(text)) >= 8 * TITLE_WORDS:
        rows = _by_title(text, view, filter)
        if rows:
            return KnownItems(rows, "its title")
    return None


def _by_author(name: str, year: int, view: View, filter: Filter | None) -> tuple[Scored, ...]:
    first = Exact("author", (FIRST + folded(name),))
    scored = view.engine.search_words(And((first, Span("year", year, year))), MOST + 1, filter)
    return tuple(scored) if len(scored) <= MOST else ()


def _by_title(text: str, view: View, filter: Filter | None) -> tuple[Scored, ...]:
    words = Or(tuple(Term(word, "title") for word in dict.fromkeys(folded(text).split())))
    typed = folded(text)
    scored = view.engine.search_words(words, LOOKED_AT, filter)[: 2 * LOOKED_AT]
    titles = view.documents.titles([each.row for each in scored])
    alike = {each: _alike(typed, folded(titles[each.row])) for each in scored if each.row in titles}
    if _YEAR.search(text) and not any(alike.values()):
        # A reference as it was pasted: authors, title, journal, year.
        alike = {each: 100.0 for each in scored if _inside(titles.get(each.row, ""), typed)}
    best = max(alike.values(), default=0.0)
    return tuple(each for each, likeness in alike.items() if likeness and likeness == best)


def _alike(typed: str, title: str) -> float:
    """How alike two titles are, 0 where they are not the same one."""
    whole = len(typed) + len(title)
    # As many letters are to be put in as one has more, and most questions are much shorter.
    if whole and 100.0 * (1.0 - abs(len(typed) - len(title)) / whole) < SAME_TITLE - 0.001:
        return 0.0
    from rapidfuzz import fuzz

    return fuzz.ratio(typed, title, score_cutoff=SAME_TITLE)


def _inside(title: str, typed: str) -> bool:
    """Whether a title stands whole within a longer text. A short one would be a topic."""
    whole = folded(title)
    return len(whole.split()) > TITLE_WORDS and f" {whole} " in f" {typed} "


def with_names(node: Node, view: View) -> Node:
    """The tree with each name (``pmid:``, ``doi:``, ``[aid]``) as the id of its paper."""
    match node:
        case Exact(field="name"):
            ids = (id for value in node.values for id in ids_of(view, value))
            return Exact("id", tuple(dict.fromkeys(ids)), node.boost)
        case And():
            return And(tuple(with_names(part, view) for part in node.parts))
        case Or():
            return Or(tuple(with_names(part, view) for part in node.parts))
        case Not():
            return Not(with_names(node.part, view))
        case _:
            return node


def with_record(items: Iterable[Item], view: View) -> Iterator[Item]:
    """Items of a source, in which a file that knows neither PMID nor DOI (a PDF) bears those of the
    one paper of the library that has its title."""
    for item in items:
        if isinstance(item, Document) and item.id.startswith(FILE) and item.title and not item.ids:
            rows = _by_title(item.title, view, None)
            if len(rows) == 1 and len(item.title.split()) >= TITLE_WORDS:
                (record,) = view.documents.by_rows([rows[0].row]).values()
                item = structs.replace(
                    item, ids=record.ids, id=item.id if record.ids else record.id
                )
        yield item
