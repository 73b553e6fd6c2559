"""What the paper's parts do, so that taking one out or turning one round is noticed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from osler.grade.labels.kimp import fact_probability, level
from osler.grade.labels.rcor import Cluster
from osler.grade.pair import Fact, Pair

torch = pytest.importorskip("torch", reason="the extra neural is not installed")

PAIR = Pair(Fact("metformin", "treats", "diabetes"), "Metformin", "Metformin treats diabetes.")


def test_the_loss_is_the_sum_of_three() -> None:
    """Section 3.4: the side losses are added, none is left out or taken off."""
    from osler.grade.networks.heads import joint_loss

    targets: Any = SimpleNamespace(
        labels=np.array([9, 0, 1]), rcor=np.array([9, 1, 0]), kimp=np.array([9, 3, 0])
    )
    label = torch.tensor([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    rcor = torch.tensor([[0.5, 0.1], [0.3, 0.9]])
    kimp = torch.tensor([[0.2, 0.4, 0.1, 0.3], [1.0, 0.0, 0.0, 0.0]])

    def entropy(rows: list[list[float]], wanted: list[int]) -> float:
        told = [np.log(np.sum(np.exp(r))) - r[w] for r, w in zip(rows, wanted, strict=True)]
        return float(np.mean(told))

    whole = entropy([[2, 0, 0], [0, 1, 0]], [0, 1])
    sides = entropy([[0.5, 0.1], [0.3, 0.9]], [1, 0])
    sides += entropy([[0.2, 0.4, 0.1, 0.3], [1, 0, 0, 0]], [3, 0])
    loss = joint_loss((label, rcor, kimp), targets, [1, 2])
    assert float(loss) == pytest.approx(whole + sides, abs=1e-6)
    assert float(joint_loss((label, None, None), targets, [1, 2])) == pytest.approx(whole, abs=1e-6)


@pytest.mark.parametrize("normed", [False, True])
def test_the_parts_are_added_and_each_sees_its_own_view(normed: bool) -> None:
    """Add-fusion (appendix A.4), and RCor routes the RCor view, KImp the KImp view. As printed
    nothing is done to the encoder's representations; ours brings them to one length."""
    from osler.grade.networks.hicaps import HiCaps, Parts

    torch.manual_seed(0)
    parts = Parts(caps_rcor=False, caps_kimp=False)
    model = HiCaps(8, 4, parts=parts, normed=normed, capsules=2).eval()
    vectors = torch.randn(3, 3, 8)
    views = vectors
    if normed:
        away = vectors - vectors.mean(2, keepdim=True)
        views = away / torch.sqrt((away**2).mean(2, keepdim=True) + 1e-5) / 2
    fused, rcor, kimp = model.represented(vectors)
    assert rcor is not None
    assert kimp is not None
    assert torch.allclose(rcor, views[:, 1], atol=1e-6)
    assert torch.allclose(kimp, views[:, 2], atol=1e-6)
    assert torch.allclose(fused, views[:, 0] + views[:, 1] + views[:, 2], atol=1e-6)
    label, of_rcor, of_kimp = model(vectors)
    assert torch.allclose(label, model.label(fused))
    assert torch.allclose(of_rcor, model.rcor(rcor))
    assert torch.allclose(of_kimp, model.kimp(kimp))


def test_each_branch_is_routed_by_its_own_capsules() -> None:
    """Section 3.3: CapsR(theta_r) for RCor, CapsR(theta_t) for KImp; R_MedL goes round them."""
    from osler.grade.networks.hicaps import ABLATIONS, HiCaps

    torch.manual_seed(0)
    model = HiCaps(8, 4, capsules=2).eval()
    vectors = torch.randn(2, 3, 8)
    fused, rcor, kimp = model.represented(vectors)
    assert torch.equal(rcor, model.caps_rcor(vectors[:, 1]))
    assert torch.equal(kimp, model.caps_kimp(vectors[:, 2]))
    assert torch.allclose(fused, vectors[:, 0] + rcor + kimp, atol=1e-6)
    assert not torch.equal(model.caps_rcor.weights, model.caps_kimp.weights)
    more = HiCaps(8, 4, capsules=2, parts=ABLATIONS["w/ CapsR MedL"]).eval()
    fused, rcor, kimp = more.represented(vectors)
    assert torch.allclose(fused, more.caps_medl(vectors[:, 0]) + rcor + kimp, atol=1e-6)


def test_heat_is_warm_where_a_word_points_with_the_representation() -> None:
    """Section 5.3: the cosine, with its sign."""
    from osler.grade.methods.hicapsrkl import HiCapsRKL

    grader: Any = HiCapsRKL()
    towards = torch.tensor([[1.0, 0.0]])
    grader.network = SimpleNamespace(represented=lambda vectors, hints: (towards, towards, None))
    states = np.array([[2.0, 0.0], [-3.0, 0.0], [0.0, 1.0]])
    tokens = [SimpleNamespace(text=text) for text in ("with", "against", "beside")]
    grader.encoder = SimpleNamespace(
        vectors=lambda views, length: np.zeros((1, 2), np.float32),
        token_states=lambda view, length: (tokens, states),
    )
    (heat,) = grader.heats(PAIR)
    assert heat.view == "RCor"
    assert dict(heat.words) == {"with": 1.0, "against": -1.0, "beside": 0.0}


@pytest.mark.parametrize(("told", "describes"), [(7, True), (6, False)])
def test_seventy_of_a_hundred_describe(told: int, describes: bool) -> None:
    """Appendix A.2.1: from 70 % on, and 70 % is enough."""
    checked = [True] * told + [False] * (10 - told)
    cluster = Cluster("treats", 0, 10, np.zeros(1), checked=checked)
    assert cluster.describes is describes


def test_a_facts_probability_has_all_three_parts() -> None:
    """Appendix A.2.1: head, relation and tail are added up."""
    weights = {"metformin": 0.2, "treat": 0.1, "diabet": 0.3, "other": 0.4}
    assert fact_probability(PAIR, weights) == pytest.approx(0.6)
    assert fact_probability(PAIR, {**weights, "diabet": 0.0}) == pytest.approx(0.3 / 0.7)
    assert fact_probability(PAIR, {**weights, "treat": 0.0}) == pytest.approx(0.5 / 0.9)


def test_a_threshold_is_reached_by_its_own_value() -> None:
    """Appendix A.4: from 0.5, 0.15, 0.05 on."""
    assert [level(p) for p in (0.5, 0.4999, 0.15, 0.1499, 0.05, 0.0499)] == [3, 2, 2, 1, 1, 0]


def test_bands_of_scores_are_closed_below() -> None:
    thresholds = pytest.importorskip("osler_papers.grade.thresholds")
    bands = thresholds._bands(np.array([0.75, 0.7499, 0.5, 0.25, 0.2499]), (0.75, 0.5, 0.25))
    assert bands == [0, 1, 1, 2, 3]


def test_siamese_fuses_both_and_their_distance() -> None:
    """softmax(W [u; v; |u - v|])."""
    siamese = pytest.importorskip("osler_papers.grade.siamese")
    grader = siamese.Siamese()
    inputs = {"fact": torch.tensor([[1.0, 5.0]]), "paper": torch.tensor([[4.0, 3.0]])}
    label, rcor, kimp = grader.forward(lambda both: both, inputs)
    assert label.tolist() == [[1.0, 5.0, 4.0, 3.0, 3.0, 2.0]]
    assert rcor is None
    assert kimp is None
