"""Capsule routing against the equations written out, and its properties."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from osler.grade.networks.capsules import (  # noqa: E402
    CapsuleRouting,
    capsule_shape,
    direct_route,
    squash,
)
from osler.grade.networks.hicaps import ABLATIONS, HiCaps  # noqa: E402


@pytest.mark.parametrize("iterations", [1, 2, 3])
def test_batched_routing_is_the_loop(iterations: int) -> None:
    torch.manual_seed(0)
    routing = CapsuleRouting(24, capsules=4, layers=3, iterations=iterations)
    given = torch.randn(3, 24)
    with torch.no_grad():
        quick = routing(given)
        slow = given.view(3, 4, 6)
        for weights in routing.weights:
            slow = direct_route(slow, weights, iterations)
    assert torch.allclose(quick, slow.reshape(3, 24), atol=1e-5)


def test_shape_follows_the_encoder() -> None:
    assert capsule_shape(768) == (12, 64)
    assert capsule_shape(384) == (12, 32)
    assert capsule_shape(512) == (8, 64) or capsule_shape(512)[0] * capsule_shape(512)[1] == 512
    assert capsule_shape(64, 8) == (8, 8)
    with pytest.raises(ValueError, match="do not divide"):
        capsule_shape(64, 7)


def test_squash_keeps_direction_and_bounds_length() -> None:
    x = torch.tensor([[3.0, 4.0], [0.03, 0.04], [0.0, 0.0]])
    squashed = squash(x)
    lengths = squashed.norm(dim=1)
    assert lengths[0].item() == pytest.approx(25 / 26, abs=1e-5)
    assert lengths[1].item() == pytest.approx(0.0025 / 1.0025, abs=1e-5)
    assert squashed[2].tolist() == [0.0, 0.0]
    assert torch.allclose(squashed[0] / lengths[0], x[0] / 5)


def test_routing_learns() -> None:
    torch.manual_seed(0)
    routing = CapsuleRouting(16, capsules=4)
    given = torch.zeros(2, 16, requires_grad=True)
    routing(given + 0.1).sum().backward()
    assert torch.isfinite(given.grad).all()
    assert routing.weights.grad.abs().sum() > 0


def test_the_seven_ablations_differ_by_one_part() -> None:
    assert len(ABLATIONS) == 7
    vectors = torch.randn(2, 3, 24)
    sizes = {}
    for name, parts in {"": None, **ABLATIONS}.items():
        torch.manual_seed(0)
        model = HiCaps(24, 5, parts=parts, capsules=4)
        label, rcor, kimp = model(vectors)
        assert label.shape == (2, 5)
        assert (rcor is None) == ("w/o RCor" in name)
        assert (kimp is None) == (name in ("w/o KImp", "w/o RCor&KImp"))
        sizes[name] = sum(p.numel() for p in model.parameters())
    assert sizes["w/ CapsR MedL"] > sizes[""] > sizes["w/o CapsR KImp"] > sizes["w/o CapsR"]


def test_hints_enter() -> None:
    torch.manual_seed(0)
    model = HiCaps(24, 4, capsules=4, hints=3).eval()
    vectors = torch.randn(1, 3, 24)
    one = model(vectors, torch.zeros(1, 3))[0]
    two = model(vectors, torch.ones(1, 3))[0]
    assert not torch.allclose(one, two)
