"""The lines of a PDF, read in a process of its own with bounds on time and memory.

    python -m osler.files.pdf_pages < paper.pdf

A PDF is a program for drawing, and whoever sends one may be hostile. So a child process reads it
with a limit on its memory and its processor time, and hands out JSON: for every page its size and
its lines (left, bottom, right, top, text). A child that dies takes nothing with it.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any, BinaryIO

import msgspec

from osler.errors import FormatError, LimitError, MissingExtra
from osler.settings import PDF_MEGABYTES, PDF_PAGES, PDF_SECONDS

_LOCKED, _MISSING, _BROKEN = 4, 5, 6
_SAME_LINE = 0.5
"""Two pieces stand in one line where they overlap by half of the lower one's height."""
_GAP = 0.8
"""And where the gap between them is less than so many heights: columns stand further apart."""
_LARGEST = 512_000_000
"""Bytes that a PDF may have."""


class Line(msgspec.Struct, frozen=True, array_like=True):
    """A piece of text in one line, with its box in points from the lower left corner."""

    left: float
    bottom: float
    right: float
    top: float
    text: str

    @property
    def height(self) -> float:
        return self.top - self.bottom


class PageLines(msgspec.Struct, frozen=True):
    """A page: its size in points and what is written on it; ``pictures`` says how many it has."""

    width: float
    height: float
    lines: tuple[Line, ...]
    pictures: int = 0


class PdfLines(msgspec.Struct, frozen=True):
    """A file: its pages, and what it says of itself (``Title``, ``Subject``)."""

    pages: tuple[PageLines, ...]
    says: dict[str, str] = {}
    left_out: int = 0
    """Pages beyond the limit, which were not read."""


def read_lines(stream: BinaryIO, name: str) -> PdfLines:
    """The lines of a PDF. What is too large, too slow, locked or broken is an error that says
    so."""
    data = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise LimitError(f"{name} is larger than a PDF may be")
    seconds = PDF_SECONDS.get()
    try:
        child = subprocess.run(
            [sys.executable, "-m", "osler.files.pdf_pages"],
            input=data,
            capture_output=True,
            timeout=4 * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise LimitError(
            f"{name} took longer than a PDF may", cure="raise OSLER_PDF_SECONDS"
        ) from None
    if child.returncode == _MISSING:
        raise MissingExtra("reading PDF", "pdf")
    if child.returncode == _LOCKED:
        raise FormatError(f"{name} is locked with a password", cure="save it without one")
    if child.returncode == _BROKEN:
        raise FormatError(f"{name} is no PDF that can be opened", cure="open and save it anew")
    if child.returncode:
        raise LimitError(
            f"{name} took more time or memory than a PDF may",
            cure="raise OSLER_PDF_SECONDS or OSLER_PDF_MEGABYTES if the file is honest",
        )
    try:
        return msgspec.json.decode(child.stdout, type=PdfLines)
    except msgspec.DecodeError:
        raise FormatError(f"{name} could not be read as a PDF") from None


# -- in the child ----------------------------------------------------------------------------------


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows: the parent's clock alone holds
        return
    most = PDF_MEGABYTES.get() * 1_000_000
    seconds = max(1, round(PDF_SECONDS.get()))
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _document(data: bytes) -> PdfLines:
    import pypdfium2
    from pypdfium2 import raw

    pdf = pypdfium2.PdfDocument(data)
    says = {key: value for key, value in pdf.get_metadata_dict().items() if value}
    count = len(pdf)
    pages = []
    for number in range(min(count, PDF_PAGES.get())):
        page = pdf[number]
        width, height = page.get_size()
        pictures = sum(1 for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=4))
        pages.append(PageLines(width, height, tuple(_lines(page.get_textpage())), pictures))
        page.close()
    return PdfLines(tuple(pages), says, max(0, count - len(pages)))


def _lines(textpage: Any) -> list[Line]:
    pieces = []
    for at in range(textpage.count_rects()):
        left, bottom, right, top = textpage.get_rect(at)
        text = textpage.get_text_bounded(left, bottom, right, top)
        if text.strip():
            pieces.append(Line(left, bottom, right, top, text))
    return joined_pieces(pieces)


def joined_pieces(pieces: list[Line]) -> list[Line]:
    """Pieces that follow each other in one line, as one: a change of font cuts a line."""
    lines: list[Line] = []
    for piece in pieces:
        last = lines[-1] if lines else None
        if last is not None and _follows(last, piece):
            blank = "" if piece.left - last.right < 0.1 * last.height else " "
            lines[-1] = Line(
                min(last.left, piece.left),
                min(last.bottom, piece.bottom),
                max(last.right, piece.right),
                max(last.top, piece.top),
                f"{last.text.rstrip()}{blank}{piece.text.lstrip()}",
            )
        else:
            lines.append(piece)
    return lines


def _follows(last: Line, piece: Line) -> bool:
    shared = min(last.top, piece.top) - max(last.bottom, piece.bottom)
    lower = min(last.height, piece.height)
    gap = piece.left - last.right
    return shared >= _SAME_LINE * lower and -0.5 * lower <= gap < _GAP * max(last.height, 1.0)


def main() -> int:
    try:
        import pypdfium2
    except ImportError:
        return _MISSING
    _limit()
    data = sys.stdin.buffer.read()
    try:
        lines = _document(data)
    except pypdfium2.PdfiumError as error:
        return _LOCKED if "password" in str(error).lower() else _BROKEN
    sys.stdout.buffer.write(msgspec.json.encode(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
