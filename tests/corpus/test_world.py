"""Faults that files of others showed: each was seen to lose or spoil records."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Document, Note, Reject

ARTICLE = (
    "<PubmedArticle><MedlineCitation><PMID>{0}</PMID><Article><ArticleTitle>Title {0}"
    "</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
)
BOOK = """<PubmedBookArticle><BookDocument><PMID>90000077</PMID>
<ArticleIdList><ArticleId IdType="bookaccession">NBK1</ArticleId></ArticleIdList>
<Book><Publisher><PublisherName>A press</PublisherName></Publisher><BookTitle>A book of genes
</BookTitle><PubDate><Year>1993</Year></PubDate></Book><ArticleTitle>A chapter</ArticleTitle>
<Language>eng</Language><AuthorList Type="authors"><Author><LastName>Weber</LastName><ForeName>Anna
</ForeName></Author></AuthorList><PublicationType>Review</PublicationType>
<Abstract><AbstractText Label="Summary">Of genes.</AbstractText></Abstract></BookDocument>
</PubmedBookArticle>"""


def read(
    folder: Path, text: str | bytes, name: str = "file"
) -> tuple[list[Document], list[Reject]]:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    source = Source(path)
    items = list(recognise(source).read(source))
    return (
        [item for item in items if isinstance(item, Document)],
        [item for item in items if isinstance(item, Reject)],
    )


def test_a_citation_without_its_end_costs_itself_alone(tmp_path: Path) -> None:
    broken = ARTICLE.format(2).replace("</PubmedArticle>", "")
    records = ARTICLE.format(1) + broken + ARTICLE.format(3) + ARTICLE.format(4)
    papers, rejects = read(tmp_path, f"<PubmedArticleSet>{records}</PubmedArticleSet>")
    assert [paper.id for paper in papers] == ["1", "3", "4"]
    assert [reject.place for reject in rejects] == ["record 2"]


def test_a_trec_document_without_its_end_costs_itself_alone(tmp_path: Path) -> None:
    def record(id: str) -> str:
        return f"<DOC>\n<DOCNO>{id}</DOCNO>\n<TEXT>\nwords\n</TEXT>\n</DOC>\n"

    text = record("a") + record("b").replace("</DOC>\n", "") + record("c") + record("d")
    papers, rejects = read(tmp_path, text)
    assert [paper.id for paper in papers] == ["a", "c", "d"]
    assert [reject.place for reject in rejects] == ["line 7"]


@pytest.mark.parametrize(
    "text",
    [
        ARTICLE.format(5),
        '<?xml version="1.0"?>\n<!DOCTYPE PubmedArticle>\n' + ARTICLE.format(5) + "\n",
        "<MedlineCitationSet><MedlineCitation><PMID>5</PMID><Article><ArticleTitle>T"
        "</ArticleTitle></Article></MedlineCitation></MedlineCitationSet>",
    ],
)
def test_roots_of_old_and_single_citations(tmp_path: Path, text: str) -> None:
    papers, rejects = read(tmp_path, text)
    assert [paper.id for paper in papers] == ["5"]
    assert papers[0].title
    assert not rejects


def test_a_book_chapter_is_a_paper(tmp_path: Path) -> None:
    papers, rejects = read(
        tmp_path, f"<PubmedArticleSet>{ARTICLE.format(5)}{BOOK}</PubmedArticleSet>"
    )
    assert not rejects
    chapter = papers[1]
    assert (chapter.id, chapter.title, chapter.journal) == (
        "90000077",
        "A chapter",
        "A book of genes",
    )
    assert (chapter.abstract, chapter.published) == ("Of genes.", "1993")
    assert chapter.authors[0].given == "Anna"


def jats(id: str, more: str = "") -> str:
    return (
        f'<article><front><article-meta><article-id pub-id-type="pmid">{id}</article-id>'
        "<title-group><article-title>A title</article-title></title-group></article-meta></front>"
        f"<body><sec><title>Methods</title><p>Of the paper.</p></sec></body>{more}</article>"
    )


def test_translations_and_appendices_are_part_of_the_text(tmp_path: Path) -> None:
    more = (
        "<back><app-group><app><title>Search strategy</title><p>The words.</p></app></app-group>"
        '</back><sub-article article-type="translation" xml:lang="es"><front-stub><title-group>'
        "<article-title>Un título</article-title></title-group><abstract><p>Resumen.</p></abstract>"
        "</front-stub><body><sec><title>Métodos</title><p>Del artículo.</p></sec></body>"
        "</sub-article>"
    )
    (paper,), rejects = read(tmp_path, jats("7", more))
    assert not rejects
    assert {section.label: section.text for section in paper.full_text} == {
        "Methods": "Of the paper.",
        "Search strategy": "The words.",
        "translation (es)": "Un título",
        "translation (es) > Abstract": "Resumen.",
        "translation (es) > Métodos": "Del artículo.",
    }


def test_several_articles_in_one_file(tmp_path: Path) -> None:
    prolog = '<?xml version="1.0"?>\n'
    papers, rejects = read(tmp_path, f"{prolog}{jats('7')}\n{prolog}{jats('8')}\n")
    assert [paper.id for paper in papers] == ["7", "8"]
    papers, _ = read(tmp_path, f"<articles>{jats('7')}{jats('8')}</articles>")
    assert [paper.id for paper in papers] == ["7", "8"]
    assert not rejects


def test_ris_after_a_preamble(tmp_path: Path) -> None:
    """PsycINFO, JSTOR and Ovid say who they are first, and number their records."""
    text = (
        'Provider: A database\nContent: text/plain; charset="UTF-8"\n\n1.\nTY  - JOUR\n'
        "PMID  - 90000001\nTI  - Gout in old age\nER  - \n\n2.\nTY  - JOUR\nTI  - Asthma\nER  - \n"
    )
    papers, rejects = read(tmp_path, text)
    assert [(paper.id, paper.title) for paper in papers] == [
        ("90000001", "Gout in old age"),
        (papers[1].id, "Asthma"),
    ]
    assert not rejects


def test_a_pmid_in_a_custom_field_is_no_pmcid(tmp_path: Path) -> None:
    """Scopus writes the PMID into C2; it became a PMCID of another paper."""
    text = "TY  - JOUR\nTI  - Gout\nDB  - Scopus\nC2  - 30000001\nER  - \n"
    (paper,), _ = read(tmp_path, text)
    assert paper.ids == {"pmid": "30000001"}
    (paper,), _ = read(tmp_path, text.replace("Scopus", "Lens"))
    assert paper.ids == {}
    (paper,), _ = read(tmp_path, text.replace("30000001", "PMC123"))
    assert paper.ids == {"pmcid": "PMC123"}


def test_na_is_no_id(tmp_path: Path) -> None:
    text = (
        "pmid,title,abstract,doi,authors\nNA,Gout in old age,x,10.1/gout,Stone C\n"
        "NA,Asthma near roads,y,NA,Weber A\nnan,,,,\n"
    )
    papers, rejects = read(tmp_path, text)
    assert [paper.id for paper in papers][0] == "doi:10.1/gout"
    assert papers[1].id.startswith("title:")
    assert len(rejects) == 1


def test_columns_of_covidence_and_embase(tmp_path: Path) -> None:
    (paper,), _ = read(
        tmp_path,
        "Title,Authors,Published Year,Covidence #,Accession Number\n"
        'Gout,"Stone, Carl; Weber, Anna",2018,#112,123\n',
    )
    assert (paper.id, paper.published, len(paper.authors)) == ("#112", "2018", 2)
    (paper,), _ = read(
        tmp_path, 'Title,Author Names,Source,Abstract\nGout,"Liu R., Adler D.G.",Joints,About it\n'
    )
    assert [author.family for author in paper.authors] == ["Liu R.", "Adler D.G"]
    assert paper.id.startswith("title:")


def test_bibtex_in_its_own_words(tmp_path: Path) -> None:
    text = (
        '@string{j = "Joints"}\n@article{a, title={Gout in {O}ld caf\\\'es}, author={Carl Stone '
        "and Weber, Anna}, journal=j, year=2020}\n@article{broken, title={never closed\n"
        "@article{b, title={Twice}, title={Again}, doi={https://doi.org/10.1/B}}\n"
    )
    papers, rejects = read(tmp_path, text)
    assert [(paper.id, paper.title, paper.journal) for paper in papers] == [
        ("a", "Gout in Old cafés", "Joints"),
        ("doi:10.1/b", "Twice", ""),
    ]
    assert [author.family for author in papers[0].authors] == ["Stone", "Weber"]
    assert [reject.place for reject in rejects] == ["line 3"]


def test_bibtex_entries_have_what_their_proceedings_say(tmp_path: Path) -> None:
    """A frame before or after its papers; one without a title is no paper, one with a title is."""
    text = (
        "@proceedings{Old, booktitle={Old Days}, year=2014}\n"
        "@inproceedings{a, title={First}, author={Stone, Carl}, crossref={old}}\n"
        "@inproceedings{b, title={Second}, year=1999, crossref={New}}\n"
        "@incollection{c, title={Third}, crossref={Book}}\n"
        "@inproceedings{d, title={Fourth}, crossref={nowhere}}\n"
        "@proceedings{New, booktitle={New Days}, year=2015, publisher={P}}\n"
        "@book{Book, title={The Book}, year=2016}\n"
        "@proceedings{Alone, booktitle={Nobody Stands Here}, year=2017}\n"
    )
    path = tmp_path / "crossed.bib"
    path.write_text(text, "utf-8")
    items = list(recognise(Source(path)).read(Source(path)))
    notes = [item for item in items if isinstance(item, Note)]
    assert [(note.place, note.what, note.id) for note in notes] == [
        ("line 1", "skipped", "Old"),
        ("line 6", "skipped", "New"),
    ]
    papers = {item.title: item for item in items if isinstance(item, Document)}
    assert {title: (p.published, p.journal) for title, p in papers.items()} == {
        "First": ("2014", "Old Days"),
        "Second": ("1999", "New Days"),
        "Third": ("2016", "The Book"),
        "Fourth": ("", ""),
        "The Book": ("2016", ""),
        "Nobody Stands Here": ("2017", "Nobody Stands Here"),
    }
    assert papers["Second"].metadata["publisher"] == "P"
    assert len(items) == 8


def test_a_bibliography_without_end_is_read_with_a_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What would be kept for its frame beyond the bound is read as it stands: nothing is lost."""
    monkeypatch.setenv("OSLER_MAX_FIELD", "10")
    rows = [f"@inproceedings{{k{n}, title={{T {n}}}, crossref={{F}}}}" for n in range(9)]
    path = tmp_path / "long.bib"
    path.write_text("\n".join([*rows, "@proceedings{F, booktitle={Days}, year=2015}"]), "utf-8")
    items = list(recognise(Source(path)).read(Source(path)))
    assert len(items) == 10
