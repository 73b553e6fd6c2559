"""PDF: the full text of a paper by page, joined with the record that the library holds.

The words come from pdfium (``pypdfium2``), in a process of its own (``files.pdf_pages``); their
order, without running heads and with words made whole, from ``pdf_text``. Sections are pages, so
that evidence names its page. A file whose pages are pictures is said to be scanned.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from osler.corpus import fields, making
from osler.corpus.pdf_text import page_texts, title_of
from osler.files.pdf_pages import PdfLines, read_lines
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Document, Note, Reject, Section
from osler.kinds.document import FILE, page_label

_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"<>{}|\\^`\[\]]+)", re.IGNORECASE)
_PMID = re.compile(r"\bPMID:?\s{0,3}(\d{5,9})\b")
_PMCID = re.compile(r"\b(PMC\d{5,9})\b")
_NO_TITLE = re.compile(r"microsoft word|untitled|\.(?:indd|docx?|tex|pdf|qxd|dvi)\b", re.IGNORECASE)
WORDS = 20
"""Words on a page that is more than a picture with a stamp."""


@readers.register("pdf")
class Pdf(Reader):
    """One paper a file. Its DOI, PMID or title join it with the record that is there, of which no
    field is lost; without one of them it goes by a digest of its bytes."""

    name = "pdf"
    help = "PDF, one paper a file: full text by page (osler[pdf])"
    own_ids = False

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return b"%PDF-" in head.start[:1024]

    def read(self, source: Source) -> Iterator[Item]:
        with source.open() as stream:
            lines = read_lines(stream, source.name)
        texts = [fields.clean(text) for text in page_texts(lines)]
        empty = [number for number, text in enumerate(texts, 1) if len(text.split()) < WORDS]
        pictures = sum(bool(page.pictures) for page in lines.pages)
        if len(empty) == len(texts):
            reason = "a file without text"
            if pictures:
                reason = f"a scanned file: {pictures} pages are pictures without text; OCR it first"
            yield Reject(source.name, "page 1", reason)
            return
        with source.open() as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()[:16]
        yield _document(lines, texts, f"{FILE}{digest}")
        for number in empty:
            if lines.pages[number - 1].pictures:
                yield Note(source.name, f"page {number}", "skipped", "a picture without text")
        if lines.left_out:
            place = f"page {len(texts) + 1}"
            yield Note(source.name, place, "skipped", f"{lines.left_out} pages beyond the limit")


def _document(lines: PdfLines, texts: list[str], id: str) -> Document:
    first = texts[0] if texts else ""
    says = lines.says
    stated = fields.flat(says.get("Title", ""))
    title = fields.flat(title_of(lines.pages[0], first))
    if len(stated.split()) >= 3 and not _NO_TITLE.search(stated):
        title = stated
    own = " ".join([says.get("Subject", ""), says.get("doi", ""), first])
    doi = _DOI.search(own)
    pmid, pmcid = _PMID.search(own), _PMCID.search(own)
    ids = making.identifiers(
        doi=doi[1].rstrip(".,;)") if doi else "",
        pmid=pmid[1] if pmid else "",
        pmcid=pmcid[1] if pmcid else "",
    )
    return Document(
        id=id,
        title=title,
        ids=ids,
        full_text=tuple(
            Section(text, page_label(number)) for number, text in enumerate(texts, 1) if text
        ),
        metadata={"pages": len(texts)},
    )
