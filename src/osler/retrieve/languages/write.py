"""A query's tree as text: what is written reads as the same tree again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from osler.errors import InputError
from osler.kinds.query import And, Exact, Node, Not, Or, Phrase, Span, Term
from osler.text.names import FIRST, WHOLE

_PUBMED: Mapping[str, str] = {
    "title": "ti", "abstract": "ab", "tiab": "tiab", "tw": "tw", "all": "all", "keywords": "ot",
    "heading": "mh", "major": "majr", "headings": "mh", "author": "au", "authors": "au",
    "journal": "ta", "type": "pt", "language": "la", "name": "aid", "id": "pmid",
}  # fmt: skip
_OSLER: Mapping[str, str] = {
    "heading": "mesh", "keywords": "keyword", "name": "doi", "headings": "headings",
    "authors": "authors",
}  # fmt: skip


def _pubmed(node: Node) -> str:
    match node:
        case Span():
            if node.low == node.high:
                return f"{node.low}[dp]"
            return f"{node.low or 1000}:{node.high or 3000}[dp]"
        case Exact():
            return " OR ".join(_pubmed_value(node, value) for value in node.values)
        case Term():
            return f"{node.text}{'*' * node.prefix}{_tag(node.field)}"
        case Phrase():
            near = f":~{node.slop}" if node.slop else ""
            if near and not node.field:
                return f'"{node.text}"[all{near}]'
            return f'"{node.text}{"*" * node.prefix}"{_tag(node.field, near)}'
    raise InputError("this part of the query has no writing in PubMed's language")


def _tag(field: str, more: str = "") -> str:
    return f"[{_PUBMED[field]}{more}]" if field else ""


def _pubmed_value(node: Exact, value: str) -> str:
    if node.field == "author":
        if value.startswith(FIRST):
            return f"{value[1:]}[1au]"
        return f'"{value[1:]}"[au]' if value.startswith(WHOLE) else f"{value}[au]"
    return f'"{value}"{_tag(node.field, "" if node.explode else ":noexp")}'


def _osler(node: Node) -> str:
    match node:
        case Span():
            low, high = node.low or "", node.high or ""
            return f"year:{low}" if low == high else f"year:{low}:{high}"
        case Exact():
            mark = "" if node.explode else "="
            name = _OSLER.get(node.field, node.field)
            return " OR ".join(f'{name}:"{mark}{value}"' for value in node.values)
        case Term():
            name = _OSLER.get(node.field, node.field)
            return f"{name}:{node.text}{'*' * node.prefix}" if name else _bare(node)
        case Phrase():
            name = _OSLER.get(node.field, node.field)
            near = f"~{node.slop}" if node.slop else ""
            return f'{name + ":" if name else ""}"{node.text}{"*" * node.prefix}"{near}'
    raise InputError("this part of the query has no writing in this language")


def _bare(term: Term) -> str:
    return f"{term.text}{'*' * term.prefix}"


WRITERS: Mapping[str, Callable[[Node], str]] = {"pubmed": _pubmed, "osler": _osler}


def write(node: Node, to: str) -> str:
    """The tree in a language, with a bracket wherever the order of operators could tell."""
    return _whole(node, WRITERS[to])


def _whole(node: Node, leaf: Callable[[Node], str]) -> str:
    match node:
        case And() | Or():
            word = " OR " if isinstance(node, Or) else " AND "
            parts = [_part(part, leaf) for part in node.parts]
            # a AND NOT b is a NOT b to every librarian.
            return word.join(parts).replace(" AND NOT ", " NOT ")
        case Not():
            return f"NOT {_part(node.part, leaf)}"
        case _:
            return leaf(node)


def _part(node: Node, leaf: Callable[[Node], str]) -> str:
    several = isinstance(node, (And, Or)) or (isinstance(node, Exact) and len(node.values) > 1)
    text = _whole(node, leaf)
    return f"({text})" if several else text
