"""Extractive summaries: ROUGE-L by hand, oracle labels, choosing, both languages."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import ChoiceError, InputError, MissingModel
from osler.kinds import Document, Section
from osler.retrieve.summaries import (
    needs_summary,
    represent,
    summarise,
    summarisers,
    valid_abstract,
)
from osler.retrieve.summaries.denoise import FREQUENT, denoise, frequent_abbreviations
from osler.retrieve.summaries.oracle import oracle_labels, oracle_scores
from osler.retrieve.summaries.rouge import (
    lcs_length,
    lcs_places,
    rouge_l,
    rouge_l_summary,
    rouge_tokens,
)
from osler.retrieve.summaries.sentences import body, own
from osler.retrieve.summaries.summarise import choose
from osler.retrieve.summaries.unsupervised import Centroid, LexRank, term_vectors

FILLER = [
    "The weather in the valley was mild during most of the observed weeks.",
    "Participants were asked to park behind the building on their first visit.",
    "Forms were printed on yellow paper and kept in a locked cabinet upstairs.",
    "The coffee machine was replaced in the second month of the project.",
]
CORE = [
    "Inhaled hypertonic saline improved mucus clearance in children with cystic fibrosis.",
    "Mucus clearance improved with hypertonic saline and lung function followed in children.",
    "Hypertonic saline is a cheap way to improve mucus clearance in cystic fibrosis.",
]
PAPER = Document(
    id="p1",
    title="Hypertonic saline and mucus clearance in cystic fibrosis",
    sections=(Section("We studied saline. It helped."),),
    full_text=(
        Section(" ".join([FILLER[0], CORE[0], FILLER[1]]), "Introduction"),
        Section(" ".join([FILLER[2], CORE[1], FILLER[3], CORE[2]]), "Results"),
        Section(
            "We thank the saline and mucus clearance people of the cystic fibrosis clinic.",
            "Acknowledgements",
        ),
    ),
)
CHINESE = Document(
    id="zh1",
    title="高渗盐水雾化对囊性纤维化患儿黏液清除的影响",
    full_text=(
        Section(
            "研究期间山谷里的天气大部分时间都比较温和。"
            "高渗盐水雾化改善了囊性纤维化患儿的黏液清除。"
            "受试者第一次来访时被要求把车停在楼后面。"
            "雾化高渗盐水后囊性纤维化患儿的黏液清除和肺功能均有改善。"
            "表格用黄色的纸打印并保存在楼上的柜子里。",
            "结果",
        ),
        Section("感谢所有参加高渗盐水雾化研究的囊性纤维化患儿和家长。", "致谢"),
    ),
)
words = st.lists(st.sampled_from("abcde"), max_size=14)


def table_lcs(first: list[str], second: list[str]) -> int:
    """The textbook's table, to hold the bit-parallel one against."""
    rows = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            rows[i + 1][j + 1] = rows[i][j] + 1 if a == b else max(rows[i][j + 1], rows[i + 1][j])
    return rows[-1][-1]


@given(words, words)
def test_the_longest_common_subsequence(first: list[str], second: list[str]) -> None:
    length = table_lcs(first, second)
    assert lcs_length(first, second) == length
    places = lcs_places(first, second)
    assert len(places) == length
    assert places == sorted(set(places))
    rest = iter(second)
    assert all(any(token == first[place] for token in rest) for place in places)


def test_the_longest_common_subsequence_of_long_lists() -> None:
    draw = random.Random(1)
    first, second = ([draw.choice("abcdefgh") for _ in range(300)] for _ in range(2))
    assert lcs_length(first, second) == table_lcs(first, second)


def test_rouge_l_by_hand() -> None:
    # Lin's example: three of four tokens in order; reversed halves keep two.
    reference = ["police", "killed", "the", "gunman"]
    assert rouge_l(["police", "kill", "the", "gunman"], reference).f1 == 0.75
    assert rouge_l(["the", "gunman", "kill", "police"], reference).f1 == 0.5
    uneven = rouge_l(["a", "b", "c", "d", "e", "f"], ["a", "c", "e"])
    assert (uneven.precision, uneven.recall, uneven.f1) == (0.5, 1.0, 2 / 3)
    assert rouge_l([], reference).f1 == 0.0
    assert rouge_l(reference, []).f1 == 0.0


def test_rouge_l_of_summaries_by_hand() -> None:
    # Lin's union-LCS: w1 w2 and w1 w3 w5 cover four of the reference's five tokens.
    reference = [["w1", "w2", "w3", "w4", "w5"]]
    candidate = [["w1", "w2", "w6", "w7", "w8"], ["w1", "w3", "w8", "w9", "w5"]]
    found = rouge_l_summary(candidate, reference)
    assert found.recall == 4 / 5
    assert found.precision == 4 / 10
    # One candidate token cannot pay for two reference tokens.
    once = rouge_l_summary([["a"]], [["a"], ["a"]])
    assert (once.precision, once.recall) == (1.0, 0.5)
    assert rouge_l_summary([], reference).f1 == 0.0


def test_tokens_of_rouge_are_words_and_chinese_characters() -> None:
    assert rouge_tokens("TNF rose 3.5-fold.") == ["tnf", "rose", "3.5", "fold"]
    assert rouge_tokens("黏液清除。") == ["黏", "液", "清", "除"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("As shown in Fig. 3, levels rose.", "As shown in 3, levels rose."),
        ("Levels rose (Fig. 2A) at once [3, 4-6].", "Levels rose at once ."),
        ("Smith et al. found it, i.e. a rise.", "Smith found it, a rise."),
        ("It rose (Smith et al., 2004; Jones, 2001) again.", "It rose again."),
        ("DNA and CT of the U.K. cohort.", "DNA and CT of the U.K. cohort."),
        ("水平升高（图1）。", "水平升高 。"),
    ],
)
def test_frequent_abbreviations_go_and_content_stays(given: str, expected: str) -> None:
    assert denoise(given) == expected


def test_a_collection_adds_its_own_abbreviations() -> None:
    texts = ["The pts. were seen at 3 sites."] * 4 + ["A rare abbr. stands here."]
    found = frequent_abbreviations(texts)
    assert "pts." in found
    assert "abbr." not in found
    # A word at the end of a sentence is no abbreviation, however frequent.
    assert "sites." not in frequent_abbreviations(["There are 3 sites. They differ."] * 9)
    assert found >= FREQUENT
    assert denoise("The pts. were seen.", frequent=found) == "The were seen."


def test_valid_abstracts_have_more_than_three_sentences() -> None:
    def abstract(text: str) -> Document:
        return Document(id="x", sections=(Section(text),), full_text=(Section("Some text."),))

    three = abstract("One is here. Two is here. Three is here.")
    four = abstract("One is here. Two is here. Three is here. Four is here.")
    assert not valid_abstract(three)
    assert valid_abstract(four)
    assert valid_abstract(abstract("一是。二是。三是。四是。"))
    assert not valid_abstract(Document(id="x"))
    assert needs_summary(three)
    assert not needs_summary(four)
    assert not needs_summary(Document(id="x", sections=three.sections))


def test_offsets_give_back_the_sentence() -> None:
    for document in (PAPER, CHINESE):
        found = body(document)
        assert found
        for one in found:
            assert document.full_text[one.section].text[one.start : one.end] == one.text
        assert all(one.label not in ("Acknowledgements", "致谢") for one in found)
    for one in own(PAPER):
        assert PAPER.text[one.start : one.end] == one.text


@pytest.mark.parametrize(
    ("label", "kept"),
    [
        ("Results > Main findings", True),
        ("Discussion", True),
        ("", True),
        ("References", False),
        ("5. Acknowledgments", False),
        ("Back matter > Competing interests", False),
        ("Funding > Grants", False),
        ("利益冲突", False),
    ],
)
def test_sections_apart_are_left_out(label: str, kept: bool) -> None:
    document = Document(id="x", full_text=(Section(CORE[0], label),))
    assert bool(body(document)) == kept


def test_the_oracle_takes_what_the_abstract_says() -> None:
    abstract = ["Saline improved mucus clearance in children with cystic fibrosis."]
    sentences = [*FILLER, *CORE]
    for pool in ("max", "mean", "whole", "greedy"):
        labels = oracle_labels(sentences, abstract, top=1, pool=pool)  # type: ignore[arg-type]
        assert labels.tolist() == [0, 0, 0, 0, 1, 0, 0]
    assert oracle_labels(sentences, abstract).sum() == 3
    assert oracle_labels(sentences, abstract)[-3:].sum() == 3
    assert oracle_labels(["Nothing shared."], ["Other words here."]).sum() == 0
    assert oracle_labels(sentences, []).sum() == 0
    assert oracle_labels([], abstract).size == 0
    with pytest.raises(ChoiceError):
        oracle_scores(sentences, abstract, pool="sum")  # type: ignore[arg-type]


def test_oracle_scores_by_hand() -> None:
    abstract = ["a b", "c d"]
    # Against "a b": F1 of "a b c" is 4 / 5; against "c d": 2 / 5; against "a b c d": 6 / 7.
    assert oracle_scores(["a b c"], abstract, pool="max") == pytest.approx([4 / 5])
    assert oracle_scores(["a b c"], abstract, pool="mean") == pytest.approx([3 / 5])
    assert oracle_scores(["a b c"], abstract, pool="whole") == pytest.approx([6 / 7])


def test_greedy_adds_only_what_helps() -> None:
    labels = oracle_labels(["a b", "a b", "c d", "x"], ["a b c d"], pool="greedy")
    assert labels.tolist() == [1, 0, 1, 0]


def test_lexrank_finds_the_core_in_either_language() -> None:
    summary = summarise(PAPER)
    assert summary.method == "lexrank"
    assert {one.text for one in summary.sentences} == set(CORE)
    for one in summary.sentences:
        assert PAPER.full_text[one.section].text[one.start : one.end] == one.text
    chinese = summarise(CHINESE, sentences=2)
    assert all("囊性纤维化" in one.text for one in chinese.sentences)
    assert chinese.text == "".join(one.text for one in chinese.sentences)
    assert chinese.sentences[0].start < chinese.sentences[1].start


def test_the_same_document_gives_the_same_summary() -> None:
    assert summarise(PAPER, sentences=2) == summarise(PAPER, sentences=2)


def test_lead_and_counts() -> None:
    lead = summarise(PAPER, method="lead", sentences=2)
    assert [one.text for one in lead.sentences] == [FILLER[0], CORE[0]]
    everything = summarise(PAPER, sentences=99)
    assert len(everything.sentences) == 7
    with pytest.raises(InputError):
        summarise(PAPER, sentences=0)
    with pytest.raises(ChoiceError, match="lexrank"):
        summarise(PAPER, method="lexrnak")


def test_without_full_text_the_abstract_is_summarised() -> None:
    short = Document(id="x", title="T", sections=(Section("It helped. It was cheap."),))
    summary = summarise(short, sentences=1)
    assert len(summary.sentences) == 1
    one = summary.sentences[0]
    assert one.section == -1
    assert short.text[one.start : one.end] == one.text
    assert summarise(Document(id="none")).sentences == ()


def test_what_represents_a_document() -> None:
    assert represent(PAPER).startswith(PAPER.title + "\n")
    assert CORE[0] in represent(PAPER)
    assert "We studied saline" not in represent(PAPER)
    plain = Document(id="x", title="T", sections=(Section("It helped."),))
    assert represent(plain) == plain.text


class Letters:
    """An encoder of counts of letters, for tests."""

    languages = frozenset({"en"})

    def encode(self, texts: list[str]) -> np.ndarray:
        table = np.array(
            [[text.lower().count(c) for c in "abcdefghijklmnopqrstuvwxyz"] for text in texts],
            dtype=float,
        )
        return table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)


def test_centroid_by_hand_and_its_language() -> None:
    document = Document(id="x", title="aaaa")
    candidates = body(PAPER)
    scores = Centroid(encoder=Letters()).scores(PAPER, candidates)
    assert scores.shape == (len(candidates),)
    title_only = Centroid(encoder=Letters(), title=1.0).scores(document, candidates)
    vectors = Letters().encode([one.clean for one in candidates])
    assert title_only == pytest.approx(vectors[:, 0])
    with pytest.raises(InputError, match="does not read the language"):
        summarise(CHINESE, method="centroid", encoder=Letters())
    assert summarise(PAPER, method="centroid", encoder=Letters()).method == "centroid"


def test_choosing_punishes_repetition() -> None:
    document = Document(
        id="x",
        full_text=(
            Section(
                "Saline improved mucus clearance in most children here. "
                "Saline improved mucus clearance in most children there. "
                "Costs were low and parents liked the treatment very much."
            ),
        ),
    )
    candidates = body(document)
    scores = np.array([1.0, 0.9, 0.8])
    assert choose(candidates, scores, 2, redundancy=0.0) == [0, 1]
    assert choose(candidates, scores, 2, redundancy=0.5) == [0, 2]
    assert choose([], np.zeros(0), 2, redundancy=0.5) == []
    assert choose(candidates, np.ones(3), 1, redundancy=0.0) == [0]


def test_term_vectors_have_length_one_or_none() -> None:
    vectors = term_vectors(["saline mucus", "the of", ""])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 0])
    assert LexRank().scores(PAPER, body(PAPER)[:1]).tolist() == [1.0]
    odd = Document(id="x", full_text=(Section("The of and to in on at. Or but if then not no."),))
    assert len(summarise(odd, sentences=1).sentences) == 1


@given(st.text(max_size=300))
def test_any_text_is_summarised(text: str) -> None:
    document = Document(
        id="x", title=text[:20], full_text=(Section(text),), sections=(Section(text),)
    )
    summary = summarise(document, sentences=2)
    assert len(summary.sentences) <= 2
    for one in summary.sentences:
        source = document.text if one.section < 0 else document.full_text[one.section].text
        assert source[one.start : one.end] == one.text


def test_every_summariser_has_a_line_of_help() -> None:
    assert {"lead", "lexrank", "centroid", "bertsum"} <= set(summarisers.names())
    for name, cls in summarisers:
        assert cls.name == name
        assert cls.help
    with pytest.raises(MissingModel, match="osler train summarise"):
        summarise(PAPER, method="bertsum")


def test_unsupervised_summaries_need_no_torch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None; sys.modules['transformers'] = None\n"
        "from osler.kinds import Document, Section\n"
        "from osler.retrieve.summaries import summarise\n"
        "text = 'One sentence stands here for the test. Another sentence stands there.'\n"
        "document = Document(id='x', full_text=(Section(text),))\n"
        "assert summarise(document, sentences=1).method == 'lexrank'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
