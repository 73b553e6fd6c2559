"""The passage index: long full text is searched by passage, a few sentences each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import tantivy

from osler.kinds import Document
from osler.kinds.query import Node
from osler.store import analyser
from osler.store.compile import Compiler
from osler.store.derived import TantivyIndex
from osler.store.documents import Change
from osler.text.sentences import sentences

PASSAGE = 1_000
"""Characters that a passage has about: some six sentences, the length of a short abstract."""


class Passage(NamedTuple):
    """A part of a full-text section: its number, and the characters of it."""

    section: int
    start: int
    end: int


class ScoredPassage(NamedTuple):
    row: int
    seq: int
    score: float
    passage: Passage


def passages(document: Document) -> Iterator[Passage]:
    """Whole sentences, filled up to the passage's length; never across sections."""
    for number, section in enumerate(document.full_text):
        start = end = None
        for low, high in sentences(section.text):
            if start is not None and end is not None and high - start > PASSAGE:
                yield Passage(number, start, end)
                start = None
            if start is None:
                start = low
            end = high
        if start is not None and end is not None:
            yield Passage(number, start, end)


class PassageIndex(TantivyIndex):
    """Passages of full texts, found by their words."""

    what = "the passage index"

    @staticmethod
    def build_schema() -> Any:
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("row", indexed=True, fast=True)
        for name in ("seq", "section", "start", "end"):
            builder.add_unsigned_field(name, fast=True)
        builder.add_text_field("text", tokenizer_name=analyser.NAME)
        return builder.build()

    def entries(self, change: Change) -> Iterable[dict[str, Any]]:
        document = change.document
        if document is None:
            return
        for passage in passages(document):
            text = document.full_text[passage.section].text[passage.start : passage.end]
            yield {
                "row": change.row,
                "seq": change.seq,
                "section": passage.section,
                "start": passage.start,
                "end": passage.end,
                "text": analyser.spread(text),
            }

    def search(self, node: Node, k: int) -> list[ScoredPassage]:
        """The best passage of each document, for the best k documents or so."""
        compiler = Compiler(self.schema, weights={"text": 1.0})
        searcher, hits = self.top(compiler.compile(node), 3 * k)
        addresses = [address for _, address in hits]
        columns = [
            searcher.fast_field_values(name, addresses)
            for name in ("row", "seq", "section", "start", "end")
        ]
        best: dict[int, ScoredPassage] = {}
        for (score, _), row, seq, section, start, end in zip(hits, *columns, strict=True):
            if row not in best:
                best[row] = ScoredPassage(row, seq, score, Passage(section, start, end))
        chosen = list(best.values())
        # Ties with the last stay in: cut by their place in the index, they would change with it.
        return [one for one in chosen if one.score >= chosen[k - 1].score] if chosen[k:] else chosen
