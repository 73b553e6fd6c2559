"""What every registered matcher must bear, ours and strangers' alike."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import osler.match.graph_vectors
from match_samples import chinese_graph, chinese_pairs
from osler.errors import MissingModel
from osler.kinds import Mentions, Pair
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.match.known import Known
from osler.match.matcher import Candidate, Matcher, Sources, matchers
from osler.match.saving import load_matcher, save_matcher
from osler.match.texts import Texts

NAMES = matchers.names()


@pytest.fixture(scope="module")
def known() -> Known:
    graph = chinese_graph()
    return Known(graph, Linker.build(graph))


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return chinese_pairs()


def test_every_matcher_says_what_it_is():
    for name, kind in matchers:
        assert kind.name == name
        assert kind.help
        assert kind.needs <= {"vectors", "images"}


def small(name: str, sources: Sources) -> Matcher:
    """A matcher that learns in a moment."""
    kind = matchers.get(name)
    return kind(sources, **kind.trial)


@pytest.fixture(scope="module")
def fitted(known, pairs):
    """Each matcher fitted once."""
    made = {}
    before = osler.match.graph_vectors.EPOCHS
    osler.match.graph_vectors.EPOCHS = 1
    sources = Sources(texts=Texts(known.names), known=known)
    for name in NAMES:
        made[name] = small(name, replace(sources)).fit(pairs)
    osler.match.graph_vectors.EPOCHS = before
    return made


@pytest.mark.parametrize("name", NAMES)
def test_a_matcher_scores_explains_and_comes_back_from_disk(name, fitted, pairs, known, tmp_path):
    matcher = fitted[name]
    question = pairs[0].question
    candidates = [Candidate(pair.id, pair.answer) for pair in pairs[:9]]
    scores = matcher.scores(question, candidates)
    assert scores.shape == (9,)
    assert np.isfinite(scores).all()
    again = matcher.scores(question, candidates[::-1])[::-1]
    assert np.allclose(scores, again, atol=1e-5), "the order of candidates does not matter"
    folder = save_matcher(tmp_path / name, matcher, pairs)
    assert "pickle" not in (folder / "card.md").read_text("utf-8")
    restored = load_matcher(folder, Sources(texts=Texts(known.names), known=known))
    assert restored.name == name
    assert np.allclose(scores, restored.scores(question, candidates), atol=2e-3)
    for reason in matcher.explain(question, candidates[0]):
        assert not isinstance(reason, Mentions)


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts_are_scored(name, fitted):
    odd = [
        Candidate("empty", ""),
        Candidate("signs", "。，！？…"),
        Candidate("latin", "Take 5 mg of omeprazole."),
        Candidate("long", "胃痛" * 50_000),
    ]
    for question in ("？", "今天天气怎么样", "x" * 100_000):
        scores = fitted[name].scores(question, odd)
        assert np.isfinite(scores).all()
        assert fitted[name].scores(question, []).shape == (0,)


@pytest.mark.parametrize("name", NAMES)
def test_what_learns_says_how_to_train_it(name, known):
    kind = matchers.get(name)
    if kind.learns:
        sources = Sources(texts=Texts(known.names), known=known)
        with pytest.raises(MissingModel, match="osler train match"):
            kind(sources).scores("胃痛怎么办", [Candidate("1", "吃药")])


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_graph_is_no_obstacle(name, pairs):
    graph = Graph.build([], [])
    sources = Sources(texts=Texts(), known=Known(graph, Linker.build(graph)))
    matcher = small(name, sources).fit(pairs)
    candidates = [Candidate(pair.id, pair.answer) for pair in pairs[:4]]
    assert np.isfinite(matcher.scores(pairs[0].question, candidates)).all()
