"""Readers of documents, one format a file. Importing this room registers them."""

from osler.corpus import beir, columns, cord19, jats, nbib, ohsumed, pairs, pubmed, ris, trec

__all__ = [
    "beir",
    "columns",
    "cord19",
    "jats",
    "nbib",
    "ohsumed",
    "pairs",
    "pubmed",
    "ris",
    "trec",
]
