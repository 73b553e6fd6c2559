"""What `ask` takes out of a library: the clinical knowledge base of its records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from osler.errors import InputError

if TYPE_CHECKING:
    from osler.library import Library
    from osler.records.kb import ClinicalKB


def records_of(library: Library) -> ClinicalKB:
    """The clinical knowledge base of the library's records, kept as arrays between two openings."""
    from osler.records.kb import ClinicalKB
    from osler.records.opening import holds_patients, opened

    kb = opened(
        library.layout.derived / "records",
        f"1:{library.truth.seq()}",
        lambda: library.entities(graph="records"),
        lambda: library.triples(graph="records"),
    )
    if len(kb.triples):
        return kb
    # Typed triples may have been added as knowledge: they serve where they speak of patients.
    kb = ClinicalKB.build(library.entities(), library.triples())
    if not holds_patients(kb):
        raise InputError(
            "the library holds no patient records", cure="add some: osler add LIB records.xml"
        )
    return kb
