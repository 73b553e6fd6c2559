"""What the recipes of `match` share: a split's runs are kept, read again, and tested."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.kinds import Pair
from osler.match.known import Known
from osler_papers.recipes.match_experiment import Experiment, one_split

WORDINGS = (("", ""), ("你好，", "您好。"), ("医生，", "谢谢提问。"))
METHODS = ("shared-entities", "bm25", "default")


@pytest.fixture
def made(known: Known, pairs: list[Pair], tmp_path: Path) -> Experiment:
    # Three wordings of each, in one department: twenty answers on the test side.
    more = [
        Pair(id=f"{pair.id}-{at}", question=asked + pair.question, answer=told + pair.answer)
        for at, (asked, told) in enumerate(
            (("", ""), ("你好，", "您好。"), ("医生，", "谢谢提问。"))
        )
        for pair in pairs
    ]
    return Experiment("ours", more, known, tmp_path, lambda line: None)


def test_a_resumed_recipe_gives_the_same_numbers(made: Experiment) -> None:
    first = one_split(made, METHODS)
    told = (made.out / "tables.md").read_text("utf-8")
    stamps = {path: path.stat().st_mtime_ns for path in (made.out / "runs").rglob("*.trec")}
    assert stamps
    again = Experiment("ours", made.pairs, made.known, made.out, lambda line: None)
    assert one_split(again, METHODS) == first
    assert (made.out / "tables.md").read_text("utf-8") == told
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


def test_what_a_network_learned_is_kept(made: Experiment) -> None:
    pytest.importorskip("torch", reason="the extra neural is not installed")
    first = made.fitted("smatrix", 70, 0, rounds=1, every=2)
    again = made.fitted("smatrix", 70, 0, rounds=1, every=2)
    assert again is not first
    one = made.lists(70, 0)[5][0]
    left = first.scores(one.question, one.candidates)
    assert again.scores(one.question, one.candidates) == pytest.approx(left)
