"""Rayyan: decisions, labels, reasons and notes stand in one text, the ``notes`` of its CSV or a
note (N1) of its RIS:

RAYYAN-INCLUSION: {"Ann"=>"Included", "Bob"=>"Excluded"} | RAYYAN-LABELS: a,b |
RAYYAN-EXCLUSION-REASONS: wrong population | USER-NOTES: {"Ann"=>["a note"]}
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from osler.review.entries import Decided, Verdict
from osler.review.formats.reference import csv_text, detail, month_of
from osler.review.formats.seal import Carried, seal

COLUMNS = [
    "key",
    "title",
    "year",
    "month",
    "day",
    "journal",
    "issn",
    "volume",
    "issue",
    "pages",
    "authors",
    "url",
    "language",
    "publisher",
    "location",
    "abstract",
    "notes",
    "pubmed_id",
    "pmc_id",
]
SAID: dict[Verdict, str] = {"include": "Included", "exclude": "Excluded", "maybe": "Maybe"}
MEANT: dict[str, Verdict] = {said: verdict for verdict, said in SAID.items()}
_PAIR = re.compile(r'"([^"]+)"\s*=>\s*"(\w+)"')
_NOTES = re.compile(r'"([^"]+)"\s*=>\s*\[((?:"[^"]*"[,\s]*)*)\]')
_PART = re.compile(
    r"(RAYYAN-INCLUSION|RAYYAN-LABELS|RAYYAN-EXCLUSION-REASONS|USER-NOTES):\s*(.*?)\s*"
    r"(?=\||RAYYAN-|USER-NOTES:|$)",
    re.DOTALL,
)


def shown_in(paper: Carried) -> list[Decided]:
    """The words that Rayyan can hold: each reviewer's last one, but no skip."""
    last: dict[str, Decided] = {}
    for word in sorted(paper.words, key=lambda one: one.stage == "full text"):
        if word.verdict in SAID:
            last[word.reviewer] = word
    return list(last.values())


def notes_of(paper: Carried) -> str:
    """A paper's decisions as Rayyan writes them, and the seal."""
    words = shown_in(paper)
    parts = []
    if words:
        said = ", ".join(f'"{_bare(w.reviewer)}"=>"{SAID[w.verdict]}"' for w in words)
        parts.append(f"RAYYAN-INCLUSION: {{{said}}}")
    labels = dict.fromkeys(_bare(tag) for word in words for tag in word.tags)
    if labels:
        parts.append(f"RAYYAN-LABELS: {','.join(labels)}")
    reasons = dict.fromkeys(_bare(word.reason) for word in words if word.reason)
    if reasons:
        parts.append(f"RAYYAN-EXCLUSION-REASONS: {','.join(reasons)}")
    notes = [f'"{_bare(w.reviewer)}"=>["{_bare(w.note)}"]' for w in words if w.note]
    if notes:
        parts.append(f"USER-NOTES: {{{', '.join(notes)}}}")
    bare_words = [msgspec.structs.replace(word, reviewer=_bare(word.reviewer)) for word in words]
    return " | ".join([*parts, seal(paper, bare_words)])


def _bare(text: str) -> str:
    """Without the signs that part Rayyan's notes."""
    return " ".join(re.sub(r'["|{}\[\]]', " ", text).split()).replace("=>", "=")


def read_notes(text: str, document: str, fallback: str) -> list[Decided]:
    """The decisions in Rayyan's notes. Labels, and of excluded papers reasons, belong to nobody in
    it: each reviewer gets them."""
    parts = dict(_PART.findall(text))
    if "RAYYAN-INCLUSION" not in parts:
        return []
    notes = {
        name: " ".join(re.findall(r'"([^"]*)"', body))
        for name, body in _NOTES.findall(parts.get("USER-NOTES", ""))
    }
    tags = tuple(t.strip() for t in parts.get("RAYYAN-LABELS", "").split(",") if t.strip())
    reason = parts.get("RAYYAN-EXCLUSION-REASONS", "").split(",")[0].strip()
    return [
        Decided(
            document=document,
            verdict=MEANT[said],
            reviewer=name or fallback,
            reason=reason if said == "Excluded" else "",
            note=notes.get(name, ""),
            tags=tags,
        )
        for name, said in _PAIR.findall(parts["RAYYAN-INCLUSION"])
        if said in MEANT
    ]


def write(papers: Sequence[Carried]) -> str:
    """The CSV that Rayyan reads and writes."""
    rows = []
    for number, paper in enumerate(papers, 1):
        document = paper.document
        rows.append(
            [
                f"rayyan-{number}",
                document.title,
                document.published[:4],
                month_of(document),
                document.published[8:10].lstrip("0"),
                document.journal,
                detail(document, "issn"),
                detail(document, "volume"),
                detail(document, "issue"),
                detail(document, "pages"),
                " and ".join(author.inverted for author in document.authors),
                detail(document, "url"),
                document.language,
                "",
                "",
                document.abstract,
                notes_of(paper),
                document.ids.get("pmid", ""),
                document.ids.get("pmcid", ""),
            ]
        )
    return csv_text(COLUMNS, rows)
