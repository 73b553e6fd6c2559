"""Readers of documents, one format a file. Importing this room registers them."""

from osler.corpus import (
    beir,
    bibtex,
    columns,
    cord19,
    endnote,
    isi,
    jats,
    nbib,
    ohsumed,
    ovid,
    pairs,
    pdf,
    pubmed,
    refer,
    ris,
    trec,
)

__all__ = [
    "beir",
    "bibtex",
    "columns",
    "cord19",
    "endnote",
    "isi",
    "jats",
    "nbib",
    "ohsumed",
    "ovid",
    "pairs",
    "pdf",
    "pubmed",
    "refer",
    "ris",
    "trec",
]
