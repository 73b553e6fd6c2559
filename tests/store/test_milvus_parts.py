"""The parts of the Milvus engine that need no Milvus: tokens, labels, plans, scores."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
import tantivy
from hypothesis import given
from hypothesis import strategies as st

from osler import Filter
from osler.errors import ChoiceError, LimitError
from osler.kinds.query import And, Not, Or, Phrase, Term, Weighted
from osler.store.analyser import analyse
from osler.store.milvus.connection import _batches
from osler.store.milvus.filters import expression, filter_expression
from osler.store.milvus.plan import Planner, bag, is_flat
from osler.store.milvus.score import kept_length, norm_table
from osler.store.milvus.tokens import LETTERS, MAX_BYTES, field_of, prefixes, token, tokens_of

FIELDS = tuple(LETTERS)
texts = st.text(st.characters(codec="utf-8"), max_size=40) | st.sampled_from(
    ["肺癌患者的化疗", "IL-6 2.5 mg", "α-synuclein β2", "naïve Ångström", "Ⅳ ½ ﬁ", "कैंसर", "🫁 lung"]
)


@given(texts, st.sampled_from(FIELDS))
def test_tokens_are_runs_of_ascii_letters_and_digits(text, field):
    """Which every tokenizer that Milvus may have leaves whole."""
    for term in analyse(text):
        written = token(field, term)
        assert re.fullmatch("[a-z0-9]+", written)
        assert field_of(written) == field
        assert any(written.startswith(start) for start in prefixes(field, term[:1]))


@given(st.lists(st.tuples(st.sampled_from(FIELDS), texts), max_size=6))
def test_two_terms_are_never_one_token(pairs):
    terms = {(field, term) for field, text in pairs for term in analyse(text)}
    assert len({token(field, term) for field, term in terms}) == len(terms)


def test_milvus_lite_keeps_tokens_whole():
    factory = pytest.importorskip("milvus_lite.analyzer", reason="pip install 'osler[milvus]'")
    written = [token("title", t) for t in analyse("肺癌患者 IL-6 2.5 α-synuclein naïve 2019-nCoV")]
    assert factory.create_analyzer({"tokenizer": "standard"}).tokenize(" ".join(written)) == written


def test_a_text_that_is_too_long_is_cut_between_tokens():
    words = " ".join(f"word{number}" for number in range(20_000))
    found = tokens_of({"abstract": words})
    assert len(" ".join(found)) <= MAX_BYTES
    assert 5_000 < len(found) < 20_000
    assert found[-1] == token("abstract", analyse(f"word{len(found) - 1}")[0])


def test_lengths_are_kept_as_tantivy_keeps_them():
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="whitespace")
    index = tantivy.Index(builder.build())
    writer = index.writer(15_000_000, num_threads=1)
    lengths = [1, 7, 39, 40, 41, 43, 57, 63, 100, 205, 1_000, 5_003]
    for length in lengths:
        writer.add_document(tantivy.Document(text=" ".join(["x"] * length)))
    writer.commit()
    index.reload()
    searcher = index.searcher()
    query = tantivy.Query.term_query(index.schema, "text", "x")
    told = []
    for _, address in searcher.search(query, limit=20).hits:
        pending = [json.loads(query.explain(searcher, address).to_json())]
        while pending:
            part = pending.pop()
            pending.extend(part.get("details", ()))
            if part["description"].startswith("dl"):
                told.append(int(part["value"]))
    assert sorted(told) == kept_length(np.array(lengths)).tolist()
    assert len(norm_table()) == 256


def plan_of(node, known=()):
    return Planner(
        {"title": 0.5, "abstract": 1.0},
        lambda start: [each for each in known if each.startswith(start)],
        widest=3,
    ).plan(node)


def test_weights_become_numbers_of_times():
    node = Weighted(((Term("asthma"), 1.0), (Term("gout"), 0.1)))
    words = bag(plan_of(node)).split()
    counts = {word: words.count(word) for word in set(words)}
    assert counts == {"aasthma": 20, "tasthma": 10, "agout": 2, "tgout": 1}
    assert bag(plan_of(Or(()))) == ""


def test_only_sums_of_words_are_flat():
    assert is_flat(plan_of(Or((Term("a"), Weighted(((Term("b"), 2.0),))))))
    assert not is_flat(plan_of(Or((Term("a"), Phrase("b c")))))
    assert not is_flat(plan_of(And((Term("a"), Term("b")))))
    assert not is_flat(plan_of(Not(Term("a"))))


def test_expressions_say_what_they_can():
    title = Term("asthma", "title")
    assert expression(plan_of(title)) == ('text_match(words, "tasthma")', True)
    assert expression(plan_of(Term("asthma"))) == ('text_match(words, "tasthma aasthma")', True)
    inner, exact = expression(plan_of(Phrase("severe asthma", "title")))
    assert inner == '(text_match(words, "tsever")) and (text_match(words, "tasthma"))'
    assert not exact
    assert expression(plan_of(Not(title))) == ('not (text_match(words, "tasthma"))', True)
    # What may let too much through must not hold anything back.
    assert expression(plan_of(Not(Phrase("severe asthma", "title")))) == ("", False)
    assert expression(plan_of(Or(()))) == ("row < 0", True)


@given(
    st.builds(
        Filter,
        journals=st.lists(texts, max_size=3).map(tuple),
        ids=st.none() | st.lists(texts, max_size=3).map(tuple),
        exclude_retracted=st.booleans(),
    )
)
def test_nothing_that_somebody_wrote_stands_in_an_expression(filter):
    assert re.fullmatch(r"[a-z_0-9\[\](), <>=-]*", filter_expression(filter))


def test_a_truncation_may_not_stand_for_everything():
    known = [f"trun{number}" for number in range(4)]
    with pytest.raises(LimitError, match="more than 3 words"):
        plan_of(Term("run", "title", prefix=True), known)
    with pytest.raises(ChoiceError):
        plan_of(Term("x", "nofield"))


def test_large_rows_are_sent_in_parts():
    small, large = {"words": "a b"}, {"words": "", "body": ["x" * 5_000_000]}
    assert [len(batch) for batch in _batches([large, large, small])] == [1, 2]
    assert [len(batch) for batch in _batches([small] * 4_500)] == [2_000, 2_000, 500]
    assert list(_batches([])) == []
