"""A paper that is named is found first, and the hit says by what."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from rapidfuzz import fuzz

from osler import Library
from osler.kinds import Author, Document, Heading, KnownItem, Section
from osler.retrieve.known import SAME_TITLE, _alike, identifier, identifiers

PAPERS = [
    Document(
        id="34000001",
        title="Bone density after five years of denosumab in older women",
        sections=(Section("We measured 34000002 women."),),
        ids={"pmid": "34000001", "doi": "10.1000/bone.1", "pmcid": "PMC800001"},
        authors=(Author("Nogués", "Xavier", "X"), Author("Smith", "Jane Anne", "JA")),
        journal="The Journal of bone",
        metadata={"medline_ta": "J Bone"},
        published="2021-02",
        language="en",
        headings=(Heading("Osteoporosis", "MESH:D010024", True, ("drug therapy",)),),
    ),
    Document(
        id="34000002",
        title="Granny Smith apples and bone density after five years in older men",
        ids={"pmid": "34000002"},
        authors=(Author("O'Brien", "Pat", "P"), Author("Nogues", "Maria", "M")),
        published="2020",
        language="es",
        headings=(Heading("Osteoporosis", "MESH:D010024"),),
    ),
    Document(id="zh", title="骨密度研究", authors=(Author("王", "小明"),), published="2019"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    place: Path = tmp_path_factory.mktemp("known") / "lib"
    with Library.create(place) as made:
        made.add_documents(PAPERS)
        yield made


def first(library: Library, text: str) -> tuple[str, str]:
    hits = library.search(text, method="words").hits
    known = [r.by for r in hits[0].reasons if isinstance(r, KnownItem)]
    return hits[0].id, known[0] if known else ""


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("34000001", "PMID 34000001"),
        ("PMID: 34000001", "PMID 34000001"),
        ("https://pubmed.ncbi.nlm.nih.gov/34000001/", "PMID 34000001"),
        ("pmc800001", "PMCID PMC800001"),
        ("https://pubmed.ncbi.nlm.nih.gov/34000001/?from_term=bone#x", "PMID 34000001"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC800001/?report=x", "PMCID PMC800001"),
        (
            "Nogués X, Smith JA. Bone density after five years of denosumab in older women. "
            "J Bone. 2021;4:1-7.",
            "its title",
        ),
        ("10.1000/BONE.1", "DOI 10.1000/bone.1"),
        ("doi:10.1000/bone.1", "DOI 10.1000/bone.1"),
        ("https://doi.org/10.1000/bone.1", "DOI 10.1000/bone.1"),
        ("Bone density after five years of denosmuab in older women", "its title"),
        ("Nogues 2021", "first author and year, Nogues 2021"),
        ("Nogués X et al. (2021)", "first author and year, Nogués X 2021"),
    ],
)
def test_a_named_paper_comes_first_and_says_so(library, text, by):
    assert first(library, text) == ("34000001", by)


@pytest.mark.parametrize("method", ["words", "concepts"])
def test_an_id_as_lists_show_it_is_a_name(library, method):
    ranking = library.search("zh", method=method)
    assert [r.by for r in ranking.hits[0].reasons if isinstance(r, KnownItem)] == ["its id"]
    assert ranking.hits[0].id == "zh"
    assert ranking.total == 1
    assert ranking.verdict is not None
    assert ranking.verdict.kind == "answered"


@pytest.mark.parametrize(
    "text",
    ["34000001 34000002", "34000002,34000001", "PMIDs: 34000001; 34000002"],
)
def test_a_list_of_ids_finds_its_papers_and_no_others(library, text):
    ranking = library.search(text, method="words")
    assert sorted(hit.id for hit in ranking.hits) == ["34000001", "34000002"]
    assert ranking.total == 2
    assert ranking.verdict is not None
    assert ranking.verdict.kind == "answered"


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("10.1000/bone.1", "10.1000/bone.1"),
        ("34000002 34000001", "34000002 34000001"),
        ("Nogues X", 'author:"Nogues X"'),
        ("bone density", "bone OR density"),
        ("zh", "zh"),
    ],
)
def test_what_is_counted_and_kept_is_what_is_searched(library, text, run):
    """A count of a DOI took it for its words, and a search that was kept said so."""
    from osler.verbs.review import run_search

    total = library.search(text, method="words").total
    assert library.count(text) == total
    kept = run_search(library, "name", text, filter=None)
    assert (kept.identified, kept.run) == (total, run)


def test_what_a_list_of_ids_has_beside_the_library_is_told(library):
    ranking = library.search("34000001, 10.1000/nowhere, 99999999", method="words")
    assert [hit.id for hit in ranking.hits] == ["34000001"]
    assert ranking.notes == [
        "the library holds no paper with the DOI 10.1000/nowhere",
        "the library holds no paper with the PMID 99999999",
    ]
    assert not identifiers("34000001 bone")
    assert not identifiers("34000001")


def test_a_title_within_a_question_is_no_reference(library):
    question = "what of bone density after five years of denosumab in older women of Spain"
    assert first(library, question)[1] == ""


def test_a_minus_leaves_nothing_out_and_a_note_says_so(library):
    notes = library.search("bone density -apples", method="words").notes
    assert notes == ["a minus leaves nothing out: write NOT apples to do so"]
    assert library.search("post-apples density", method="words").notes == []


def test_a_number_is_an_id_before_it_is_words(library):
    # The first paper has this number among its words.
    assert [hit.id for hit in library.search("34000002", method="words")] == ["34000002"]


def test_a_number_of_no_paper_is_words_and_a_note_says_so(library):
    ranking = library.search("99999999", method="words")
    assert not ranking.hits
    assert any("no paper with the PMID 99999999" in note for note in ranking.notes)


def test_a_second_author_is_no_first_author(library):
    assert first(library, "Smith 2021")[1] == ""


def test_a_question_names_no_paper(library):
    assert first(library, "bone density in older women")[1] == ""


def test_plain_words_name_nothing(library):
    hits = library.search("34000002", method="words", plain=True).hits
    assert [hit.id for hit in hits] == ["34000001"]


def test_a_named_paper_that_the_filter_leaves_out_stays_out(library):
    from osler.kinds import Filter

    assert not library.search("34000001", method="words", filter=Filter(years=(2020, 2020))).hits


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ('author:"Smith J"', ["34000001"]),
        ('author:"Nogues X"', ["34000001"]),
        ("nogués[au]", ["34000001", "34000002"]),
        ('author:"Nogues M"', ["34000002"]),
        ("author:OBrien", ["34000002"]),
        ("author:王小明", ["zh"]),
        ('author:"Xavier Nogues"', ["34000001"]),
        ('journal:"J Bone"', ["34000001"]),
        ("doi:10.1000/bone.1 AND bone", ["34000001"]),
        ("10.1000/bone.1[aid]", ["34000001"]),
        ("10.1000/bone.1[doi]", ["34000001"]),
        ("pmid:34000002 OR pmid:34000001", ["34000001", "34000002"]),
        ("language:eng AND bone", ["34000001"]),
        ("language:en AND bone", ["34000001"]),
        ("Osteoporosis[majr]", ["34000001"]),
        ("Osteoporosis[mh]", ["34000001", "34000002"]),
    ],
)
def test_fields_of_known_items(library, query, ids):
    assert sorted(hit.id for hit in library.search(query, method="words")) == ids


@pytest.mark.parametrize("text", ["asthma", "covid 19", "2 mg 10.5", "type 2", "10.5/3"])
def test_what_is_no_identifier(text):
    assert identifier(text) is None


def test_an_index_of_other_fields_is_made_anew(tmp_path):
    import shutil

    import tantivy

    place = tmp_path / "lib"
    with Library.create(place) as made:
        made.add_documents(PAPERS)
        words = made.layout.words
    shutil.rmtree(words)
    words.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("title")
    tantivy.Index(builder.build(), path=str(words))
    with Library.open(place) as opened:
        assert [hit.id for hit in opened.search('author:"Nogues X"', method="words")] == [
            "34000001"
        ]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Nogues X", ["34000001"]),
        ("Nogués  X", ["34000001"]),
        ("Nogues M", ["34000002"]),
        ("O'Brien P", ["34000002"]),
        ("Smith JA", ["34000001"]),
    ],
)
def test_an_author_as_pubmed_writes_one_is_an_author(library, text, ids):
    ranking = library.search(text, method="words")
    assert [hit.id for hit in ranking.hits] == ids
    assert ranking.total == len(ids)
    assert any(note.startswith("read as author:") for note in ranking.notes)
    words = library.search(text, method="words", plain=True)
    assert not any(note.startswith("read as author:") for note in words.notes)


def test_what_no_paper_is_by_and_what_the_terminology_knows_are_words(tmp_path):
    terms = tmp_path / "terms.tsv"
    terms.write_text("id\tname\tsynonyms\tparents\nMESH:D1\tVitamin D\t\t\n", encoding="utf-8")
    with Library.create(tmp_path / "lib") as library:
        library.add_documents(
            [
                Document(id="1", title="Vitamin D in winter"),
                Document(id="2", title="Bones", authors=(Author("Vitamin", "Dora", "D"),)),
            ]
        )
        assert [hit.id for hit in library.search("Vitamin D", method="words")] == ["2"]
        library.add([terms], format="terms")
        assert [hit.id for hit in library.search("Vitamin D", method="words")] == ["1"]
        for words in ("Vitamin K", "vitamin d", "Vitamin D3", "D"):
            assert not library.search(words, method="words").notes


def test_titles_of_another_length_are_told_apart_without_counting_letters():
    """The same likeness as by counting what is to be changed, for texts of all lengths."""
    chosen = random.Random(3)
    alike = 0
    for _ in range(20_000):
        typed = "".join(chosen.choices("abc ", k=chosen.randint(0, 60)))
        title = list(typed)
        for _ in range(chosen.randint(0, 9)):
            at = chosen.randint(0, len(title))
            title[at : at + chosen.randint(0, 1)] = chosen.choices("abc ", k=chosen.randint(0, 3))
        counted = fuzz.ratio(typed, "".join(title), score_cutoff=SAME_TITLE)
        assert _alike(typed, "".join(title)) == counted
        alike += counted > 0
    assert 5_000 < alike < 19_000
