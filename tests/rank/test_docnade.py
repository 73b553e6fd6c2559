"""DocNADE against a plain loop over positions, and what its parts promise."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from osler.errors import InputError  # noqa: E402
from osler.rank.networks.docnade import DocNade  # noqa: E402
from osler.rank.papers.docnade import DocNadeRanker  # noqa: E402
from osler.rank.papers.sup_docnade import SupDocNadeRanker  # noqa: E402


def batch():
    ids = torch.tensor([[3, 1, 4, 1], [5, 2, 0, 0], [0, 0, 0, 0]])
    mask = torch.tensor([[True] * 4, [True, True, False, False], [False] * 4])
    return ids, mask


def by_hand(network, row):
    """Equation 2, a position at a time, each sum made anew."""
    total = torch.zeros(())
    for i, word in enumerate(row):
        before = sum((network.w[w] for w in row[:i]), torch.zeros(network.w.shape[1]))
        hidden = torch.tanh(network.c + before)
        total = total + torch.log_softmax(network.b + network.u @ hidden, dim=0)[word]
    return total


def test_log_likelihood_is_equation_two_with_its_gradient():
    torch.manual_seed(0)
    network = DocNade(7, 5)
    ids, mask = batch()
    found = network.log_likelihood(ids, mask)
    expected = torch.stack(
        [by_hand(network, row[keep].tolist()) for row, keep in zip(ids, mask, strict=True)]
    )
    assert torch.allclose(found, expected, atol=1e-5)
    (ours,) = torch.autograd.grad(found.sum(), network.w, retain_graph=True)
    (plain,) = torch.autograd.grad(expected.sum(), network.w)
    assert torch.allclose(ours, plain, atol=1e-5)


def test_sampled_positions_estimate_the_sum_without_bias():
    torch.manual_seed(0)
    network = DocNade(7, 5)
    ids, mask = batch()
    rng = np.random.default_rng(0)
    draws = [
        network.log_likelihood(ids, mask, keep=torch.from_numpy(rng.random((3, 4)) < 0.5)) / 0.5
        for _ in range(1500)
    ]
    mean = torch.stack(draws).mean(0)
    assert torch.allclose(mean, network.log_likelihood(ids, mask), rtol=0.06)


def test_zero_attention_gives_equation_three_back():
    torch.manual_seed(0)
    plain = DocNade(7, 5, topics=2)
    torch.manual_seed(0)
    attending = DocNade(7, 5, topics=2, attention=True)
    ids, mask = batch()
    assert torch.allclose(plain.document(ids, mask), attending.document(ids, mask), atol=1e-6)
    row = torch.tanh(plain.c + plain.w[[5, 2]].sum(0))
    assert torch.allclose(plain.document(ids, mask)[1], row, atol=1e-6)
    attending.a.data[1] = 3.0
    assert attending.weights(ids, mask)[0, 1] > attending.weights(ids, mask)[0, 0]
    assert attending.weights(ids, mask).sum(1).tolist() == pytest.approx([1, 1, 0], abs=1e-6)


def test_features_stand_beside_the_hidden_state():
    network = DocNade(7, 5, topics=2, attention=True, features=np.ones((7, 3)))
    ids, mask = batch()
    assert network.document(ids, mask).shape == (3, 8)
    assert network.logits(ids, mask).shape == (3, 2)
    assert torch.allclose(network.document(ids, mask)[0, 5:], torch.tanh(torch.ones(3)))


def test_training_lowers_the_cost(world):
    pool, targets, topics = world
    lines = []
    ranker = DocNadeRanker(epochs=8, hidden=10).fit(pool, targets, topics, progress=lines.append)
    costs = [float(line.split("loss ")[1]) for line in lines]
    assert costs[-1] < costs[0]
    assert ranker.vectors(pool).shape == (48, 10)


def test_supervised_learns_the_topics(world):
    pool, targets, topics = world
    ranker = SupDocNadeRanker(epochs=15).fit(pool, targets, topics)
    scores = ranker.scores(pool)
    none = 1 - scores.sum(axis=1, keepdims=True)
    assert (np.hstack([scores, none]).argmax(axis=1) == targets).mean() > 0.9
    with pytest.raises(InputError, match="lambda is not 2; it lies between 0 and 1"):
        SupDocNadeRanker(weight=2.0)
    with pytest.raises(InputError, match="hidden is not 0; it is 1 or more"):
        SupDocNadeRanker(hidden=0)
    with pytest.raises(InputError, match="epochs is not -1"):
        SupDocNadeRanker(epochs=-1)


@pytest.mark.parametrize("weight", [0.0, 0.3])
def test_hybrid_cost_is_equation_four(weight):
    """-L_hybrid = -(log p(y | v) + lambda log p(v)), with eq. 2 a position at a time."""
    torch.manual_seed(0)
    ranker = SupDocNadeRanker(weight=weight, share=1.0)
    ranker.network = DocNade(7, 5, topics=3)
    ids, mask = batch()
    targets = torch.tensor([0, 2, 1])
    chances = torch.log_softmax(ranker.network.logits(ids, mask), dim=1)
    supervised = chances[torch.arange(3), targets]
    unsupervised = torch.stack(
        [by_hand(ranker.network, row[keep].tolist()) for row, keep in zip(ids, mask, strict=True)]
    )
    expected = -(supervised + weight * unsupervised).mean()
    assert torch.allclose(ranker._loss(ids, mask, targets, None), expected, atol=1e-5)
