"""The brief: each statement is a quote, counts add up, nothing is claimed that is not there."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from osler import Document, Library
from osler.brief.files import written
from osler.brief.html import to_html
from osler.brief.markdown import to_markdown
from osler.claims.verdict import sideless_in_words, sides_in_words
from osler.errors import InputError
from osler.explain.sides_svg import sides_chart
from osler.kinds import Author, Section
from osler.verbs.brief import BriefRequest, brief

QUESTION = "Does melatonin improve sleep?"


def paper(id: str, title: str, *sentences: str, retracted: bool = False) -> Document:
    return Document(
        id=id,
        title=title,
        sections=(Section(" ".join(sentences)),),
        ids={"pmid": id},
        authors=(Author("Field", "Ann", "A"), Author("Moor", "Bo", "B"), Author("Lake", "Cy", "C")),
        journal="Journal of Nights",
        published="2021-03",
        retracted=retracted,
    )


PAPERS = [
    paper(
        "11",
        "Melatonin for adults: a randomised controlled trial.",
        "A total of 120 adults were randomised to melatonin or placebo for eight weeks.",
        "In conclusion, melatonin significantly improved sleep compared with placebo.",
    ),
    paper(
        "12",
        "Melatonin in shift workers.",
        "We studied workers on night shifts.",
        "Melatonin did not improve sleep in shift workers.",
    ),
    paper(
        "13",
        "Retracted trial of melatonin.",
        "Melatonin significantly improved sleep in every patient.",
        retracted=True,
    ),
    paper("14", "Melatonin and hens.", "Melatonin improved the growth of feathers in hens."),
    paper("15", "Asthma in children.", "Budesonide reduced attacks of asthma in children."),
]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.create(tmp_path / "nights") as made:
        made.add_documents(PAPERS)
        yield made


def test_each_quote_is_found_again_in_its_paper(library: Library) -> None:
    page = brief(library, BriefRequest(question=QUESTION))
    assert page.quotes
    for quote in page.quotes:
        text = next(iter(library.documents([quote.paper]))).text
        assert text[quote.start : quote.end] == quote.text


def test_sides_are_told_apart_and_the_retracted_is_left_out(library: Library) -> None:
    page = brief(library, BriefRequest(question=QUESTION))
    assert page.verdict == "answered"
    assert [quote.paper for quote in page.supporting] == ["11"]
    assert [quote.paper for quote in page.against] == ["12"]
    assert "13" not in {quote.paper for quote in page.quotes}
    assert page.searched.retracted == 1
    assert page.searched.read == 1 + len(PAPERS) - 2
    one = page.supporting[0]
    assert (one.design, one.sample_size, one.pmid) == ("randomised trial", 120, "11")
    assert one.cited == "Field A et al., Journal of Nights, 2021"
    assert one.named == "PMID 11"


def test_counts_are_those_of_the_quotes(library: Library) -> None:
    page = brief(library, BriefRequest(question=QUESTION))
    assert sum(page.sides.values()) == len(page.supporting) + len(page.against)
    by_design = [sum(counts.values()) for counts in page.designs.values()]
    assert sum(by_design) == sum(page.sides.values())
    taken = sum(page.sides.values())
    assert page.words.startswith("Of ")
    assert sides_in_words(page.sides) in page.words
    without = page.searched.read - page.searched.retracted - taken
    assert sideless_in_words(without) in page.words


def test_a_question_without_a_paper_claims_nothing(library: Library) -> None:
    page = brief(library, BriefRequest(question="zirconium crowns"))
    assert page.verdict == "nothing"
    assert page.words.startswith("No paper in this library answers this.")
    assert page.quotes == ()
    assert page.designs == {}


def test_papers_that_take_no_side_come_near(library: Library) -> None:
    page = brief(library, BriefRequest(question="melatonin in shift workers"))
    assert page.verdict == "near"
    assert page.supporting == page.against == ()
    assert "none of" in page.words
    assert page.beside


def test_what_is_missing_is_named(library: Library) -> None:
    page = brief(library, BriefRequest(question="Does melatonin cause nightmares?"))
    assert page.verdict == "nothing"
    assert "nightmares" in page.words
    assert page.supporting == page.against == ()
    assert len(page.beside) <= 3


def test_the_date_is_todays_unless_told(library: Library) -> None:
    assert brief(library, BriefRequest(question=QUESTION, today="2020-02-02")).date == "2020-02-02"
    assert len(brief(library, BriefRequest(question=QUESTION)).date) == 10


def test_files(library: Library) -> None:
    page = brief(library, BriefRequest(question="<b>Does melatonin</b> improve sleep?"))
    html = to_html(page)
    assert "<b>" not in html
    assert "&lt;b&gt;" in html
    assert html.count("<article>") == len(page.quotes)
    assert "http" not in html  # nothing is fetched
    markdown = to_markdown(page)
    assert "\\<b\\>" in markdown
    for quote in page.quotes:
        assert quote.text in html.replace("&#x27;", "'")
        assert quote.text in markdown
    assert json.loads(written(page, "json"))["verdict"] == page.verdict
    with pytest.raises(InputError, match="xlsx"):
        written(page, "xlsx")


def test_design_size_side_and_place_stand_beside_a_quote(library: Library) -> None:
    page = brief(library, BriefRequest(question=QUESTION))
    one = page.supporting[0]
    line = f" · n = 120 · supports ({one.probability:.0%})"
    place = f"PMID 11, characters {one.start} to {one.end}"
    for text in (to_html(page), to_markdown(page)):
        assert "randomised trial" in text
        assert line in text
        assert place in text


def test_word(library: Library, tmp_path: Path) -> None:
    pytest.importorskip("docx", reason="needs python-docx: pip install 'osler[docx]'")
    page = brief(library, BriefRequest(question=QUESTION))
    place = tmp_path / "page.docx"
    place.write_bytes(written(page, "docx"))
    text = zipfile.ZipFile(place).read("word/document.xml").decode()
    for quote in page.quotes:
        assert quote.text in text


def test_control_characters_do_not_break_word(library: Library) -> None:
    pytest.importorskip("docx", reason="needs python-docx: pip install 'osler[docx]'")
    library.add_documents([paper("16", "Melatonin\x07 bell.", "Melatonin\x0b improved sleep.")])
    assert written(brief(library, BriefRequest(question=QUESTION)), "docx")


def test_the_chart_says_what_it_draws() -> None:
    rows = {"cohort": {"supports": 3, "refutes": 1}, "": {"supports": 1}}
    svg = sides_chart(rows, ("supports", "refutes", "no effect found"), about="Papers")
    assert 'aria-label="Papers: cohort: 3 supports, 1 refutes; not told: 1 supports"' in svg
    # Three parts, and a patch for each of the two sides that are there.
    assert svg.count("<rect") == 3 + 2
    # The longest bar fills the span: 330 for four papers, so that three take 247.5.
    assert 'width="247.5"' in svg
    assert 'width="82.5"' in svg
    assert sides_chart({}, ("supports",), about="Papers") == ""


def test_both_sides_have_room(library: Library) -> None:
    more = [
        paper(str(n), f"Melatonin trial {n}.", "Melatonin significantly improved sleep in adults.")
        for n in range(100, 120)
    ]
    library.add_documents(more)
    page = brief(library, BriefRequest(question=QUESTION))
    assert len(page.supporting) + len(page.against) == 10
    assert [quote.paper for quote in page.against] == ["12"]


def test_only_papers_that_name_all_of_it_are_on_the_subject(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    from osler.brief import parts
    from osler.verbs import brief as verb

    question = "Does melatonin worsen sleep in rotating shifts?"
    monkeypatch.setattr(verb, "_sided", lambda *_: [])
    monkeypatch.setattr(verb, "_verdict", lambda *_: "near")
    named: set[str] = set()
    monkeypatch.setattr(verb, "_names_all", lambda hit: hit.id in named)
    nobody = brief(library, BriefRequest(question=question))
    assert nobody.beside == ()
    assert 0 < len(nobody.lacking) <= 3
    assert "none of" in nobody.words
    assert "names all that is asked" in nobody.words
    assert [heading for heading, _ in parts.quoted(nobody)] == [parts.LACKING]
    named.add(nobody.lacking[0].paper)
    one = brief(library, BriefRequest(question=question))
    assert {quote.paper for quote in one.beside} == named
    assert not named & {quote.paper for quote in one.lacking}
    assert "takes a side" in one.words
    assert one.quotes == one.beside + one.lacking
