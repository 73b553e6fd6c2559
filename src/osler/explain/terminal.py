"""Hits, documents and reasons as a terminal shows them (rich text, never markup from data)."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from osler.kinds import (
    Document,
    Hit,
    KnownItem,
    PathReason,
    Ranking,
    Reason,
    ScoreParts,
    SharedConcept,
)

_RETRACTED = "RETRACTED "
NO_FINDING = "no sentence here states a finding"


def ranking_view(ranking: Ranking, *, explain: bool = False, scores: bool = True) -> RenderableType:
    """Hits in order, each with title, source, evidence; with ``explain`` the parts of its score.
    Without ``scores`` none is shown: in a list by date they tell the place alone."""
    if not ranking.hits:
        return Text("nothing was found")
    shown: list[RenderableType] = []
    for rank, hit in enumerate(ranking.hits, 1):
        if rank > 1:
            shown.append(Text())
        shown.append(hit_view(rank, hit, explain=explain, scores=scores))
    return Group(*shown)


def verdict_view(ranking: Ranking) -> Text | None:
    """What stands above a list that does not answer its question."""
    verdict = ranking.verdict
    if verdict is None or not verdict.text:
        return None
    style = "bold yellow" if verdict.kind == "nothing" else "yellow"
    return Text(f"{verdict.text}{'; nearest:' if ranking.hits else ''}", style=style)


def hit_view(rank: int, hit: Hit, *, explain: bool = False, scores: bool = True) -> RenderableType:
    """One hit beside its rank; long lines wrap under their beginning."""
    title = Text(hit.title or "(no title)", style="bold")
    for start, end in hit.highlights:
        title.stylize("underline", start, end)
    if hit.retracted:
        title = Text(_RETRACTED, style="bold red").append_text(title)
    source = Text(hit.id, style="cyan")
    named = ", ".join(part for part in (hit.journal, hit.published[:4]) if part)
    source.append(f"  {named}" if named else "", style="default")
    if hit.doi:
        source.append(f"  doi:{hit.doi}", style="dim")
    if hit.design:
        size = f", n = {hit.sample_size:,}" if hit.sample_size else ""
        groups = ", ".join(f"{name} {count:,}" for name, count in hit.arms)
        design = f"  {hit.design}{size}{f' ({groups})' if groups else ''}"
        source.append(design, style="magenta")
    if scores:
        source.append(f"  {hit.score:.3f}", style="dim")
    lines: list[RenderableType] = [title]
    if hit.authors:
        more = ", et al." if len(hit.authors) > 3 else ""
        lines.append(Text(", ".join(hit.authors[:3]) + more, style="dim"))
    lines.append(source)
    if hit.abstract:
        lines.append(Text(hit.abstract))
    if hit.evidence is not None:
        where = f"[{hit.evidence.section}] " if hit.evidence.section else ""
        lines.append(Text(f"{where}{_short(hit.evidence.text)}", style="italic"))
        if hit.no_finding:
            lines.append(Text(NO_FINDING, style="dim"))
    reasons = dict.fromkeys(_reason(reason, explain) for reason in hit.reasons)
    lines += [Text(line, style="green") for line in reasons if line]
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="dim", width=2)
    grid.add_column(overflow="fold")
    grid.add_row(str(rank), Group(*lines))
    return grid


def _reason(reason: Reason, explain: bool) -> str:
    match reason:
        case KnownItem():
            return f"this is it, by {reason.by}"
        case SharedConcept():
            # Terminologies spell the same name differently: told once, it is told.
            name, held = reason.name.lower(), reason.in_document_name.lower()
            other = f" (here: {held})" if held and held != name else ""
            met = f", both {reason.via_name.lower()}" if reason.via_name else ""
            denied = ", denied here" if reason.denied and reason.denied == reason.spans else ""
            return f"shares {name}{other}{met}{denied}"
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
