"""Training: the reader's memory, AAR and SGEmb on small simulated records."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from osler.ask.answerer import answerers
from osler.ask.candidates import candidates
from osler.ask.reader import ReaderAnswerer
from osler.errors import ChoiceError, MissingModel
from osler.records.kb import ClinicalKB
from osler.records.questions import Question, questions, unanswerable
from osler.records.templates import read_templates
from osler_papers.ask.measure import measure
from osler_papers.renaming import renamed
from osler_papers.simulator import WRITERS, simulate


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> ClinicalKB:
    written = simulate(
        tmp_path_factory.mktemp("records"), seed=4, scale=0.08, topics=("medications",)
    )
    return ClinicalKB.read(written["medications"], format=WRITERS["medications"][2])


@pytest.fixture(scope="module")
def asked(kb: ClinicalKB) -> list[Question]:
    found = list(questions(kb, read_templates("medications"), limit=5))
    Random(0).shuffle(found)
    return found


def test_candidates_hold_the_gold(kb: ClinicalKB, asked: list[Question]) -> None:
    for question in asked[:60]:
        found = candidates(kb, question)
        ids = {kb.ids[n] for n in found.nodes.tolist()}
        assert set(question.entities) <= ids, question.question
        assert len(found.paths) == len(found)


def test_reader_learns_and_refuses(kb: ClinicalKB, asked: list[Question], tmp_path: Path) -> None:
    reader = ReaderAnswerer(kb)
    test, dev, train = asked[:60], asked[60:100], asked[100:]
    absent = [text for text, _ in unanswerable(kb, read_templates("medications"), 80)]
    reader.fit(train, dev=dev, unanswerable=absent[:40])
    scores = measure([reader.ask(q.question).entities for q in test], [q.entities for q in test])
    assert scores.accuracy >= 0.9
    assert scores.refused <= 0.05
    assert np.mean([reader.ask(text).refused for text in absent[40:]]) >= 0.8
    reader.save(tmp_path / "model")
    again = ReaderAnswerer(kb)
    again.load(tmp_path / "model")
    assert [again.ask(q.question).entities for q in test[:10]] == [
        reader.ask(q.question).entities for q in test[:10]
    ]


def test_a_question_that_reads_as_nothing_does_not_stop_the_training(
    kb: ClinicalKB, asked: list[Question]
) -> None:
    reader = ReaderAnswerer(kb)
    odd = Question(id="odd", question="?!", entities=asked[0].entities)
    assert not reader.prepare(odd.question)[2]
    told = reader.fit([odd, *asked[:20]])
    assert told["questions"] == 21
    assert 0 < told["readable"] < 1


def test_renamed_relations_without_training(kb: ClinicalKB, asked: list[Question]) -> None:
    reader = ReaderAnswerer(renamed(kb))
    scores = measure(
        [reader.ask(q.question).entities for q in asked[:80]], [q.entities for q in asked[:80]]
    )
    assert scores.accuracy >= 0.7


@pytest.mark.parametrize(
    ("name", "variant"),
    [("aar", "type & path"), ("aar", "full"), ("sgemb", "path"), ("sgemb", "full")],
)
def test_embedding_models_learn(
    kb: ClinicalKB, asked: list[Question], name: str, variant: str, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    kind = answerers.get(name)
    model = kind(kb, variant=variant, size=32, hidden=16, epochs=6, rate=5e-3, batch=4)
    with pytest.raises(MissingModel):
        model.ask("What does P20001 take?")
    train, test = asked[:80], asked[150:180]

    def accuracy() -> float:
        return measure([model.predict(q) for q in test], [q.entities for q in test]).micro_f1

    model.fit(train)
    trained = accuracy()
    model.module = model.build()
    assert trained > accuracy(), "better than before training"
    model.fit(train)
    model.save(tmp_path / "m")
    other = kind(kb)
    other.load(tmp_path / "m")
    assert other.variant == variant
    question = asked[0].question
    answer = other.ask(question, explain=True)
    assert answer.answers == model.ask(question).answers
    if name == "aar":
        views = [r.view for r in answer.reasons if type(r).__name__ == "Heat"]
        assert set(views) == set(kind.variants[variant])


def test_a_network_is_no_surer_than_it_was_right(
    kb: ClinicalKB, asked: list[Question], tmp_path: Path
) -> None:
    """Seven held-out questions, worked out by hand: (right + 1) / (7 + 2), times the share that
    the chosen candidates have of all."""
    pytest.importorskip("torch")
    train, held = asked[:30], asked[150:157]
    kind = answerers.get("aar")
    model = kind(kb, variant="type & path", size=16, hidden=8, epochs=1, rate=5e-3, batch=4)
    model.fit(train)
    assert model.held_out_right == 0.5, "nothing was held out"
    model.fit(train, dev=held)
    right = sum(sorted(model.predict(q)) == sorted(q.entities) for q in held)
    assert right < 7
    assert model.held_out_right == pytest.approx((right + 1) / 9)
    model.save(tmp_path / "m")
    other = kind(kb)
    other.load(tmp_path / "m")
    answers = [other.ask(q.question) for q in asked[:10]]
    confidences = [answer.confidence for answer in answers if answer.answers]
    assert confidences
    assert 0 < max(confidences) <= (right + 1) / 9


def test_wrong_variant(kb: ClinicalKB) -> None:
    with pytest.raises(ChoiceError):
        answerers.get("aar")(kb, variant="colour")


def test_measure() -> None:
    scores = measure([["a", "b"], [], ["x"]], [["a"], ["c"], ["x"]])
    assert scores.precision == pytest.approx(2 / 3)
    assert scores.recall == pytest.approx(2 / 3)
    assert scores.accuracy == pytest.approx(1 / 3)
    assert scores.macro_f1 == pytest.approx((2 / 3 + 0 + 1) / 3)
    assert scores.refused == pytest.approx(1 / 3)
