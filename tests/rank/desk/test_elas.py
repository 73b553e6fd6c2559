"""ELAS as a method of ``rank``: the desk's own order, kept between marks, with reasons."""

import time

import numpy as np
import pytest

from osler.errors import InputError
from osler.kinds import Heat
from osler.rank.desk.screener import Screener
from osler.rank.desk.tfidf import rarity, tfidf, weighted
from osler.rank.job import rank_topic
from osler.rank.labels import Label
from osler.rank.papers.elas import Elas
from osler.rank.pool import Pool
from osler.rank.topic import Topic
from samples import paper

PAPERS = [
    paper(f"{n:02}", "Statins and pain" if n % 4 == 0 else "Asthma inhalers", f"in group w{n} of x")
    for n in range(40)
]
TOPIC = Topic("statins")


def test_its_order_is_the_screener_s():
    pool = Pool(PAPERS)
    marks = {0: True, 1: False, 2: False}
    screener = Screener([f"{one.title} {one.abstract}" for one in PAPERS])
    screener.mark(marks)
    labels = [Label(f"{row:02}", yes) for row, yes in marks.items()]
    ranking = rank_topic(pool, TOPIC, labels, method="elas", k=40)
    scores = screener.scores()
    left = [row for row in range(40) if row not in marks]
    expected = sorted(left, key=lambda row: (-scores[row], row))
    assert [hit.id for hit in ranking] == [f"{row:02}" for row in expected]
    assert "scores of elas are an order, not probabilities" in ranking.notes
    heats = [reason for reason in ranking.hits[0].reasons if isinstance(reason, Heat)]
    assert dict(heats[0].words).keys() >= {"statins", "pain"}


def test_papers_of_another_pool_are_scored_in_the_same_columns():
    texts = [one.title for one in PAPERS]
    matrix, terms = tfidf(texts)
    again = weighted(texts, terms, rarity(matrix))
    assert np.allclose(matrix.toarray(), again.toarray())


def test_a_mark_taken_back_is_forgotten():
    pool = Pool(PAPERS)
    kept = Elas().read(pool)
    first = [Label("00", True), Label("01", False)]
    plain = [hit.id for hit in rank_topic(pool, TOPIC, first, method=kept, k=40)]
    rank_topic(pool, TOPIC, [*first, Label("05", True)], method=kept, k=5)
    other = rank_topic(pool, Topic("asthma"), [Label("03", True), Label("04", False)], method=kept)
    assert other.hits[0].title == "Asthma inhalers"
    assert [hit.id for hit in rank_topic(pool, TOPIC, first, method=kept, k=40)] == plain


def test_the_library_reads_its_papers_once(make_library, monkeypatch):
    library = make_library(PAPERS)
    library.rank("statins", [Label("00", True), Label("01", False)], k=3)

    def never(self, texts):
        raise AssertionError("the papers were read again")

    monkeypatch.setattr(Screener, "__init__", never)
    began = time.perf_counter()
    ranking = library.rank("statins", [Label("00", True), Label("01", False), Label("02", False)])
    assert time.perf_counter() - began < 5
    assert ranking.method == "elas"
    assert ranking.progress.total == 40
    assert ranking.progress.words.startswith("Found 1.")
    assert 0 <= ranking.progress.p <= 1
    only_relevant = library.rank("statins", [Label("00", True)], k=3)
    assert only_relevant.method == "hybrid"
    assert only_relevant.progress is None


def test_rarity_is_the_idf_of_a_column():
    """By hand: of three texts one has the first word and two the second; log(4 / 2) + 1 and
    log(4 / 3) + 1."""
    from scipy.sparse import csr_matrix

    matrix = csr_matrix(np.array([[0.6, 0.8], [0.0, 1.0], [0.0, 0.0]]))
    np.testing.assert_allclose(rarity(matrix), [1.6931472, 1.2876821], rtol=1e-6)


def test_without_marks_it_has_no_order():
    with pytest.raises(InputError, match="learned nothing"):
        Elas().scores(Pool(PAPERS))
