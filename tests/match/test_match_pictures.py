"""Where MKHAN and MKHAN-NM are compared both begin as one function, and chance is the same."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
WIDTH, WORDS, RELATIONS = 52, 30, 4
"""At least as many numbers as an attention has keys: with fewer the two have other keys."""


@pytest.fixture
def pictures(monkeypatch):
    pytest.importorskip("osler_papers")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module("match_pictures")
    sys.modules.pop("match_pictures", None)


@pytest.fixture
def both(pictures):
    """The two networks, the wide one made to hold the narrow one."""
    from osler.match.networks import mkhan

    torch.manual_seed(0)
    vectors = torch.randn(WORDS, WIDTH)
    narrow = mkhan.MKHAN(vectors.clone(), WIDTH, RELATIONS)
    wide = mkhan.MKHAN(vectors.clone(), 2 * WIDTH, RELATIONS)
    pictures.nest(narrow, wide, WIDTH)
    for network in (narrow, wide):
        network.drop = pictures.SameChance(7, WIDTH)
    return narrow, wide


def asked():
    first = torch.randint(1, WORDS, (3, 5))
    second = torch.randint(1, WORDS, (3, 6))
    paths = torch.randn(3, 2, 2, 3, 2 * WIDTH)
    there = torch.ones(3, 2, 2, 3, dtype=torch.bool)
    labels = torch.randint(1, RELATIONS + 1, (3, 2, 2, 2))
    return first, second, paths, there, labels


def test_both_begin_as_one_function_while_numbers_are_dropped(both):
    narrow, wide = both
    first, second, paths, there, labels = asked()
    for _ in range(2):
        own = narrow(first, second, paths[..., :WIDTH], there, labels)[0]
        assert torch.allclose(own, wide(first, second, paths, there, labels)[0], atol=1e-5)


def test_the_multi_modal_half_is_learned_from_the_first_step_on(both):
    _, wide = both
    wide(*asked())[0].sum().backward()
    assert wide.out[0].weight.grad[:, 2 * WIDTH : 3 * WIDTH].abs().sum() > 0
    assert wide.narrow.weight.grad[:, WIDTH:].abs().sum() > 0


def test_dropped_numbers_depend_on_the_call_and_leave_the_mean(pictures):
    drop = pictures.SameChance(7, 100)
    rows = torch.ones(200, 100)
    one, two = drop(rows), drop(rows)
    assert not torch.equal(one, two)
    assert float(one.mean()) == pytest.approx(1.0, abs=0.03)
    assert {round(float(v), 3) for v in one.unique()} == {0.0, 1.25}
    drop.eval()
    assert torch.equal(drop(rows), rows)


def test_five_drawn_from_twelve_are_counted_exactly(pictures, monkeypatch):
    """Against all lists of five: three of twelve false answers stand above the true one."""
    from itertools import combinations

    from osler.kinds import Pair

    pairs = [Pair(id=str(n), question=f"q{n}", answer=f"a{n}") for n in range(13)]
    scores = {f"a{n}": float(n) for n in range(13)}

    class Asked:
        def score_pairs(self, texts):
            return np.array([9.0 if q[1:] == a[1:] else scores[a] for q, a in texts])

    values = pictures.by_question(Asked(), pairs, 0)
    above = [scores[f"a{n}"] >= 9.0 for n in range(1, 13)]
    ranks = [1 + sum(some) for some in combinations(above, pictures.FALSE)]
    assert values["P@1"]["0"] == pytest.approx(np.mean([rank == 1 for rank in ranks]))
    assert values["nDCG"]["0"] == pytest.approx(np.mean([1 / np.log2(1 + r) for r in ranks]))


def test_turns_that_one_network_lacks_are_not_read(pictures, tmp_path):
    for method, turn, value in (("mkhan", 0, 1.0), ("mkhan-nm", 0, 0.5), ("mkhan", 1, 0.0)):
        place = pictures.kept(tmp_path, method, 3, turn)
        place.write_text(json.dumps({"P@1": {"a": value}, "nDCG": {"a": value}}), "utf-8")
    assert pictures.read(tmp_path, 3)["mkhan"]["nDCG"] == {"a": 1.0}
    assert pictures.read(tmp_path, 4) == {}
