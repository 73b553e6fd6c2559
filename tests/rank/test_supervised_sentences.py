import numpy as np
import pytest

torch = pytest.importorskip("torch")

from osler.rank.networks.sentence import RIDGE, SupervisedSentence  # noqa: E402
from osler.rank.preprocess import words  # noqa: E402
from osler.rank.sentences.siamese import SiameseSentences  # noqa: E402
from osler.rank.sentences.supervised import SupervisedSentences, likeness  # noqa: E402
from osler.rank.words import Table  # noqa: E402


@pytest.fixture(scope="module")
def vectors(abstracts):
    known = sorted({w for a in abstracts for w in words(a.document.text + " " + a.topic.words)})
    return Table(known, np.random.default_rng(0).normal(size=(len(known), 12)))


def some_batch(rows=40, extra=3):
    torch.manual_seed(0)
    owner = torch.arange(rows) % 4
    return {
        "phi": torch.rand(rows, 5),
        "query": torch.rand(4, 5),
        "title": torch.rand(4, 5),
        "extra": 10 * torch.rand(rows, extra),
        "of_query": owner,
        "of_title": owner,
    }


@pytest.mark.parametrize("beta", [0.0, 0.5])
def test_relevance_of_section_3_5_2(beta):
    batch = some_batch()
    network = SupervisedSentence(5, beta=beta, projection=3, extra=3)

    def projected(x):
        parts = [network.g(x), x]
        return torch.cat([p / p.abs().sum(1, keepdim=True) / 2 for p in parts], dim=1)

    seen = projected(batch["phi"])
    apart = (seen - projected(batch["query"][batch["of_query"]])).abs().sum(1)
    apart = apart + beta * (seen - projected(batch["title"][batch["of_title"]])).abs().sum(1)
    assert torch.allclose(network.relevance(batch), torch.exp(-apart), atol=1e-6)


def test_the_regression_is_at_its_least_squares():
    batch = some_batch()
    gold = (torch.rand(40) < 0.3).float()
    network = SupervisedSentence(5, beta=1.0, projection=3, extra=3)
    network.scale(batch)
    network.solve(batch, gold)
    rows = network.inputs(batch).detach().numpy().astype(float)
    assert np.allclose(rows.mean(axis=0), 0, atol=1e-5)
    assert np.allclose(rows.std(axis=0), 1, atol=1e-4)
    left = network(batch).detach().numpy() - gold.numpy()
    weights = network.regression.weight.detach().numpy()[0]
    # The gradient of the squared error with its ridge vanishes; the errors average to nothing.
    assert np.allclose(rows.T @ left + RIDGE * weights, 0, atol=1e-3)
    assert abs(left.mean()) < 1e-5


def test_an_input_on_a_large_scale_does_not_drown_the_others(abstracts, vectors):
    """As they are, BM25 would decide alone; scaled, the ranker is better than BM25 by itself."""
    from osler.rank.measure import sentence_hits
    from osler.rank.sentences.bm25_extra import Bm25ExtraSentences

    train, test = abstracts[::2], abstracts[1::2]
    ranker = SupervisedSentences(vectors=vectors, epochs=4, hidden=8).fit(train)
    words_alone = np.mean(sentence_hits(Bm25ExtraSentences().fit(train), test))
    assert np.mean(sentence_hits(ranker, test)) >= words_alone + 0.2


def test_likeness_of_training_papers_is_held_out(abstracts, vectors):
    def make():
        return SiameseSentences(vectors=vectors, epochs=1, hidden=4)

    found = likeness(make, abstracts, cross=3)
    assert [len(row) for row in found.held] == [len(a) for a in abstracts]
    seen = [found.siamese.scores(a) for a in abstracts]
    assert not any(np.allclose(a, b) for a, b in zip(seen, found.held, strict=True))
    # Too few papers to hold any out: the scores are the siamese's own.
    few = likeness(make, abstracts[:4], cross=3)
    assert np.allclose(few.held[0], few.siamese.scores(abstracts[0]))


def test_two_betas_share_a_siamese_and_come_back_from_their_state(abstracts, vectors):
    shared = likeness(lambda: SiameseSentences(vectors=vectors, epochs=1, hidden=4), abstracts)
    for beta in (0.0, 1.0):
        ranker = SupervisedSentences(beta=beta, likeness=shared, rounds=1).fit(abstracts)
        again = SupervisedSentences.restore(*ranker.state())
        assert again.beta == beta
        assert np.allclose(again.scores(abstracts[3]), ranker.scores(abstracts[3]))
        assert np.all(ranker.probabilities(abstracts[3]) >= 0)
