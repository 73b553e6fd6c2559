"""Section 3.4: encoder, capsules and three predictions learn together; each method reads its own
texts; what was learned from weak labels goes on learning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra neural is not installed")

from osler.errors import InputError, MissingModel  # noqa: E402
from osler.grade.grader import Targets, graders  # noqa: E402
from osler.grade.methods.hicapsrkl import HiCapsOurs, HiCapsRKL  # noqa: E402
from osler.grade.methods.neural import LENGTHS  # noqa: E402
from osler.grade.models import load_grader, save_grader  # noqa: E402
from osler.grade.networks.heads import joint_loss, train_network  # noqa: E402
from osler.grade.networks.small import SmallEncoder  # noqa: E402
from osler.grade.networks.views import View, view  # noqa: E402
from osler.grade.pair import Fact, Pair  # noqa: E402
from osler.grade.scale import PAPER, SAMPLE  # noqa: E402
from osler.learn.card import Card  # noqa: E402

QUICK = dict(HiCapsRKL.trial)


def small(pairs: Sequence[Pair]) -> SmallEncoder:
    torch.manual_seed(0)
    texts = [text for pair in pairs for text in (pair.text, pair.fact.text)]
    return SmallEncoder.over(texts, least=1, dimension=24, layers=1, heads=2)


def weights(encoder: Any) -> Any:
    return torch.cat([p.detach().flatten() for p in encoder.parameters()]).clone()


def test_capsules_teach_the_encoder(pairs: list[Pair]) -> None:
    """The gradient of every loss reaches the one encoder: by the RCor branch's capsules alone,
    by the KImp branch's alone, and by the label's sum."""
    grader: Any = HiCapsRKL(encoder=small(pairs), capsules=12)
    grader.scale = SAMPLE
    grader.encoder = grader._encoder(pairs)
    grader.network = grader.head()
    read = grader._inputs(pairs)([0, 1, 2])
    logits = grader.forward(grader.network, read)
    given = list(grader.encoder.parameters())
    for number, logit in enumerate(logits):
        gradients = torch.autograd.grad(logit.sum(), given, retain_graph=True, allow_unused=True)
        reached = sum(float(g.abs().sum()) for g in gradients if g is not None)
        assert reached > 0, number


def test_the_encoder_moves_only_where_it_is_trained_along(pairs: list[Pair]) -> None:
    encoder = small(pairs)
    before = weights(encoder)
    fixed: Any = HiCapsRKL(encoder=encoder, joint=False, **QUICK).fit(pairs[:20])
    assert fixed.encoder is encoder
    assert torch.equal(weights(encoder), before)
    moved: Any = HiCapsRKL(encoder=encoder, **QUICK).fit(pairs[:20])
    assert torch.equal(weights(encoder), before)  # a copy learns
    assert not torch.equal(weights(moved.encoder), before)


def test_the_first_position_alone_is_the_first_of_all(pairs: list[Pair]) -> None:
    torch.manual_seed(0)
    encoder = SmallEncoder.over([p.text for p in pairs], least=1, dimension=24, layers=2, heads=3)
    encoder.eval()
    packed = encoder.pack([view(pair, "medl") for pair in pairs[:9]], 40)
    assert bool((packed[0] == 0).any())  # some are padded
    assert torch.allclose(encoder.first(*packed), encoder(*packed)[:, 0], atol=1e-6)


def test_one_step_is_the_step_of_the_sum(pairs: list[Pair]) -> None:
    """One batch of plain gradient descent, against the same worked out apart from the loop."""
    chosen = pairs[:6]
    targets = Targets(chosen)
    grader: Any = HiCapsRKL(encoder=small(pairs), capsules=12)
    grader.scale = targets.scale
    grader.encoder = grader._encoder(chosen)
    torch.manual_seed(1)
    grader.network = grader.head()
    learning = torch.nn.ModuleList([grader.network, grader.encoder.module])
    for module in learning.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    reference = [p.detach().clone().requires_grad_() for p in learning.parameters()]
    names = [name for name, _ in learning.named_parameters()]

    inputs = grader._inputs(chosen)
    outputs = lambda rows: grader.forward(grader.network, inputs(rows))  # noqa: E731
    label, rcor, kimp = torch.func.functional_call(
        _Wrapped(learning, outputs),
        {f"learning.{n}": p for n, p in zip(names, reference, strict=True)},
        ([*range(6)],),
    )
    total = 0.0
    for logits, wanted in ((label, targets.labels), (rcor, targets.rcor), (kimp, targets.kimp)):
        chances = torch.log_softmax(logits, dim=1)
        total = total - chances[torch.arange(6), torch.from_numpy(wanted)].mean()
    gradients = torch.autograd.grad(total, reference)

    train_network(
        learning,
        outputs,
        targets,
        np.arange(6),
        np.zeros(0, dtype=np.int64),
        optimiser=_plain_descent(learning),
        sizes=[1] * 6,
        batch=6,
        epochs=1,
        patience=1,
    )
    # The loop bounds the gradient's norm by 1.
    norm = float(torch.sqrt(sum((g**2).sum() for g in gradients)))
    shrunk = min(1.0, 1.0 / (norm + 1e-6))
    for name, now, was, gradient in zip(
        names, learning.parameters(), reference, gradients, strict=True
    ):
        assert torch.allclose(now, was - 0.1 * shrunk * gradient, atol=1e-5), name


class _Wrapped(torch.nn.Module):  # type: ignore[misc]
    def __init__(self, learning: Any, outputs: Any) -> None:
        super().__init__()
        self.learning = learning
        self.outputs = outputs

    def forward(self, rows: list[int]) -> Any:
        return self.outputs(rows)


def _plain_descent(learning: Any) -> Any:
    return torch.optim.SGD(learning.parameters(), lr=0.1)


class Spy:
    """An encoder that remembers what it was given to read."""

    dimension = 24

    def __init__(self) -> None:
        self.read: list[tuple[View, int]] = []

    def vectors(self, views: Sequence[View], length: int) -> Any:
        self.read += [(one, length) for one in views]
        return np.ones((len(views), self.dimension), np.float32)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("hicapsrkl", ("medl", "rcor", "kimp")),
        ("cross-encoder", ("medl",)),
        ("siamese", ("fact", "paper")),
        ("medl-transe", ("paper",)),
        ("lookup", ("rcor", "kimp")),
    ],
)
def test_each_method_reads_its_own_texts(
    name: str, texts: tuple[str, ...], pairs: list[Pair]
) -> None:
    pytest.importorskip("osler_papers")
    spy = Spy()
    options: dict[str, Any] = {"encoder": spy, "joint": False, "epochs": 1}
    if name.startswith("medl-"):
        options["vectors"] = {"metformin": np.ones(4, np.float32)}
    kind = graders.get(name)
    kind(**options).fit(pairs[:20])
    wanted = {(view(pair, which).text, LENGTHS[which]) for pair in pairs[:20] for which in texts}
    assert {(one.text, length) for one, length in spy.read} == wanted
    facts = {bool(one.fact.head) for one, _ in spy.read}
    assert facts == {{"siamese": True, "medl-transe": False}.get(name, True), "paper" not in texts}


def test_lengths_are_the_published_ones() -> None:
    lengths = HiCapsRKL().lengths
    assert [lengths[which] for which in ("medl", "rcor", "kimp")] == [512, 256, 256]


def test_kimp_has_four_classes(pairs: list[Pair]) -> None:
    """Table 1: Imp, P-imp, M-imp, U-imp; an I that says no more is U-imp, as there."""
    grader: Any = HiCapsRKL(encoder=small(pairs), **QUICK).fit(pairs[:20])
    assert grader.network.kimp.out_features == 4
    assert grader.network.rcor.out_features == 2
    plain = [Pair(Fact("a", "b", "c"), "t", label=label) for label in "HFMI"]
    told = Targets(plain)
    assert told.scale is PAPER
    assert told.kimp.tolist() == [3, 2, 1, 0]
    assert told.rcor.tolist() == [1, 1, 1, 0]
    own = Pair(Fact("a", "b", "c"), "t", label="I", kimp=2)
    assert Targets([own, plain[0]]).kimp.tolist() == [2, 3]


def test_printed_and_ours_have_two_names() -> None:
    printed, ours = HiCapsRKL(), HiCapsOurs()
    assert (printed.name, printed.normed, printed.hints, printed.dropout) == (
        "hicapsrkl",
        False,
        False,
        0.0,
    )
    assert (ours.name, ours.normed, ours.hints, ours.dropout) == ("hicapsrkl-ours", True, True, 0.2)


def test_what_learned_goes_on_learning(pairs: list[Pair]) -> None:
    first: Any = HiCapsRKL(encoder=small(pairs), **QUICK).fit(pairs[:30])
    told = first.probabilities(pairs[:5])
    second: Any = first.tuned(pairs[30:], seed=1)
    assert np.array_equal(first.probabilities(pairs[:5]), told)
    assert not np.allclose(second.probabilities(pairs[:5]), told)
    assert not torch.equal(weights(second.encoder), weights(first.encoder))
    with pytest.raises(InputError, match="its own scale"):
        first.tuned([Pair(Fact("a", "b", "c"), str(n), label="HI"[n % 2]) for n in range(12)])
    with pytest.raises(InputError, match="only a trained grader"):
        HiCapsRKL().tuned(pairs)


def test_a_model_of_another_shape_is_refused(pairs: list[Pair], tmp_path: Path) -> None:
    grader: Any = HiCapsRKL(encoder=small(pairs), **QUICK).fit(pairs[:20])
    grader.network.kimp = torch.nn.Linear(24, 3)
    save_grader(tmp_path / "model", grader, Card(name="x", what="y"))
    with pytest.raises(MissingModel, match="older version"):
        load_grader(tmp_path / "model")


def test_the_loss_asks_for_no_absent_side(pairs: list[Pair]) -> None:
    targets = Targets(pairs[:2])
    label = torch.zeros(2, 5)
    assert float(joint_loss((label, None, None), targets, [0, 1])) == pytest.approx(np.log(5))
