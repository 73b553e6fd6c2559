"""Synonyms as query expansion."""

from __future__ import annotations

from osler.kinds import Entity
from osler.kinds.query import Or, Term, Weighted
from osler.knowledge.graph import Graph
from osler.retrieve.expansion import expanded, index_terms, synonym_words


def test_a_word_of_more_names_weighs_more():
    names = ["Breast Neoplasms", "Breast Tumors", "Mammary Neoplasms", "Neoplasms, Breast"]
    words = dict(synonym_words([(names, 1.0)], index_terms("breast cancer")))
    assert words == {"neoplasms": 0.75, "tumors": 0.25, "mammary": 0.25}


def test_the_surest_concept_gives_a_word_its_weight_and_certainty_is_capped():
    sure, doubtful = (["Kidney Stones"], 3.0), (["Kidney Calculi"], 0.4)
    words = dict(synonym_words([sure, doubtful], []))
    assert words == {"kidney": 1.0, "stones": 1.0, "calculi": 0.4}


def test_stop_words_and_the_questions_own_terms_are_left_out():
    words = synonym_words([(["Cancer of the Lung", "Lungs' Cancers"], 1.0)], index_terms("lungs"))
    assert [word for word, _ in words] == ["cancer"]


def test_only_so_many_words_are_added_in_a_settled_order():
    names = [f"word{letter}" for letter in "dcba"]
    assert [w for w, _ in synonym_words([(names, 1.0)], [], most=2)] == ["worda", "wordb"]


def test_a_question_without_concepts_stays_as_it_is():
    graph = Graph.build([Entity(id="X:1", name="Asthma", synonyms=("Bronchial hyperreactivity",))])
    node = Or((Term("asthma"),))
    assert expanded(node, "asthma", {}, graph) is node
    wider = expanded(node, "asthma", {0: 1.0}, graph)
    assert isinstance(wider, Weighted)
    assert wider.parts[0] == (node, 1.0)
    assert {part.text for part, _ in wider.parts[1:]} == {"bronchial", "hyperreactivity"}
    assert {weight for _, weight in wider.parts[1:]} == {0.5}


def test_chinese_names_add_pairs_of_characters():
    words = synonym_words([(["糖尿病", "消渴症"], 1.0)], index_terms("糖尿病"))
    assert {word for word, _ in words} == {"消渴", "渴症"}
