"""A trained matcher is taken only where it wins before judges that it did not learn from."""

from __future__ import annotations

import json

import numpy as np
import pytest

from osler.errors import FieldError, InputError
from osler.kinds import Pair
from osler.learn.saved import load_card
from osler.match.default import Default
from osler.match.gate import JudgedList, Verdict, judge, near_lists, read_judged
from osler.match.matcher import Candidate, Matcher, Sources
from osler.match.saving import save_matcher


class ByText(Matcher):
    """Puts a text that holds ``word`` first."""

    name = "by-text"
    help = "for a test"

    def __init__(self, word: str) -> None:
        super().__init__(Sources())
        self.word = word

    def scores(self, question, candidates):
        return np.array([float(self.word in one.text) for one in candidates])


def lists(count: int) -> list[JudgedList]:
    """Questions whose right answer has no word in common with them."""
    return [
        JudgedList(
            f"How is illness{n} treated?",
            (Candidate("a", f"illness{n} treated how"), Candidate("b", "the right one")),
            frozenset({"b"}),
        )
        for n in range(count)
    ]


def test_a_model_that_wins_is_taken_and_one_that_loses_is_not():
    won = judge("some", lists(20), ByText("right"), Default())
    assert won is not None
    assert (won.trained, won.untrained, won.lists) == (1.0, 0.0, 20)
    assert won.won
    lost = judge("some", lists(20), ByText("illness"), Default())
    assert lost is not None
    assert not lost.won
    assert lost.p == 1.0
    assert judge("none", [], ByText("a"), Default()) is None


def test_a_difference_within_chance_is_no_win():
    assert Verdict("a", 0.6, 0.5, 0.01, 100).won
    assert not Verdict("a", 0.6, 0.5, 0.2, 100).won
    assert not Verdict("a", 0.5, 0.6, 0.01, 100).won


def test_near_lists_hold_the_true_answer_and_the_nearest_others():
    pairs = [
        Pair(id=str(n), question=f"fever {n} cure", answer=f"fever cure {n}") for n in range(9)
    ]
    pairs.append(Pair(id="far", question="knee", answer="unrelated entirely"))
    made = near_lists(pairs[:2], pairs, Sources())
    assert [one.right for one in made] == [{"0"}, {"1"}]
    for one in made:
        ids = [c.id for c in one.candidates]
        assert ids == sorted(ids)
        assert "far" not in ids
        assert len(ids) == 9
        assert not any(c.question for c in one.candidates)


def test_judgements_out_of_a_file(tmp_path):
    path = tmp_path / "judged.jsonl"
    rows = [
        {"question": "a?", "answers": [{"text": "x", "score": 3}, {"text": "y", "score": 2}]},
        {"question": "all right", "answers": [{"text": "x", "score": 4}]},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (only,) = read_judged(path)
    assert only.right == {"0"}
    path.write_text('{"question": 1}\n', "utf-8")
    with pytest.raises(FieldError, match="line 1"):
        read_judged(path)
    path.write_text(json.dumps(rows[1]), "utf-8")
    with pytest.raises(InputError, match="right and wrong"):
        read_judged(path)


def test_the_card_says_what_the_judges_found(tmp_path, pairs):
    matcher = Default(tune=False)
    verdict = Verdict("graded answers", 0.66, 0.8, 0.01, 50)
    card = load_card(save_matcher(tmp_path / "m", matcher, pairs, verdicts=[verdict]))
    assert not card.taken
    assert "0.660 trained, 0.800 untrained" in card.verdict
    assert {m.name: m.value for m in card.measures} == {
        "P@1, trained": 0.66, "P@1, untrained": 0.8,
    }  # fmt: skip
    assert load_card(save_matcher(tmp_path / "n", matcher, pairs)).taken
