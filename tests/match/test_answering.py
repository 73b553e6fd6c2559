"""Whether an answer answers, and what is said where none does."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import osler.demo
from osler.kinds import EvidenceSentence, GradeReason, Pair, ScoreParts
from osler.match.answering import ANSWERS, NOT, SEEN, Answering, Judged
from osler.match.default import Default
from osler.match.job import match
from osler.match.learned import RAREST, Weighed, learned
from osler.match.matcher import Candidate, Sources
from osler.match.pool import PairPool
from osler.match.signs import (
    UNSAID,
    SignReader,
    _another_form,
    _cosine,
    _share,
    head_name,
    names_of,
)
from osler.match.texts import Texts

TRIPTAN = "A triptan such as sumatriptan, taken early, often ends a migraine attack."
PREVENT = "Doctors may prescribe propranolol to prevent frequent migraine."


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    path = Path(osler.demo.__file__).parent / "answers.tsv"
    with path.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return [Pair(id=r["id"], question=r["question"], answer=r["answer"]) for r in rows]


@pytest.fixture(scope="module")
def texts() -> Texts:
    return Texts()


@pytest.fixture(scope="module")
def answering(texts) -> Answering:
    return Answering(SignReader(texts))


@pytest.fixture(scope="module")
def asked(pairs, texts, answering):
    """Asks the demo's pairs, without encoder or graph."""
    pool, matcher = PairPool.of(pairs, texts), Default(Sources(texts=texts))
    return lambda question: match(
        matcher, question, pool.candidates(question), answering=answering, reorder=True
    )


def test_the_migraine_attack_gets_the_triptan_and_prevention_the_other(asked):
    assert asked("What helps against migraine attacks?").hits[0].id == "en-1"
    assert asked("What should I take when a migraine starts?").hits[0].id == "en-1"
    assert asked("How do I prevent migraine?").hits[0].id == "en-2"


def test_without_stored_questions_the_kind_still_decides(answering):
    own = [Candidate("t", TRIPTAN), Candidate("p", PREVENT)]
    for question, best in (("How do I treat a migraine?", "t"), ("How do I prevent it?", "p")):
        judged = answering.judged(question, own)
        assert max(judged, key=lambda one: one.probability).candidate.id == best


@pytest.mark.parametrize(
    "question", ["Best treatment for atrial fibrillation?", "心房颤动怎么治疗？"]
)
def test_nothing_answers_and_it_is_said(asked, question):
    ranking = asked(question)
    assert ranking.answered is False
    said = "none of these answers that" if question.isascii() else "没有"
    assert said in ranking.notes[0]
    assert ("fibrillation" if question.isascii() else "心房颤动") in ranking.notes[0]
    for hit in ranking.hits:
        (verdict,) = (r for r in hit.reasons if isinstance(r, GradeReason))
        assert verdict.grade == NOT
        assert sum(verdict.probabilities.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("question", "id"),
    [
        ("偏头痛疼起来用什么药？", "zh-1"),
        ("血压高吃什么药好？", "zh-2"),
        ("骨质疏松应该查什么？", "zh-10"),
    ],
)
def test_chinese_in_other_words_is_answered(asked, question, id):
    ranking = asked(question)
    assert ranking.answered is True
    assert ranking.hits[0].id == id


def test_chinese_beside_stored_questions_has_weights_of_its_own():
    assert head_name(stored=True, encoder=False, chinese=True) == "stored zh"
    assert head_name(stored=False, encoder=False, chinese=True) == "bare"
    assert head_name(stored=True, encoder=True, chinese=True) == "stored encoded zh"
    assert head_name(stored=False, encoder=True, chinese=True) == "bare"
    heads = learned().heads
    assert heads["stored zh"].bias > heads["stored"].bias
    assert set(heads["stored zh"].weights) == set(heads["stored"].weights)


def test_an_everyday_word_that_no_name_holds_weighs_little(texts):
    reader = SignReader(texts)
    assert reader.rarity("fault") < 1 < reader.rarity("glioblastoma")
    assert reader.rarity("zzyzx") == RAREST


def test_an_answer_is_marked_and_says_how_sure(asked):
    ranking = asked("What can I take for heartburn?")
    assert ranking.answered is True
    hit = ranking.hits[0]
    assert hit.id == "en-12"
    (verdict,) = (r for r in hit.reasons if isinstance(r, GradeReason))
    assert verdict.grade == ANSWERS
    assert verdict.probabilities[ANSWERS] >= learned().least
    sentence = hit.evidence
    assert isinstance(sentence, EvidenceSentence)
    assert hit.title[sentence.start : sentence.end] == sentence.text


def test_scores_fall_and_their_parts_add_up(asked):
    ranking = asked("What can I take for heartburn?")
    scores = [hit.score for hit in ranking.hits]
    assert scores == sorted(scores, reverse=True)
    for hit in ranking.hits:
        (parts,) = (r for r in hit.reasons if isinstance(r, ScoreParts))
        (verdict,) = (r for r in hit.reasons if isinstance(r, GradeReason))
        assert sum(parts.contributed.values()) == pytest.approx(hit.score, abs=1e-5)
        chance = 1 / (1 + np.exp(-hit.score))
        assert verdict.probabilities[ANSWERS] == pytest.approx(chance, abs=1e-3)


def test_the_sentence_is_the_first_of_the_part_that_answers(answering):
    text = "Asthma is common. It is treated with inhaled medicine and therapy. People live with it."
    sentence = answering.sentence("How is asthma treated?", text)
    assert sentence is not None
    assert sentence.text.startswith("It is treated")
    assert answering.sentence("How is asthma treated?", "") is None


def test_the_order_of_candidates_does_not_matter(answering, pairs):
    some = [Candidate(p.id, p.answer, p.question) for p in pairs[:8]]
    one = answering.judged("What lowers high blood pressure?", some)
    two = answering.judged("What lowers high blood pressure?", some[::-1])[::-1]
    assert [a.probability for a in one] == pytest.approx([b.probability for b in two])


def test_no_candidates_at_all(answering):
    assert answering.judged("What is it?", []) == []
    assert answering.none_said("What is it?", []) == "nothing here answers that"
    assert "没有" in answering.none_said("这是什么？", [])


def test_what_answers_says_nothing_of_none(answering):
    sure = Judged(Candidate("a", "b"), answering.least)
    assert answering.none_said("What is it?", [sure]) == ""
    unsure = Judged(Candidate("a", "b"), answering.least - 0.01)
    assert answering.none_said("What is it?", [unsure])


def test_the_weights_are_a_logistic_score():
    head = Weighed({"a": 2.0, "b": -1.0}, 0.5)
    expected = 1 / (1 + np.exp(-(0.5 + 2.0 * 0.3 - 1.0 * 0.7)))
    assert head.probability({"a": 0.3, "b": 0.7, "c": 9.0}) == pytest.approx(expected)
    assert 0 < head.probability({"a": 1e9, "b": 0.0}) <= 1


def test_every_head_reads_signs_that_there_are():
    table = learned()
    for stored in (True, False):
        for encoder in (True, False):
            head = table.heads[head_name(stored=stored, encoder=encoder)]
            assert set(head.weights) == set(names_of(stored=stored, encoder=encoder))
    assert 0 < table.least < 1
    assert all(len(row) == len(table.kind_names) for row in table.kinds.values())


def test_signs_by_hand(texts):
    reader = SignReader(texts)
    one, other = reader.read(
        "How is gout treated?",
        [Candidate("a", "Gout hurts.", "How is gout treated?"), Candidate("b", "Water.", "Why?")],
    )
    assert (one["named"], other["named"]) == (1.0, 0.0)
    assert (one["all named"], other["all named"]) == (1.0, 0.0)
    assert one["asked the same kind"] == pytest.approx(0.0)
    assert other["asked the same kind"] == pytest.approx(np.log(0.02))
    assert (one["asked alike"], one["asked more"]) == (1.0, 0.0)
    assert one["named, among others"] == pytest.approx(0.5)
    assert one["near"] == 0.0  # no encoder
    assert one["length"] == pytest.approx(np.log1p(11) / 10)


def test_another_form_of_a_word_is_nearly_named(texts):
    reader = SignReader(texts)
    near, far = reader.read(
        "How are epileptic fits treated?",
        [Candidate("a", "Epilepsy: fits are treated."), Candidate("b", "Epicondylitis: rest.")],
    )
    assert near["named"] < near["nearly named"] == 1.0
    assert far["nearly named"] == far["named"] == 0.0
    assert (near["lacks"], far["lacks"] > 0.3) == (0.0, True)


def test_what_lacks_is_told_without_idle_words(texts):
    reader = SignReader(texts)
    question = "How do doctors find out if somebody has Chagas disease?"
    assert reader.lacking(question, Candidate("a", "Malaria is a disease.")) == ["Chagas"]
    assert reader.lacking(question, Candidate("a", "Chagas disease is rare.")) == []


def test_a_letter_is_read_for_what_it_asks(texts):
    reader = SignReader(texts)
    story = "Gout. I am tired and my dog is ill. We live on a hill. How is gout treated?"
    answers = [Candidate("a", "Gout is treated with rest."), Candidate("b", "A dog on a hill.")]
    short = reader.read("Gout. How is gout treated?", answers)
    assert reader.read(story, answers) == short


def test_an_entity_counts_under_its_other_name(known):
    reader = SignReader(Texts(known.names), known=known)
    id = next(known.graph.id(n) for n in range(len(known)))
    name = known.graph.name(id)
    (signs,) = reader.read(f"{name}怎么治疗？", [Candidate("a", f"{name}要治疗。")])
    assert signs["named"] == 1.0


@pytest.mark.parametrize(
    ("word", "text", "same"),
    [
        ("epileptic", "epilepsy", False),  # three letters differ at the end of nine
        ("epileptics", "epileptic", True),
        ("seizures", "seizure", True),
        ("endometrial", "endometriosis", False),
        ("prednisone", "prednisolone", False),
        ("gouty", "gout", False),  # too short to tell
        ("bleeding", "bleedings", True),  # one letter more
        ("sjögren", "sjgren", True),  # one letter lost
        ("glioblastoma", "gliobalstoma", True),  # two letters swapped
        ("ketosis", "mitosis", False),  # one slip is forgiven, not two
        ("adduction", "induction", False),
        ("neurosis", "aeurosis", False),  # a word keeps its first letter
        ("gastric", "gastritc", True),
        ("sprain", "strain", False),  # too short for a slip
    ],
)
def test_forms_of_a_word_differ_in_their_last_letters_alone(word, text, same):
    assert _another_form(word, frozenset({text})) is same


def test_signs_of_words_are_shares_of_their_weights(texts):
    """By hand: gout and glioblastoma with the table's weights, the second one lacking."""
    reader = SignReader(texts)
    (signs,) = reader.read("Gout, glioblastoma?", [Candidate("a", "Gout hurts.")])
    gout, other = reader.rarity("gout"), reader.rarity("glioblastoma")
    assert signs["named"] == pytest.approx(gout / (gout + other))
    assert signs["all named"] == 0.0
    assert signs["lacks"] == pytest.approx(other / RAREST)
    assert signs["shared"] == pytest.approx(
        _cosine(texts.grams("Gout, glioblastoma?"), texts.grams("Gout hurts."))
    )
    assert _cosine(["a", "b", "b"], ["b", "c", "d", "e"]) == pytest.approx(1 / np.sqrt(2 * 4))
    assert _cosine([], ["a"]) == 0.0


def test_what_stands_late_is_not_at_the_beginning(texts):
    reader = SignReader(texts)
    late = "Rest is good. " * 20 + "Gout."
    soon, behind = reader.read("Gout?", [Candidate("a", "Gout hurts."), Candidate("b", late)])
    assert (soon["named first"], behind["named first"], behind["named"]) == (1.0, 0.0, 1.0)


def test_a_light_word_that_lacks_is_not_told(texts):
    reader = SignReader(texts)
    lacking = reader.lacking("Whose fault is glioblastoma?", Candidate("a", "Water."))
    assert lacking == ["glioblastoma"]


def test_chinese_answers_say_what_is_asked_where_a_cue_stands(texts):
    reader = SignReader(texts)
    rows = [Candidate("a", "痛风要治疗。"), Candidate("b", "痛风很疼。")]
    says, silent = reader.read("痛风怎么治疗？", rows)
    assert (says["says"], silent["says"]) == (0.0, UNSAID)


def test_an_answer_says_what_is_asked_by_how_likely_it_is(texts):
    """One kind, two words: the shortfall from the likeliest kind, bounded, times its share."""
    reader = SignReader(texts)
    names = reader.table.kind_names
    words = texts.words("inherited pattern")
    weights = reader.kind_weights(words)
    assert np.exp(weights).sum() == pytest.approx(1.0)
    rows = np.array([reader.table.kinds[w] for w in words])
    scores = np.array(reader.table.kind_bias) + rows.sum(0) / np.sqrt(len(rows))
    assert weights == pytest.approx(scores - np.log(np.exp(scores).sum()))
    assert names[int(np.argmax(weights))] == "inherit"
    (signs,) = reader.read("Is gout inherited?", [Candidate("a", "Inherited pattern.")])
    assert signs["says"] == pytest.approx(0.0)


def test_a_probability_at_the_bar_answers(answering):
    at, below = (Judged(Candidate("a", "b"), answering.least - less) for less in (0.0, 0.01))
    assert answering.verdict(at).grade == ANSWERS
    assert answering.verdict(below).grade == NOT
    assert answering.verdict(below).confidence == pytest.approx(1 - answering.least + 0.01)


def test_log_odds_are_bounded_so_that_nothing_is_certain():
    head = Weighed({"a": 1.0}, 0.0)
    for value, bound in ((100.0, 30.0), (-100.0, -30.0)):
        expected = 1 / (1 + np.exp(-bound))
        assert head.probability({"a": value}) == pytest.approx(expected, rel=1e-9, abs=0.0)


def test_what_stands_behind_those_read_closely_is_not_judged(texts):
    """Fifteen answers, twelve read: the others follow without a probability."""
    some = [Candidate(f"{n:02}", f"Gout remedy {n}.", f"Gout {n}?") for n in range(15)]
    answering = Answering(SignReader(texts))
    ranking = match(
        Default(Sources(texts=texts)),
        "What of gout?",
        some,
        k=15,
        answering=answering,
        reorder=True,
    )
    judged = [any(isinstance(r, GradeReason) for r in hit.reasons) for hit in ranking.hits]
    assert judged == [True] * SEEN + [False] * 3
    assert [hit.id for hit in ranking.hits[SEEN:]] == ["12", "13", "14"]
    scores = [hit.score for hit in ranking.hits]
    assert scores == sorted(scores, reverse=True)


def test_what_is_asked_for_is_told_where_the_nearest_says_nothing_of_it(texts):
    reader = SignReader(texts)
    assert reader.kind("How is gout treated?") == "treat"
    assert reader.kind("Gout") == ""
    nearest = Judged(Candidate("a", "Gout hurts.", "What is gout?"), 0.1)
    said = Answering(reader).none_said("How is gout treated?", [nearest])
    assert said == "none of these answers that: the nearest says too little of a treatment " + (
        "(probability 0.10)"
    )
    assert _share({}, frozenset({"gout"})) == 0.0


def test_the_parts_of_a_score_are_those_that_made_it(texts):
    """The matcher's where its order stands, the judgement's where that decides."""
    some = [Candidate("a", "Gout hurts.", "Gout?"), Candidate("b", "Rest.", "Cough?")]
    matcher = Default(Sources(texts=texts))
    for reorder in (True, False):
        ranking = match(
            matcher,
            "What of gout?",
            some,
            answering=Answering(SignReader(texts)),
            reorder=reorder,
        )
        parts = [r for r in ranking.hits[0].reasons if isinstance(r, ScoreParts)]
        assert len(parts) == 1
        assert ("asked alike" in parts[0].raw) is reorder


def test_a_sentence_counts_by_what_it_names_where_no_kind_is_asked(texts):
    reader = SignReader(texts)
    assert reader.sentence_likeness("Gout", "Gout hurts. Rest helps.") == [0.5, 0.0]
