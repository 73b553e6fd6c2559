"""What is in a library, as plain values for the terminal and the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from osler.errors import NeedsError

if TYPE_CHECKING:
    from osler.library import Library


def status(library: Library) -> dict[str, Any]:
    """Counts, notes on what is unfinished, files read, models, the default method."""
    counts = {"documents": len(library), **library.counts()}
    judgements = library.decisions.judgements()
    if judgements:
        counts["judgements"] = sum(len(grades) for grades in judgements.values())
    notes = []
    try:
        coverage = library.coverage()
        counts["vectors"] = coverage.done
        if coverage.waiting:
            notes.append(
                f"{coverage.waiting:,} documents wait for a vector: osler embed {library.path}"
            )
    except NeedsError as error:
        notes.append(str(error))
    models = library.layout.models
    return {
        "counts": counts,
        "notes": notes,
        "files": [
            {
                "name": entry.name,
                "format": entry.format,
                "state": entry.state,
                "counts": dict(entry.counts),
                "error": entry.error,
            }
            for entry in library.ledger.all()
        ],
        "models": sorted(p.name for p in models.iterdir() if p.is_dir()) if models.exists() else [],
        "method": library.default_method(),
    }
