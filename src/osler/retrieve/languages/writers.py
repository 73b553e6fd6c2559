"""A query's tree as text: what is written reads as the same tree again.

A part that a language cannot say is an error; one that it says a little differently is written,
and a note says how it differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from osler.errors import InputError
from osler.kinds.query import And, Exact, Node, Not, Or, Phrase, Span, Term
from osler.retrieve.languages.dates import LAST, ends_of
from osler.retrieve.languages.near import marked
from osler.retrieve.languages.pubmed import NEAR_FIELDS
from osler.text.design.names import DESIGN_MARK
from osler.text.names import FIRST, WHOLE

ANY_ORDER = "has no order for words near each other: they are asked for in any order"
FIRST_YEAR = 1000


class Writer:
    """Writes trees in one language; ``notes`` say what is wider or narrower than it was."""

    name: ClassVar[str]
    title: ClassVar[str]
    joins: ClassVar[tuple[str, str, str]] = ("AND", "OR", "NOT")

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(f"{self.title} {text}")

    def cannot(self, what: str) -> InputError:
        return InputError(f"{self.title} cannot say {what}", cure="leave this part out first")

    def write(self, node: Node) -> str:
        """The tree, with a bracket wherever the order of operators could tell."""
        both, either, without = self.joins
        match node:
            case And() | Or():
                word = either if isinstance(node, Or) else both
                parts = [self._part(part) for part in node.parts]
                text = parts[0]
                for part, given in zip(parts[1:], node.parts[1:], strict=True):
                    # a AND NOT b is a NOT b to every librarian.
                    denied = isinstance(node, And) and isinstance(given, Not)
                    text += f" {part}" if denied else f" {word} {part}"
                return text
            case Not():
                return f"{without} {self._part(node.part)}"
            case Span():
                return self.years(node)
            case Exact():
                return f" {either} ".join(self.exact(node, value) for value in node.values)
            case Term() | Phrase():
                return self.words(node)
        raise self.cannot("this part of the query")

    def _part(self, node: Node) -> str:
        several = isinstance(node, (And, Or)) or (isinstance(node, Exact) and len(node.values) > 1)
        text = self.write(node)
        return f"({text})" if several else text

    def years(self, node: Span) -> str:
        raise NotImplementedError

    def exact(self, node: Exact, value: str) -> str:
        raise NotImplementedError

    def words(self, node: Term | Phrase) -> str:
        raise NotImplementedError


class PubMedWriter(Writer):
    name = "pubmed"
    title = "PubMed"
    tags: ClassVar[Mapping[str, str]] = {
        "title": "ti", "abstract": "ab", "tiab": "tiab", "tw": "tw", "all": "all",
        "keywords": "ot", "heading": "mh", "major": "majr", "subheading": "sh", "headings": "mh",
        "author": "au", "authors": "au", "affiliation": "ad", "journal": "ta", "type": "pt",
        "language": "la", "name": "aid", "id": "pmid",
    }  # fmt: skip

    def years(self, node: Span) -> str:
        low, high = ends_of(node)
        return f"{low}[dp]" if low == high else f"{low or FIRST_YEAR}:{high or LAST}[dp]"

    def exact(self, node: Exact, value: str) -> str:
        if node.field == "author":
            if value.startswith(FIRST):
                return f"{value[1:]}[1au]"
            return f'"{value[1:]}"[au]' if value.startswith(WHOLE) else f"{value}[au]"
        if value.startswith(DESIGN_MARK):
            raise self.cannot("a study design")
        return f'"{value}"[{self.tags[node.field]}{"" if node.explode else ":noexp"}]'

    def words(self, node: Term | Phrase) -> str:
        if isinstance(node, Phrase) and (node.slop or node.free) and (node.wild or node.prefix):
            raise self.cannot(f'"{marked(node)}": it cuts off no word of those near each other')
        if node.wild:
            raise self.cannot(f"{node.text}: it cuts words off at their end only")
        text = marked(node)
        stem = node.text.split()[-1]
        if node.prefix and sum(map(str.isalnum, stem)) < 4:
            raise self.cannot(f"{text}: it wants four letters before the *")
        if isinstance(node, Term):
            return f"{text}[{self.tags[node.field]}]" if node.field else text
        tag = self.tags[node.field] if node.field else ""
        if not node.slop and not node.free:
            return f'"{text}"[{tag}]' if tag else f'"{text}"'
        if node.field and node.field not in NEAR_FIELDS:
            raise self.cannot(f"words near each other in the field {node.field}")
        if not node.free:
            self.note(ANY_ORDER)
        return f'"{text}"[{tag or "all"}:~{node.slop}]'


class OslerWriter(Writer):
    name = "osler"
    title = "Osler"
    names: ClassVar[Mapping[str, str]] = {
        "heading": "mesh", "keywords": "keyword", "name": "doi",
    }  # fmt: skip

    def _name(self, field: str) -> str:
        return f"{self.names.get(field, field)}:" if field else ""

    def years(self, node: Span) -> str:
        low, high = ends_of(node)
        return f"year:{low}" if low == high else f"year:{low}:{high}"

    def exact(self, node: Exact, value: str) -> str:
        if value.startswith(DESIGN_MARK):
            return f'design:"{value.removeprefix(DESIGN_MARK)}"'
        return f'{self._name(node.field)}"{"" if node.explode else "="}{value}"'

    def words(self, node: Term | Phrase) -> str:
        if isinstance(node, Term):
            return f"{self._name(node.field)}{marked(node)}"
        mark = "~" if node.free else "~>"
        far = f"{mark}{node.slop}" if node.slop or node.free else ""
        return f'{self._name(node.field)}"{marked(node)}"{far}'
