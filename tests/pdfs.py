"""PDF files of our own, written out by hand: pages of words at places, in one font."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

Word = tuple[float, float, float, str]
"""x, y, size, text."""


def pdf(
    pages: Sequence[Sequence[Word]], *, title: str = "", picture: bool = False, bomb: int = 0
) -> bytes:
    """A PDF with these words on its pages; ``picture`` puts a small grey picture on each, ``bomb``
    writes the words so many times more, packed into a small file."""
    objects: list[bytes] = []

    def put(body: bytes) -> int:
        objects.append(body)
        return len(objects)

    put(b"<< /Type /Catalog /Pages 2 0 R >>")
    put(b"")  # the pages, once they are known
    font = put(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    image = put(_stream(
        b"\x80" * 16,
        b"/Type /XObject /Subtype /Image /Width 4 /Height 4 /ColorSpace /DeviceGray "
        b"/BitsPerComponent 8 ",
    ))  # fmt: skip
    kids = []
    for words in pages:
        drawn = "".join(
            f"BT /F1 {size} Tf {x} {y} Td ({_escaped(text)}) Tj ET\n" for x, y, size, text in words
        )
        if picture:
            drawn += "q 400 0 0 500 100 100 cm /I1 Do Q\n"
        drawn_bytes = drawn.encode("latin-1") * (1 + bomb)
        packed = zlib.compress(drawn_bytes) if bomb else drawn_bytes
        content = put(_stream(packed, b"/Filter /FlateDecode " if bomb else b""))
        kids.append(put(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources "
            b"<< /Font << /F1 %d 0 R >> /XObject << /I1 %d 0 R >> >> >>" % (content, font, image)
        ))  # fmt: skip
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects[1] = b"<< /Type /Pages /Kids [%b] /Count %d >>" % (listed, len(kids))
    info = put(b"<< /Title (%b) >>" % _escaped(title).encode("latin-1"))
    return _file(objects, info)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _stream(data: bytes, more: bytes = b"") -> bytes:
    return b"<< %b/Length %d >>\nstream\n%b\nendstream" % (more, len(data), data)


def _file(objects: Sequence[bytes], info: int) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer << /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        info,
        start,
    )
    return bytes(out)
