"""Hits, documents and reasons as a terminal shows them (rich text, never markup from data)."""

from __future__ import annotations

from rich.text import Text

from osler.kinds import Document, Hit, PathReason, Ranking, Reason, ScoreParts, SharedConcept

_RETRACTED = "RETRACTED "


def ranking_text(ranking: Ranking, *, explain: bool = False) -> Text:
    """Hits in order, each with title, source, evidence; with ``explain`` the parts of its score."""
    if not ranking.hits:
        return Text("nothing was found")
    text = Text()
    for rank, hit in enumerate(ranking.hits, 1):
        if rank > 1:
            text.append("\n\n")
        text.append_text(hit_text(rank, hit, explain=explain))
    return text


def hit_text(rank: int, hit: Hit, *, explain: bool = False) -> Text:
    text = Text()
    text.append(f"{rank:>2}  ", style="dim")
    if hit.retracted:
        text.append(_RETRACTED, style="bold red")
    title = Text(hit.title or "(no title)", style="bold")
    for start, end in hit.highlights:
        title.stylize("underline", start, end)
    text.append_text(title)
    source = ", ".join(part for part in (hit.journal, hit.published[:4]) if part)
    text.append(f"\n    {hit.id}", style="cyan")
    text.append(f"  {source}" if source else "")
    text.append(f"  {hit.score:.3f}", style="dim")
    if hit.evidence is not None:
        text.append(f"\n    {_short(hit.evidence.text)}", style="italic")
    for reason in hit.reasons:
        line = _reason(reason, explain)
        if line:
            text.append(f"\n    {line}", style="green" if not explain else "")
    return text


def _reason(reason: Reason, explain: bool) -> str:
    match reason:
        case SharedConcept():
            met = f" through {reason.via_name}" if reason.via_name else ""
            other = (
                f" ({reason.in_document_name})"
                if reason.in_document_name and reason.in_document_name != reason.name
                else ""
            )
            return f"shares {reason.name}{other}{met}"
        case ScoreParts() if explain:
            parts = ", ".join(
                f"{name} {reason.contributed[name]:+.3f} (from {reason.raw.get(name, 0.0):.3f})"
                for name in reason.contributed
            )
            return f"score = {parts}"
        case PathReason() if explain:
            names = [reason.names.get(id, id) for id in reason.path.entities]
            return f"path {' - '.join(names)} ({reason.weight:.2f})"
        case _:
            return ""


def _short(text: str, limit: int = 400) -> str:
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0] + " ..."


def document_text(document: Document) -> Text:
    text = Text()
    if document.retracted:
        text.append(_RETRACTED, style="bold red")
    text.append(document.title or "(no title)", style="bold")
    authors = ", ".join(f"{a.family} {a.initials or a.given}".strip() for a in document.authors[:8])
    if len(document.authors) > 8:
        authors += f" and {len(document.authors) - 8} more"
    for line in (
        authors,
        ", ".join(part for part in (document.journal, document.published) if part),
        "  ".join(f"{scheme}: {value}" for scheme, value in document.ids.items()),
        ", ".join(document.types),
    ):
        if line:
            text.append(f"\n{line}", style="dim")
    for section in document.sections:
        text.append("\n\n")
        if section.label:
            text.append(f"{section.label}  ", style="bold")
        text.append(section.text)
    if document.headings:
        names = "; ".join(f"{h.name}{'*' if h.major else ''}" for h in document.headings)
        text.append("\n\nHeadings  ", style="bold")
        text.append(names)
    if document.keywords:
        text.append("\nKeywords  ", style="bold")
        text.append("; ".join(document.keywords))
    if document.full_text:
        text.append(f"\n\nFull text: {len(document.full_text)} sections", style="dim")
    return text
