"""A clinical knowledge base from what a library holds, with a derived copy that opens quickly."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from osler.kinds import Entity, Triple
from osler.records.kb import ClinicalKB
from osler.records.schema import PATIENT_TYPES

# Below this many triples a knowledge base is built faster than its copy is read.
WORTH_KEEPING = 20_000


def opened(
    folder: Path | None,
    stamp: str,
    entities: Callable[[], Iterable[Entity]],
    triples: Callable[[], Iterable[Triple]],
) -> ClinicalKB:
    """The copy in ``folder`` if it was made at ``stamp``; else built, and copied where that pays.

    The copy is derived: a damaged or unwritable one only costs the time to build again.
    """
    mark = folder / "stamp" if folder is not None else None
    if folder is not None and mark is not None and mark.is_file():
        try:
            if mark.read_text(encoding="utf-8") == stamp:
                return ClinicalKB.load(folder)
        except (OSError, ValueError, KeyError, EOFError):
            shutil.rmtree(folder, ignore_errors=True)
    kb = ClinicalKB.build(entities(), triples())
    if folder is not None and mark is not None and len(kb.triples) >= WORTH_KEEPING:
        try:
            mark.unlink(missing_ok=True)
            kb.save(folder)
            mark.write_text(stamp, encoding="utf-8")
        except OSError:
            # A read-only library still answers.
            pass
    return kb


def holds_patients(kb: ClinicalKB) -> bool:
    return any(t.lower() in PATIENT_TYPES for t in kb.types)
