"""What every matcher must bear, whatever its method."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import osler.match.graph_vectors
from osler.errors import MissingModel, VersionError
from osler.kinds import EntityPair, Mentions, PathReason
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.match.job import match
from osler.match.known import Known
from osler.match.matcher import Candidate, Matcher, Sources, matchers
from osler.match.neural import NeuralMatcher
from osler.match.saving import load_matcher, save_matcher
from osler.match.texts import Texts

NAMES = (
    "bm25",
    "bm25-bigrams",
    "bow",
    "default",
    "doc2vec",
    "kablstm",
    "knrm",
    "mkhan",
    "mkhan-nm",
    "shared-entities",
    "smatrix",
)


def test_every_matcher_is_met_here():
    assert tuple(matchers.names()) == NAMES


def small(name: str, sources: Sources) -> Matcher:
    """A matcher that learns in a moment."""
    kind = matchers.get(name)
    if issubclass(kind, NeuralMatcher):
        return kind(sources, dimension=12, rounds=1, every=4, batch=8)
    return kind(sources, dimension=12, epochs=2) if name == "doc2vec" else kind(sources)


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


@pytest.mark.parametrize("name", ["mkhan", "mkhan-nm", "default"])
def test_weights_sum_to_one(name, fitted, pairs):
    ranking = match(fitted[name], pairs[0].question, [Candidate("a", pairs[0].answer)], k=1)
    reasons = ranking.hits[0].reasons
    by_kind = {
        kind: [r.weight for r in reasons if isinstance(r, kind)]
        for kind in (EntityPair, PathReason)
    }
    for weights in by_kind.values():
        assert weights == sorted(weights, reverse=True)
        assert sum(weights) == pytest.approx(1.0, abs=1e-5)
    spans = {r.where: r.spans for r in reasons if isinstance(r, Mentions)}
    shown = {pairs[0].question[start:end] for start, end, _, _ in spans["question"]}
    assert "胃炎" in shown
    assert {kind for _, _, _, kind in spans["answer"]} >= {"疾病", "常用药品"}


@pytest.mark.parametrize("name", ["knrm", "mkhan", "doc2vec"])
def test_an_untrained_network_says_how_to_train_it(name, sources):
    with pytest.raises(MissingModel, match="osler train match"):
        matchers.get(name)(sources).scores("胃痛怎么办", [Candidate("1", "吃药")])


@pytest.mark.parametrize("name", ["default", "mkhan", "kablstm"])
def test_an_empty_graph_is_no_obstacle(name, pairs):
    graph = Graph.build([], [])
    sources = Sources(texts=Texts(), known=Known(graph, Linker.build(graph)))
    matcher = small(name, sources).fit(pairs)
    candidates = [Candidate(pair.id, pair.answer) for pair in pairs[:4]]
    assert np.isfinite(matcher.scores(pairs[0].question, candidates)).all()
    ranking = match(matcher, pairs[0].question, candidates)
    assert "no graph" in ranking.notes[0]


def test_a_model_is_not_used_with_another_graph(fitted, pairs, tmp_path):
    folder = save_matcher(tmp_path / "m", fitted["mkhan"], pairs)
    graph = Graph.build([], [])
    with pytest.raises(VersionError, match="another graph"):
        load_matcher(folder, Sources(known=Known(graph, Linker.build(graph))))


def test_training_is_repeatable(known, pairs):
    scores = []
    for _ in range(2):
        sources = Sources(texts=Texts(known.names), known=known)
        matcher = small("mkhan", sources).fit(pairs)
        scores.append(matcher.scores(pairs[3].question, [Candidate("a", pairs[3].answer)]))
    assert np.array_equal(*scores)
