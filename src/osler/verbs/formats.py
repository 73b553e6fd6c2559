"""The formats that an export is written in: light, since every search asks which there are."""

from __future__ import annotations

MEDIA = {
    "ris": "application/x-research-info-systems; charset=utf-8",
    "nbib": "application/nbib; charset=utf-8",
    "bib": "application/x-bibtex; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "json": "application/json",
    "trec": "text/plain; charset=utf-8",
}
FORMATS = tuple(MEDIA)


def run_line(id: str, rank: int, score: float, method: str) -> str:
    """A line of a TREC run of one query; a blank in an id would be the end of it."""
    return f"1 Q0 {'_'.join(id.split())} {rank} {score:.6f} osler-{method}\n"
