"""Fragments, places, scales, features, files of pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import FieldError, FormatError
from osler.grade.cues import cue_count, group_of
from osler.grade.features import features, names
from osler.grade.fragments import (
    coverage_by_part,
    covering,
    evidence_place,
    kimp_text,
    rcor_sentences,
    rcor_text,
)
from osler.grade.labels.kimp import subject_words
from osler.grade.pair import Fact, Pair
from osler.grade.places import TextNames
from osler.grade.scale import PAPER, SAMPLE, grade_of, scale_of
from osler.grade.table import keywords, read_pairs
from osler.grade.table_out import write_pairs

ABSTRACT = (
    "Warfarin thins blood. Nobody spoke of rain. Strokes were counted. "
    "In the end warfarin prevented most strokes."
)
ENGLISH = Pair(Fact("warfarin", "prevents", "stroke"), "A trial of warfarin", ABSTRACT)
CHINESE = Pair(
    Fact("二甲双胍", "适应症", "糖尿病"),
    "糖尿病的护理",
    "目的 探讨护理.方法 给予二甲双胍.结果 P<0.05,糖尿病控制良好.",
    ("护理", "2型糖尿病"),
)


def test_a_fragment_holds_the_sentences_with_both() -> None:
    assert rcor_text(ENGLISH) == "In the end warfarin prevented most strokes."
    assert ENGLISH.text[slice(*evidence_place(ENGLISH))].startswith("In the end")  # type: ignore[misc]


def test_without_such_a_sentence_it_runs_between_the_nearest() -> None:
    numbers = rcor_sentences(CHINESE.places)
    assert [CHINESE.places.sentence(n) for n in numbers] == [
        "方法 给予二甲双胍.",
        "结果 P<0.05,糖尿病控制良好.",
    ]


def test_kimp_is_title_first_sentence_keywords() -> None:
    assert kimp_text(CHINESE) == "糖尿病的护理. 目的 探讨护理. 护理%2型糖尿病."
    assert kimp_text(ENGLISH) == "A trial of warfarin. Warfarin thins blood."


def test_a_latin_name_is_no_part_of_a_word() -> None:
    looked = TextNames("Gout, goutweed and GOUTS; a heart-attack, Heart Attacks")
    assert [looked.text[s:e] for s, e in looked.find(["gout"])] == ["Gout", "GOUTS"]
    assert [looked.text[s:e] for s, e in looked.find(["heart attack"])] == [
        "heart-attack",
        "Heart Attacks",
    ]


@given(st.text(max_size=60), st.lists(st.text(max_size=8), max_size=3))
def test_places_are_inside_and_apart(text: str, wanted: list[str]) -> None:
    found = TextNames(text).find(wanted)
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(a[1] <= b[0] for a, b in zip(found, found[1:], strict=False))


@given(st.text(max_size=40), st.text(max_size=120), st.lists(st.text(max_size=10), max_size=3))
def test_any_paper_has_features(title: str, abstract: str, words: list[str]) -> None:
    pair = Pair(Fact("糖尿病", "treats", "gout"), title, abstract, tuple(words))
    row = features([pair])
    assert row.shape == (1, len(names()))
    assert np.isfinite(row).all()


def test_features_never_see_labels() -> None:
    marked = CHINESE.labelled(label="0", rcor=3, kimp=3)
    assert (features([CHINESE]) == features([marked])).all()


def test_coverage_of_top_words() -> None:
    words = subject_words(ENGLISH)
    assert covering(ENGLISH.places, words)[0] in (1, 4)
    shares = coverage_by_part(ENGLISH.places, words)
    assert all(0.0 <= share <= 1.0 for share in shares.values())
    assert set(shares) == {"title", "first", "tail", "other", "keywords"}
    assert shares["keywords"] == 0.0
    assert shares["tail"] > 0


def test_table_1() -> None:
    assert [grade_of(3, 3), grade_of(3, 2), grade_of(3, 1), grade_of(2, 3)] == list("HFMI")
    for at, label in enumerate(SAMPLE.labels):
        kimp = SAMPLE.kimp[at]
        assert kimp is not None
        assert grade_of(SAMPLE.rcor[at], kimp) == SAMPLE.grades[at], label


def test_probabilities_of_labels_out_of_two_tasks() -> None:
    whole = SAMPLE.combined(np.array([1.0, 0.0]), np.array([[0, 0, 1.0], [1.0, 0, 0]]))
    assert whole.argmax(1).tolist() == [0, 4]
    assert np.allclose(whole.sum(1), 1)
    assert np.allclose(SAMPLE.by_grade(whole), [[1, 0, 0, 0], [0, 0, 0, 1]])
    assert PAPER.score(np.eye(4)).tolist() == [3, 2, 1, 0]


def test_labels_outside_the_scale() -> None:
    assert scale_of(["H", "I"]) is PAPER
    assert scale_of(["0", "4"]) is SAMPLE
    with pytest.raises(FieldError, match="'7' is on no scale"):
        scale_of(["0", "7"])
    with pytest.raises(FieldError, match="mix two scales"):
        scale_of(["H", "0"])


def test_relations_have_cues() -> None:
    assert group_of("适应症") == group_of("treats") == "treat"
    assert group_of("蓝色") == "other"
    assert cue_count("treats", "patients received treatment") == 2
    assert cue_count("适应症", "治疗有效") == 1


def test_pairs_come_back_from_a_file(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.tsv", [CHINESE.labelled(label="F", rcor=3, kimp=2)])
    (back,) = read_pairs(tmp_path / "pairs.tsv")
    assert (back.fact, back.title, back.keywords) == (CHINESE.fact, CHINESE.title, CHINESE.keywords)
    assert (back.label, back.rcor, back.kimp) == ("F", 3, 2)
    (bare,) = read_pairs(tmp_path / "pairs.tsv", labels=False)
    assert (bare.label, bare.rcor, bare.kimp) == (None, None, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("head\trelation\tcolour\nx\ty\tz\n", "has no column tail, title"),
        ("head\trelation\ttail\ttitle\nx\ty\tz\n", "line 2 has 3 fields, expected 4"),
        ("head\trelation\ttail\ttitle\n\ty\tz\tt\n", "line 2: the head is empty"),
        ("MedL\tK_str\nA.B\tno fact\n", "line 2: 'no fact' is no fact"),
        ("MedL\tK_str\tRCor_score\nA.B\ta,b,c\t9\n", "RCor_score is '9'"),
    ],
)
def test_a_broken_file_says_where(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "pairs.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(FieldError, match=message):
        read_pairs(tmp_path / "pairs.tsv")


def test_an_empty_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("", encoding="utf-8")
    with pytest.raises(FormatError, match="is empty"):
        read_pairs(tmp_path / "pairs.tsv")


def test_keywords_are_parted() -> None:
    assert keywords("a%b; c|d %") == ("a", "b", "c", "d")
