"""A clinical knowledge base from what a library holds, with a derived copy that opens quickly."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from osler.kinds import Entity, Triple
from osler.knowledge.graph import IS_A
from osler.records.kb import COPY, ClinicalKB

# Below this many triples a knowledge base is built faster than its copy is read.
WORTH_KEEPING = 20_000
_STAMP = "stamp.json"


def opened(
    folder: Path | None,
    stamp: str,
    entities: Callable[[], Iterable[Entity]],
    triples: Callable[[], Iterable[Triple]],
) -> ClinicalKB:
    """The copy in ``folder`` if it was made at ``stamp``; else built, and copied where that pays.

    The copy is derived: a damaged or unwritable one only costs the time to build again.
    """
    if folder is not None and _state(folder).get("stamp") == stamp:
        try:
            if not any(check(folder)):
                return ClinicalKB.load(folder)
        except (OSError, ValueError, KeyError, EOFError):
            # Damage that a checksum cannot see is damage all the same.
            pass
        erase(folder)
    kb = ClinicalKB.build(entities(), triples())
    if folder is not None and len(kb.triples) >= WORTH_KEEPING:
        try:
            (folder / _STAMP).unlink(missing_ok=True)
            kb.save(folder)
            sums = {name: _sum(folder / name) for name in COPY}
            partial = folder / f"{_STAMP}.part"
            partial.write_text(json.dumps({"stamp": stamp, "files": sums}), encoding="utf-8")
            partial.replace(folder / _STAMP)
        except OSError:
            # A read-only library still answers.
            pass
    return kb


def check(folder: Path) -> Iterator[str]:
    """One line for each file of the copy that is missing or changed; nothing where there is no
    copy."""
    state = _state(folder)
    if not state:
        if folder.is_dir() and any(p.name in (*COPY, _STAMP) for p in folder.iterdir()):
            yield "records: the stamp of the copy is missing or damaged"
        return
    for name in COPY:
        try:
            if _sum(folder / name) != state["files"].get(name):
                yield f"records: {name} is damaged: its checksum does not hold"
        except OSError:
            yield f"records: {name} is missing or cannot be read"


def erase(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _state(folder: Path) -> dict[str, Any]:
    try:
        state = json.loads((folder / _STAMP).read_text("utf-8"))
        return state if isinstance(state["files"], dict) and state["stamp"] else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _sum(path: Path) -> str:
    import xxhash

    digest = xxhash.xxh3_64()
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 22):
            digest.update(chunk)
    return str(digest.hexdigest())


def holds_patients(kb: ClinicalKB) -> bool:
    """Whether something is said of a patient. A terminology also has a type for persons, but only
    says which concept is a kind of which."""
    if kb.patient_type < 0:
        return False
    kind_of = kb.relations.index(IS_A) if IS_A in kb.relations else -1
    is_patient = kb.type_of == kb.patient_type
    heads, relations, tails = kb.triples.T
    said = (relations != kind_of) & (is_patient[heads] | is_patient[tails])
    return bool(said.any())
