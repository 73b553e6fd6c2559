"""Training graders: seeds, folds, temperature, cards, predictions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")
pytest.importorskip("torch")

from osler.errors import InputError, MissingModel
from osler.grade.calibrate import best_temperature, grouped_folds, sharpened
from osler.grade.grader import Grader, Targets, graders
from osler.grade.models import load_grader
from osler.grade.pair import Pair
from osler.grade.predict import predict_file
from osler.grade.scale import GRADES, SAMPLE
from osler.grade.table_out import write_pairs
from osler.grade.train import cross_validated, measured, train_grader
from osler.learn.card import Card
from osler.learn.saved import save_model

CARD = Card(name="x", what="y")
QUICK = dict(graders.get("hicapsrkl").trial)


def build(name: str) -> Grader:
    """A grader that learns in a moment."""
    kind = graders.get(name)
    return kind(**kind.trial)


def test_the_same_seed_gives_the_same(pairs: list[Pair]) -> None:
    one, two = (build("hicapsrkl").fit(pairs, seed=3).probabilities(pairs) for _ in range(2))
    assert np.array_equal(one, two)


def test_evidence_tells_the_labels_apart(pairs: list[Pair]) -> None:
    held = cross_validated(lambda: build("evidence"), pairs)
    measures = {one.name: one.value for one in measured(pairs, held, on="")}
    assert measures["macro-F1"] is not None
    assert measures["macro-F1"] > 0.9


def test_hints_and_ablations_train(pairs: list[Pair]) -> None:
    kind = graders.get("hicapsrkl")
    hinted = kind(hints=True, **{**QUICK, "epochs": 15})  # type: ignore[call-arg]
    found = hinted.fit(pairs).probabilities(pairs)
    gold = Targets(pairs).labels
    assert (found.argmax(1) == gold).mean() > 0.8
    less = kind(ablation="w/o RCor&KImp", **QUICK).fit(pairs)  # type: ignore[call-arg]
    assert less.heats(pairs[0]) == ()


def test_folds_share_no_fact_and_no_paper(pairs: list[Pair]) -> None:
    seen = np.zeros(len(pairs), dtype=int)
    for train, test in grouped_folds(pairs, folds=3, seed=2):
        facts = {pairs[i].fact.text for i in train} & {pairs[i].fact.text for i in test}
        papers = {pairs[i].paper_id for i in train} & {pairs[i].paper_id for i in test}
        assert not facts
        assert not papers
        seen[test] += 1
    assert (seen == 1).all()


def test_temperature_undoes_overconfidence() -> None:
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 400)
    right = rng.random(400) < 0.7
    called = np.where(right, gold, (gold + 1) % 3)
    sure = np.full((400, 3), 0.005)
    sure[np.arange(400), called] = 0.99
    temperature = best_temperature(sure, gold)
    assert sharpened(sure, temperature).max(1).mean() == pytest.approx(0.7, abs=0.05)


def test_evidence_learns_how_sure_it_is(pairs: list[Pair]) -> None:
    kind = graders.get("evidence")
    grader = kind(trees=20).fit(pairs[:40])  # type: ignore[call-arg]
    assert grader.temperature != 1.0  # type: ignore[attr-defined]


def test_too_little_to_learn(pairs: list[Pair]) -> None:
    make = lambda: build("evidence")  # noqa: E731
    with pytest.raises(InputError, match="too few"):
        train_grader(make, pairs[:5], data="x")
    with pytest.raises(InputError, match="one label"):
        Targets(pairs[:1])
    with pytest.raises(InputError, match="no label"):
        Targets([pairs[0].labelled(label=None, rcor=None, kimp=None)])


def test_a_card_tells_how_good(pairs: list[Pair]) -> None:
    grader, card = train_grader(lambda: build("evidence"), pairs, data="made pairs")
    assert {one.name for one in card.measures} == {"micro-F1", "macro-F1", "calibration error"}
    assert grader.scale is SAMPLE


def test_predictions_keep_order_and_ignore_labels(pairs: list[Pair], tmp_path: Path) -> None:
    grader = build("evidence").fit(pairs)
    write_pairs(tmp_path / "in.tsv", pairs)
    wrong = [pair.labelled(label="4", rcor=2, kimp=1) for pair in pairs]
    write_pairs(tmp_path / "wrong.tsv", wrong)
    assert predict_file(grader, tmp_path / "in.tsv", tmp_path / "out.tsv") == len(pairs)
    predict_file(grader, tmp_path / "wrong.tsv", tmp_path / "other.tsv")
    first = (tmp_path / "out.tsv").read_text("utf-8")
    assert first == (tmp_path / "other.tsv").read_text("utf-8")
    header, *lines = [line.split("\t") for line in first.splitlines()]
    assert header == ["label", "p_0", "p_1", "p_2", "p_3", "p_4", "grade", "confidence"]
    assert len(lines) == len(pairs)
    assert [line[0] for line in lines] == [pair.label for pair in pairs]
    assert {line[6] for line in lines} <= set(GRADES)


def test_another_kind_of_model_is_refused(tmp_path: Path) -> None:
    save_model(tmp_path / "m", {}, {"kind": "papers"}, CARD)
    with pytest.raises(MissingModel, match="does not grade"):
        load_grader(tmp_path / "m")
    with pytest.raises(MissingModel, match="there is no model"):
        load_grader(tmp_path / "nothing")
