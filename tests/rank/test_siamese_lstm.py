import numpy as np
import pytest

torch = pytest.importorskip("torch")

from osler.rank.networks.siamese import SiameseLSTM  # noqa: E402


def network():
    torch.manual_seed(0)
    vectors = np.random.default_rng(0).normal(size=(9, 6))
    vectors[0] = 0
    return SiameseLSTM(vectors, hidden=4)


def test_a_text_is_like_itself():
    ids, lengths = torch.tensor([[1, 2, 3], [4, 5, 0]]), torch.tensor([3, 2])
    found = network()(ids, lengths, ids, lengths)
    assert torch.allclose(found, torch.ones(2), atol=1e-6)


def test_padding_does_not_count_and_order_of_texts_neither():
    model = network()
    short, two = torch.tensor([[4, 5]]), torch.tensor([2])
    long = torch.tensor([[4, 5, 0, 0]])
    other, three = torch.tensor([[1, 2, 3]]), torch.tensor([3])
    assert torch.allclose(model(short, two, other, three), model(long, two, other, three))
    assert torch.allclose(model(short, two, other, three), model(other, three, short, two))
    assert 0 < model(short, two, other, three).item() < 1


def test_an_empty_text_has_a_likeness():
    model = network()
    empty, none = torch.tensor([[0]]), torch.tensor([0])
    assert torch.isfinite(model(empty, none, torch.tensor([[1]]), torch.tensor([1]))).all()


def test_it_learns_and_word_vectors_stay():
    model = network()
    before = model.words.weight.clone()
    ids, lengths = torch.tensor([[1, 2], [3, 4]]), torch.tensor([2, 2])
    query, one = torch.tensor([[5], [5]]), torch.tensor([1, 1])
    gold = torch.tensor([1.0, 0.0])
    steps = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=0.05)
    for _ in range(150):
        steps.zero_grad()
        cost = ((model(query, one, ids, lengths) - gold) ** 2).mean()
        cost.backward()
        steps.step()
    assert cost.item() < 0.08
    assert torch.equal(before, model.words.weight)


def test_likeness_by_hand_has_both_channels():
    model = network()
    model.channels.data = torch.tensor([0.2, 1.5])
    first = (torch.tensor([[1.0, 2.0, 0.0, 0.0]]), torch.tensor([[0.5, 0.5]]))
    second = (torch.tensor([[0.0, 0.0, 0.0, 1.0]]), torch.tensor([[1.0, 0.0]]))
    states, means = np.log1p(np.exp([0.2, 1.5]))
    # |h - h'| is 4 over H = 4; |s - s'| is 1.
    expected = np.exp(-(states * 1.0 + means * 1.0))
    assert model.likeness(first, second).item() == pytest.approx(expected, rel=1e-5)
    alike = (second[0], first[1])
    assert model.likeness(first, alike).item() == pytest.approx(np.exp(-states), rel=1e-5)
    apart = (first[0], second[1])
    assert model.likeness(first, apart).item() == pytest.approx(np.exp(-means), rel=1e-5)


def test_the_second_channel_is_the_texts_mean_word_vector():
    model = network()
    table = model.words.weight
    ids, lengths = torch.tensor([[1, 2, 3], [4, 5, 0]]), torch.tensor([3, 2])
    means = model.encode(ids, lengths)[1]
    for row, words in zip(means, ([1, 2, 3], [4, 5]), strict=True):
        mean = table[words].mean(0)
        assert torch.allclose(row, mean / mean.abs().sum(), atol=1e-6)
