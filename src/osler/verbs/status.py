"""``status``: what is in a library, as plain values for every door."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from osler.errors import NeedsError
from osler.store.models import TrainedModel
from osler.text.counted import counted
from osler.verbs.patients import Patients, patients

if TYPE_CHECKING:
    from osler.library import Library


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """How many records were merged, replaced or passed over, for one reason, of all files."""

    what: str
    reason: str
    count: int


class Status(msgspec.Struct, kw_only=True):
    """Counts, notes on what is unfinished, files read, models with their cards and whether they
    are used, the share of documents that have a vector, the method that a search takes."""

    version: str
    counts: dict[str, int]
    coverage: float | None
    method: str
    notes: list[str]
    files: list[dict[str, Any]]
    models: list[TrainedModel]
    rejects: int
    patients: Patients
    noted: list[Noted]
    """What was merged, replaced or passed over; those most often done first."""
    encoder: str = ""
    """The preferred encoder's name; empty where none can be loaded."""


def status(library: Library) -> Status:
    """What is in the library."""
    from osler import __version__

    counts = {"documents": len(library), **library.counts()}
    judgements = library.decisions.judgements()
    if judgements:
        counts["judgements"] = sum(len(grades) for grades in judgements.values())
    people = patients(library)
    notes = list(people.notes)
    share = None
    encoder = ""
    try:
        encoder = str(library.team.preferred.name)
        vectors = library.coverage()
        share = round(vectors.share, 4)
        counts["vectors"] = vectors.done
        if vectors.waiting:
            notes.append(
                f"{counted(vectors.waiting, 'document waits', 'documents wait')} for a vector: "
                f"osler embed {library.path}"
            )
    except NeedsError as error:
        notes.append(str(error))
    return Status(
        version=__version__,
        counts=counts,
        coverage=share,
        method=library.default_method(),
        notes=notes,
        files=[
            {
                "name": entry.name,
                "format": entry.format,
                "state": entry.state,
                "counts": dict(entry.counts),
                "error": entry.error,
            }
            for entry in library.ledger.all()
        ],
        models=list(library.models.listed()),
        rejects=sum(1 for _ in library.rejects()),
        patients=people,
        noted=noted(library),
        encoder=encoder,
    )


def noted(library: Library) -> list[Noted]:
    """The ledger's notes by what was done and why, with how many records each was about."""
    counts: Counter[tuple[str, str]] = Counter()
    for note in library.ledger.notes():
        counts[note.what, note.reason] += note.count
    return [
        Noted(what=what, reason=reason, count=count)
        for (what, reason), count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    ]


def coverage(library: Library) -> float | None:
    """The share of documents that have a vector; None without an encoder."""
    try:
        return round(library.coverage().share, 4)
    except NeedsError:
        return None


def rejects(library: Library, limit: int) -> list[dict[str, str]]:
    """Records that could not be read, the first of them."""
    return [msgspec.to_builtins(reject) for reject in islice(library.rejects(), limit)]
