"""What MKHAN's training must do, each held by numbers: a part switched off is noticed."""

from __future__ import annotations

import numpy as np
import pytest

from osler.knowledge.embeddings import NumberedTriples, Trainer, models
from osler.learn.loop import fit
from osler.match.graph_vectors import trainer_of
from osler.match.matcher import Sources, matchers
from osler.match.mkhan import MKHAN
from osler.match.neural import hinge
from osler.match.texts import Texts
from osler.match.walks import walks_of

torch = pytest.importorskip("torch")
SMALL = {**MKHAN.trial, "dimension": 12}


def pictured(known) -> Sources:
    """Sources whose entities have features: each its own direction."""
    rng = np.random.default_rng(3)
    ids = [known.graph.id(number) for number in range(len(known))]
    images = {id: rng.normal(size=6).astype(np.float32) for id in ids}
    return Sources(texts=Texts(known.names), known=known, images=images)


def test_the_hinge_wants_the_true_answer_one_above_the_false():
    true, false = torch.tensor([2.0, 0.0, 0.2]), torch.tensor([0.5, 1.0, 0.0])
    # 1 - 2 + 0.5 is below zero; 1 - 0 + 1 = 2; 1 - 0.2 + 0 = 0.8.
    assert hinge(true, false).item() == pytest.approx(2.8 / 3)


def test_training_puts_true_answers_first(known, pairs):
    matcher = MKHAN(pictured(known), **{**SMALL, "rounds": 6, "every": 20}).fit(pairs)
    assert matcher.measures["validation precision"] > 0.3


def _prepared(known, pairs, **options) -> MKHAN:
    matcher = MKHAN(pictured(known), **{**SMALL, **options})
    texts = [(pair.question, pair.answer) for pair in pairs]
    matcher.prepare(texts, None)
    return matcher


def test_algorithm_1_takes_a_step_on_triples_before_each_batch(known, pairs):
    matcher = _prepared(known, pairs)
    before = {kind: {n: t.clone() for n, t in tables.items()}
              for kind, tables in matcher.trainer._parts()[:3]}  # fmt: skip
    steps = matcher.trainer.steps
    matcher.before_step([(pair.question, pair.answer) for pair in pairs[:8]])
    assert matcher.trainer.steps == steps + 1
    # Entities, relations and the layer that makes the multi-modal vectors: all have learned.
    for kind, tables in matcher.trainer._parts()[:3]:
        for name, table in tables.items():
            assert not torch.equal(table, before[kind][name]), (kind, name)
    still = _prepared(known, pairs, alternate=False)
    steps = still.trainer.steps
    still.before_step([(pair.question, pair.answer) for pair in pairs[:8]])
    assert still.trainer.steps == steps


def test_paths_carry_structural_and_multi_modal_vectors(known, pairs):
    matcher = _prepared(known, pairs)
    text = next((p.question, p.answer) for p in pairs if not matcher.walks([(p.question, p.answer)])
                [0].empty)  # fmt: skip
    table = matcher.walks([text])[0]
    rows = torch.from_numpy(np.maximum(matcher.vectors.row_of(table.nodes.astype(np.int64)), 0))
    there = torch.from_numpy(table.nodes >= 0)
    paths = matcher._vectors(rows, there)
    trainer, width = matcher.trainer, matcher.dimension
    assert paths.shape[-1] == 2 * width
    at = int(rows[0, 0, 0])
    made = (trainer.features[at] @ trainer.weights["layer"] + trainer.weights["bias"]).numpy()
    made = made / max(1.0, float(np.linalg.norm(made)))
    assert np.abs(made).max() > 0.01
    assert np.allclose(paths[0, 0, 0, width:].detach().numpy(), made, atol=1e-5)
    assert torch.equal(paths[0, 0, 0, :width].detach(), trainer.entity["entity"][at])


def test_what_is_kept_after_training_holds_both_vectors(known, pairs):
    matcher = MKHAN(pictured(known), **SMALL).fit(pairs)
    assert matcher.vectors.rows.shape[1] == 2 * matcher.dimension
    assert (np.linalg.norm(matcher.vectors.rows[:, : matcher.dimension], axis=1) > 0.01).all()
    assert (np.linalg.norm(matcher.vectors.rows[:, matcher.dimension :], axis=1) > 0.01).all()


def test_mkhan_without_modalities_knows_no_pictures(known, pairs):
    kind = matchers.get("mkhan-nm")
    matcher = kind(pictured(known), **SMALL)
    matcher.prepare([(pair.question, pair.answer) for pair in pairs], None)
    assert matcher.trainer.method.name == "transh"
    assert matcher.width == matcher.dimension
    assert not matcher.trainer.weights
    assert MKHAN(pictured(known), **SMALL).embedding == "mm-transh"


def test_the_best_round_brings_back_the_modal_layer(known, pairs):
    """Early stopping: what made the best score is restored whole."""
    matcher = _prepared(known, pairs)
    matcher.network = matcher.build(torch.randn(5, matcher.dimension))
    scores = iter([1.0, 0.0, 0.0])
    seen: list[dict[str, torch.Tensor]] = []

    def look() -> float:
        seen.append({name: w.clone() for name, w in matcher.trainer.weights.items()})
        return next(scores)

    def loss(_: int):
        matcher.before_step([(pair.question, pair.answer) for pair in pairs[:8]])
        return matcher.network.out[0].weight.sum() * 0.0

    optimiser = torch.optim.SGD(matcher.network.out.parameters(), lr=0.0)
    fit(matcher.network, loss, lambda rng: [0], optimiser=optimiser, epochs=3, evaluate=look)
    for name, weights in matcher.trainer.weights.items():
        assert torch.equal(weights, seen[0][name])
        assert not torch.equal(weights, seen[-1][name])


def test_a_warm_start_goes_on_as_the_first_did(known):
    sources = pictured(known)
    first = trainer_of(sources, method="mm-transh", dimension=8)
    second = trainer_of(sources, method="mm-transh", dimension=8)
    for _ in range(3):
        assert first.epoch() == second.epoch()
    assert torch.equal(first.entity["entity"], second.entity["entity"])
    assert torch.equal(first.weights["layer"], second.weights["layer"])


@pytest.mark.parametrize("optimiser", ["adagrad", "adam", "sgd"])
def test_a_state_holds_all_that_a_step_depends_on(optimiser):
    triples = NumberedTriples.of([("a", "r", "b"), ("b", "r", "c"), ("c", "s", "d"),
                                  ("d", "s", "e")])  # fmt: skip
    trainer = Trainer(triples, models.resolve("transh", dimension=4), optimiser=optimiser,
                      negatives=1, batch=2)  # fmt: skip
    trainer.epoch()
    kept = trainer.state()
    once = [trainer.epoch(), trainer.epoch()]
    trainer.restore(kept)
    assert [trainer.epoch(), trainer.epoch()] == once


def test_heads_and_tails_are_both_corrupted(monkeypatch):
    triples = NumberedTriples.of([(f"e{n}", "r", f"e{n + 1}") for n in range(7)])
    trainer = Trainer(triples, models.resolve("transe", dimension=4), optimiser="sgd", margin=9.0)
    before = trainer.entity["entity"].clone()
    drawn = {False: 6, True: 7}
    monkeypatch.setattr(
        trainer._corruptor,
        "corrupt",
        lambda rows, count, rng, *, tails: np.full((len(rows), count), drawn[tails]),
    )
    trainer.step(triples.rows[:1])
    moved = (trainer.entity["entity"] != before).any(1)
    # The false head's row and the false tail's row have learned, beside the true ends.
    assert moved[6]
    assert moved[7]


def test_the_printed_form_reads_more_paths(known):
    text = [("乏力", "肺炎和胸部CT")]
    few = walks_of(known, text, pairs=1, paths=1)[0]
    many = walks_of(known, text, pairs=9, paths=9)[0].trimmed()
    assert few.nodes.shape[:2] == (1, 1)
    assert (many.nodes[..., 0] >= 0).sum() > 1
    printed = MKHAN(form="printed")
    assert printed.pairs * printed.paths > MKHAN().pairs * MKHAN().paths
    assert (printed.settings()["pairs"], printed.settings()["paths"]) == (32, 16)
