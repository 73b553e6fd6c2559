"""Text out of JATS: paragraphs, sections with their path of titles, captions."""

from __future__ import annotations

from typing import Any

from osler.kinds import Section

# What is no running text: formulas in TeX, the cells of tables, files, footnote marks.
_DROPPED = {
    "tex-math", "table", "graphic", "media", "inline-graphic", "object-id", "alternatives-id",
    "supplementary-material", "permissions", "alt-text",
}  # fmt: skip
_FLOATS = {"fig", "table-wrap", "boxed-text", "fig-group", "table-wrap-group", "chem-struct-wrap"}
_BREAKS = {"p", "title", "list-item", "label", "caption", "def", "term", "disp-formula", "td", "th"}


def local(element: Any) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def text(element: Any) -> str:
    """The running text of an element on one line; figures and tables inside it left out."""
    pieces: list[str] = []
    _collect(element, pieces)
    return " ".join("".join(pieces).split())


def _collect(element: Any, pieces: list[str]) -> None:
    # The parser's cap on depth bounds this recursion.
    pieces.append(element.text or "")
    for child in element:
        name = local(child)
        if name and name not in _DROPPED and name not in _FLOATS:
            if name in _BREAKS:
                pieces.append(" ")
            _collect(child, pieces)
            if name in _BREAKS:
                pieces.append(" ")
        pieces.append(child.tail or "")


def block(element: Any) -> str:
    """A paragraph, list or formula; of a figure or table its label and caption."""
    name = local(element)
    if name in {"fig", "table-wrap", "chem-struct-wrap"}:
        parts = [element.find("label"), element.find("caption")]
        return " ".join(filter(None, (text(part) for part in parts if part is not None)))
    if name in _FLOATS:
        return "\n".join(filter(None, (block(child) for child in element)))
    if name in _DROPPED:
        return ""
    captions = [block(child) for child in element.iter() if local(child) in {"fig", "table-wrap"}]
    return "\n".join(filter(None, (text(element), *captions)))


def sections(element: Any, path: tuple[str, ...] = ()) -> tuple[Section, ...]:
    """The sections of a body or an abstract, in order, a nested one labelled ``outer > inner``."""
    collected: list[Section] = []
    blocks: list[str] = []

    def settle() -> None:
        if blocks:
            collected.append(Section("\n".join(blocks), " > ".join(path)))
            blocks.clear()

    for child in element:
        name = local(child)
        if name == "sec":
            settle()
            title = child.find("title")
            called = text(title) if title is not None else ""
            collected.extend(sections(child, (*path, called) if called else path))
        elif name not in {"title", "label", "sec-meta", ""} and (words := block(child)):
            blocks.append(words)
    settle()
    return tuple(collected)
