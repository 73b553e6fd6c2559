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


def test_the_loss_is_the_sum_of_three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Section 3.4: the side losses are added, none is left out or taken off."""
    from osler.grade.networks import heads

    taken: dict[str, Any] = {}
    monkeypatch.setattr(heads, "fit", lambda module, loss, *rest, **more: taken.update(loss=loss))
    targets = SimpleNamespace(
        labels=np.array([0, 1]), rcor=np.array([1, 0]), kimp=np.array([2, -1])
    )
    logits = (
        torch.tensor([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        torch.tensor([[0.5, 0.1], [0.3, 0.9]]),
        torch.tensor([[0.2, 0.4, 0.1], [1.0, 0.0, 0.0]]),
    )
    heads.train_head(
        torch.nn.Identity(),
        {"x": torch.zeros(2, 1)},
        targets,  # type: ignore[arg-type]
        np.array([0, 1]),
        np.array([], dtype=np.int64),
        forward=lambda module, inputs: logits,
    )
    entropy = torch.nn.functional.cross_entropy
    wanted = (
        entropy(logits[0], torch.tensor([0, 1]))
        + entropy(logits[1], torch.tensor([1, 0]))
        + entropy(logits[2][:1], torch.tensor([2]))
    )
    assert float(taken["loss"]([0, 1])) == pytest.approx(float(wanted), abs=1e-6)


def test_the_parts_are_added_and_each_sees_its_own_view() -> None:
    """Add-fusion (section 3.3), and RCor routes the RCor view, KImp the KImp view."""
    from osler.grade.networks.hicaps import HiCaps, Parts

    torch.manual_seed(0)
    model = HiCaps(8, 4, parts=Parts(caps_rcor=False, caps_kimp=False), dropout=0.0, capsules=2)
    model.eval()
    vectors = torch.randn(3, 3, 8)
    views = torch.nn.functional.layer_norm(vectors, (8,)) * model.scale
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


def test_heat_is_warm_where_a_word_points_with_the_representation() -> None:
    """Section 5.3: the cosine, with its sign."""
    from osler.grade.methods.hicapsrkl import HiCapsRKL

    grader = HiCapsRKL.__new__(HiCapsRKL)
    towards = torch.tensor([[1.0, 0.0]])
    grader.heads = [  # type: ignore[attr-defined]
        SimpleNamespace(represented=lambda vectors, hints: (towards, towards, None))
    ]
    states = np.array([[2.0, 0.0], [-3.0, 0.0], [0.0, 1.0]])
    tokens = [SimpleNamespace(text=text) for text in ("with", "against", "beside")]
    grader.encoder = SimpleNamespace(  # type: ignore[assignment]
        token_states=lambda view, length: (tokens, states)
    )
    grader.lengths = {"rcor": 8, "kimp": 8}
    grader.inputs = lambda pairs: {"vectors": np.zeros((1, 3, 2), np.float32)}  # type: ignore[method-assign]
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
    grader = siamese.Siamese.__new__(siamese.Siamese)
    given = iter([np.array([[1.0, 5.0]]), np.array([[4.0, 3.0]])])
    grader.encoder = SimpleNamespace(vectors=lambda views, length: next(given))
    grader.lengths = {"medl": 8}
    assert grader.inputs([PAIR])["both"].tolist() == [[1.0, 5.0, 4.0, 3.0, 3.0, 2.0]]
