"""Parts of the recipe ``hicapsrkl``: what is kept, dumb rows, the fitted order, training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("sklearn")

from osler.grade.calibrate import grouped_folds
from osler.grade.grader import Grader
from osler.grade.order import parts
from osler.grade.pair import Fact, Pair
from osler.grade.scale import SAMPLE
from osler_papers.recipes import hicapsrkl_kept
from osler_papers.recipes.hicapsrkl_dumb import Constant, HintsAlone, ZeroEncoder
from osler_papers.recipes.hicapsrkl_kept import Kept, stamp
from osler_papers.recipes.hicapsrkl_labels import table_6
from osler_papers.recipes.hicapsrkl_methods import Method, Trainer, ablated, cheap, trained
from osler_papers.recipes.hicapsrkl_retrieval import FITTED, Ranked, fitted_order, table_3


def made(count: int, *, retrieval: bool = False) -> list[Pair]:
    pairs = []
    for number in range(count):
        at = number % 3 if retrieval else number % 5
        fact = (
            Fact("甲药", "适应症", "乙病") if retrieval else Fact(f"药{number}", "适应症", "乙病")
        )
        text = f"{fact.head}治疗{fact.tail}。" * (1 + at)
        pairs.append(
            Pair(
                fact,
                f"题{number}",
                text,
                paper_id=f"p{number}",
                label=str(at),
                rcor=SAMPLE.rcor[at],
                kimp=SAMPLE.kimp[at],
            )
        )
    return pairs


def test_what_is_kept_is_not_made_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept")
    calls = []

    def make() -> Any:
        calls.append(1)
        return np.arange(6.0).reshape(2, 3)

    first = kept.get("w/o KImp seed 0 fold 1", make)
    assert kept.get("w/o KImp seed 0 fold 1", make).tolist() == first.tolist()
    assert len(calls) == 1
    kept.get("w/o KImp seed 0 fold 2", make)
    assert len(calls) == 2

    def broken() -> Any:
        raise ValueError("half-way")

    with pytest.raises(ValueError, match="half-way"):
        kept.get("third", broken)
    assert kept.get("third", make).shape == (2, 3)


def test_the_stamp_follows_labels_settings_and_code(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = made(4)
    plain = stamp(pairs, (3, 3))
    assert plain == stamp(made(4), (3, 3))
    assert plain != stamp(pairs, (2, 3))
    assert plain != stamp([pairs[0].labelled(label="4", rcor=3, kimp=3), *pairs[1:]], (3, 3))
    assert plain != stamp([pairs[0].labelled(label="0", rcor=3, kimp=1), *pairs[1:]], (3, 3))
    monkeypatch.setattr(hicapsrkl_kept, "SOURCES", hicapsrkl_kept.SOURCES[1:])
    assert plain != stamp(pairs, (3, 3))


def test_the_stamp_reads_code_not_comments() -> None:
    code = hicapsrkl_kept._code
    assert code('"""Doc."""\nx = 1  # one\n') == code('"""Other."""\n\nx = 1\n')
    assert code("x = 1\n") != code("x = 2\n")
    assert code("def f():\n    'doc'\n    return 'a'\n") != code("def f():\n    return 'b'\n")


def test_dumb_rows() -> None:
    pairs = made(25)
    assert Constant().fit(pairs[:20]).probabilities(pairs[20:]).tolist() == [[0.2] * 5] * 5
    counted = HintsAlone().fit(pairs).probabilities(pairs)
    assert np.allclose(counted.sum(1), 1)
    assert (counted.argmax(1) == [int(str(p.label)) for p in pairs]).mean() > 0.5
    assert not ZeroEncoder(7).vectors(pairs, 3).any()
    assert ZeroEncoder(7).vectors(pairs, 3).shape == (25, 7)


class Learner(Grader):
    """Remembers what it learned from; its scores tell."""

    name = "learner"
    help = "x"

    def __init__(self) -> None:
        self.seen: list[Pair] = []

    def fit(self, pairs: Sequence[Pair], *, seed: int = 0, progress: Any = None) -> Learner:
        self.seen, self.scale = list(pairs), SAMPLE
        return self

    def probabilities(self, pairs: Sequence[Pair]) -> Any:
        seen = {p.paper_id for p in self.seen} | {p.fact.text for p in self.seen}
        known = [float(p.paper_id in seen or p.fact.text in seen) for p in pairs]
        return np.column_stack([known, *[np.zeros(len(pairs))] * 4])

    def state(self) -> Any:
        raise NotImplementedError

    @classmethod
    def restore(cls, tensors: Any, config: Any) -> Any:
        raise NotImplementedError


def test_a_row_is_held_out_from_what_grades_it(tmp_path: Path) -> None:
    rows, asked = made(20), made(6, retrieval=True)
    trainer = Trainer(rows, asked, [], Kept(tmp_path), lambda line: None)
    method = Method("learner", Learner)
    held = trainer.crossed(method, 0)
    assert held.shape == (20, 6)
    assert not held[:, 0].any()
    assert not held[:, 5].any()  # the score, 3 times the first label's probability
    assert trainer.ranked(method, 0).shape == (6,)
    assert all(pair.label is None for pair in trainer.retrieval)
    folds = list(grouped_folds(rows, seed=0))
    assert len(list(tmp_path.glob("*.npy"))) == len(folds) + 1


def test_networks_learn_from_weak_pairs_once_a_seed(tmp_path: Path) -> None:
    rows, weak = made(20), made(15)
    lines: list[str] = []
    trainer = Trainer(rows, made(6, retrieval=True), weak, Kept(tmp_path), lines.append)
    options = {"layers": 2, "iterations": 1, "capsules": 4}
    method = next(m for m in ablated(options) if m.name == "w/o CapsR")
    small = {"width": 16, "depth": 1, "lengths": {"medl": 24, "rcor": 16, "kimp": 16}}
    quick = Method("x", lambda: method.make(**small), weak=True)
    assert trainer.crossed(quick, 0).shape == (20, 6)
    trainer.ranked(quick, 0)
    assert lines == ["x, seed 0: weak pairs"]


def test_every_row_has_its_own_name_and_options() -> None:
    options = {"layers": 3, "iterations": 3, "capsules": 12}
    rows = [*cheap(options), *trained(options, lambda method: {}, lambda: None), *ablated(options)]
    assert len({m.name for m in rows}) == len(rows)
    assert not [m.name for m in rows if "," in m.name]  # names are given parted by commas
    assert {"hicapsrkl", "cross-encoder", "siamese", "medl-transe"} <= {
        m.name for m in rows if m.weak and m.seeds is None
    }
    first = next(m for m in rows if m.name == "hicapsrkl")
    other = next(m for m in trained({**options, "layers": 2}, lambda m: {}, lambda: None))
    assert first.kept(0, "fold 1") != other.kept(0, "fold 1")


def test_the_order_is_fitted_on_the_training_rows() -> None:
    rows, asked = made(25), made(6, retrieval=True)
    gains = np.array([SAMPLE.gains[int(str(p.label))] for p in rows])
    told = fitted_order(rows, gains, asked, np.arange(6.0))
    assert (np.diff(told) > 0).all()  # a score that is the gain itself outweighs the order
    table = np.column_stack([np.zeros(25), parts(rows)])
    spread = np.where(table.std(0) == 0, 1, table.std(0))
    centred = (table - table.mean(0)) / spread
    weights = np.linalg.inv(centred.T @ centred + np.eye(4)) @ centred.T @ (gains - gains.mean())
    plain = np.column_stack([np.zeros(6), parts(asked)])
    wanted = (plain - table.mean(0)) / spread @ weights
    assert np.allclose(fitted_order(rows, np.zeros(25), asked, np.zeros(6)), wanted)


def test_table_3_sets_methods_beside_bm25() -> None:
    asked = made(12, retrieval=True)
    best = np.array([float(str(p.label)) for p in asked])
    ranked = {name + FITTED: Ranked(asked, [best]) for name in ("hicapsrkl", "constant")}
    ranked |= {name + FITTED: Ranked(asked, [-best]) for name in ("bm25", "tfidf")}
    got: dict[str, float] = {}
    lines = table_3(ranked, got)
    assert got["hicapsrkl, fitted order nDCG@10"] == 1.0
    assert got["hicapsrkl over bm25, fitted order, nDCG@10"] > 0.2
    assert any("better in 1 of 1 facts" in line for line in lines)


def test_table_6_has_every_set() -> None:
    lines = "\n".join(table_6(made(25), made(6, retrieval=True), made(5)))
    assert "| training rows | 5 | 5 | 5 | 10 | 25 | 25 | 1 | 25 |" in lines
    assert "| retrieval rows | 2 | 2 | 2 (M or I) |  | 6 | 6 | 1 | 1 |" in lines
    assert "49,623" in lines
