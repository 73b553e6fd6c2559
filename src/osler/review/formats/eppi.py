"""EPPI-Reviewer's JSON: references with codes out of code sets, one screening set a stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from osler.corpus.reference import reference
from osler.errors import FormatError
from osler.files.source import Source
from osler.kinds import Reject
from osler.review.entries import STAGES, Decided, Stage, Verdict
from osler.review.formats.reference import detail, month_of
from osler.review.formats.seal import Carried, opened, seal, unseal
from osler.settings import MAX_FIELD

SETS: dict[Stage, str] = {
    "abstract": "Screen on Title & Abstract",
    "full text": "Screen on Full Text",
}
NO_REASON = "no reason given"


def write(papers: Sequence[Carried]) -> bytes:
    """Code sets and references as EPPI-Reviewer exports and imports them."""
    ids: dict[tuple[Stage, str], int] = {}
    for stage in STAGES:
        ids[stage, ""] = len(ids) + 1
        for paper in papers:
            word = paper.final.get(stage)
            if word is not None and word.verdict == "exclude":
                ids.setdefault((stage, word.reason or NO_REASON), len(ids) + 1)
    references = [_reference(number, paper, ids) for number, paper in enumerate(papers, 1)]
    whole = {"CodeSets": [_set(stage, ids) for stage in STAGES], "References": references}
    return msgspec.json.format(msgspec.json.encode(whole), indent=1)


def _set(stage: Stage, ids: dict[tuple[Stage, str], int]) -> dict[str, Any]:
    number = STAGES.index(stage) + 1
    attributes = [
        {
            "AttributeId": id,
            "AttributeSetId": id,
            "AttributeType": "Exclude" if reason else "Include",
            "AttributeName": f"EXCLUDE on {reason}" if reason else f"INCLUDE on {SETS[stage]}",
            "AttributeDescription": "",
            "AttributeSetDescription": "",
        }
        for (of, reason), id in ids.items()
        if of == stage
    ]
    return {
        "SetName": SETS[stage],
        "SetId": number,
        "ReviewSetId": number,
        "SetDescription": "",
        "SetType": {"SetTypeName": "Screening", "SetTypeDescription": ""},
        "Attributes": {"AttributesList": attributes},
    }


def _reference(number: int, paper: Carried, ids: dict[tuple[Stage, str], int]) -> dict[str, Any]:
    document = paper.document
    codes, shown = [], []
    for stage, word in paper.final.items():
        reason = (word.reason or NO_REASON) if word.verdict == "exclude" else ""
        codes.append(
            {
                "AttributeId": ids[stage, reason],
                "AdditionalText": word.note,
                "ArmId": 0,
                "ArmTitle": "",
                "ItemAttributeFullTextDetails": [],
            }
        )
        shown.append(msgspec.structs.replace(word, reviewer="eppi"))
    return {
        "ItemId": number,
        "OldItemId": document.id,
        "Title": document.title,
        "ParentTitle": document.journal,
        "Year": document.published[:4],
        "Month": month_of(document),
        "Volume": detail(document, "volume"),
        "Issue": detail(document, "issue"),
        "Pages": detail(document, "pages"),
        "URL": detail(document, "url"),
        "Abstract": document.abstract,
        "Comments": seal(paper, shown),
        "TypeName": "Journal, Article",
        "Authors": "; ".join(author.inverted for author in document.authors),
        "DOI": document.ids.get("doi", ""),
        "Keywords": "; ".join(document.keywords),
        "ItemStatus": "I",
        "Codes": codes,
    }


class _Code(msgspec.Struct):
    AttributeId: int = 0
    AdditionalText: str = ""


class _Reference(msgspec.Struct):
    ItemId: int = 0
    OldItemId: str = ""
    Title: str = ""
    ParentTitle: str = ""
    Year: str = ""
    Volume: str = ""
    Issue: str = ""
    Pages: str = ""
    URL: str = ""
    Abstract: str = ""
    Comments: str = ""
    TypeName: str = ""
    Authors: str = ""
    DOI: str = ""
    Keywords: str = ""
    Codes: list[_Code] = []


class _Whole(msgspec.Struct):
    CodeSets: list[dict[str, Any]] = []
    References: list[_Reference] = []


def read(source: Source) -> Iterator[Carried | Reject]:
    """The references of a file, each with its decisions."""
    with source.open() as stream:
        body = stream.read(64 * MAX_FIELD.get() + 1)
    if len(body) > 64 * MAX_FIELD.get():
        raise FormatError(f"{source.name} is too large for one file", cure="export it in parts")
    try:
        whole = msgspec.json.decode(body, type=_Whole)
    except (msgspec.MsgspecError, UnicodeError):
        raise FormatError(f"{source.name} is no export of EPPI-Reviewer") from None
    names = dict(_names(whole.CodeSets))
    for number, one in enumerate(whole.References, 1):
        item = reference(
            source.name,
            f"reference {number}",
            title=one.Title,
            given=one.OldItemId or (str(one.ItemId) if one.ItemId else ""),
            kind=one.TypeName.split(",")[0],
            abstract=one.Abstract,
            authors=one.Authors.split(";"),
            year=one.Year,
            journal=one.ParentTitle,
            keywords=[one.Keywords],
            doi=one.DOI,
            url=one.URL,
            metadata={"volume": one.Volume, "issue": one.Issue, "pages": one.Pages},
        )
        if isinstance(item, Reject):
            yield item
            continue
        _, sealed, damaged = unseal(one.Comments)
        shown = [
            Decided(
                document=item.id,
                verdict=verdict,
                reviewer="eppi",
                stage=stage,
                reason=reason,
                note=code.AdditionalText,
            )
            for code in one.Codes
            if code.AttributeId in names
            for stage, verdict, reason in [names[code.AttributeId]]
        ]
        yield opened(item, sealed, shown, damaged=damaged)


def _names(sets: list[dict[str, Any]]) -> Iterator[tuple[int, tuple[Stage, Verdict, str]]]:
    """What the codes of the screening sets mean."""
    for one in sets:
        stage: Stage = "full text" if "full" in str(one.get("SetName", "")).lower() else "abstract"
        attributes = (one.get("Attributes") or {}).get("AttributesList") or []
        for attribute in attributes:
            name, kind = str(attribute.get("AttributeName", "")), attribute.get("AttributeType")
            id = attribute.get("AttributeId")
            if not isinstance(id, int):
                continue
            if kind == "Include" or name.upper().startswith("INCLUDE"):
                yield id, (stage, "include", "")
            elif kind == "Exclude" or name.upper().startswith("EXCLUDE"):
                reason = name[8:].strip().removeprefix("on ") if name[:7] == "EXCLUDE" else name
                yield id, (stage, "exclude", "" if reason == NO_REASON else reason)
