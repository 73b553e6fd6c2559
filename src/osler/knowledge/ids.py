"""Ids of entities: one spelling of each terminology's prefix, so that xrefs meet.

Files name the same terminology in many ways (``MSH:D003924``, ``SNOMEDCT_US_2023_03_01:73211009``,
``UMLS_CUI:C0011849``). Here is the one place that knows them.
"""

from __future__ import annotations

import re

_PREFIXES = {
    "mesh": "MESH",
    "msh": "MESH",
    "snomedct": "SCTID",
    "snomed": "SCTID",
    "sctid": "SCTID",
    "sct": "SCTID",
    "snomedct_us": "SCTID",
    "umls": "UMLS",
    "umls_cui": "UMLS",
    "cui": "UMLS",
    "hp": "HP",
    "hpo": "HP",
    "mondo": "MONDO",
    "doid": "DOID",
    "nci": "NCIT",
    "ncit": "NCIT",
    "orphanet": "ORPHA",
    "ordo": "ORPHA",
    "orpha": "ORPHA",
    "omim": "OMIM",
    "omimps": "OMIMPS",
    "mim": "OMIM",
    "meddra": "MEDDRA",
    "medgen": "MEDGEN",
    "icd10cm": "ICD10CM",
    "icd-10": "ICD10",
    "icd10": "ICD10",
    "icd9cm": "ICD9CM",
    "icd9": "ICD9",
    "icd-9": "ICD9",
    "icdo": "ICDO",
    "icd-o": "ICDO",
    "ncbigene": "NCBIGene",
    "efo": "EFO",
    "gard": "GARD",
}
# SNOMED CT's xrefs carry the edition they were taken from: SNOMEDCT_US_2023_03_01.
_EDITION = re.compile(r"^snomedct(?:_us)?(?:_\d{4}_\d{2}_\d{2})?$")


def prefix(name: str) -> str:
    """The one spelling of a terminology's prefix; an unknown one stays as it is."""
    low = name.strip().lower()
    if _EDITION.match(low):
        return "SCTID"
    return _PREFIXES.get(low, name.strip())


def canonical(id: str) -> str:
    """An id with its prefix in the one spelling: ``MSH:D003924`` is ``MESH:D003924``."""
    head, colon, tail = id.strip().partition(":")
    if not colon or not tail:
        return id.strip()
    spelled = prefix(head)
    tail = tail.strip()
    # Some files repeat the prefix inside the local id: MONDO:MONDO:0000001.
    if tail.lower().startswith(f"{head.lower()}:"):
        tail = tail[len(head) + 1 :]
    return f"{spelled}:{tail}"


def terminology(id: str) -> str:
    """The prefix of an id, empty when there is none."""
    head, colon, _ = id.partition(":")
    return head if colon else ""
