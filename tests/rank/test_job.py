import numpy as np
import pytest

from osler.errors import ChoiceError, InputError
from osler.kinds import Document, Heat, Section
from osler.rank.job import best_first, best_sentence, rank_topic
from osler.rank.labels import Label
from osler.rank.papers.hybrid import Hybrid
from osler.rank.pool import Pool
from osler.rank.sentences.hybrid import HybridSentences
from osler.rank.topic import Topic
from osler.rank.trained import Trained


def marks(pool, targets, topic, count):
    rows = np.flatnonzero(targets == topic)[:count]
    return [Label(pool.ids[row], True) for row in rows]


def test_a_few_marks_find_the_rest(world):
    pool, targets, topics = world
    found = rank_topic(pool, topics[1], marks(pool, targets, 1, 3), k=9)
    assert found.method == "hybrid"
    assert {hit.id[0] for hit in found} == {"1"}
    assert found.total == 45
    assert all(0 <= hit.score <= 1 for hit in found)
    assert [hit.score for hit in found] == sorted((h.score for h in found), reverse=True)


def test_one_labelled_paper(world):
    pool, targets, topics = world
    found = rank_topic(pool, topics[2], marks(pool, targets, 2, 1), k=5)
    assert sum(hit.id[0] == "2" for hit in found) >= 4
    assert any("too few" in note for note in found.notes)


def test_no_labels_and_no_positives_go_by_words(world):
    pool, targets, topics = world
    bare = rank_topic(pool, topics[1], k=3)
    assert bare.method == "bm25-extra"
    assert {hit.id[0] for hit in bare} == {"1"}
    negative = rank_topic(pool, topics[1], [Label(pool.ids[0], False)], k=3)
    assert any("no relevant paper" in note for note in negative.notes)
    assert pool.ids[0] not in [hit.id for hit in negative]


def test_unknown_ids_are_named(world):
    pool, targets, topics = world
    labels = [*marks(pool, targets, 0, 3), Label("gone", True)]
    assert any("gone" in note for note in rank_topic(pool, topics[0], labels, k=1).notes)
    with pytest.raises(InputError, match="none of the 1"):
        rank_topic(pool, topics[0], [Label("gone", True)])


def test_marked_papers_are_left_out_unless_asked_for(world):
    pool, targets, topics = world
    labels = marks(pool, targets, 0, 4)
    known = {label.document for label in labels}
    assert not known & {hit.id for hit in rank_topic(pool, topics[0], labels, k=48)}
    seen = rank_topic(pool, topics[0], labels, k=48, seen=True)
    assert known <= {hit.id for hit in seen}


def test_evidence_stands_in_the_text(world):
    pool, targets, topics = world
    found = rank_topic(pool, topics[0], marks(pool, targets, 0, 4), k=5)
    texts = dict(zip(pool.ids, pool.texts, strict=True))
    shown = [(hit.id, hit.evidence) for hit in found if hit.evidence]
    assert len(shown) >= 3
    for id, evidence in shown:
        assert texts[id][evidence.start : evidence.end] == evidence.text


def test_sentences_are_learned_from_the_labels(world):
    pool, targets, topics = world
    labels = []
    for label in marks(pool, targets, 0, 11):
        text = pool.texts[pool.ids.index(label.document)]
        start = text.index("Our results")
        labels.append(Label(label.document, True, "", text[start : text.index(".", start) + 1]))
    found = rank_topic(pool, topics[0], labels, k=1)
    assert found.hits[0].evidence.text.startswith("Our results suggest")


def odds(ranker, pool):
    value = ranker.scores(pool)[0, 1]
    return np.log(value / max(1 - value, 1e-300))


def test_words_that_carried_a_score_matter_most(world):
    """P17: taking away the warmest words costs more than taking away others."""
    pool, targets, topics = world
    ranker = Hybrid().fit(pool, targets, topics)
    rng = np.random.default_rng(0)
    drops, random = [], []
    for row in np.flatnonzero(targets == 1):
        document = pool.documents[row]
        (heat,) = ranker.reasons(pool.take([row]), 1)[0]
        assert isinstance(heat, Heat)
        warm = {word.lower() for word, _ in heat.words[:3]}
        others = sorted(set(document.text.lower().replace(".", "").split()) - warm)
        cold = set(rng.choice(others, 3, replace=False))
        before = odds(ranker, pool.take([row]))
        for words, found in ((warm, drops), (cold, random)):
            kept = [w for w in document.abstract.split() if w.lower().strip(".") not in words]
            title = [w for w in document.title.split() if w.lower() not in words]
            changed = Document(id="x", title=" ".join(title), sections=(Section(" ".join(kept)),))
            found.append(before - odds(ranker, Pool([changed])))
    assert np.mean(drops) > np.mean(random) + 1
    assert np.mean(np.array(drops) > np.array(random)) > 0.8


def test_ties_go_by_id():
    assert best_first(["b", "a", "c"], np.array([1.0, 1.0, 2.0])) == [2, 1, 0]
    assert best_first(["b", "a"], np.zeros(2), k=1, without={1}) == [0]


def test_a_wrong_method_names_the_choices(world):
    pool, _, topics = world
    with pytest.raises(ChoiceError, match="hybrid"):
        rank_topic(pool, topics[0], method="hybird")


def test_empty_library():
    assert len(rank_topic(Pool([]), Topic("sleep"))) == 0


def test_trained_model_serves_its_topics(world):
    pool, targets, topics = world
    model = Trained(Hybrid().fit(pool, targets, topics))
    found = rank_topic(pool, Topic("sleep wakefulness"), method=model, k=12)
    assert {hit.id[0] for hit in found} == {"0"}
    with pytest.raises(ChoiceError, match="Fear"):
        rank_topic(pool, Topic("joy"), method=model)


def test_abstention(abstracts, world):
    """A paper about something else has no relevant sentence."""
    pool, targets, topics = world
    ranker = HybridSentences().fit(abstracts)
    metal = [pool.documents[row] for row in np.flatnonzero(targets == 3)]
    silent = [best_sentence(ranker, document, topics[1]) is None for document in metal]
    fear = [pool.documents[row] for row in np.flatnonzero(targets == 1)[8:]]
    spoken = [best_sentence(ranker, document, topics[1]) is not None for document in fear]
    assert np.mean(silent) >= 0.75
    assert np.mean(spoken) >= 0.75
