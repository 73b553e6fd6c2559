"""What every reader of documents must bear: one table of cases, the same tests for all.

A reader that registers without a case here fails ``test_every_reader_has_a_case``.
"""

from __future__ import annotations

import atexit
import gzip
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from osler.errors import FormatError, OslerError
from osler.files.reader import readers, recognise
from osler.files.source import Source
from osler.kinds import Deletion, Document, Reject

FIXTURES = Path(__file__).parent.parent / "corpus" / "fixtures"
TEXT = "Some text of the paper."


def pubmed(id: str, text: str) -> str:
    pmid = f"<PMID>{id}</PMID>" if id else ""
    return (
        f"<PubmedArticle><MedlineCitation>{pmid}<Article><ArticleTitle>A title</ArticleTitle>"
        f"<Abstract><AbstractText>{text}</AbstractText></Abstract></Article></MedlineCitation>"
        "</PubmedArticle>\n"
    )


def jats(id: str, text: str) -> str:
    pmid = f'<article-id pub-id-type="pmid">{id}</article-id>' if id else ""
    return (
        f"<article><front><article-meta>{pmid}<title-group><article-title>A title</article-title>"
        f"</title-group><abstract><p>{text}</p></abstract></article-meta></front></article>\n"
    )


def ris(id: str, text: str) -> str:
    # Without id, DOI and title a record has nothing to be known by.
    named = f"ID  - {id}\nTI  - A title\n" if id else ""
    return f"TY  - JOUR\n{named}AB  - {text}\nER  - \n"


@dataclass(frozen=True)
class Case:
    """A fixture, and how a file of given records is written: (id, text) a record."""

    fixture: str
    record: Callable[[str, str], str]
    start: str = ""
    end: str = ""
    suffix: str = ""
    detects_cut: bool = False

    def file(self, folder: Path, records: list[tuple[str, str]]) -> Path:
        path = folder / f"records{self.suffix}"
        body = "".join(self.record(id, text) for id, text in records)
        path.write_bytes(f"{self.start}{body}{self.end}".encode("utf-8", "surrogateescape"))
        return path


CASES = {
    "pubmed": Case(
        "citations.xml", pubmed, "<PubmedArticleSet>", "</PubmedArticleSet>", ".xml", True
    ),
    "jats": Case("article.nxml", jats, "<pmc-articleset>", "</pmc-articleset>", ".xml", True),
    "beir": Case(
        "corpus.jsonl",
        lambda id, text: (
            (f'{{"_id": "{id}", ' if id else "{") + f'"title": "A title", "text": "{text}"}}\n'
        ),
        suffix=".jsonl",
    ),
    "trec": Case(
        "docs.trec",
        lambda id, text: f"<DOC>\n<DOCNO>{id}</DOCNO>\n<TEXT>\n{text}\n</TEXT>\n</DOC>\n",
        detects_cut=True,
    ),
    "ohsumed": Case("ohsumed.txt", lambda id, text: f".I {id}\n.T\nA title\n.W\n{text}\n"),
    "cord19": Case(
        "cord19",
        lambda id, text: f"{id},A title,{text}\n",
        start="cord_uid,title,abstract\n",
        suffix=".csv",
    ),
    "ris": Case("references.ris", ris, suffix=".ris", detects_cut=True),
    "nbib": Case("citations.nbib", lambda id, text: f"PMID- {id}\nTI  - A title\nAB  - {text}\n\n"),
    "columns": Case(
        "papers.csv",
        lambda id, text: f"{id}\tA title\t{text}\n",
        start="id\ttitle\ttext\n",
        suffix=".tsv",
    ),
    "bibtex": Case(
        "library.bib",
        lambda id, text: (
            f"@article{{{id},\n" + ("title = {A title},\n" if id else "") + f"note = {{{text}}},\n"
            f"abstract = {{{text if id else ''}}}}}\n"
        ),
        suffix=".bib",
    ),
    "endnote": Case(
        "library.xml",
        lambda id, text: (
            "<record>"
            + (
                f"<accession-num>{id}</accession-num><titles><title>A title</title></titles>"
                if id
                else ""
            )
            + f"<abstract>{text}</abstract></record>\n"
        ),
        "<xml><records>",
        "</records></xml>",
        ".xml",
        True,
    ),
    "isi": Case(
        "savedrecs.txt",
        lambda id, text: "PT J\n" + (f"TI A title\nUT {id}\n" if id else "") + f"AB {text}\nER\n",
        start="FN ISI Export Format\nVR 1.0\n",
        end="EF\n",
        suffix=".txt",
    ),
    "refer": Case(
        "references.enw",
        lambda id, text: (
            "%0 Journal Article\n" + (f"%T A title\n%M {id}\n" if id else "") + f"%X {text}\n\n"
        ),
        suffix=".enw",
    ),
    "ovid": Case(
        "ovid.txt",
        lambda id, text: (
            "<1>\n"
            + (f"Accession Number\n  {id}\nTitle\n  A title\n" if id else "")
            + f"Abstract\n  {text}\n"
        ),
        suffix=".txt",
    ),
}


def case_of(name: str, specimen: Mapping[str, str]) -> Case:
    """The case of another package's reader, as its ``specimen`` shows the format."""
    case = Case(
        "",
        lambda id, text: specimen["record"].format(id=id, text=text),
        start=specimen.get("start", ""),
        end=specimen.get("end", ""),
        suffix=specimen.get("suffix", ""),
    )
    folder = Path(tempfile.mkdtemp(prefix=f"osler-{name}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return replace(case, fixture=str(case.file(folder, GOOD)))


GOOD = [(str(90_000_100 + number), TEXT) for number in range(20)]
CASES |= {
    name: case_of(name, cls.specimen)
    for name, cls in readers
    if cls.gives == "documents" and cls.specimen and name not in CASES
}
MORE_FIXTURES = {"papers.tsv": "columns", "cord19/metadata.csv": "cord19"}
NAMES = sorted(CASES)


def document_readers() -> set[str]:
    return {name for name, cls in readers if cls.gives == "documents"}


def read(name: str, path: Path) -> tuple[list[object], OslerError | None]:
    items: list[object] = []
    try:
        for item in readers.get(name)().read(Source(path)):
            items.append(item)
    except OslerError as error:
        return items, error
    return items, None


def documents(items: list[object]) -> list[Document]:
    return [item for item in items if isinstance(item, Document)]


def rejects(items: list[object]) -> list[Reject]:
    return [item for item in items if isinstance(item, Reject)]


OWN_TESTS = {"pdf"}
"""One paper a file, in bytes, and an extra: ``tests/corpus/test_pdf.py``."""


def test_every_reader_has_a_case() -> None:
    assert document_readers() == set(CASES) | OWN_TESTS


@pytest.mark.parametrize("name", NAMES)
def test_the_fixture_is_read(name: str) -> None:
    items, error = read(name, FIXTURES / CASES[name].fixture)
    assert error is None
    assert documents(items)
    assert not rejects(items)


@pytest.mark.parametrize(
    ("fixture", "name"),
    [(case.fixture, name) for name, case in CASES.items()] + list(MORE_FIXTURES.items()),
    ids=[*CASES, *MORE_FIXTURES],
)
def test_one_reader_alone_claims_a_fixture(fixture: str, name: str) -> None:
    head = Source(FIXTURES / fixture).head()
    assert [n for n, cls in readers if cls.recognises(head)] == [name]


@pytest.mark.parametrize("name", NAMES)
def test_gzip_and_a_wrong_name_do_not_matter(name: str, tmp_path: Path) -> None:
    path = CASES[name].file(tmp_path, GOOD)
    packed = tmp_path / "download.bin"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    reader = recognise(Source(packed))
    assert reader.name == name
    assert [d.id for d in documents(list(reader.read(Source(packed))))] == [id for id, _ in GOOD]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_an_error(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.write_bytes(content)
    items, error = read(name, path)
    assert isinstance(error, FormatError)
    assert not documents(items)
    assert "empty" in str(error)


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_is_an_error(name: str, tmp_path: Path) -> None:
    items, error = read(name, tmp_path)
    assert isinstance(error, FormatError)
    assert not items


@pytest.mark.parametrize("name", NAMES)
def test_bad_utf8_costs_one_record(name: str, tmp_path: Path) -> None:
    broken = GOOD[:5] + [("90000999", "caf\udce9")] + GOOD[5:]
    items, error = read(name, CASES[name].file(tmp_path, broken))
    assert error is None
    assert [d.id for d in documents(items)] == [id for id, _ in GOOD]
    assert len(rejects(items)) == 1
    assert rejects(items)[0].place


@pytest.mark.parametrize("name", NAMES)
def test_a_huge_field_costs_one_record(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OSLER_MAX_FIELD", "5000")
    # Over the field's limit, and over the whole record's: both are one reject.
    for size in (9_000, 300_000):
        secret = "canary" * (size // 6)
        records = [*GOOD[:5], ("90000999", secret), *GOOD[5:]]
        items, error = read(name, CASES[name].file(tmp_path, records))
        assert error is None
        assert [d.id for d in documents(items)] == [id for id, _ in GOOD]
        assert len(rejects(items)) == 1
        assert "canary" not in rejects(items)[0].reason


@pytest.mark.parametrize("name", NAMES)
def test_fifty_megabytes_in_a_field(name: str, tmp_path: Path) -> None:
    records = [GOOD[0], ("90000999", "x" * 50_000_000), GOOD[1]]
    items, error = read(name, CASES[name].file(tmp_path, records))
    assert error is None
    assert [d.id for d in documents(items)] == [GOOD[0][0], GOOD[1][0]]
    assert len(rejects(items)) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_record_without_id_is_rejected(name: str, tmp_path: Path) -> None:
    records = [GOOD[0], ("", TEXT), GOOD[1]]
    items, error = read(name, CASES[name].file(tmp_path, records))
    assert error is None
    assert [d.id for d in documents(items)] == [GOOD[0][0], GOOD[1][0]]
    assert len(rejects(items)) == 1
    assert TEXT not in rejects(items)[0].reason


@pytest.mark.parametrize("name", NAMES)
def test_duplicates_are_passed_on(name: str, tmp_path: Path) -> None:
    items, error = read(name, CASES[name].file(tmp_path, [GOOD[0], GOOD[1], GOOD[0]]))
    assert error is None
    assert [d.id for d in documents(items)] == [GOOD[0][0], GOOD[1][0], GOOD[0][0]]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_file_gives_the_same_items(name: str) -> None:
    path = FIXTURES / CASES[name].fixture
    assert read(name, path)[0] == read(name, path)[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_truncated_gzip_gives_what_was_whole(name: str, tmp_path: Path) -> None:
    many = [(str(90_001_000 + n), f"{TEXT} {n * 7919 % 10007}") for n in range(3000)]
    packed = gzip.compress(CASES[name].file(tmp_path, many).read_bytes())
    path = tmp_path / "cut.gz"
    path.write_bytes(packed[: len(packed) // 2])
    items, error = read(name, path)
    assert isinstance(error, FormatError)
    assert "cut short" in str(error)
    got = [d.id for d in documents(items)]
    assert got
    assert got == [id for id, _ in many][: len(got)]
    assert len(got) > 1000


@pytest.mark.parametrize("name", [n for n in NAMES if CASES[n].detects_cut])
def test_a_file_that_ends_in_the_middle_says_so(name: str, tmp_path: Path) -> None:
    path = CASES[name].file(tmp_path, GOOD)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 3 // 4 + 20])
    items, error = read(name, path)
    assert isinstance(error, FormatError)
    got = [d.id for d in documents(items)]
    assert got == [id for id, _ in GOOD][: len(got)]
    assert len(got) >= 10


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_is_claimed_only_by_its_own_reader(name: str, tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "corpus.jsonl", tmp_path / "corpus.jsonl")
    assert not readers.get(name).recognises(Source(tmp_path).head())


def sane(items: list[object]) -> None:
    for item in items:
        assert isinstance(item, Document | Deletion | Reject)
        if isinstance(item, Document):
            assert item.id
            for text in (item.id, item.title, item.text, *item.keywords, item.journal):
                assert "\0" not in text
                text.encode("utf-8")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.binary(max_size=400))
def test_random_bytes_do_no_harm(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "random"
    path.write_bytes(data)
    readers.get(name).recognises(Source(path).head())
    sane(read(name, path)[0])


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    cuts=st.lists(
        st.tuples(
            st.floats(0, 1), st.integers(0, 30), st.sampled_from([b"", b"\0", b"\xff", b"<", b'"',
            b"&#0;", b"&x;", b"\n", b"\\ud800", b"\\u0000", b"\xed\xa0\x80", b"]]>", b"<!--", b"{"])
        ),
        min_size=1,
        max_size=6,
    )
)  # fmt: skip
def test_a_mutated_fixture_does_no_harm(
    name: str, cuts: list[tuple[float, int, bytes]], tmp_path: Path
) -> None:
    fixture = FIXTURES / CASES[name].fixture
    if fixture.is_dir():
        fixture = fixture / "metadata.csv"
    data = fixture.read_bytes()
    for where, length, put in cuts:
        place = int(where * len(data))
        data = data[:place] + put + data[place + length :]
    path = tmp_path / "mutated"
    path.write_bytes(data)
    sane(read(name, path)[0])
