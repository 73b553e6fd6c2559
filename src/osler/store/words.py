"""The word index: titles, abstracts, keywords, headings, and what filters ask for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import tantivy

from osler.kinds import Document, Heading
from osler.kinds.query import Filter, Node
from osler.store import analyser
from osler.store.compile import (
    DEFAULT_WEIGHTS,
    EXACT_FIELDS,
    TEXT_FIELDS,
    Compiler,
    filter_clauses,
    fold,
)
from osler.store.counting import LAST_NAME, ORDERS, RISING, citations, day, ranks
from osler.store.derived import Scored, ScoredRows, TantivyIndex, sound
from osler.store.documents import Change
from osler.text import names
from osler.text.by_length import ByLength
from osler.text.design.judge import design_of
from osler.text.design.names import DESIGN_MARK

_REMEMBERED = 200_000
"""Document frequencies that are remembered until the index changes: feedback asks for many."""


HEADED = "*"
"""Stands among the headings of every paper that has some."""
FACETS = ("type", "journal", "heading", "language")
"""Exact fields whose values can be counted; so can ``year``."""


def entry(row: int, seq: int, document: Document) -> dict[str, Any]:
    """What is indexed of a document, by field; empty fields are left out."""
    spread = analyser.spread
    abstract = document.abstract
    fields: dict[str, Any] = {
        "row": row,
        "seq": seq,
        "id": document.id,
        "abstracted": bool(abstract.strip()),
        "retracted": document.retracted,
        "day": day(document.published),
        "named": document.journal.casefold() or LAST_NAME,
        "cited": citations(document),
    }
    if document.title:
        fields["title"] = spread(document.title)
    if abstract:
        fields["abstract"] = spread(abstract)
    if document.keywords:
        fields["keywords"] = spread(" . ".join(document.keywords))
        fields["keyword"] = [keyword.casefold() for keyword in document.keywords]
    if document.headings:
        fields["headings"] = " . ".join(heading.name for heading in document.headings)
        fields["heading"] = [
            HEADED,
            *(value.casefold() for each in document.headings for value in _heading_values(each)),
        ]
        fields["major"] = [
            value.casefold()
            for heading in document.headings
            if heading.major
            for value in _heading_values(heading)
        ]
        qualifiers = (part for heading in document.headings for part in heading.qualifiers)
        if held := list(dict.fromkeys(part.casefold() for part in qualifiers)):
            fields["subheading"] = held
    if document.authors:
        if places := " . ".join(
            dict.fromkeys(a.affiliation for a in document.authors if a.affiliation)
        ):
            fields["affiliation"] = spread(places)
        fields["authors"] = " . ".join(f"{a.given} {a.family}" for a in document.authors)
        fields["author"] = [
            spelling
            for place, author in enumerate(document.authors)
            for spelling in names.spellings(
                author.family, author.given, author.initials, first=place == 0
            )
        ]
    if document.language:
        fields["language"] = fold("language", document.language)
    journals = journal_names(document)
    if journals:
        fields["journal"] = journals
    kinds = [name.casefold() for name in document.types]
    # The design stands among the types: an index made before there was one needs no new field.
    if design := design_of(document).name:
        kinds.append(DESIGN_MARK + design)
    if kinds:
        fields["type"] = kinds
    year = document.year
    if year is not None:
        fields["year"] = year
    return fields


def _heading_values(heading: Heading) -> list[str]:
    """A heading by name and id, and with each qualifier as PubMed writes it: asthma/therapy."""
    named = [value for value in (heading.name, heading.id) if value]
    return [*named, *(f"{name}/{part}" for name in named for part in heading.qualifiers)]


def journal_names(document: Document) -> list[str]:
    """What a journal is called: in full, as MEDLINE and ISO shorten it, by its number."""
    held = document.metadata
    others = (held.get(key) for key in ("medline_ta", "iso_abbreviation", "issn", "issn_linking"))
    listed = (document.journal, *(value for value in others if isinstance(value, str)))
    return list(dict.fromkeys(value.casefold() for value in listed if value))


class WordIndex(TantivyIndex):
    """Words of titles, abstracts, keywords, headings; filters beside them."""

    what = "the word index"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._frequencies: dict[tuple[str, tuple[str, ...]], int] = {}
        self._terms: dict[tuple[str, int], ByLength] = {}

    @staticmethod
    def build_schema() -> Any:
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("row", indexed=True, fast=True)
        builder.add_unsigned_field("seq", fast=True)
        for name in TEXT_FIELDS:
            builder.add_text_field(name, tokenizer_name=analyser.NAME)
        for name in EXACT_FIELDS:
            builder.add_text_field(
                name, tokenizer_name="raw", index_option="basic", fast=name in FACETS
            )
        builder.add_text_field("named", tokenizer_name="raw", index_option="basic", fast=True)
        for name in ("day", "cited"):
            builder.add_integer_field(name, fast=True)
        builder.add_integer_field("year", indexed=True, fast=True)
        builder.add_boolean_field("abstracted", indexed=True)
        builder.add_boolean_field("retracted", indexed=True)
        return builder.build()

    def entries(self, change: Change) -> Iterable[dict[str, Any]]:
        """One entry a document."""
        document = change.document
        return () if document is None else (entry(change.row, change.seq, document),)

    def search(
        self,
        node: Node,
        k: int,
        filter: Filter | None = None,
        *,
        weights: dict[str, float] | None = None,
    ) -> ScoredRows:
        """The best k by BM25 (k1 = 1.2, b = 0.75, the engine's), and all that tie with the last."""
        query = Compiler(self.schema, weights=weights or DEFAULT_WEIGHTS).compile(node, filter)
        searcher, hits = self.top(query, k)
        return self._scored(searcher, hits)

    @staticmethod
    def _scored(searcher: Any, hits: list[Any]) -> ScoredRows:
        addresses = [address for _, address in hits]
        return ScoredRows(
            searcher.fast_field_values("row", addresses),
            searcher.fast_field_values("seq", addresses),
            [score for score, _ in hits],
        )

    def matching(self, filter: Filter) -> list[int]:
        """Rows of all documents that a filter lets through."""
        searcher = self._index.searcher()
        clauses = filter_clauses(self.schema, filter) or [tantivy.Query.all_query()]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Must, c) for c in clauses])
        hits = searcher.search(query, limit=max(1, searcher.num_docs), count=False).hits
        rows: list[int] = searcher.fast_field_values("row", [address for _, address in hits])
        return rows

    def count(self, node: Node, filter: Filter | None = None) -> int:
        """How many documents match."""
        query = Compiler(self.schema).compile(node, filter)
        return int(self._index.searcher().search(query, limit=1, count=True).count)

    def facets(
        self, node: Node, fields: Sequence[str], most: int, filter: Filter | None = None
    ) -> dict[str, list[tuple[str, int]]]:
        """The values that all matching documents have most often, by field."""
        query = Compiler(self.schema).compile(node, filter)
        asked = {field: {"terms": {"field": field, "size": most}} for field in fields}
        with sound(self.what):
            counted = self._index.searcher().aggregate(query, asked)
        return {
            field: [
                (str(each["key"]), int(each["doc_count"])) for each in counted[field]["buckets"]
            ]
            for field in fields
        }

    def ordered(self, node: Node, by: str, k: int, filter: Filter | None = None) -> list[Scored]:
        """The first k of all matching documents by date, journal or citations, and all that are
        equal to the last of them; scores fall from zero."""
        query = Compiler(self.schema).compile(node, filter)
        order = tantivy.Order.Asc if by in RISING else tantivy.Order.Desc
        with sound(self.what):
            searcher = self._index.searcher()
            limit = k + 8
            while True:
                hits = searcher.search(
                    query, limit=limit, count=False, order_by_field=ORDERS[by], order=order
                ).hits
                if len(hits) < limit or hits[-1][0] != hits[k - 1][0]:
                    break
                limit *= 2
            addresses = [address for _, address in hits]
            rows = searcher.fast_field_values("row", addresses)
            seqs = searcher.fast_field_values("seq", addresses)
        return ranks((hit[0], row, seq) for hit, row, seq in zip(hits, rows, seqs, strict=True))

    def document_frequency(self, term: str, fields: tuple[str, ...] = ("title", "abstract")) -> int:
        """In how many documents a term stands: the larger of its counts by field."""
        key = (term, fields)
        frequency = self._frequencies.get(key)
        if frequency is None:
            searcher = self._index.searcher()
            frequency = max(int(searcher.doc_freq(field, term)) for field in fields)
            if len(self._frequencies) > _REMEMBERED:
                self._frequencies.clear()
            self._frequencies[key] = frequency
        return frequency

    def terms(self, beginning: str, most: int, lengths: range | None = None) -> list[str]:
        """Index terms of titles and abstracts that begin so, ``most`` of each at most; of these,
        the ones of some ``lengths``."""
        key = (beginning, most)
        terms = self._terms.get(key)
        if terms is None:
            searcher = self._index.searcher()
            listed = [
                str(term)
                for field in ("title", "abstract")
                for term, *_ in searcher.terms_with_prefix(field, beginning, limit=most)
            ]
            terms = ByLength(list(dict.fromkeys(listed))[:most])
            # Whoever looks for a slip asks by letters, again and again.
            if len(beginning) == 1:
                self._terms[key] = terms
        return terms.within(lengths)

    def reload(self) -> None:
        super().reload()
        self._forget()

    def commit(self, applied: int, mark: str = "") -> None:
        super().commit(applied, mark)
        self._forget()

    def _forget(self) -> None:
        """What was counted and listed holds for one state of the index."""
        self._frequencies.clear()
        self._terms.clear()

    def average_length(self, field: str) -> float:
        """How many terms a field has on average, as the index counts it: it says so only when it
        explains a score."""
        searcher = self._index.searcher()
        known = searcher.terms_with_prefix(field, "", limit=1)
        if not known:
            return 0.0
        query = tantivy.Query.term_query(self.schema, field, known[0][0])
        hits = searcher.search(query, limit=1, count=False).hits
        pending = [json.loads(query.explain(searcher, hits[0][1]).to_json())] if hits else []
        while pending:
            part = pending.pop()
            if part["description"].startswith("avgdl"):
                return float(part["value"])
            pending.extend(part.get("details", ()))
        return 0.0

    def explain(self, node: Node, row: int) -> dict[str, Any]:
        """tantivy's account of a document's score."""
        searcher = self._index.searcher()
        only = tantivy.Query.term_query(self.schema, "row", row)
        hits = searcher.search(only, limit=1).hits
        if not hits:
            return {}
        query = Compiler(self.schema).compile(node)
        account: dict[str, Any] = json.loads(query.explain(searcher, hits[0][1]).to_json())
        return account
