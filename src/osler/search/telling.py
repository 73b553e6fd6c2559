"""What a search says beside its hits: headings that papers lack, orders that say little."""

from __future__ import annotations

import re

from osler.kinds.query import And, Exact, Node, Not, Or, Term
from osler.retrieve.spelling import respelled
from osler.retrieve.view import Request, View
from osler.store.counting import UNKNOWN, citations
from osler.store.words import HEADED

ALL_HEADED = Exact("heading", (HEADED,), explode=False)
CITED = "citations"
WORDLESS = (
    "no paper holds the words as they are written: those listed name the same by other words, "
    "or are near in meaning"
)
_MINUS = re.compile(r"(?:^|\s)-([^\W\d_]+)")


def headings_of(node: Node) -> list[str]:
    """The headings that a tree asks for by name."""
    match node:
        case Exact(field="heading" | "major" | "subheading"):
            return [node.values[0].partition("/")[0]]
        case Term(field="headings"):
            return [node.text]
        case And() | Or():
            return [name for part in node.parts for name in headings_of(part)]
        case Not():
            return headings_of(node.part)
        case _:
            return []


def unknown_headings(node: Node, view: View) -> list[str]:
    """The headings of a tree that neither a terminology nor a paper of the library has."""
    match node:
        case Exact(field="heading" | "major"):
            name, _, _ = node.values[0].partition("/")
            named = Exact("heading", (name,), explode=False)
            return [] if view.branch(name) or view.engine.count(named) else [name]
        case And() | Or():
            found = [name for part in node.parts for name in unknown_headings(part, view)]
            return list(dict.fromkeys(found))
        case Not():
            return unknown_headings(node.part, view)
        case _:
            return []


def note_headings(node: Node, view: View) -> None:
    """Say which headings nobody knows, and how many papers have none, where headings are asked
    for: they are not found."""
    asked = headings_of(node)
    if not asked:
        return
    for name in unknown_headings(node, view):
        meant = respelled(Request(text=name, node=Or(()), k=1, depth=1), view)
        view.note(
            f'no paper here has the heading "{name}", and no terminology knows it'
            + (f': did you mean "{meant}"?' if meant else "")
        )
    without = view.total - view.engine.count(ALL_HEADED)
    if without > 0:
        view.note(
            f"{without:,} of {view.total:,} papers have no subject headings and cannot be found by "
            f'them; a search for the words "{asked[0]}" finds papers by concept too'
        )


def note_minus(text: str, view: View) -> None:
    """Say that a minus before a word, as search engines have it, leaves nothing out."""
    if match := _MINUS.search(text):
        view.note(f"a minus leaves nothing out: write NOT {match[1]} to do so")


def note_order(request: Request, total: int, view: View) -> None:
    """Say what an order other than by relevance does not tell."""
    if not request.structured and total:
        view.note(
            f"in order of {request.sort}: all {total:,} papers that hold any of the words; "
            "join them by AND or quote a phrase to ask for fewer"
        )
    if request.sort == CITED and total and not _cited(request, view):
        view.note("no paper among these says how often it was cited")


def note_nearest(listed: int, matching: int, view: View) -> None:
    """Say how many papers of a whole list hold no word of the question and are there as near."""
    if listed > matching:
        view.note(
            f"{listed - matching:,} of {listed:,} papers hold none of the words and are the "
            'nearest in meaning; the method "words" lists the others alone'
        )


def _cited(request: Request, view: View) -> bool:
    """Whether any of the matching papers has a number of citations: the first one has then."""
    first = view.engine.ordered(request.node, CITED, 1, request.filter)
    documents = view.documents.by_rows([first[0].row]) if first else {}
    return any(citations(document) != UNKNOWN for document in documents.values())
