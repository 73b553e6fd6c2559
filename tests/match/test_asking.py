"""What a question asks for, and what it is about."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import osler.demo
from osler.match.asking import KINDS, asked_kind, asked_part, focus, has_cue

ASKED = {
    "What helps against migraine attacks?": "treat",
    "Which medicine prevents attacks of gout?": "prevent",
    "How many milligrams of it should I take?": "dose",
    "Is it safe in pregnancy?": "safety",
    "What are the side effects of it?": "safety",
    "How is it diagnosed?": "test",
    "What are the warning signs?": "symptom",
    "What is the prognosis?": "outlook",
    "Why do people get it?": "cause",
    "Does it run in families?": "inherit",
    "What can it lead to?": "complication",
    "Who is at risk of it?": "risk",
    "What is it?": "about",
    "Hello there": "",
    "偏头痛发作时吃什么药？": "treat",
    "怎样预防感冒？": "prevent",
    "烧心是什么原因？": "cause",
    "骨质疏松要做什么检查？": "test",
    "二甲双胍一天吃几片？": "dose",
    "高血压不能吃什么？": "diet",
    "肺炎有什么症状？": "symptom",
    "这个药有副作用吗": "safety",
    "能治好吗": "outlook",
}


@pytest.mark.parametrize(("question", "kind"), ASKED.items())
def test_the_kind_is_the_narrowest_that_a_cue_names(question, kind):
    assert asked_kind(question) == kind
    assert kind in (*KINDS, "")


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("Which drug keeps gout from coming back?", "gout"),
        ("How can I bring my blood pressure down?", "blood pressure"),
        ("What causes migraine?", "migraine"),
        ("烧心是怎么回事？", "烧心"),
    ],
)
def test_the_focus_is_what_is_left(question, about):
    left = focus(question)
    assert about in left
    for cue in ("drug", "causes", "bring", "怎么", "回事"):
        assert cue not in left


def test_a_cue_word_may_be_meant_whole():
    assert has_cue("diet", "What may I eat?")
    assert not has_cue("diet", "Is it beaten by heat and death?")


def test_of_a_letter_the_subject_and_what_it_asks_are_kept():
    letter = "Gout. I am 45. My knee hurts at night. What can I take? Is it dangerous? Thank you."
    assert asked_part(letter) == "Gout. What can I take? Is it dangerous?"
    for whole in (
        "I have gout. What can I take?",
        "Gout. I am 45. My knee hurts. Please help.",
        "What is it? What is it? What is it?",
    ):
        assert set(asked_part(whole).split()) == set(whole.split())
    assert asked_part("痛风。我今年四十岁。晚上膝盖疼。吃什么药？谢谢。") == "痛风。 吃什么药？"


def test_every_question_of_the_demo_asks_for_something():
    path = Path(osler.demo.__file__).parent / "answers.tsv"
    with path.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    unread = [row["question"] for row in rows if not asked_kind(row["question"])]
    assert unread == ["Is vitamin D good for the bones?"]
