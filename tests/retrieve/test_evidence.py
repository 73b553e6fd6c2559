"""Evidence: the right sentence, with offsets that hold, in both languages."""

from __future__ import annotations

import math
import random

import pytest
from typer.testing import CliRunner

from osler import Library
from osler.cli.main import build
from osler.kinds import Document, Section
from osler.retrieve.evidence import best_sentence, evidence_of, highlight
from osler.retrieve.finding import FindingWeights, features, shipped
from osler.store.analyser import analyse
from osler.text.sentences import sentences
from samples import PAPERS, paper


def weights(text):
    return dict.fromkeys(analyse(text), 1.0)


def test_the_sentence_that_says_most_is_chosen_and_its_offsets_hold():
    found = best_sentence(PAPERS[0], weights("muscle enzymes"))
    assert found.text == "Muscle enzymes did not change."
    assert PAPERS[0].text[found.start : found.end] == found.text


def test_chinese_sentences_too():
    found = best_sentence(PAPERS[3], weights("生存期"))
    assert found.text == "结果显示生存期延长。"
    assert PAPERS[3].text[found.start : found.end] == found.text


def test_a_document_without_abstract_shows_its_title():
    found = best_sentence(PAPERS[4], weights("title"))
    assert (found.text, found.start) == (PAPERS[4].title, 0)
    assert best_sentence(paper("x"), weights("title")) is None


def test_highlights_are_whole_words():
    text = "Statin therapy: statins in adults"
    spans = highlight(text, weights("statins"))
    assert [text[a:b] for a, b in spans] == ["Statin", "statins"]
    assert [text[a:b] for a, b in [(0, 0)]] == [""]
    chinese = "肺癌患者的化疗"
    assert [chinese[a:b] for a, b in highlight(chinese, weights("肺癌患者"))] == ["肺癌患者"]


def test_a_finding_comes_before_an_echo() -> None:
    echo = "This study aimed to evaluate whether aspirin prevents stroke in older adults."
    method = "Adults were randomly assigned to aspirin or placebo."
    finding = "Aspirin significantly reduced stroke compared with placebo (4% vs 7%, p < 0.01)."
    document = Document(id="1", title="T", sections=(Section(f"{echo} {method} {finding}"),))
    found = best_sentence(document, weights("does aspirin prevent stroke in older adults"))
    assert found is not None
    assert found.text == finding
    assert document.text[found.start : found.end] == finding


def test_a_finding_in_chinese() -> None:
    text = (
        "目的 探讨阿司匹林对脑卒中的影响。将患者随机分为两组。"
        "阿司匹林组脑卒中显著低于对照组(P<0.05)。"
    )
    document = Document(id="1", title="题", sections=(Section(text),))
    found = best_sentence(document, weights("阿司匹林脑卒中"))
    assert found is not None
    assert "显著低于" in found.text


def test_sections_say_what_is_a_result() -> None:
    sections = (
        Section("Aspirin and stroke.", "OBJECTIVE"),
        Section("Aspirin and stroke were seen.", "RESULTS"),
    )
    found = best_sentence(Document(id="1", title="T", sections=sections), weights("aspirin stroke"))
    assert found is not None
    assert found.text == "Aspirin and stroke were seen."


def test_what_shares_nothing_is_no_evidence_while_something_does() -> None:
    text = "Aspirin was studied. Mortality was significantly lower than before (p < 0.01)."
    document = Document(id="1", title="T", sections=(Section(text),))
    found = best_sentence(document, weights("aspirin"))
    assert found is not None
    assert found.text == "Aspirin was studied."


# -- whether it states a finding -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "states"),
    [("RESULTS", True), ("CONCLUSIONS", True), ("OBJECTIVE", False), ("METHODS", False)],
)
def test_the_part_of_the_abstract_tells_whether_a_finding_is_stated(label: str, states: bool):
    document = Document(id="1", title="T", sections=(Section("Sleep was measured.", label),))
    chosen = evidence_of(document, {"sleep": 1.0})
    assert chosen is not None
    assert chosen[1] is states


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("Sleep was 19 % longer with melatonin (p < 0.01).", True),
        ("The aim of this review is to evaluate and assess sleep.", False),
        ("Patients were randomly assigned and received melatonin for sleep.", False),
    ],
)
def test_words_tell_where_no_label_does(text: str, states: bool):
    chosen = evidence_of(Document(id="1", title="T", sections=(Section(text),)), {"sleep": 1.0})
    assert chosen is not None
    assert chosen[1] is states


def test_the_role_is_a_logistic_model_of_words():
    even = FindingWeights({}, role={"": -math.log(3) + 1e-6, "p": -1.0})
    assert even.states({})
    assert not even.states({"p": 1.0})
    assert even.states({"p": 1.0, "in results": 1.0})
    assert not even.states({"in aim": 1.0})


def test_a_hit_says_that_no_sentence_states_a_finding(tmp_path):
    with Library.create(tmp_path / "lib") as library:
        aim = Section("The aim of this review is to evaluate melatonin.")
        found = Section("Melatonin significantly reduced sleep latency by 9 %, p < 0.01.")
        library.add_documents(
            [
                Document(id="a", title="Melatonin", sections=(aim,)),
                Document(id="b", title="Melatonin", sections=(found,)),
            ]
        )
        hits = {hit.id: hit for hit in library.search("melatonin", method="words").hits}
        assert hits["a"].no_finding
        assert not hits["b"].no_finding
        shown = CliRunner().invoke(build(), ["search", str(tmp_path / "lib"), "melatonin"])
        assert shown.output.count("no sentence here states a finding") == 1
        plain = library.search("melatonin", method="words", evidence=False).hits
        assert not any(hit.no_finding for hit in plain)


def test_what_shares_nothing_is_passed_over_and_the_answer_is_the_same() -> None:
    """The best sentence by scoring every one, and by scoring those alone that share a word."""
    chosen = random.Random(11)
    words = [
        "aspirin",
        "fever",
        "trial",
        "significantly",
        "results",
        "p<0.05",
        "12%",
        "pain",
        "reduced",
        "women",
        "the",
        "of",
    ]
    for _ in range(300):
        texts = [
            " ".join(chosen.choices(words, k=chosen.randint(1, 12))).capitalize() + "."
            for _ in range(chosen.randint(1, 7))
        ]
        asked = chosen.sample(["aspirin", "fever", "pain", "absent"], chosen.randint(0, 3))
        weights = {word: chosen.uniform(0.5, 6.0) for word in asked}
        text = " ".join(texts)
        document = Document(id="1", title="A title", sections=(Section(text),))
        spans = list(sentences(text))
        rows = features([text[low:high] for low, high in spans], weights)
        scored = [
            ((row["overlap"] > 0, shipped().score(row)), -low, high, shipped().states(row))
            for (low, high), row in zip(spans, rows, strict=True)
            if row is not None
        ]
        (_, score), low, high, states = max(scored)
        start = len(document.title) + 1
        for _ in ("found out", "kept"):
            found = evidence_of(document, weights)
            assert found is not None
            assert (found[0].start, found[0].end) == (start - low, start + high)
            assert found[0].score == round(score, 6)
            assert found[1] == states
