"""The design of a study, by indexers and by words."""

from __future__ import annotations

import pytest

from osler import Library
from osler.errors import ChoiceError, QueryError
from osler.kinds import Document, Heading, Section
from osler.text.design.judge import design_of, shipped
from osler.text.design.names import DESIGNS, canonical
from osler.text.design.sample_size import arms, sample_size
from osler.verbs.filters import filter_of


def paper(title: str, abstract: str = "", **more: object) -> Document:
    return Document(id="1", title=title, sections=(Section(abstract),), **more)  # type: ignore[arg-type]


def test_indexers_come_first() -> None:
    typed = paper("A survey", "We sent a questionnaire.", types=("Randomized Controlled Trial",))
    judged = design_of(typed)
    assert (judged.name, judged.probability, judged.told) == ("randomised trial", 1.0, True)
    headed = paper("X", headings=(Heading(name="Case-Control Studies"),))
    assert design_of(headed).name == "case-control"


def test_words_may_be_narrower_than_the_indexer() -> None:
    text = "We searched PubMed, Embase and Cochrane. The systematic review followed PRISMA."
    judged = design_of(paper("Yoga for pain: a systematic review", text, types=("Review",)))
    assert judged.name == "systematic review"
    assert 0.5 <= judged.probability < 1


@pytest.mark.parametrize(
    ("title", "abstract", "design"),
    [
        (
            "Aspirin after stroke: a randomised, double-blind, placebo-controlled trial",
            "Patients were randomly assigned to aspirin or placebo. The primary outcome was death.",
            "randomised trial",
        ),
        (
            "Statins and death: systematic review and meta-analysis",
            "We searched PubMed and Embase. The pooled odds ratio was 0.8 in 12 trials.",
            "systematic review",
        ),
        (
            "A rare cause of cough: a case report",
            "We report a 45-year-old man who presented with cough.",
            "case report",
        ),
    ],
)
def test_words_tell(title: str, abstract: str, design: str) -> None:
    assert design_of(paper(title, abstract)).name == design


def test_nothing_tells() -> None:
    for nothing in (paper("", ""), paper("The", "")):
        judged = design_of(nothing)
        assert (judged.name, judged.probability) == ("", None)


def test_shipped_weights_are_small_and_whole() -> None:
    weights = shipped()
    assert len(weights.labels) == len(weights.bias)
    assert weights.taught_by


def test_names() -> None:
    assert canonical("RCT") == canonical("randomized  controlled trial") == "randomised trial"
    assert canonical("队列研究") == "cohort"
    assert canonical("nonsense") == ""
    assert all(canonical(name) == name for name in DESIGNS)
    with pytest.raises(ChoiceError):
        filter_of(design=["nonsense"])


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("A total of 1,204 patients were randomised to A or B.", 1204),
        ("Methods: 56 women were enrolled; 28 patients were assigned to each arm.", 56),
        ("We included 87 healthy volunteers.", 87),
        ("Group A (n = 20) and group B (n=25) did not differ.", 25),
        ("方法 选取2015年至2018年收治的患者120例。", 120),
        ("In 2019 the rate was 40 %.", None),
        ("", None),
    ],
)
def test_sample_size(text: str, number: int | None) -> None:
    assert sample_size(text) == number


def test_search_by_design(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with Library.create(tmp_path / "lib") as library:
        trial = Document(
            id="1",
            title="Aspirin",
            sections=(Section("Aspirin helped. 40 patients were randomised."),),
            types=("Randomized Controlled Trial",),
        )
        report = Document(id="2", title="Aspirin", types=("Case Reports",))
        library.add_documents([trial, report])
        assert {hit.id for hit in library.search("aspirin")} == {"1", "2"}
        hits = library.search("aspirin", filter=filter_of(design=["rct"])).hits
        assert [(h.id, h.design, h.design_probability, h.sample_size) for h in hits] == [
            ("1", "randomised trial", 1.0, 40)
        ]
        assert [h.id for h in library.search('aspirin AND design:"case report"')] == ["2"]
        library.add_documents([Document(id="3", title="Ibuprofen")])
        (plain,) = library.search("ibuprofen").hits
        assert (plain.design, plain.design_probability) == ("", None)
        with pytest.raises(QueryError, match="no study design"):
            library.search("aspirin AND design:nonsense")


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        (
            "Adults were randomised to receive metformin (n = 34) or placebo (n = 33).",
            (("metformin", 34), ("placebo", 33)),
        ),
        (
            "Of 1,200 adults the total sample (n = 1,200) was divided into a yoga group "
            "(n = 600) and the control group (n=600; 300 women).",
            (("yoga group", 600), ("control group", 600)),
        ),
        ("We saw children (n = 12).", ()),
        ("Drug A (n = 10) fell. " + "Words follow. " * 30 + "Drug B (n = 9) rose.", ()),
        ("", ()),
    ],
)
def test_arms(text: str, groups: tuple[tuple[str, int], ...]) -> None:
    assert arms(text) == groups


@pytest.mark.parametrize(
    ("text", "number"),
    [
        # What stands long before the number plays no part, and what leads to it is not cut off.
        ("We treated 12 patients. " + "Nothing was done. " * 20 + "We enrolled 40 adults.", 40),
        ("x" * 200 + " we randomly allocated a total of 1,234,567 healthy older adults", 1_234_567),
        ("x = 3. There were 5 mice, n = 7.", 7),
        ("Of 30 samples p = 0.2", None),
        ("本研究纳入患者120例。", 120),
        ("", None),
    ],
)
def test_sample_size_wherever_it_stands(text: str, number: int | None) -> None:
    assert sample_size(text) == number
