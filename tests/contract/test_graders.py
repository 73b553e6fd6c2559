"""Every registered grader, ours and strangers': learns, predicts, is saved, comes back the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn")
pytest.importorskip("torch")

from grade_samples import labelled_pairs
from osler.grade.grader import Grader, graders
from osler.grade.models import load_grader, save_grader
from osler.grade.pair import Fact, Pair
from osler.grade.scale import SAMPLE
from osler.learn.card import Card

CARD = Card(name="x", what="y")


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return labelled_pairs()


def test_every_grader_says_what_it_is() -> None:
    for name, kind in graders:
        assert kind.name == name
        assert kind.help
        assert kind.needs <= {"vectors"}
        assert bool(kind.embedding) == ("vectors" in kind.needs)


def build(name: str) -> Grader:
    """A grader that learns in a moment."""
    kind = graders.get(name)
    options: dict[str, Any] = dict(kind.trial)
    if "vectors" in kind.needs:
        rng = np.random.default_rng(0)
        known = ("metformin", "diabetes", "relation treats")
        options["vectors"] = {name: rng.normal(size=8).astype(np.float32) for name in known}
    return kind(**options)


@pytest.mark.parametrize("name", graders.names())
def test_a_grader_learns_and_comes_back(name: str, pairs: list[Pair], tmp_path: Path) -> None:
    grader = build(name).fit(pairs, seed=1)
    found = grader.probabilities(pairs[:7])
    assert found.shape == (7, len(SAMPLE.labels))
    assert np.allclose(found.sum(1), 1)
    assert (found >= 0).all()
    assert len(grader.scores(pairs[:7])) == 7
    save_grader(tmp_path / "model", grader, CARD)
    back = load_grader(tmp_path / "model")
    assert back.name == name
    assert np.allclose(back.probabilities(pairs[:7]), found, atol=1e-5)
    bare = Pair(Fact("tea", "cures", "haste"), "")
    assert np.allclose(back.probabilities([bare]).sum(), 1)
    for heat in back.heats(pairs[0]):
        assert heat.view in ("RCor", "KImp")
        assert heat.words
    assert grader.help
