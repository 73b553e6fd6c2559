import numpy as np
import pytest

torch = pytest.importorskip("torch")

from osler.learn.batches import padded, shuffled  # noqa: E402
from osler.learn.loop import DivergedError, fit  # noqa: E402
from osler.learn.seeds import seed_everything  # noqa: E402

X = torch.linspace(-1, 1, 40).unsqueeze(1)
Y = 3 * X - 1


def line():
    seed_everything(0)
    return torch.nn.Linear(1, 1)


def squared(module):
    return lambda rows: ((module(X[rows]) - Y[rows]) ** 2).mean()


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.2)


def test_fit_learns_a_line():
    module = line()
    history = fit(
        module, squared(module), shuffled(range(40), 8), optimiser=sgd, epochs=40, clip=5.0
    )
    assert history.losses[-1] < 1e-4 < history.losses[0]
    assert history.steps == 200
    assert module.weight.item() == pytest.approx(3, abs=0.05)
    assert history.best is None
    assert not module.training


def test_same_seed_same_weights_other_seed_other_batches():
    weights = []
    for seed in (1, 1, 2):
        module = line()
        fit(module, squared(module), shuffled(range(40), 8), optimiser=sgd, epochs=2, seed=seed)
        weights.append(module.weight.item())
    assert weights[0] == weights[1] != weights[2]


def test_best_weights_are_restored_and_patience_stops():
    module = line()
    scores = iter([0.1, 0.9, 0.5, 0.9, 0.2, 0.95])
    seen = []

    def evaluate():
        assert not module.training
        assert not torch.is_grad_enabled()
        seen.append(module.weight.item())
        return next(scores)

    history = fit(
        module,
        squared(module),
        shuffled(range(40), 8),
        optimiser=sgd(module.parameters()),
        epochs=9,
        evaluate=evaluate,
        patience=3,
    )
    assert history.stopped_early
    assert len(seen) == 5
    assert history.best == 0.9
    assert history.best_step == 10
    assert module.weight.item() == seen[1]


def test_every_evaluates_by_steps_and_once_more_at_the_end():
    module = line()
    history = fit(
        module,
        squared(module),
        shuffled(range(40), 8),
        optimiser=sgd,
        epochs=2,
        evaluate=lambda: 1.0,
        every=4,
    )
    assert [step for step, _ in history.scores] == [4, 8, 10]


def test_divergence_is_an_error_with_a_cure():
    module = line()
    with pytest.raises(DivergedError, match="learning rate"):
        fit(
            module,
            lambda rows: module(X[rows]).sum() * float("nan"),
            shuffled(range(40), 8),
            optimiser=sgd,
            epochs=1,
        )


def test_progress_is_told_each_epoch():
    module, lines = line(), []
    fit(
        module,
        squared(module),
        shuffled(range(8), 4),
        optimiser=sgd,
        epochs=3,
        progress=lines.append,
        evaluate=lambda: 0.5,
    )
    assert len(lines) == 3
    assert lines[2].startswith("epoch 3 of 3: loss ")
    assert lines[2].endswith("score 0.5000")


def test_shuffled_gives_every_item_once():
    rng = np.random.default_rng(0)
    got = [item for batch in shuffled("abcdefg", 3)(rng) for item in batch]
    assert sorted(got) == list("abcdefg")
    with pytest.raises(ValueError, match="at least one"):
        shuffled([1], 0)


def test_padded_cuts_fills_and_survives_empty_rows():
    rows, lengths = padded([[1, 2, 3], [], [4]], width=2, fill=9)
    assert rows.tolist() == [[1, 2], [9, 9], [4, 9]]
    assert lengths.tolist() == [2, 0, 1]
    assert padded([[], []])[0].shape == (2, 1)
