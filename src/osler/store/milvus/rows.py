"""Documents as rows of Milvus, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from osler.errors import DamageError, LimitError
from osler.kinds import Document
from osler.store import analyser
from osler.store.documents import Change
from osler.store.milvus.schema import LABELS, NO_YEAR, TEXT
from osler.store.milvus.tokens import labels_of, tokens_of
from osler.store.passages import passages
from osler.store.words import entry

_PIECE = TEXT // 4
"""Characters of a piece of a body: none has more than four bytes."""
PASSAGES = 1_000_000
"""Numbers that a version has for its passages."""
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Document).decode


def attributes(document: Document, fields: dict[str, Any]) -> dict[str, Any]:
    """What filters ask for."""
    return {
        "year": fields.get("year", NO_YEAR),
        "labels": labels_of(fields, document)[:LABELS],
    }


def document_row(change: Change, document: Document) -> dict[str, Any]:
    fields = entry(change.row, change.seq, document)
    text = _encode(document).decode("utf-8")
    body = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
    if len(body) > LABELS:
        raise LimitError(f"document {document.id} is too large for Milvus")
    return {
        "seq": change.seq,
        "row": change.row,
        "id": document.id,
        "body": body,
        "words": " ".join(tokens_of(fields)),
        **attributes(document, fields),
    }


def passage_rows(change: Change, document: Document) -> Iterator[dict[str, Any]]:
    for number, passage in enumerate(passages(document)):
        text = document.full_text[passage.section].text[passage.start : passage.end]
        yield {
            "key": change.seq * PASSAGES + number,
            "seq": change.seq,
            "row": change.row,
            "section": passage.section,
            "start": passage.start,
            "stop": passage.end,
            "words": " ".join(tokens_of({"text": analyser.spread(text)})),
        }


def document_of(row: dict[str, Any]) -> Document:
    """The document that a row of Milvus holds."""
    try:
        return _decode("".join(row["body"]))
    except msgspec.DecodeError:
        raise DamageError(
            f"document {row.get('id', '')} is damaged in Milvus", cure="osler rebuild"
        ) from None
