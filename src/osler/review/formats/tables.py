"""CSV of our own, of ASReview and of Covidence: one row a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from osler.review.entries import STAGES, Decided, Stage, Verdict
from osler.review.formats.reference import csv_text, detail, month_of
from osler.review.formats.seal import Carried, last_word, seal

SEAL_COLUMN = "osler_review"
OWN = [
    "id",
    "title",
    "abstract",
    "authors",
    "year",
    "journal",
    "doi",
    "pmid",
    "abstract_decision",
    "fulltext_decision",
    "reason",
    "notes",
    "tags",
    "reviewers",
]
ASREVIEW = [
    "record_id",
    "title",
    "abstract",
    "authors",
    "keywords",
    "year",
    "journal",
    "doi",
    "pmid",
    "included",
]
LABELS = (
    "asreview_label",
    "included",
    "label",
    "final_included",
    "label_included",
    "included_label",
    "included_final",
    "included_flag",
    "include",
)
"""Columns in which ASReview looks for a label, the likeliest first."""
COVIDENCE = (
    "Title",
    "Authors",
    "Abstract",
    "Published Year",
    "Published Month",
    "Journal",
    "Volume",
    "Issue",
    "Pages",
    "Accession Number",
    "DOI",
    "Ref",
    "Covidence #",
    "Study",
    "Notes",
    "Tags",
)
EXCLUDED_BY = "Exclusion reason:"
YES = {"1", "1.0", "true", "yes", "included", "include", "relevant"}
NO = {"0", "0.0", "false", "no", "excluded", "exclude", "irrelevant"}
NAMES: dict[Stage, str] = {"abstract": "abstract_decision", "full text": "fulltext_decision"}


def _first(document_ids: Mapping[str, str], scheme: str) -> str:
    return document_ids.get(scheme, "")


def write_csv(papers: Sequence[Carried]) -> str:
    """Our own table: what holds of each paper, in words, and the seal."""
    rows = []
    for paper in papers:
        document, words = paper.document, paper.words
        final = [paper.final.get(stage) for stage in STAGES]
        notes = [f"{word.reviewer}: {word.note}" for word in words if word.note]
        shown = [_by("final", word) for word in final if word]
        end = last_word(paper)
        rows.append(
            [
                document.id,
                document.title,
                document.abstract,
                "; ".join(author.inverted for author in document.authors),
                document.published[:4],
                document.journal,
                _first(document.ids, "doi"),
                _first(document.ids, "pmid"),
                *(word.verdict if word else "" for word in final),
                end.reason if end else "",
                " / ".join(notes),
                "; ".join(dict.fromkeys(tag for word in words for tag in word.tags)),
                "; ".join(dict.fromkeys(word.reviewer for word in words)),
                seal(paper, shown),
            ]
        )
    return csv_text([*OWN, SEAL_COLUMN], rows)


def _by(reviewer: str, word: Decided) -> Decided:
    return msgspec.structs.replace(word, reviewer=reviewer)


def write_asreview(papers: Sequence[Carried]) -> str:
    """A table with the column ``included``, which ASReview takes for prior knowledge."""
    rows = []
    for number, paper in enumerate(papers):
        document, end = paper.document, last_word(paper)
        rows.append(
            [
                number,
                document.title,
                document.abstract,
                "; ".join(author.inverted for author in document.authors),
                "; ".join(document.keywords),
                document.published[:4],
                document.journal,
                _first(document.ids, "doi"),
                _first(document.ids, "pmid"),
                "" if end is None else int(end.verdict == "include"),
                " / ".join(word.note for word in paper.words if word.note),
                "; ".join(dict.fromkeys(tag for word in paper.words for tag in word.tags)),
                seal(paper, [_by("asreview", end)] if end else []),
            ]
        )
    return csv_text([*ASREVIEW, "asreview_note", "asreview_tags", SEAL_COLUMN], rows)


def write_covidence(papers: Sequence[Carried]) -> str:
    """The columns of Covidence's own export; a reason stands in its notes."""
    rows = []
    for number, paper in enumerate(papers, 1):
        document, end = paper.document, last_word(paper)
        out = end if end is not None and end.verdict == "exclude" and end.reason else None
        notes = [word.note for word in paper.words if word.note]
        exclusions = [f"{EXCLUDED_BY} {out.reason};"] if out else []
        rows.append(
            [
                document.title,
                "; ".join(author.inverted for author in document.authors),
                document.abstract,
                document.published[:4],
                month_of(document),
                document.journal,
                detail(document, "volume"),
                detail(document, "issue"),
                detail(document, "pages"),
                _first(document.ids, "pmid") or detail(document, "accession"),
                _first(document.ids, "doi"),
                document.id,
                f"#{number}",
                " ".join(filter(None, (_family(paper), document.published[:4]))),
                " ".join(
                    [*exclusions, *notes, seal(paper, [_by("covidence", out)] if out else [])]
                ),
                "; ".join(dict.fromkeys(tag for word in paper.words for tag in word.tags)),
            ]
        )
    return csv_text(COVIDENCE, rows)


def _family(paper: Carried) -> str:
    return paper.document.authors[0].family if paper.document.authors else ""


def shown_in_row(cells: Mapping[str, str], document: str) -> list[Decided]:
    """The decisions that a row of any of these tables shows."""
    low = {name.strip().lower(): value.strip() for name, value in cells.items()}
    tags = tuple(
        tag.strip()
        for name in ("asreview_tags", "tags")
        for tag in low.get(name, "").split(";")
        if tag.strip()
    )
    own = _own(low, document, tags)
    if own:
        return own
    if (excluded := low.get("notes", "")).startswith(EXCLUDED_BY):
        reason, _, note = excluded.removeprefix(EXCLUDED_BY).partition(";")
        return [
            Decided(
                document=document,
                verdict="exclude",
                reviewer="covidence",
                stage="full text",
                reason=reason.strip(),
                note=note.strip(),
                tags=tags,
            )
        ]
    column = next((name for name in LABELS if low.get(name)), "")
    label = low.get(column, "").lower()
    if label not in YES | NO:
        return []
    verdict: Verdict = "include" if label in YES else "exclude"
    note = low.get("asreview_note", "")
    who = "asreview" if column == "asreview_label" or "osler_review" in low else "file"
    at = _moment(low.get("asreview_time", ""))
    return [Decided(document=document, verdict=verdict, reviewer=who, note=note, tags=tags, at=at)]


def _moment(seconds: str) -> str:
    """ASReview's time of a label, seconds since 1970, as the log holds a moment; else nothing."""
    try:
        return datetime.fromtimestamp(float(seconds), UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return ""


def _own(low: Mapping[str, str], document: str, tags: tuple[str, ...]) -> list[Decided]:
    words = []
    for stage, name in NAMES.items():
        said = low.get(name, "")
        if said == "include" or said == "exclude":
            verdict: Verdict = "include" if said == "include" else "exclude"
            words.append(
                Decided(
                    document=document,
                    verdict=verdict,
                    reviewer="final",
                    stage=stage,
                    reason=low.get("reason", "") if verdict == "exclude" else "",
                    tags=tags,
                )
            )
    return words
