"""A brief as a file, by the ending of its name."""

from __future__ import annotations

import msgspec

from osler.brief.brief import Brief
from osler.errors import InputError

MEDIA = {
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "json": "application/json",
}
"""What can be written, with its media type."""


def known(ending: str) -> str:
    """An ending that can be written; an error that names those that can, for another."""
    if ending not in MEDIA:
        raise InputError(f"a brief is not written as “{ending}”", cure="one of " + ", ".join(MEDIA))
    return ending


def written(brief: Brief, ending: str) -> bytes:
    """The file."""
    if known(ending) == "json":
        return msgspec.json.format(msgspec.json.encode(brief), indent=2) + b"\n"
    if ending == "md":
        from osler.brief.markdown import to_markdown

        return to_markdown(brief).encode()
    if ending == "html":
        from osler.brief.html import to_html

        return to_html(brief).encode()
    from osler.brief.word import to_docx

    return to_docx(brief)
