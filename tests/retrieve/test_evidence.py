"""Evidence: the right sentence, with offsets that hold, in both languages."""

from __future__ import annotations

from osler.retrieve.evidence import best_sentence, highlight
from osler.store.analyser import analyse
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
