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
