"""The networks against their equations, written out again in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from osler.kinds import Entity, Triple
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.match.known import Known
from osler.match.networks.attention import SelfAttention, column_means
from osler.match.networks.mkhan import MKHAN
from osler.match.walks import PAIRS, PATHS, walks_of


def softmax(rows):
    powers = np.exp(rows - rows.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def numpy_attention(layer, rows):
    wq, wk, wv = (w.weight.detach().numpy().T for w in (layer.query, layer.key, layer.value))
    weights = softmax((rows @ wq) @ (rows @ wk).T / np.sqrt(rows.shape[1]))
    return weights @ (rows @ wv) + rows, weights


def test_self_attention_is_equation_10():
    torch.manual_seed(0)
    layer = SelfAttention(6)
    rows = np.random.default_rng(0).normal(size=(4, 6)).astype(np.float32)
    padded = torch.zeros(1, 7, 6)
    padded[0, :4] = torch.from_numpy(rows)
    mask = torch.tensor([[True] * 4 + [False] * 3])
    found, weights = layer(padded, mask)
    expected, theirs = numpy_attention(layer, rows)
    assert np.allclose(found[0, :4].detach(), expected, atol=1e-5)
    assert not found[0, 4:].any()
    means = column_means(weights, mask)
    assert np.allclose(means[0, :4].detach(), theirs.mean(0), atol=1e-5)
    assert float(means.sum().detach()) == pytest.approx(1.0, abs=1e-5)


def test_the_printed_form_is_equations_11_to_19():
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    size, width = 5, 6
    net = MKHAN(torch.from_numpy(rng.normal(size=(9, size)).astype(np.float32)), width, 4,
                form="printed", hidden=7).eval()  # fmt: skip
    first, second = torch.tensor([[2, 3, 4, 0]]), torch.tensor([[5, 6, 0, 0]])
    paths = np.zeros((1, 3, 2, 3, width), np.float32)
    there = np.zeros((1, 3, 2, 3), bool)
    shapes = {(0, 0): 3, (0, 1): 2, (1, 0): 3}
    for (pair, path), length in shapes.items():
        paths[0, pair, path, :length] = rng.normal(size=(length, width))
        there[0, pair, path, :length] = True
    labels = torch.zeros(1, 3, 2, 2, dtype=torch.long)
    score, alpha, within = net(
        first, second, torch.from_numpy(paths), torch.from_numpy(there), labels
    )
    words = net.words.weight.detach().numpy()
    question = numpy_attention(net.utterance, words[[2, 3, 4]])[0].sum(0)
    answer = numpy_attention(net.utterance, words[[5, 6]])[0].sum(0)

    def walked(pair):
        each = [
            numpy_attention(net.path, paths[0, pair, path, :length])[0].sum(0)
            for (own, path), length in shapes.items()
            if own == pair
        ]
        rows, weights = numpy_attention(net.pair, np.stack(each))
        return rows.sum(0), weights.mean(0)

    pairs = [walked(0), walked(1)]
    w1, b1 = (net.weigh.weight.detach().numpy(), net.weigh.bias.detach().numpy())
    w2, b2 = (net.weigh_more.weight.detach().numpy(), net.weigh_more.bias.detach().numpy())
    heat = []
    for vector, _ in pairs:
        hidden = np.maximum(w1 @ np.concatenate([question, vector, answer]) + b1, 0)
        heat.append(np.maximum(w2 @ hidden + b2, 0)[0])
    weights = softmax(np.array(heat))
    context = weights[0] * pairs[0][0] + weights[1] * pairs[1][0]
    joint = torch.from_numpy(np.concatenate([question, context, answer]).astype(np.float32))
    assert np.allclose(alpha[0].detach(), [*weights, 0.0], atol=1e-5)
    assert np.allclose(within[0, 0].detach(), pairs[0][1], atol=1e-5)
    assert score.detach().item() == pytest.approx(net.out(joint).detach().item(), abs=1e-4)


@pytest.mark.parametrize("form", ["printed", "ours"])
def test_without_a_path_the_context_is_zero(form):
    torch.manual_seed(2)
    net = MKHAN(torch.randn(6, 4), 5, 3, form=form).eval()
    paths, there = torch.randn(2, 2, 2, 3, 5), torch.zeros(2, 2, 2, 3, dtype=torch.bool)
    words = torch.tensor([[2, 3], [0, 0]])
    score, alpha, _ = net(words, words, paths * 0, there, torch.zeros(2, 2, 2, 2, dtype=torch.long))
    assert torch.isfinite(score).all()
    assert not alpha.any()


def test_walks_prefer_short_paths_and_rare_entities(known: Known):
    table = walks_of(known, [("乏力", "肺炎和胸部CT")])[0]
    assert table.nodes.shape == (PAIRS, PATHS, 3)
    names = [
        [known.graph.name(known.graph.id(int(n))) for n in path if n >= 0]
        for pair in table.nodes
        for path in pair
        if path[0] >= 0
    ]
    assert names == [["乏力", "肺炎"], ["乏力", "肺炎", "胸部CT"]]
    shared = walks_of(known, [("胃炎", "胃炎")])[0]
    assert (shared.nodes >= 0).sum() == 1
    assert walks_of(known, [("胃炎", "胃炎")], shared=False)[0].empty


def test_two_senses_of_one_name_are_not_joined():
    entities = [
        Entity(id="d:高血压", name="高血压", type="d"),
        Entity(id="s:高血压", name="高血压", type="s"),
        Entity(id="d:肾病", name="肾病", type="d"),
    ]
    triples = [Triple("d:肾病", "症状", "s:高血压"), Triple("d:高血压", "并发症", "d:肾病")]
    graph = Graph.build(entities, triples)
    known = Known(graph, Linker.build(graph))
    table = walks_of(known, [("高血压", "高血压和肾病")])[0]
    ends = {
        tuple(known.graph.id(int(n)) for n in path[path >= 0][[0, -1]])
        for pair in table.nodes
        for path in pair
        if path[0] >= 0
    }
    assert ("d:高血压", "d:高血压") in ends
    assert ("d:高血压", "d:肾病") in ends
    assert ("d:高血压", "s:高血压") not in ends
    assert ("s:高血压", "d:高血压") not in ends
