"""What MKHAN and our own matcher promise beyond what every matcher does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import osler.match.graph_vectors
from osler.errors import VersionError
from osler.kinds import EntityPair, Mentions, PathReason
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.match.job import match
from osler.match.known import Known
from osler.match.matcher import Candidate, Matcher, Sources, matchers
from osler.match.saving import load_matcher, save_matcher
from osler.match.texts import Texts

pytest.importorskip("torch")


def small(name: str, sources: Sources) -> Matcher:
    """A matcher that learns in a moment."""
    kind = matchers.get(name)
    return kind(sources, **kind.trial)


@pytest.fixture(scope="module")
def fitted(known, pairs):
    """Each matcher fitted once."""
    before = osler.match.graph_vectors.EPOCHS
    osler.match.graph_vectors.EPOCHS = 1
    sources = Sources(texts=Texts(known.names), known=known)
    made = {name: small(name, replace(sources)).fit(pairs) for name in ("default", "mkhan")}
    osler.match.graph_vectors.EPOCHS = before
    return made


@pytest.mark.parametrize("name", ["mkhan", "default"])
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


@pytest.mark.parametrize("name", ["default", "mkhan"])
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
