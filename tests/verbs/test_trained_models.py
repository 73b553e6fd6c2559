"""One policy for trained models: used by every door, named, listed, set aside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import serving
from osler import Library
from osler.learn.card import Card
from osler.rank.labels import Label
from osler.store.models import Models, save
from samples import TrigramEncoder


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return serving.build(tmp_path_factory.mktemp("trained"))


@pytest.fixture
def library(place: Path) -> Iterator[Library]:
    import shutil

    with Library.open(place, encoder=TrigramEncoder()) as opened:  # type: ignore[arg-type]
        yield opened
        shutil.rmtree(opened.layout.models, ignore_errors=True)


def write(folder: Path, **card: object) -> None:
    told = Card(name="m", what="a test", **card)  # type: ignore[arg-type]
    save(folder, kind="match", name="default", tensors={}, state={}, card=told)


def test_a_model_is_chosen_stamped_and_listed(tmp_path):
    models = Models(tmp_path)
    assert models.choose("match") == ""
    write(tmp_path / "match")
    first = models.stamp("match")
    assert models.choose("match-mkhan", "match") == "match"
    assert models.choose("match", without=True) == ""
    assert [one.name for one in models.listed()] == ["match"]
    write(tmp_path / "match", seed=1)
    assert models.stamp("match") != first


def test_a_model_that_lost_is_listed_and_not_used(tmp_path):
    models = Models(tmp_path)
    write(tmp_path / "match", taken=False, verdict="P@1 0.31, untrained 0.35")
    assert models.has("match")
    assert models.choose("match") == ""
    (listed,) = models.listed()
    assert not listed.used
    assert "Used: no. P@1 0.31" in (tmp_path / "match" / "card.md").read_text("utf-8")


def test_a_damaged_model_is_listed_with_its_fault(tmp_path):
    write(tmp_path / "match")
    (tmp_path / "match" / "config.json").write_text("{", "utf-8")
    (listed,) = Models(tmp_path).listed()
    assert listed.error
    assert not listed.used


def weigh(library: Library, folder: Path, weight: float, **card: object) -> None:
    from osler.retrieve.learned import CHANNELS, LearnedWeights

    weights = LearnedWeights(dict.fromkeys(CHANNELS, (weight, 0.0, 0.0)))
    weights.save(folder, Card(name="weights", what="a test", **card))  # type: ignore[arg-type]


def test_learned_weights_of_search_are_used_and_named(library):
    """No command read what ``osler train search`` wrote."""
    plain = library.search("asthma budesonide")
    assert plain.method == "concepts"
    assert not plain.model
    weigh(library, library.models.place("search"), 7.0)
    learned = library.search("asthma budesonide")
    assert learned.model == "search"
    assert [hit.score for hit in learned] != [hit.score for hit in plain]
    aside = library.search("asthma budesonide", without_model=True)
    assert [hit.score for hit in aside] == [hit.score for hit in plain]
    assert not library.search("asthma", method="words").model


def test_weights_that_an_older_training_wrote_still_serve(library):
    weigh(library, library.models.place("search"), 7.0)
    learned = library.search("asthma budesonide")
    for name in ("config.json", "model.safetensors", "card.md"):
        (library.models.place("search") / name).unlink()
    old = library.search("asthma budesonide")
    assert old.model == "search"
    assert [hit.score for hit in old] == [hit.score for hit in learned]


def test_a_ranker_trained_for_a_topic_is_used_where_nothing_else_teaches(library):
    from osler.rank.examples import gather
    from osler.rank.models import PAPERS, save_ranker
    from osler.rank.ranker import rankers
    from osler.rank.topic import Topic
    from osler.verbs.rank import pool_of

    topic = "nightly rest"
    labels = [Label(f"sleep-{n:02d}", bool(n % 2)) for n in range(10)]
    papers = pool_of(library)
    examples = gather(papers, labels, [Topic(topic)])
    ranker = rankers.resolve("hybrid").fit(
        papers.take(examples.rows), examples.targets, examples.topics
    )
    card = Card(name="rank", what="a test")
    save_ranker(library.models.place("rank") / PAPERS, ranker, card)
    trained = library.rank(topic)
    assert trained.model == "rank/papers"
    assert trained.hits[0].title.startswith("Sleep")
    assert not library.rank(topic, without_model=True).model
    assert not library.rank("telehealth").model
    taught = library.rank(topic, labels)
    assert not taught.model
    assert any("not from the library's trained model" in note for note in taught.notes)


def test_a_matcher_is_used_and_named(library):
    import msgspec

    from osler.match.saving import save_matcher
    from osler.verbs.match import matcher_of

    matcher, model = matcher_of(library)
    assert not model
    known = list(library.pairs())
    pairs = known + [msgspec.structs.replace(pair, id=f"{pair.id} again") for pair in known]
    save_matcher(library.models.place("match"), matcher.fit(pairs), pairs)
    assert library.match("What helps against migraine?").model == "match"
    assert not library.match("What helps against migraine?", without_model=True).model
    # Kept under the model's stamp: trained again, it is loaded again.
    first = matcher_of(library)[0]
    assert matcher_of(library)[0] is first
    save_matcher(library.models.place("match"), matcher, pairs, about="once more")
    assert matcher_of(library)[0] is not first
    assert "match" in [one["name"] for one in library.status()["models"]]
