"""Papers about a topic among papers that only use its words."""

import numpy as np
import pytest

from osler.errors import InputError
from osler.kinds import Document, Section
from osler.rank.papers.about import BETWEEN, About, _auc
from osler.rank.pool import Pool
from osler.rank.topic import Topic


def documents(prefix, texts):
    return [
        Document(id=f"{prefix}{number}", title="", sections=(Section(text),))
        for number, text in enumerate(texts)
    ]


GRIEF = ["loss grief widow mourning", "loss bereavement widow grief", "grief mourning loss death"]
FEAR = ["fear threat amygdala freezing", "fear startle threat shock", "freezing shock fear rats"]
NONE = ["hearing loss cochlea noise", "weight loss diet trial", "blood loss surgery trial"]


@pytest.fixture
def fitted():
    pool = Pool(documents("p", GRIEF + FEAR + NONE), vectors=np.eye(9, 4) + 0.1)
    targets = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    return About().fit(pool, targets, [Topic("Loss"), Topic("Fear")]), pool


def test_the_word_alone_is_not_enough(fitted):
    ranker, _ = fitted
    new = Pool(documents("n", ["loss of hearing in noise", "loss of a widow, grief"]))
    own, other = ranker.scores(new)[:, 0][[1, 0]]
    assert own > other


def test_discriminant_by_hand():
    vectors = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1], [-1, 0], [-1, 0]])
    pool = Pool(documents("p", ["a b", "a c", "d e", "d f", "g h", "g i"]), vectors=vectors)
    targets = np.array([0, 0, 1, 1, 2, 2])
    ranker = About(shrinkage=1.0, apart=0.5).fit(pool, targets, [Topic("a"), Topic("d")])
    # No spread inside the groups: S is next to nothing times the identity, so the direction is
    # that of (m_t - m_none) + (m_t - m) / 2.
    first = np.array([2.0, 0.0]) + 0.5 * (np.array([1.0, 0.0]) - np.array([0.5, 0.5]))
    second = np.array([1.0, 1.0]) + 0.5 * (np.array([0.0, 1.0]) - np.array([0.5, 0.5]))
    for column, wanted in enumerate((first, second)):
        got = ranker.direction[:, column]
        assert got / np.linalg.norm(got) == pytest.approx(wanted / np.linalg.norm(wanted))


def test_without_a_background_the_other_topics_stand_for_it():
    vectors = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    pool = Pool(documents("p", ["a b", "a c", "d e", "d f"]), vectors=vectors)
    targets = np.array([0, 0, 1, 1])
    ranker = About(shrinkage=1.0, apart=0.5).fit(pool, targets, [Topic("a"), Topic("d")])
    first = np.array([1.0, -1.0]) + 0.5 * (np.array([1.0, 0.0]) - np.array([0.5, 0.5]))
    got = ranker.direction[:, 0]
    assert got / np.linalg.norm(got) == pytest.approx(first / np.linalg.norm(first))
    assert ranker.direction[:, 1] == pytest.approx(-got)


def five(word):
    return [f"{word} {more} {number}" for number, more in enumerate("abcde")]


def test_the_mean_of_the_nearest_papers_by_hand():
    vectors = np.array([[1.0, 0], [0.6, 0.8], [0, 1], [0, 1]])
    pool = Pool(documents("p", ["a b", "a c", "d e", "d f"]), vectors=vectors)
    ranker = About().fit(pool, np.array([0, 0, 1, 1]), [Topic("a"), Topic("d")])
    new = Pool(documents("n", ["x y"]), vectors=np.array([[2.0, 0]]))
    near, words, _, _ = ranker._parts(ranker.words.transform(new), new.vectors / 2)
    assert near[:, 0] == pytest.approx([(1 + 0.6) / 2, 0.0])
    assert words[:, 0] == pytest.approx([0.0, 0.0])


def test_of_many_papers_the_nearest_count_or_all():
    many = Pool(documents("p", five("a") + five("b")), vectors=np.eye(10))
    ranker = About().fit(many, np.repeat([0, 1], 5), [Topic("a"), Topic("b")])
    mixed = np.array([[3.0, 0, 4, 1, 2, 9, 5, 8, 6, 7]])
    assert ranker._nearest(mixed, 2) == pytest.approx(np.array([[3.5, 8.5]]))
    assert ranker._nearest(mixed, 4) == pytest.approx(np.array([[2.5, 7.5]]))
    for every in (5, 20, 0):
        assert ranker._nearest(mixed, every) == pytest.approx(np.array([[2.0, 7.0]]))


def test_auc_is_scikit_learns():
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(3)
    own, other = rng.integers(0, 6, 20).astype(float), rng.integers(0, 5, 30).astype(float)
    wanted = roc_auc_score(np.repeat([1, 0], [20, 30]), np.concatenate([own, other]))
    assert _auc(own, other) == pytest.approx(wanted)


def clustered(rng, *, subjects, each, between=0.6):
    """Two topics: one of a kind, or of several subjects that lie among the other's."""
    corners = np.eye(2 * subjects, 40)
    rows = []
    for topic in range(2):
        own = corners[topic::2]
        rows += [own[number % subjects] + between * rng.normal(0, 1, 40) for number in range(each)]
    return np.array(rows)


@pytest.mark.parametrize(("subjects", "wide"), [(1, True), (8, False)])
def test_topics_of_many_subjects_go_by_few_neighbours_those_of_one_by_all(subjects, wide):
    rng = np.random.default_rng(0)
    each = 48
    vectors = clustered(rng, subjects=subjects, each=each, between=0.35 if subjects == 1 else 0.1)
    pool = Pool(documents("p", five("a")[:1] * each + five("b")[:1] * each), vectors=vectors)
    ranker = About().fit(pool, np.repeat([0, 1], each), [Topic("a"), Topic("b")])
    assert (ranker.near in (0, 20)) is wide
    assert ranker.near == 0 or not wide


def test_the_breadth_is_kept_with_the_model_and_an_older_one_goes_by_five():
    rng = np.random.default_rng(0)
    vectors = clustered(rng, subjects=1, each=30, between=0.35)
    pool = Pool(documents("p", five("a") * 6 + five("b") * 6), vectors=vectors)
    ranker = About().fit(pool, np.repeat([0, 1], 30), [Topic("a"), Topic("b")])
    tensors, config = ranker.state()
    again = About.restore(tensors, config)
    assert (again.near, again.alike) == (ranker.near, ranker.alike)
    assert again.scores(pool) == pytest.approx(ranker.scores(pool))
    del config["breadths"]
    old = About.restore(tensors, config)
    assert (old.near, old.alike) == (5, 5)


def test_few_papers_choose_no_breadth_and_one_topic_is_set_against_the_background():
    pool = Pool(documents("p", GRIEF + NONE))
    few = About().fit(pool, np.array([0, 0, 0, 1, 1, 1]), [Topic("Loss")])
    assert (few.near, few.alike, few.weight) == (5, 5, BETWEEN[0])
    rng = np.random.default_rng(1)
    vectors = clustered(rng, subjects=1, each=30, between=0.35)
    many = Pool(documents("p", five("a") * 6 + five("b") * 6), vectors=vectors)
    one = About().fit(many, np.repeat([0, 1], 30), [Topic("a")])
    assert one.near in (20, 0)


def test_parts_are_in_units_of_the_topics_own_papers_held_out():
    rng = np.random.default_rng(0)
    vectors = np.concatenate([rng.normal((3, 0, 0), 1, (10, 3)), rng.normal((0, 3, 0), 1, (10, 3)),
                              rng.normal((0, 0, 3), 1, (10, 3))])  # fmt: skip
    texts = [f"{word} w{number}" for word in "abc" for number in range(10)]
    pool = Pool(documents("p", texts), vectors=vectors)
    targets = np.repeat([0, 1, 2], 10)
    ranker = About().fit(pool, targets, [Topic("a"), Topic("b")])
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    held = ranker._held_out(ranker.words.transform(pool), units, targets)
    for number in range(2):
        own = held[:, number, targets == number]
        assert ranker.shift[:, number] == pytest.approx(own.mean(axis=1))
        spread = own.std(axis=1)
        assert ranker.scale[:, number] == pytest.approx(np.where(spread > 1e-9, spread, 1.0))
    # A paper is not its own neighbour where it is held out.
    assert held[0, 0, :10].max() < 1
    parts = ranker._parts(ranker.words.transform(pool), units) - ranker.shift[..., None]
    weights = np.array([1, 1, 1, ranker.weight])[:, None, None]
    total = (weights * parts / ranker.scale[..., None]).sum(axis=0)
    assert ranker.scores(pool) == pytest.approx(0.5 + np.arctan(total.T) / np.pi)


def test_between_topics_counts_the_logit_above_the_mean_of_all():
    pool = Pool(documents("p", five("a") + five("b") + five("d")))
    ranker = About().fit(pool, np.repeat([0, 1, 2], 5), [Topic("a"), Topic("b"), Topic("d")])
    terms = ranker.words.transform(pool)
    logits = terms @ ranker.weights + ranker.bias
    between = ranker._parts(terms, None)[3].T
    assert between == pytest.approx(logits - logits.mean(axis=1)[:, None])
    assert (between.argmax(axis=1) == np.repeat([0, 1, 2], 5)).all()
    # ln p can not be above 0, however clear the topic is.
    assert between.max() > 0


def topics_and_none(*, own_words):
    """Two topics and papers of none, alike by their vectors. A paper of none uses the words of
    neither topic, or more of one's than its papers do."""
    rng = np.random.default_rng(0)
    each = 40
    words = [f"{topic}{number}" for topic in "ab" for number in range(12)]
    beside = [f"none{number}" for number in range(6)]
    texts = []
    for topic in range(3):
        for number in range(each):
            own = topic if topic < 2 else number % 2
            count = 2 if topic < 2 else 0 if own_words else 10
            few = list(rng.choice(words[12 * own :][:12], count))
            texts.append(" ".join([*few, *rng.choice(beside, 4)]))
    vectors = np.eye(1, 30) + 0.3 * rng.normal(0, 1, (3 * each, 30))
    return Pool(documents("p", texts), vectors=vectors), np.repeat([0, 1, 2], each)


@pytest.mark.parametrize("own_words", [True, False])
def test_the_regression_weighs_what_tells_papers_of_none(own_words):
    pool, targets = topics_and_none(own_words=own_words)
    ranker = About().fit(pool, targets, [Topic("grief"), Topic("fear")])
    assert (ranker.weight > 0) is own_words
    assert ranker.weight in BETWEEN
    fixed = About(between=(0.5,)).fit(pool, targets, [Topic("grief"), Topic("fear")])
    assert fixed.weight == 0.5
    # The weight that is chosen has the best AUC over the background, held out; the first of equals.
    parts = ranker._held_out(*parts_of(ranker, pool), targets)
    parts = (parts - ranker.shift[..., None]) / ranker.scale[..., None]
    values = []
    for weight in BETWEEN:
        total = parts[:3].sum(axis=0) + weight * parts[3]
        values.append(
            np.mean([_auc(total[t, targets == t], total[t, targets == 2]) for t in range(2)])
        )
    assert ranker.weight == BETWEEN[int(np.argmax(values))]


def parts_of(ranker, pool):
    units = pool.vectors / np.linalg.norm(pool.vectors, axis=1, keepdims=True)
    return ranker.words.transform(pool), units


def test_without_a_background_the_other_topics_choose_the_weight():
    pool, targets = topics_and_none(own_words=True)
    two = np.flatnonzero(targets < 2)
    ranker = About().fit(pool.take(two), targets[two], [Topic("grief"), Topic("fear")])
    assert ranker.weight > 0


def test_a_model_of_before_keeps_its_order():
    pool, targets = topics_and_none(own_words=True)
    topics = [Topic("grief"), Topic("fear")]
    ranker = About(between=(0.25,)).fit(pool, targets, topics)
    ranker.saturates = True
    tensors, config = ranker.state()
    del config["saturates"]
    again = About.restore(tensors, config)
    assert again.scores(pool) == pytest.approx(ranker.scores(pool))
    assert (again.weight, again.saturates) == (0.25, True)
    now = About(between=(2.0,)).fit(pool, targets, topics)
    restored = About.restore(*now.state())
    assert (restored.weight, restored.saturates) == (2.0, False)
    assert restored.scores(pool) == pytest.approx(now.scores(pool))


def test_a_paper_without_a_vector_stands_in_the_middle(fitted):
    ranker, pool = fitted
    some = Pool(pool.documents[:4], vectors=np.array(pool.vectors[:4]))
    some.vectors[3] = 0
    parts = ranker._parts(ranker.words.transform(some), some.vectors)
    assert not np.isnan(ranker.scores(some)).any()
    bare = Pool([*pool.documents[:3], pool.documents[0]], vectors=np.array(pool.vectors[:4]))
    bare.vectors[3] = 0
    scores = ranker.scores(bare)[:, 0]
    # The same words as the first: it differs by its vector alone.
    assert min(scores[:3]) <= scores[3] <= max(scores[:3])
    assert parts.shape == (4, 2, 4)


def test_without_vectors_without_a_background_and_unfitted():
    pool = Pool(documents("p", GRIEF + FEAR))
    ranker = About().fit(pool, np.array([0, 0, 0, 1, 1, 1]), [Topic("Loss"), Topic("Fear")])
    assert (ranker.scores(pool).argmax(axis=1) == [0, 0, 0, 1, 1, 1]).all()
    with pytest.raises(InputError, match="learned nothing"):
        About().scores(pool)


def test_one_topic_against_what_is_marked_irrelevant():
    pool = Pool(documents("p", GRIEF + NONE))
    ranker = About().fit(pool, np.array([0, 0, 0, 1, 1, 1]), [Topic("Loss")])
    scores = ranker.scores(pool)[:, 0]
    assert scores[:3].min() > scores[3:].max()
    words = {word for (heat,) in ranker.reasons(pool, 0)[:1] for word, _ in heat.words}
    assert "grief" in words
