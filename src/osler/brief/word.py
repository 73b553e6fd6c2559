"""A brief as a Word document (DOCX), by python-docx."""

from __future__ import annotations

import io

from osler.brief import parts
from osler.brief.brief import Brief
from osler.errors import NeedsError


def to_docx(brief: Brief) -> bytes:
    """The page as a DOCX file."""
    try:
        from docx import Document as Docx
    except ImportError:
        raise NeedsError(
            "a brief for Word needs python-docx", cure="pip install 'osler[docx]'"
        ) from None
    page = Docx()
    page.core_properties.title = _clean(brief.question)
    page.core_properties.author = _clean(brief.library)
    page.add_heading(_clean(brief.question), 0)
    page.add_paragraph(f"{_clean(brief.library)}, {brief.date}")
    page.add_paragraph().add_run(_clean(brief.words)).bold = True
    if brief.designs:
        sides = [side for side, count in brief.sides.items() if count]
        table = page.add_table(rows=1, cols=1 + len(sides))
        table.style = "Light Grid Accent 1"
        for cell, text in zip(table.rows[0].cells, ("design", *sides), strict=True):
            cell.text = text
        for design, counts in brief.designs.items():
            cells = table.add_row().cells
            values = (design or "not told", *(str(counts.get(side, 0)) for side in sides))
            for cell, text in zip(cells, values, strict=True):
                cell.text = _clean(text)
    for heading, quotes in parts.quoted(brief):
        page.add_heading(heading, 1)
        for quote in quotes:
            paragraph = page.add_paragraph(style="List Number")
            paragraph.add_run(_clean(quote.title)).bold = True
            if quote.cited:
                paragraph.add_run(f" {_clean(quote.cited)}.")
            if account := parts.told(quote):
                page.add_paragraph(_clean(account))
            page.add_paragraph(_clean(quote.text), style="Intense Quote")
            page.add_paragraph(_clean(parts.place(quote)))
    page.add_heading(parts.SEARCHED, 1)
    for line in (*parts.searched(brief), *brief.notes):
        page.add_paragraph(_clean(line), style="List Bullet")
    page.add_heading(parts.LIMITS, 1)
    for limit in brief.limits:
        page.add_paragraph(_clean(limit), style="List Bullet")
    stream = io.BytesIO()
    page.save(stream)
    return stream.getvalue()


def _clean(text: str) -> str:
    """XML has no place for control characters."""
    return "".join(c for c in text if c in "\t\n" or (c >= " " and not 0xD800 <= ord(c) <= 0xDFFF))
