"""Papers as reference managers read them: RIS, NBIB, BibTeX. What is written reads back the same.

The readers of this room (``ris``, ``nbib``, ``bibtex``) say which field is which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from osler.corpus.ris import TYPES
from osler.kinds import Document, Heading

_KINDS = {name: kind for kind, name in reversed(TYPES.items())}
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "#": r"\#",
    "$": r"\$", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_NO_KEY = re.compile(r"[^A-Za-z0-9:./-]+")


def _held(document: Document, key: str) -> str:
    value = document.metadata.get(key)
    return str(value) if isinstance(value, str | int) else ""


def _abstract(document: Document) -> str:
    return " ".join(
        f"{section.label.upper()}: {section.text}" if section.label else section.text
        for section in document.sections
        if section.text
    )


def _date(document: Document, mark: str) -> str:
    return document.published.replace("-", mark)


def ris(document: Document, notes: Iterable[str] = ()) -> str:
    """One record in RIS, with what somebody noted of it."""
    pmid = document.ids.get("pmid", "")
    first, _, last = _held(document, "pages").partition("-")
    lines = [("TY", next((_KINDS[t] for t in document.types if t in _KINDS), "JOUR"))]
    lines += [("ID", document.id), ("TI", document.title)]
    lines += [("AU", author.inverted) for author in document.authors]
    lines += [("T2", document.journal), ("J2", _held(document, "medline_ta"))]
    lines += [("PY", document.published[:4]), ("DA", _date(document, "/"))]
    lines += [("VL", _held(document, "volume")), ("IS", _held(document, "issue"))]
    lines += [("SP", first), ("EP", last), ("SN", _held(document, "issn"))]
    lines += [("AB", _abstract(document)), ("DO", document.ids.get("doi", ""))]
    lines += [("AN", pmid), ("DB", "PubMed" if pmid else "")]
    lines += [("C2", document.ids.get("pmcid", "")), ("LA", document.language)]
    lines += [("KW", keyword) for keyword in document.keywords]
    lines += [("KW", heading.name) for heading in document.headings]
    lines += [("N1", "Retracted" if document.retracted else "")]
    lines += [("N1", note) for note in notes]
    written = [f"{tag}  - {' '.join(value.split())}" for tag, value in lines if value]
    return "\r\n".join([*written, "ER  - ", "", ""])


def _heading(heading: Heading) -> str:
    name = f"{'*' * heading.major}{heading.name}"
    return "/".join((name, *heading.qualifiers))


def nbib(document: Document) -> str:
    """One record as PubMed displays MEDLINE. A paper without a PMID has no such line."""
    ids = document.ids
    lines = [("PMID", ids.get("pmid", "")), ("OWN", "" if "pmid" in ids else "NOTNLM")]
    lines += [("TI", document.title), ("AB", _abstract(document))]
    for author in document.authors:
        lines += [("FAU", author.inverted), ("AU", author.short), ("AD", author.affiliation)]
    lines += [("LA", document.language)] + [("PT", kind) for kind in document.types]
    lines += [("DP", _date(document, " ")), ("TA", _held(document, "medline_ta"))]
    lines += [("JT", document.journal), ("VI", _held(document, "volume"))]
    lines += [("IP", _held(document, "issue")), ("PG", _held(document, "pages"))]
    lines += [("IS", _held(document, "issn")), ("PMC", ids.get("pmcid", ""))]
    lines += [("AID", f"{ids['doi']} [doi]" if "doi" in ids else "")]
    lines += [("MH", _heading(heading)) for heading in document.headings]
    lines += [("OT", keyword) for keyword in document.keywords]
    lines += [("PT", "Retracted Publication" if _unmarked(document) else "")]
    written = [f"{tag:<4}- {' '.join(value.split())}" for tag, value in lines if value]
    return "\n".join([*written, "", ""])


def _unmarked(document: Document) -> bool:
    return document.retracted and "Retracted Publication" not in document.types


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in " ".join(text.split()))


def bibtex(document: Document) -> str:
    """One entry of BibTeX; its key is the paper's id."""
    fields = {
        "title": document.title,
        "author": " and ".join(author.inverted for author in document.authors),
        "journal": document.journal,
        "year": document.published[:4],
        "month": document.published[5:7],
        "volume": _held(document, "volume"),
        "number": _held(document, "issue"),
        "pages": _held(document, "pages").replace("-", "--"),
        "issn": _held(document, "issn"),
        "doi": document.ids.get("doi", ""),
        "pmid": document.ids.get("pmid", ""),
        "pmcid": document.ids.get("pmcid", ""),
        "language": document.language,
        "keywords": "; ".join(document.keywords),
        "abstract": _abstract(document),
        "note": "Retracted" if document.retracted else "",
    }
    key = _NO_KEY.sub("_", document.id) or "paper"
    listed = ",\n".join(f"  {name} = {{{_latex(text)}}}" for name, text in fields.items() if text)
    return f"@article{{{key},\n{listed}\n}}\n\n"


WRITERS: Mapping[str, Callable[[Document], str]] = {"ris": ris, "nbib": nbib, "bib": bibtex}


def written(documents: Iterable[Document], format: str) -> str:
    """Papers one after the other."""
    return "".join(map(WRITERS[format], documents))
