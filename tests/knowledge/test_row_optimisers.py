"""The optimisers of rows against torch's own, on shared and on indexed weights."""

import pytest

torch = pytest.importorskip("torch")

from osler.knowledge.embeddings.rows import OPTIMISERS, optimiser  # noqa: E402

THEIRS = {
    "adagrad": lambda table: torch.optim.Adagrad([table], lr=0.1, eps=1e-10),
    "adam": lambda table: torch.optim.Adam([table], lr=0.1, eps=1e-8),
    "sgd": lambda table: torch.optim.SGD([table], lr=0.1),
}
ALL = slice(None)


def gradients(shape, steps=6):
    torch.manual_seed(0)
    return [torch.randn(shape) for _ in range(steps)]


@pytest.mark.parametrize("name", OPTIMISERS)
@pytest.mark.parametrize("shared", [True, False], ids=["slice", "numbers"])
def test_steps_are_torchs(name, shared):
    torch.manual_seed(1)
    start = torch.randn(4, 3)
    ours, theirs = start.clone(), start.clone().requires_grad_()
    mine, expected = optimiser(name)(ours, 0.1), THEIRS[name](theirs)
    numbers = ALL if shared else torch.arange(4)
    for gradient in gradients((4, 3)):
        ours[numbers] = mine.stepped(numbers, ours[numbers].clone(), gradient)
        theirs.grad = gradient.clone()
        expected.step()
    assert torch.allclose(ours, theirs.detach(), atol=1e-6)


@pytest.mark.parametrize("name", ["adagrad", "sgd"])
def test_rows_that_a_batch_leaves_out_stay(name):
    """Where a row has no gradient, torch's own leaves it as it is too: so whole is touched."""
    torch.manual_seed(2)
    start = torch.randn(5, 2)
    ours, theirs = start.clone(), start.clone().requires_grad_()
    mine, expected = optimiser(name)(ours, 0.1), THEIRS[name](theirs)
    for step, gradient in enumerate(gradients((2, 2))):
        numbers = torch.tensor([step % 5, (step + 2) % 5])
        ours[numbers] = mine.stepped(numbers, ours[numbers], gradient)
        whole = torch.zeros(5, 2)
        whole[numbers] = gradient
        theirs.grad = whole
        expected.step()
    assert torch.allclose(ours, theirs.detach(), atol=1e-6)


def test_adagrads_sums_grow_by_hand():
    """Two steps with the gradient 3: sums 9, then 18; steps 0.1, then 0.1 * 3 / sqrt(18)."""
    table = torch.zeros(1, 1)
    mine = optimiser("adagrad")(table, 0.1)
    for _ in range(2):
        table[ALL] = mine.stepped(ALL, table[ALL].clone(), torch.full((1, 1), 3.0))
    assert mine.sums.item() == 18
    assert table.item() == pytest.approx(-0.1 - 0.1 * 3 / 18**0.5)


def test_lazy_adam_counts_each_rows_own_steps():
    """A row that is touched for the first time late moves by the whole rate, as at any start."""
    table = torch.zeros(2, 1)
    mine = optimiser("adam")(table, 0.1)
    for _ in range(5):
        row = torch.tensor([0])
        table[row] = mine.stepped(row, table[row], torch.ones(1, 1))
    late = torch.tensor([1])
    table[late] = mine.stepped(late, table[late], torch.ones(1, 1))
    assert table[1].item() == pytest.approx(-0.1, abs=1e-6)
