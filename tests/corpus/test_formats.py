"""The other formats: what each fills, from its fixture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from osler.corpus.columns import Columns
from osler.errors import FieldError, InputError
from osler.files.reader import readers, recognise
from osler.files.source import Source
from osler.kinds import Author, Document, Heading, Reject, Section

FIXTURES = Path(__file__).parent / "fixtures"


def read(fixture: str | Path) -> list[Document]:
    source = Source(FIXTURES / fixture)
    items = list(recognise(source).read(source))
    assert all(isinstance(item, Document) for item in items)
    return items  # type: ignore[return-value]


def test_jats() -> None:
    (paper,) = read("article.nxml")
    assert paper.id == "90000010"
    assert paper.ids == {"pmid": "90000010", "doi": "10.1000/invented.10", "pmcid": "PMC9000010"}
    assert paper.title == "Fever in winter: a case"
    assert paper.sections == (
        Section("Fever is common.", "Background"),
        Section("It passed.", "Results"),
    )
    assert paper.full_text == (
        Section("An opening."),
        Section("We looked [1].\nFigure 1 A curve.", "Methods"),
        Section("One patient.\nTable 1 Ages", "Methods > Patients"),
        Section("All well.", "Results"),
        Section("Figure 2 A map.", "Figures and tables"),
    )
    assert paper.authors == (
        Author("Author", "C D", "CD", "House, Town", id="0000-0000-0000-0002"),
        Author("Fever Group"),
    )
    assert (paper.published, paper.language, paper.journal) == (
        "2019-04-02",
        "en",
        "Invented Reports",
    )
    assert paper.keywords == ("fever", "winter")
    assert paper.types == ("Research Article", "Case Report")
    assert paper.metadata == {
        "volume": "7",
        "issue": "1",
        "pages": "5-9",
        "reference_count": 2,
        "references": ["90000001"],
        "other_abstracts": [{"language": "zh", "text": "发热很常见。"}],
        "issn": "0000-0002",
    }


def test_jats_retraction(tmp_path: Path) -> None:
    text = (FIXTURES / "article.nxml").read_text("utf-8")
    path = tmp_path / "a.nxml"
    for change, retracted in (
        (('article-type="research-article"', 'article-type="retracted-article"'), True),
        (('article-type="research-article"', 'article-type="retraction"'), False),
        (
            ("<volume>", '<related-article related-article-type="retraction-forward"/><volume>'),
            True,
        ),
        (
            ("<volume>", '<related-article related-article-type="retracted-article"/><volume>'),
            False,
        ),
    ):
        path.write_text(text.replace(*change), "utf-8")
        assert read(path)[0].retracted is retracted


def test_beir() -> None:
    first, second, third = read("corpus.jsonl")
    assert first.headings == (Heading("Cough", "MESH:D003371"),)
    assert (first.published, first.keywords) == ("1999", ("cough", "cold"))
    assert second.title == "高血压的治疗"
    assert second.metadata == {"labels": ["C14"]}
    assert (third.id, third.title, third.abstract) == ("3", "", "No title here.")


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ('{"_id": "1", "title": null, "text": "a\\u0000b"}', True),
        ('{"_id": "1", "title": "\\ud800", "text": "a"}', None),
        ('{"_id": "1", "title": ["x"], "text": {"y": 1}}', False),
        ('{"_id": true, "title": "x", "text": "a"}', False),
        ('{"_id": "  ", "title": "x", "text": "a"}', False),
        ('["_id"]', False),
        ('{"_id": "1", "title": "x", "text": "a"', False),
        ('{"_id": "1", "metadata": ' + "[" * 100_000 + "]" * 100_000 + "}", False),
        ('{"_id": "1", "metadata": ' + "[" * 100 + "]" * 100 + "}", True),
    ],
)
def test_odd_json_lines(line: str, kept: bool | None, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(f'{{"_id": "0", "title": "t", "text": "x"}}\n{line}\n')
    items = list(readers.get("beir")().read(Source(path)))
    assert len(items) == 2
    item = items[1]
    if kept is not None:
        assert isinstance(item, Document) is kept
    if isinstance(item, Document):
        assert "\0" not in item.text
        item.text.encode()
    else:
        assert isinstance(item, Reject)
        assert item.place == "line 2"


def test_the_shared_sets(data_dir: Path) -> None:
    for name, count in (
        ("nfcorpus/corpus.jsonl.gz", 3395),
        ("cystic_fibrosis/corpus.jsonl.gz", 1239),
        ("csl_medicine/corpus.jsonl", 209),
        ("ohsumed_cat/docs.jsonl.gz", 4000),
        ("hicapsrkl_sample/corpus.jsonl", 170),
    ):
        source = Source(data_dir / name)
        reader = recognise(source)
        assert reader.name == "beir"
        papers = list(reader.read(source))
        assert len(papers) == count
        assert all(isinstance(paper, Document) for paper in papers)


def test_what_is_no_corpus_is_left_alone(data_dir: Path) -> None:
    ours = [cls for _, cls in readers if cls.gives == "documents"]
    for name in (
        "nfcorpus/queries.jsonl", "nfcorpus/qrels.tsv", "medquad/qa.jsonl.gz",
        "mesh/descriptors.tsv.gz", "hetionet_subset/triples.tsv.gz", "kuake_qtr/train.jsonl.gz",
        "synthea_fhir_r4/conditions.tsv.gz", "qa_zh_toyhom/qa.jsonl.gz", "doid/terms.tsv.gz",
    ):  # fmt: skip
        head = Source(data_dir / name).head()
        assert [cls.name for cls in ours if cls.recognises(head)] == [], name


def test_trec() -> None:
    first, second = read("docs.trec")
    assert (first.id, first.title, first.published) == ("INV-0001", "Salt & water", "1998-03-04")
    assert first.abstract == "Salt holds water. Much salt holds much."
    assert (second.id, second.abstract) == ("INV-0002", "Only a bare text, without marks.")


def test_ohsumed() -> None:
    first, second = read("ohsumed.txt")
    assert first.id == "90000021"
    assert first.abstract == "Wounds heal when they are kept clean."
    assert first.headings == (
        Heading("Adult"),
        Heading("Wound Infection", major=True, qualifiers=("DT", "PC")),
        Heading("Human"),
    )
    assert (first.journal, first.published) == ("J Invent Med", "1987-03")
    assert first.types == ("Journal Article",)
    assert first.metadata["sequence"] == "1"
    assert [author.family for author in first.authors] == ["Author AB", "Author CD"]
    assert (second.id, second.title, second.sections) == ("90000022", "A title alone.", ())


def test_ris() -> None:
    first, second, third = read("references.ris")
    assert first.id == "90000031"
    assert first.ids == {"pmid": "90000031", "doi": "10.1000/bone.1"}
    assert first.sections == (
        Section("Bones grow.", "BACKGROUND"),
        Section("They grew in spring.", "RESULTS"),
    )
    assert first.authors[0] == Author("Author", "Ada", "A")
    assert (first.published, first.journal, first.language) == (
        "2015-03-04",
        "Journal of bones",
        "en",
    )
    assert first.keywords == ("bone", "growth")
    assert first.metadata["pages"] == "10-19"
    assert (second.id, second.published) == ("doi:10.1000/bone.2", "2016")
    assert third.id.startswith("title:")
    assert third.types == ("Conference Paper",)


def test_ris_tags_without_a_value(tmp_path: Path) -> None:
    path = tmp_path / "bare.ris"
    path.write_text("TY  - JOUR\nID  - r1\nTI  -\nKW  -\nAB  - Text.\nER  -\n")
    (paper,) = read(path)
    assert (paper.id, paper.title, paper.keywords, paper.abstract) == ("r1", "", (), "Text.")


def test_nbib() -> None:
    first, second = read("citations.nbib")
    assert first.id == "90000041"
    assert first.title == "Kidney stones and a long second line."
    assert [s.label for s in first.sections] == ["OBJECTIVE", "METHODS", "CONCLUSION"]
    assert first.ids == {"pmid": "90000041", "doi": "10.1000/kidney.1", "pmcid": "PMC9000041"}
    assert first.authors == (
        Author("Author", "Eve F", "EF"),
        Author("Author", "Guy", "G"),
        Author("Stone Group"),
    )
    assert first.headings == (
        Heading("Adult"),
        Heading("Kidney Calculi", major=True, qualifiers=("diagnosis",)),
        Heading("Diet", major=True, qualifiers=("adverse effects",)),
    )
    assert (first.published, first.revised) == ("2017-07", "2019-02-03")
    assert first.metadata["completed"] == "2018-01-01"
    assert (first.retracted, second.retracted) == (True, False)
    assert second.authors == (Author("Author", "", "EF"),)
    assert second.language == "zh"


def test_cord19() -> None:
    for name in ("cord19", "cord19/metadata.csv"):
        first, second, third = read(name)
        assert first.id == "inv00001"
        assert first.ids == {"pmid": "90000061", "doi": "10.1000/virus.1", "pmcid": "PMC9000061"}
        assert first.full_text == (
            Section("First.\nSecond.", "Intro"),
            Section("Third.", "Methods"),
        )
        assert [author.family for author in first.authors] == ["Author", "Author"]
        assert second.full_text == (Section("Only a PDF."),)
        assert (third.full_text, third.published) == ((), "2021-01")


@pytest.mark.parametrize("kind", ["up", "absolute", "symlink", "broken"])
def test_a_full_text_outside_of_the_folder_is_refused(kind: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps({"body_text": [{"text": "canary", "section": ""}]}))
    folder = tmp_path / "set"
    folder.mkdir()
    name = {
        "up": "../secret.json",
        "absolute": str(secret),
        "symlink": "l.json",
        "broken": "b.json",
    }
    (folder / "l.json").symlink_to(secret)
    (folder / "b.json").write_text("{")
    (folder / "metadata.csv").write_text(f"cord_uid,title,pmc_json_files\nu1,T,{name[kind]}\n")
    items = list(readers.get("cord19")().read(Source(folder)))
    assert [type(item) for item in items] == [Reject, Document]
    assert "canary" not in repr(items)


def test_columns_guessed() -> None:
    first, second = read("papers.csv")
    assert first.id == "90000051"
    assert first.abstract == "Light enters. It leaves a trace."
    assert first.ids == {"pmid": "90000051", "doi": "10.1000/eye.1", "pmcid": "PMC9000051"}
    assert [author.family for author in first.authors] == ["Author A", "Author B"]
    assert (first.journal, first.published) == ("Journal of eyes", "2011")
    assert first.metadata == {"Note": "kept"}
    assert second.metadata == {}
    tooth, gums = read("papers.tsv")
    assert (tooth.title, tooth.keywords) == ('Teeth "and" gums', ("teeth", "gums"))
    assert gums.title == "牙龈炎"


def test_a_row_whose_likeliest_number_is_empty_goes_by_another(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text("record_id,pmid,title\n1,77,A head\n2,,Another\n,,None\n")
    first, second, third = Columns().read(Source(path))
    assert (first.id, second.id) == ("77", "2")  # type: ignore[union-attr]
    assert third == Reject("two.csv", "line 4", "no id")


def test_columns_named(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("nummer;kop;inhoud\n7;A head;A body\n")
    reader = Columns(columns={"id": "nummer", "title": "kop", "text": "inhoud"})
    (paper,) = reader.read(Source(path))
    assert isinstance(paper, Document)
    assert (paper.id, paper.title, paper.abstract) == ("7", "A head", "A body")
    with pytest.raises(FieldError, match="no column 'none'"):
        list(Columns(columns={"title": "none"}).read(Source(path)))
    with pytest.raises(FieldError, match="no column for a title"):
        list(Columns().read(Source(path)))
    with pytest.raises(InputError, match="no field 'colour'"):
        list(Columns(columns={"colour": "kop"}).read(Source(path)))
