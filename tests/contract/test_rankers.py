"""Every registered ranker, of papers and of sentences, keeps the same promises."""

import numpy as np
import pytest

from osler.errors import InputError
from osler.kinds import Document, Section
from osler.learn.card import Card
from osler.rank import Abstract, Pool, Topic, rankers, sentence_rankers
from osler.rank.models import load_ranker, load_sentence_ranker, save_ranker
from osler.rank.representations import representations

pytest.importorskip("torch")
pytest.importorskip("sklearn")
pytest.importorskip("gensim")

TOPICS = [Topic("sleep"), Topic("fear")]
WORDS = (
    "sleep rem wave night melatonin insomnia dream rest",
    "fear threat amygdala startle shock freezing alarm danger",
)


def small(registry, name):
    """A ranker that learns in a moment."""
    return registry.resolve(name, **registry.get(name).trial)


def document(topic, number):
    words = WORDS[topic].split()
    picked = [words[(number + i) % len(words)] for i in range(4)]
    text = f"A first remark. We found {' and '.join(picked)}. Nothing else was measured here."
    return Document(id=f"{topic}{number}", title=f"On {picked[0]}", sections=(Section(text),))


def world():
    documents = [document(topic, number) for topic in (0, 1) for number in range(8)]
    return Pool(documents), np.repeat([0, 1], 8)


def abstracts():
    made = []
    for topic in (0, 1):
        for number in range(6):
            paper = document(topic, number)
            relevant = next(s for s in Abstract(paper, TOPICS[topic]).sentences if "found" in s)
            made.append(Abstract(paper, TOPICS[topic], relevant=[relevant]))
    return made


@pytest.fixture(scope="module", params=rankers.names())
def ranker(request):
    pool, targets = world()
    return small(rankers, request.param).fit(pool, targets, TOPICS)


@pytest.fixture(scope="module", params=sentence_rankers.names())
def finder(request):
    return small(sentence_rankers, request.param).fit(abstracts())


def test_named_and_helped():
    for registry in (rankers, sentence_rankers, representations):
        for name, cls in registry:
            assert cls.name == name
            assert cls.help


def test_scores_are_finite_one_a_paper_and_topic(ranker):
    pool, _ = world()
    scores = ranker.scores(pool)
    assert scores.shape == (len(pool), 2)
    assert np.isfinite(scores).all()
    if ranker.learns:
        assert scores.min() >= 0
        assert scores.max() <= 1 + 1e-9


def test_relevant_papers_come_first(ranker):
    if ranker.name == "qar":
        pytest.skip("vectors of sixteen toy papers carry no likeness")
    pool, targets = world()
    scores = ranker.scores(pool)
    for topic in (0, 1):
        assert scores[targets == topic, topic].mean() > scores[targets != topic, topic].mean()


def test_odd_papers_are_scored_too(ranker):
    odd = [
        Document(id="empty"),
        Document(id="title", title="sleep"),
        Document(id="blank", title=" ", sections=(Section("  \n "),)),
        Document(id="zh", title="睡眠研究", sections=(Section("睡眠与觉醒。恐惧。"),)),
        Document(id="marks", title="???", sections=(Section("!!! ... ###"),)),
        Document(id="long", title="x", sections=(Section("sleep and fear. " * 10_000),)),
    ]
    scores = ranker.scores(Pool(odd))
    assert scores.shape == (6, 2)
    assert np.isfinite(scores).all()
    assert len(ranker.reasons(Pool(odd[:5]), 0)) == 5


def test_no_papers_no_scores(ranker):
    if ranker.name in ("bm25-extra", "bm25-extra+qar", "qar", "centroid"):
        assert ranker.scores(Pool([])).shape[0] == 0
    else:
        assert ranker.scores(Pool([])).shape == (0, 2)


def test_order_of_papers_does_not_matter(ranker):
    pool, _ = world()
    turned = np.arange(len(pool))[::-1]
    assert np.allclose(ranker.scores(pool)[turned], ranker.scores(pool.take(turned)), atol=1e-5)


def test_same_input_same_scores(ranker):
    pool, targets = world()
    again = small(rankers, ranker.name).fit(pool, targets, TOPICS)
    assert np.allclose(ranker.scores(pool), again.scores(pool), atol=1e-6)


def test_saved_and_loaded(ranker, tmp_path):
    pool, _ = world()
    save_ranker(tmp_path / "m", ranker, Card(name="m", what="test"))
    loaded = load_ranker(tmp_path / "m")
    assert loaded.name == ranker.name
    assert [topic.id for topic in loaded.topics] == ["sleep", "fear"]
    assert np.allclose(ranker.scores(pool), loaded.scores(pool), atol=1e-6)


@pytest.mark.parametrize("name", rankers.names())
def test_bad_labels(name):
    pool, targets = world()
    ranker = small(rankers, name)
    with pytest.raises(InputError, match="no topic"):
        ranker.fit(pool, targets, [])
    if ranker.learns:
        with pytest.raises(InputError, match="no relevant paper"):
            ranker.fit(pool, targets * 0, TOPICS)
        with pytest.raises(InputError, match="nothing to tell"):
            ranker.fit(pool, targets * 0, TOPICS[:1])


def test_one_labelled_paper_a_class(ranker):
    pool, targets = world()
    one = small(rankers, ranker.name)
    scores = one.fit(pool.take([0, 8]), targets[[0, 8]], TOPICS).scores(pool)
    assert np.isfinite(scores).all()


def test_a_score_a_sentence(finder):
    for abstract in abstracts()[::4]:
        scores = finder.scores(abstract)
        assert scores.shape == (len(abstract),)
        assert np.isfinite(scores).all()
        values = finder.probabilities(abstract)
        assert values is None or (values.min() >= 0 and values.max() <= 1)


def test_odd_abstracts(finder):
    one = Abstract(Document(id="1", title="t", sections=(Section("Sleep alone."),)), TOPICS[0])
    none = Abstract(Document(id="2", title="only a title"), TOPICS[0])
    chinese = Abstract(Document(id="3", sections=(Section("睡眠很好。恐惧很坏！"),)), TOPICS[0])
    assert finder.scores(one).shape == (1,)
    assert finder.scores(none).shape == (0,)
    assert finder.best(none) is None
    assert finder.scores(chinese).shape == (2,)


def test_ten_thousand_sentences(finder):
    text = "We slept well at night. " * 9_999 + "We found sleep."
    long = Abstract(Document(id="long", title="x", sections=(Section(text),)), TOPICS[0])
    assert finder.scores(long).shape == (10_000,)


def test_an_unknown_topic_is_scored(finder):
    other = Abstract(document(0, 1), Topic("circadian rhythms"))
    assert np.isfinite(finder.scores(other)).all()


def test_sentences_saved_and_loaded(finder, tmp_path):
    save_ranker(tmp_path / "m", finder, Card(name="m", what="test"))
    loaded = load_sentence_ranker(tmp_path / "m")
    for abstract in abstracts()[::5]:
        assert np.allclose(finder.scores(abstract), loaded.scores(abstract), atol=1e-6)


@pytest.mark.parametrize("name", sentence_rankers.names())
def test_sentences_without_labels(name):
    ranker = sentence_rankers.get(name)
    bare = [Abstract(document(0, 1), TOPICS[0])]
    if ranker.learns:
        with pytest.raises(InputError, match="sentence"):
            ranker().fit(bare)
    else:
        ranker().fit(bare)


@pytest.mark.parametrize("name", representations.names())
def test_representations(name):
    texts = ["sleep at night", "fear of night", ""]
    form = representations.resolve(name).fit(texts * 3)
    rows = form.transform(texts, query="sleep")
    assert rows.shape[0] == 3
    assert np.isfinite(rows).all()
    again = type(form).restore(*form.state())
    assert np.allclose(again.transform(texts, query="sleep"), rows, atol=1e-6)
