"""How words and labels are written in Milvus.

A document's text goes in as our own analysed tokens, blank-separated, each with the letter of its
field before it: "tasthma" is asthma in a title, "aasthma" in an abstract. One BM25 function over
them then counts each field's words by themselves. Milvus cuts that text by its ``standard``
tokenizer, which keeps runs of ASCII letters and digits whole wherever it runs and splits much
else (each Chinese character is a token of its own): a token that is not plain ASCII is written as
the hexadecimal digits of its UTF-8, under a letter of its own.

Values that are compared as a whole (journals, headings, ids) become 64-bit labels: no value needs
quoting in an expression, and none is too long.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

import xxhash

from osler.kinds import Document
from osler.store import analyser
from osler.store.compile import EXACT_FIELDS, fold

LETTERS: Mapping[str, str] = {
    "title": "t",
    "abstract": "a",
    "keywords": "k",
    "headings": "h",
    "authors": "w",
    "affiliation": "n",
    "text": "p",
}
"""The letter of each field's plain tokens; the next of the alphabet is that of its others."""
MAX_BYTES = 65_000
"""Milvus takes texts of 65,535 bytes: tokens beyond are not found (passages of full texts are
rows of their own, so this concerns abstracts of some eight thousand words)."""
_SIGN = 1 << 63


@functools.lru_cache(500_000)
def token(field: str, term: str) -> str:
    """An index term of a field as Milvus holds it."""
    letter = LETTERS[field]
    if term.isascii() and term.isalnum():
        return letter + term
    return chr(ord(letter) + 1) + term.encode("utf-8", "surrogatepass").hex()


def prefixes(field: str, start: str) -> tuple[str, ...]:
    """What tokens of a field begin with whose term begins with ``start``."""
    coded = chr(ord(LETTERS[field]) + 1) + start.encode("utf-8", "surrogatepass").hex()
    return (LETTERS[field] + start, coded) if start.isascii() else (coded,)


def field_of(written: str) -> str:
    """The field that a token stands in."""
    return _FIELDS[written[0]]


_FIELDS = {
    letter: field for field, plain in LETTERS.items() for letter in (plain, chr(ord(plain) + 1))
}


def tokens_of(fields: Mapping[str, Any]) -> list[str]:
    """The tokens of an index entry's text fields, in order, as many as Milvus takes."""
    tokens: list[str] = []
    analyse = analyser.analyser().analyze
    for field in LETTERS:
        text = fields.get(field)
        if text:
            tokens.extend(token(field, term) for term in analyse(text))
    if sum(map(len, tokens)) + len(tokens) <= MAX_BYTES:
        return tokens
    size = 0
    for place, written in enumerate(tokens):
        size += len(written) + 1
        if size > MAX_BYTES:
            return tokens[:place]
    return tokens


def label(field: str, value: str) -> int:
    """A value of an exact field as a number."""
    number = xxhash.xxh3_64_intdigest(f"{field}\0{value}".encode("utf-8", "surrogatepass"))
    return number - 2 * _SIGN if number >= _SIGN else number


def labels_for(field: str, values: Iterable[str]) -> list[int]:
    """The labels of values that somebody asks for."""
    return sorted({label(field, fold(field, value)) for value in values})


YES = {name: label(name, "yes") for name in ("abstracted", "retracted")}
"""Labels of what holds of a document or does not."""
NAMES = ("pmid", "doi", "pmcid")


def labels_of(fields: Mapping[str, Any], document: Document) -> list[int]:
    """The labels of an index entry's exact fields, and of the names that its document goes by."""
    labels = {YES[name] for name in YES if fields.get(name)}
    for field in EXACT_FIELDS:
        value = fields.get(field)
        if value:
            values = [value] if isinstance(value, str) else value
            labels.update(label(field, each) for each in values)
    names = (document.ids.get(scheme) for scheme in NAMES)
    labels.update(label("name", name) for name in names if name)
    return sorted(labels)
