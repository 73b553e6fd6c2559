"""The engine on Milvus finds and scores what the embedded one does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

pytest.importorskip("pymilvus", reason="pip install 'osler[milvus]'")

from osler import Filter
from osler.kinds import Author, Document, Heading, Section
from osler.kinds.query import And, Exact, Node, Not, Or, Phrase, Span, Term, Weighted
from osler.store.documents import Change
from osler.store.embedded import EmbeddedEngine
from osler.store.engine import Engine
from osler.store.layout import Layout
from osler.store.milvus.engine import MilvusEngine
from osler.store.milvus.place import place_of

WORDS = [
    "asthma", "children", "steroids", "inhaled", "IL-6", "p53", "2.5", "naïve", "α-synuclein",
    "肺癌患者", "化疗", "β2", "running", "runner", "of", "the",
]  # fmt: skip


def documents(count: int = 120) -> list[Document]:
    """Texts out of a few words, so that queries hit; every tenth is in Chinese."""
    made = []
    state = 7
    for number in range(1, count + 1):
        picked = []
        for _ in range(3 + number % 60):
            state = (state * 1103515245 + 12345) % 2**31
            picked.append(WORDS[state % len(WORDS)])
        title, body = " ".join(picked[:4]), " ".join(picked[4:])
        made.append(
            Document(
                id=str(number),
                title=title,
                sections=(Section(body),) if body else (),
                keywords=tuple(picked[:2]) if number % 3 else (),
                headings=(Heading(picked[0], f"MESH:D{number % 5}", number % 2 == 0),),
                authors=(Author(family=picked[1], given="A"),),
                published=str(1990 + number % 20) if number % 7 else "",
                journal=["Journal of Lipids", "Air and \"Health\" 'x'"][number % 2],
                language="eng",
                types=("Review",) if number % 4 == 0 else (),
                retracted=number % 9 == 0,
                ids={"pmid": str(number)},
            )
        )
    return made


@pytest.fixture(scope="module")
def engines(tmp_path_factory) -> Iterator[tuple[Engine, Engine]]:
    folder = tmp_path_factory.mktemp("parity")
    pair = (
        EmbeddedEngine(Layout(folder)),
        MilvusEngine(place_of("milvus.db", root=folder), library="parity"),
    )
    for engine in pair:
        engine.apply([Change(i, d.id, i, i, d) for i, d in enumerate(documents(), 1)])
        engine.commit(120)
    yield pair
    for engine in pair:
        engine.close()


words = st.sampled_from(WORDS)
fields = st.sampled_from(["", "", "title", "abstract", "keywords", "headings", "authors"])
boosts = st.sampled_from([1.0, 1.0, 2.5])
phrases = st.lists(words, min_size=1, max_size=3).map(" ".join)
leaves = st.one_of(
    st.builds(Term, words, fields, boosts),
    st.builds(Term, st.sampled_from(["run", "st", "肺", "asth"]), fields, boosts, st.just(True)),
    st.builds(Phrase, phrases, fields, st.sampled_from([0, 0, 1, 3]), boosts),
    st.builds(Span, st.just("year"), st.sampled_from([None, 1995]), st.sampled_from([None, 2001])),
    st.builds(
        Exact,
        st.sampled_from(["heading", "journal", "type", "id", "keyword"]),
        st.sampled_from([("asthma",), ("REVIEW", "x"), ("air and \"health\" 'x'",), ("7", "8")]),
        boosts,
    ),
)


def _joined(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    some = st.lists(inner, min_size=1, max_size=4).map(tuple)
    weighted = st.lists(st.tuples(inner, st.sampled_from([0.0, 0.3, 2.0])), max_size=4).map(tuple)
    return st.one_of(
        st.builds(And, some),
        st.builds(Or, some),
        st.builds(Not, inner),
        st.builds(Weighted, weighted),
    )


trees = st.recursive(leaves, _joined, max_leaves=8)
filters = st.one_of(
    st.none(),
    st.builds(
        Filter,
        years=st.sampled_from([None, (1995, 2000), (None, 1999), (2001, None)]),
        journals=st.sampled_from([(), ("journal of lipids",)]),
        headings=st.sampled_from([(), ("MESH:D3", "mesh:d1")]),
        has_abstract=st.sampled_from([None, True, False]),
        exclude_retracted=st.booleans(),
        ids=st.sampled_from([None, None, ("1", "2", "3", "50"), ()]),
    ),
)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(trees, filters, st.sampled_from([1, 5, 200]))
@example(Or((Term("asthma"), Not(Weighted(())), Not(Weighted(())))), None, 1)
@example(Or((Term("asthma"), And((Not(Term("of")),)), Not(Term("the")))), None, 5)
def test_both_engines_find_and_score_the_same(engines, node, filter, k):
    embedded, milvus = engines
    expected = {s.row: s.score for s in embedded.search_words(node, k, filter)}
    found = {s.row: s.score for s in milvus.search_words(node, k, filter)}
    # Single precision sums in another order: what ties in one may part in the other by a hair.
    least = min(expected.values(), default=0.0)
    near = {row for row in {*expected, *found} if abs(_of(row, expected, found) - least) < 1e-4}
    assert expected.keys() - near == found.keys() - near
    for row in expected.keys() & found.keys():
        assert found[row] == pytest.approx(expected[row], rel=1e-4, abs=1e-4)
    assert milvus.count(node, filter) == embedded.count(node, filter)


def _of(row, expected, found):
    return expected.get(row, found.get(row, 0.0))


@pytest.mark.parametrize("field", ["title", "abstract", "keywords", "headings", "authors"])
def test_statistics_are_the_same(engines, field):
    embedded, milvus = engines
    assert milvus.average_length(field) == pytest.approx(embedded.average_length(field), rel=1e-5)
    for term in ("asthma", "steroid", "肺癌", "2", "naiv", "nothing"):
        assert milvus.document_frequency(term, field) == embedded.document_frequency(term, field)
