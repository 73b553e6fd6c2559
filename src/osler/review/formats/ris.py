"""RIS: decisions stand in notes (N1), as ASReview and Rayyan read them, in words, and sealed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from osler.corpus.ris import _TAG, Ris
from osler.corpus.tagged import records
from osler.corpus.writing import ris as written
from osler.files.source import Source
from osler.kinds import Document, Reject
from osler.review.entries import Decided, Verdict
from osler.review.formats.rayyan import read_notes
from osler.review.formats.seal import Carried, last_word, opened, seal, unseal

ASREVIEW: dict[str, Verdict | None] = {
    "ASReview_relevant": "include",
    "ASReview_irrelevant": "exclude",
    "ASReview_not_seen": None,
}
_NAMED = {verdict: name for name, verdict in ASREVIEW.items()}


def write(papers: Sequence[Carried]) -> str:
    """One record a paper: the label of ASReview, every word in plain language, the seal."""
    return "".join(written(paper.document, _notes(paper)) for paper in papers)


def _notes(paper: Carried) -> list[str]:
    end = last_word(paper)
    shown = []
    if end is not None:
        shown.append(Decided(document=paper.document.id, verdict=end.verdict, reviewer="asreview"))
    label = _NAMED[end.verdict if end else None]
    return [label, *map(in_words, paper.words), seal(paper, shown)]


def in_words(word: Decided) -> str:
    """``exclude (abstract) by ann; reason: animals; note: ...; tags: a, b``"""
    parts = [f"{word.verdict} ({word.stage}) by {word.reviewer}"]
    parts += [f"reason: {word.reason}"] if word.reason else []
    parts += [f"note: {word.note}"] if word.note else []
    parts += [f"tags: {', '.join(word.tags)}"] if word.tags else []
    return "; ".join(parts)


def read(source: Source) -> Iterator[Carried | Reject]:
    """The records of a file, each with its decisions."""
    raw = records(source, _TAG, opens="TY", closes="ER")
    for item, record in zip(Ris().read(source), raw, strict=True):
        if not isinstance(item, Document):
            if isinstance(item, Reject):
                yield item
            continue
        notes = record.all("N1")
        sealed, damaged, shown = None, False, []
        for note in notes:
            rest, inside, broken = unseal(note)
            sealed, damaged = inside or sealed, broken or damaged
            verdict = next((v for name, v in ASREVIEW.items() if name in rest), None)
            if verdict is not None:
                shown.append(Decided(document=item.id, verdict=verdict, reviewer="asreview"))
            shown += read_notes(rest, item.id, "rayyan")
        yield opened(item, sealed, shown, damaged=damaged)
