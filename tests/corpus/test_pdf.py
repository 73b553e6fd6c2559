"""PDF files: reading order, running heads, hyphens, ids, bounds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from osler.corpus.pdf_text import joined, page_texts, reading_order, running_heads, title_of
from osler.errors import FormatError, LimitError
from osler.files.pdf_pages import Line, PageLines, PdfLines, joined_pieces, read_lines
from osler.files.source import Source
from osler.kinds import Document, Heading, Note, Reject, Section
from osler.kinds.document import page_label, page_of
from pdfs import pdf


def line(x: float, y: float, text: str, *, size: float = 10.0, width: float = 200.0) -> Line:
    return Line(x, y, x + width, y + size, text)


def page(*lines: Line) -> PageLines:
    return PageLines(612.0, 792.0, lines)


def texts(lines: list[Line]) -> list[str]:
    return [each.text for each in lines]


def test_columns_are_read_one_after_the_other() -> None:
    left = [line(60, 600 - 14 * n, f"left {n}") for n in range(4)]
    right = [line(330, 600 - 14 * n, f"right {n}") for n in range(4)]
    mixed = [each for pair in zip(left, right, strict=True) for each in pair]
    assert texts(reading_order(mixed)) == texts(left) + texts(right)


def test_what_spans_the_columns_parts_the_page() -> None:
    top = line(60, 700, "title", width=470)
    first = [line(60, 650 - 14 * n, f"a {n}") for n in range(3)]
    second = [line(330, 650 - 14 * n, f"b {n}") for n in range(3)]
    table = line(60, 500, "a wide table", width=470)
    third = [line(60, 450 - 14 * n, f"c {n}") for n in range(3)]
    fourth = [line(330, 450 - 14 * n, f"d {n}") for n in range(3)]
    wanted = [top, *first, *second, table, *third, *fourth]
    assert reading_order(sorted(wanted, key=lambda each: -each.bottom)) == wanted


def test_one_column_is_read_downwards() -> None:
    lines = [line(60, 700 - 20 * n, str(n), width=450) for n in range(5)]
    assert reading_order(lines[::-1]) == lines
    assert reading_order([]) == []


def test_running_heads_are_what_many_pages_have_at_their_edge() -> None:
    pages = [
        page(
            line(
                60, 770, f"J Lipids 2020; 12: {number}" if number % 2 else f"{number} Smith et al"
            ),
            line(60, 400, "the same in every middle"),
            line(300, 20, str(number)),
        )
        for number in range(1, 7)
    ]
    assert running_heads(pages) == {"j lipids #; #: #", "# smith et al", "#"}
    assert running_heads(pages[:2]) == frozenset()
    assert page_texts(PdfLines(tuple(pages))) == ["the same in every middle"] * 6


def test_words_that_a_line_cut_are_whole_again() -> None:
    lines = [
        line(60, 700, "a treat-"),
        line(60, 688, "ment over a long-"),
        line(60, 676, "term use"),
    ]
    known = Counter({"long-term": 2, "treatment": 1})
    assert joined(lines, known) == "a treatment over a long-term use"
    capital = [line(60, 700, "the Kaplan-"), line(60, 688, "Meier curve")]
    assert joined(capital, Counter()) == "the Kaplan-Meier curve"
    soft = [line(60, 700, "chol\u00ad"), line(60, 688, "esterol")]
    assert joined(soft, Counter()) == "cholesterol"


def test_a_gap_begins_a_paragraph_where_a_sentence_ends() -> None:
    lines = [
        line(60, 700, "One ends."),
        line(60, 660, "Another begins."),
        line(60, 648, "It goes on."),
    ]
    assert joined(lines, Counter()) == "One ends.\nAnother begins. It goes on."


def test_pieces_of_one_line_are_joined_and_columns_are_not() -> None:
    a, b, c = line(60, 700, "in", width=10), line(73, 700, "vivo", width=20), line(330, 700, "far")
    assert texts(joined_pieces([a, b, c])) == ["in vivo", "far"]
    touching = [line(60, 700, "H", width=6), line(66.2, 698, "2", size=6, width=3)]
    assert texts(joined_pieces(touching)) == ["H2"]


def test_the_title_is_the_largest_writing() -> None:
    body = [line(60, 500 - 14 * n, "plain words of the text") for n in range(6)]
    title = [line(60, 700, "Statins and muscle", size=18), line(60, 678, "pain in adults", size=18)]
    assert title_of(page(*title, *body), "") == "Statins and muscle pain in adults"
    assert title_of(page(*body), "") == ""
    assert title_of(page(), "") == ""


def test_pages_have_labels() -> None:
    assert page_of(page_label(12)) == 12
    assert page_of("Methods") is None
    assert page_of("page x") is None


# -- whole files -----------------------------------------------------------------------------------

WORDS = (
    "Statins lower cholesterol and are taken by mil-",
    "lions of adults. Many stop because of muscle pain,",
    "which may have other causes. We counted who had",
    "muscle pain in a cohort of older adults in Vienna.",
)


def paper(*, doi: str = "10.1000/statins", title: str = "") -> bytes:
    first = [(60.0, 720.0, 18.0, "Statins and muscle pain"), (60.0, 690.0, 9.0, f"doi: {doi}")]
    body = [(60.0, 600.0 - 14 * n, 10.0, text) for n, text in enumerate(WORDS)]
    more = [(60.0, 600.0, 10.0, "Creatine kinase did not change in anybody who took a statin in "
             "this cohort of older adults for as long as two years.")]  # fmt: skip
    more += [(60.0, 580.0, 10.0, "Nobody was lost in the end.")]
    return pdf([[*first, *body], more], title=title)


@pytest.fixture
def pdfium() -> None:
    pytest.importorskip("pypdfium2", reason="needs osler[pdf]")


def read(place: Path, data: bytes) -> list[object]:
    from osler.corpus.pdf import Pdf

    place.write_bytes(data)
    return list(Pdf().read(Source(place)))


@pytest.mark.usefixtures("pdfium")
def test_a_paper_is_read_by_page(tmp_path: Path) -> None:
    (document,) = read(tmp_path / "a.pdf", paper())
    assert isinstance(document, Document)
    assert document.title == "Statins and muscle pain"
    assert document.ids == {"doi": "10.1000/statins"}
    assert [section.label for section in document.full_text] == ["page 1", "page 2"]
    assert "taken by millions of adults. Many stop" in document.full_text[0].text
    assert document.full_text[1].text.startswith("Creatine kinase did not change")


@pytest.mark.usefixtures("pdfium")
def test_a_scanned_file_is_said_to_be_one(tmp_path: Path) -> None:
    (reject,) = read(tmp_path / "scan.pdf", pdf([[], []], picture=True))
    assert isinstance(reject, Reject)
    assert "scanned" in reject.reason
    assert "2 pages" in reject.reason
    (bare,) = read(tmp_path / "bare.pdf", pdf([[]]))
    assert isinstance(bare, Reject)
    assert bare.reason == "a file without text"


@pytest.mark.usefixtures("pdfium")
def test_a_picture_among_pages_is_noted(tmp_path: Path) -> None:
    body = [(60.0, 600.0 - 14 * n, 10.0, text) for n, text in enumerate(WORDS)]
    document, note = read(tmp_path / "a.pdf", pdf([body, []], picture=True))
    assert isinstance(document, Document)
    assert len(document.full_text) == 1
    assert isinstance(note, Note)
    assert note.place == "page 2"


@pytest.mark.usefixtures("pdfium")
def test_rubbish_is_no_pdf(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no PDF that can be opened"):
        read(tmp_path / "b.pdf", b"%PDF-1.4 rubbish")


@pytest.mark.usefixtures("pdfium")
def test_a_hostile_file_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OSLER_PDF_SECONDS", "1")
    place = tmp_path / "bomb.pdf"
    place.write_bytes(pdf([[(60.0, 600.0, 10.0, "x")]], bomb=700_000))
    assert place.stat().st_size < 400_000
    with pytest.raises(LimitError, match="took"), place.open("rb") as stream:
        read_lines(stream, "bomb.pdf")


@pytest.mark.usefixtures("pdfium")
def test_pages_beyond_the_limit_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OSLER_PDF_PAGES", "1")
    document, note = read(tmp_path / "a.pdf", paper())
    assert isinstance(document, Document)
    assert len(document.full_text) == 1
    assert isinstance(note, Note)
    assert note.reason == "1 pages beyond the limit"


@pytest.mark.usefixtures("pdfium")
@pytest.mark.parametrize("doi", ["10.1000/statins", ""])
def test_a_file_joins_the_record_that_is_there(tmp_path: Path, doi: str) -> None:
    """By its DOI, or by its title; no field of the record is lost, and evidence names its page."""
    from osler import Library

    record = Document(
        id="1",
        title="Statins and muscle pain",
        sections=(Section("An abstract about lipids."),),
        headings=(Heading("Myalgia", "MESH:D063806"),),
        revised="2021-01-01",
        ids={"pmid": "1", "doi": "10.1000/statins"},
    )
    place = tmp_path / "a.pdf"
    place.write_bytes(paper(doi=doi, title="Statins and muscle pain"))
    with Library.create(tmp_path / "library") as library:
        library.add_documents([record, Document(id="2", title="Asthma in children near roads")])
        summary = library.add([place])
        assert summary.counts["merged"] == 1
        assert len(library) == 2
        held = library.document("1")
        assert held.headings == record.headings
        assert held.sections == record.sections
        assert [section.label for section in held.full_text] == ["page 1", "page 2"]
        (hit, *_) = library.search("creatine kinase", method="words")
        assert hit.id == "1"
        assert hit.evidence is not None
        assert hit.evidence.section == "page 2"
        assert hit.evidence.text.startswith("Creatine kinase did not change")
