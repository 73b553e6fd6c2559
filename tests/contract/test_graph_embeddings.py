"""What every method of graph embedding must hold, the built-in and a stranger's alike."""

from __future__ import annotations

import numpy as np
import pytest

from osler.errors import ChoiceError, DamageError, InputError, MissingExtra, UnknownId
from osler.kinds import Triple
from osler.knowledge.embeddings import (
    Embeddings,
    NumberedTriples,
    Trainer,
    models,
    train_embeddings,
)
from osler.knowledge.embeddings.predicting import link_prediction

torch = pytest.importorskip("torch")
METHODS = models.names()


def cities(count: int = 24) -> list[Triple]:
    """A graph with rules: each town lies in one of four lands, next to the following town."""
    made = [Triple(f"t{i:02}", "in", f"land{4 * i // count}") for i in range(count)]
    made += [Triple(f"t{i:02}", "next", f"t{(i + 1) % count:02}") for i in range(count)]
    return made + [Triple(f"land{i}", "speaks", f"tongue{i // 2}") for i in range(4)]


def features(triples: NumberedTriples, width: int = 6) -> np.ndarray:
    return np.random.default_rng(1).normal(size=(len(triples.entity_ids), width))


@pytest.fixture(params=METHODS)
def method(request):
    return request.param


def trained(method: str, **options) -> Embeddings:
    triples = NumberedTriples.of(cities())
    settings = {"dimension": 16, "epochs": 40, "batch": 16, "texts": features(triples)}
    return train_embeddings(triples, method=method, **(settings | options))


def test_true_triples_get_lower_energies_than_false_ones(method):
    made = trained(method, epochs=80)
    true = [(f"t{i:02}", "in", f"land{i // 6}") for i in range(24)]
    false = [(f"t{i:02}", "in", f"land{(i // 6 + 2) % 4}") for i in range(24)]
    assert (made.energies(true) < made.energies(false)).mean() > 0.9


def test_the_same_seed_gives_the_same_vectors_and_another_others(method):
    first, again, other = (trained(method, epochs=3, seed=seed) for seed in (5, 5, 6))
    assert np.array_equal(first.entities, again.entities)
    assert np.array_equal(first.relations, again.relations)
    assert not np.array_equal(first.entities, other.entities)


def test_the_order_of_triples_does_not_matter(method):
    given = cities()
    triples = NumberedTriples.of(given)
    table = features(triples)
    options = {"method": method, "dimension": 8, "epochs": 2, "texts": table}
    first = train_embeddings(given, **options)
    again = train_embeddings([*reversed(given), given[3]], **options)
    assert np.array_equal(first.entities, again.entities)


def test_saved_and_loaded_they_say_the_same(method, tmp_path):
    made = trained(method, epochs=2)
    made.save(tmp_path / "graph")
    again = Embeddings.load(tmp_path / "graph")
    heads, tails = np.arange(10), np.arange(10, 20)
    assert np.array_equal(again.energy(heads, 0, tails), made.energy(heads, 0, tails))
    assert again.entity_ids == made.entity_ids
    assert again.notes == made.notes
    assert "triples" in (tmp_path / "graph" / "card.md").read_text("utf-8")


def test_ranking_every_entity_agrees_with_single_energies(method):
    """``nearest`` takes short cuts (matrix products, one projection a relation); they must not
    change what it says."""
    for norm in (1, 2):
        made = trained(method, epochs=3, norm=norm)
        entity, relation = made.tensors()
        known = torch.tensor([0, 5, 9, 12])
        kinds = torch.tensor([0, 1, 0, 2])
        every = np.arange(len(made))
        for tails in (True, False):
            found = made.method.nearest(
                {name: rows[known] for name, rows in entity.items()},
                {name: rows[kinds] for name, rows in relation.items()},
                entity,
                tails=tails,
            ).numpy()
            for row, (one, kind) in enumerate(zip(known.tolist(), kinds.tolist(), strict=True)):
                slow = made.energy(one, kind, every) if tails else made.energy(every, kind, one)
                assert np.allclose(found[row], slow, atol=2e-3)


def test_only_touched_rows_are_written(method):
    triples = NumberedTriples.of(cities())
    chosen = models.resolve(method, dimension=8)
    trainer = Trainer(triples, chosen, features=features(triples).astype(np.float32), seed=0)
    before = trainer.state()
    row = triples.rows[:1]
    trainer.step(row)
    table = next(iter(trainer.entity))
    changed = np.flatnonzero((before["entity"][table] != trainer.entity[table]).any(1).numpy())
    assert set(row[0, [0, 2]]) <= set(changed.tolist()) | {row[0, 0], row[0, 2]}
    # One triple with one false head and one false tail touches four entities at the most.
    assert 0 < len(changed) <= 4


def test_row_updates_equal_torchs_own_over_the_whole_table():
    """Adagrad over touched rows is torch's Adagrad over all rows: the others do not move."""
    from osler.knowledge.embeddings.rows import Adagrad

    torch.manual_seed(0)
    table = torch.randn(30, 5)
    whole = torch.nn.Parameter(table.clone())
    theirs = torch.optim.Adagrad([whole], lr=0.3)
    own = Adagrad(table, 0.3)
    for step in range(5):
        touched = torch.arange(step, step + 4)
        gradient = torch.randn(4, 5)
        whole.grad = torch.zeros(30, 5)
        whole.grad[touched] = gradient
        theirs.step()
        table[touched] = own.stepped(touched, table[touched], gradient)
    assert torch.allclose(table, whole, atol=1e-6)


def test_constraints_hold_after_training():
    assert np.allclose(np.linalg.norm(trained("transe").entities, axis=1), 1, atol=1e-5)
    plane = trained("transh")
    normal, shift = plane.relation_tables["normal"], plane.relation_tables["translation"]
    assert np.allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-5)
    assert np.abs((normal * shift).sum(1)).max() < 1e-5
    turn = trained("rotate").relations
    real, imaginary = np.split(turn, 2, axis=1)
    assert np.allclose(real**2 + imaginary**2, 1, atol=1e-5)
    assert (np.linalg.norm(trained("mm-transh").modal, axis=1) <= 1 + 1e-5).all()


def test_five_energies_are_those_of_the_paper():
    """Equations 2 to 6 of seed 001, written out."""
    made = trained("mm-transh", epochs=2)
    triples = NumberedTriples.of(cities()).rows[:20]
    normal, shift = (made.relation_tables[name] for name in ("normal", "translation"))
    for (head, kind, tail), energy in zip(triples, made.energy(*triples.T), strict=True):
        w, d = normal[kind], shift[kind]

        def on(vector, w=w):
            return vector - (w @ vector) * w

        hs, ts = on(made.entities[head]), on(made.entities[tail])
        hm, tm = on(made.modal[head]), on(made.modal[tail])
        hc, tc = hs + hm, ts + tm
        pairs = [(hs, ts), (hm, tm), (hc, tc), (hs, tm), (hm, ts)]
        expected = sum(np.linalg.norm(h + d - t) for h, t in pairs)
        assert energy == pytest.approx(expected, abs=1e-4)


def test_negating_the_relation_and_turning_the_triple_is_the_same_energy():
    made = trained("mm-transh", epochs=2)
    turned = Embeddings(
        made.method,
        made.entity_ids,
        made.relation_names,
        made.entity_tables,
        made.relation_tables | {"translation": -made.relations},
    )
    rows = NumberedTriples.of(cities()).rows
    assert np.allclose(made.energy(*rows.T), turned.energy(*rows[:, ::-1].T), atol=1e-5)


def test_vectors_by_id():
    made = trained("mm-transh", epochs=1)
    assert made.vector("t03").shape == (16,)
    assert made.joined.shape == (len(made), 32)
    assert "t03" in made
    assert len(made.similar("t03", 5)) == 5
    assert "t03" not in dict(made.similar("t03", 5))
    with pytest.raises(UnknownId, match="nowhere"):
        made.vector("nowhere")
    with pytest.raises(UnknownId, match="flies to"):
        made.energies([("t01", "flies to", "t02")])


def test_an_empty_graph_is_said_to_be_empty():
    from osler.knowledge.graph import Graph

    for nothing in ([], Graph.build([], [])):
        with pytest.raises(InputError, match="empty"):
            train_embeddings(nothing, method="transe")


def test_wrong_names_list_the_choices():
    with pytest.raises(ChoiceError, match="mm-transh"):
        train_embeddings(cities(), method="transg")
    with pytest.raises(ChoiceError, match="adagrad"):
        train_embeddings(cities(), method="transe", optimiser="adagrat")
    with pytest.raises(ChoiceError, match="self-adversarial"):
        train_embeddings(cities(), method="transe", loss="hinge")
    with pytest.raises(ChoiceError, match="either"):
        train_embeddings(cities(), method="transe", sides="left")


@pytest.mark.parametrize("sides", ["both", "either"])
@pytest.mark.parametrize("negatives", [1, 2, 5])
def test_every_number_of_negatives_learns_on_either_side(sides, negatives):
    made = trained("transh", sides=sides, negatives=negatives, batch=7, typed=True)
    true = [(f"t{i:02}", "in", f"land{i // 6}") for i in range(24)]
    false = [(f"t{i:02}", "in", f"land{(i // 6 + 2) % 4}") for i in range(24)]
    assert made.energies(true).mean() < made.energies(false).mean()


@pytest.mark.parametrize(
    "options",
    [{"dimension": 0}, {"norm": 3}, {"batch": 0}, {"negatives": 0}, {"epochs": -1}],
    ids=lambda one: next(iter(one)),
)
def test_settings_that_make_no_sense_are_refused(options):
    with pytest.raises(InputError):
        train_embeddings(cities(), method="transe", **options)


def test_a_multi_modal_method_without_features_says_so():
    with pytest.raises(InputError, match="pictures or names"):
        train_embeddings(cities(), method="mm-transh")


def test_an_entity_without_a_picture_is_fine():
    given = cities()
    pictures = {f"t{i:02}": np.eye(4)[i % 4] for i in range(0, 24, 2)}
    made = train_embeddings(given, method="mm-transh", dimension=8, epochs=3, images=pictures)
    assert np.isfinite(made.joined).all()
    # All that have no feature share one multi-modal vector.
    assert np.allclose(made.modal[made.number("t01")], made.modal[made.number("land0")])


def test_features_of_two_lengths_are_refused():
    mixed = {"t00": np.ones(3), "t01": np.ones(4)}
    with pytest.raises(InputError, match="one length"):
        train_embeddings(cities(), method="mm-transe", images=mixed)


@pytest.mark.parametrize("optimiser", ["adagrad", "adam", "sgd"])
@pytest.mark.parametrize("loss", ["margin", "self-adversarial"])
def test_every_optimiser_learns_with_every_loss(optimiser, loss):
    lr = {"adagrad": 0.1, "adam": 0.02, "sgd": 2.0}[optimiser]
    told = []
    trained(
        "transe", optimiser=optimiser, loss=loss, lr=lr, negatives=3, progress=told.append, every=99
    )
    first, last = (float(line.split("loss ")[1].split(",")[0]) for line in (told[0], told[-1]))
    assert last < first * 0.97
    assert "triples/s" in told[0]


def test_an_early_stop_keeps_the_best_state():
    triples = NumberedTriples.of(cities(48))
    train, valid, test = triples.split(valid=0.15, test=0.05, seed=1)
    told: list[str] = []
    options = {"method": "transe", "dimension": 8, "batch": 8, "lr": 0.5}
    made = train_embeddings(
        train, epochs=60, valid=valid, patience=2, every=1, progress=told.append, **options
    )
    assert len(told) < 60
    best = max(float(line.split("MRR ")[1]) for line in told)
    found = link_prediction(made, valid.rows, known=[train.rows])
    assert found.mrr == pytest.approx(best, abs=1e-4)
    assert len(test)


def test_without_torch_the_extra_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match="neural"):
        train_embeddings(cities(), method="transe")


def test_a_damaged_or_foreign_model_is_refused(tmp_path):
    from osler.learn.card import Card
    from osler.learn.saved import save_model

    save_model(tmp_path / "other", {"x": np.zeros(2)}, {"kind": "ranker"}, Card(name="x", what="y"))
    with pytest.raises(DamageError, match="ranker"):
        Embeddings.load(tmp_path / "other")
    made = trained("transe", epochs=1)
    made.entity_ids.pop()
    made.save(tmp_path / "short")
    with pytest.raises(DamageError, match="fit"):
        Embeddings.load(tmp_path / "short")
