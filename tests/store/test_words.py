"""The word index: the formula, the query tree, filters, ties, catching up."""

from __future__ import annotations

import math
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler import Filter, Library
from osler.errors import LimitError
from osler.store.analyser import (
    _KEPT_WORDS,
    _plain,
    _terms,
    analyse,
    plain_words,
    terms_of_sentence,
    terms_of_word,
    terms_within,
)
from samples import PAPERS, paper


def words(library: Library, text: str, **options):
    return [h.id for h in library.search(text, method="words", **options)]


def lucene_bm25(documents, query, *, k1=1.2, b=0.75):
    """BM25 as Lucene and tantivy write it, over one field, lengths as the index keeps them."""
    tokens = [analyse(text) for text in documents]
    average = sum(map(len, tokens)) / len(tokens)
    scores = []
    for own in tokens:
        score = 0.0
        for term in analyse(query):
            n = sum(term in other for other in tokens)
            idf = math.log(1 + (len(tokens) - n + 0.5) / (n + 0.5))
            tf = own.count(term)
            score += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(own) / average))
        scores.append(score)
    return scores


def test_bm25_equals_the_formula(make_library):
    # Up to 39 terms the index keeps a field's length exactly; beyond, in steps.
    rng = random.Random(3)
    vocabulary = [f"word{i}" for i in range(60)]
    texts = [" ".join(rng.choices(vocabulary, k=rng.randint(5, 35))) for _ in range(80)]
    library = make_library([paper(f"{i:03}", "", text) for i, text in enumerate(texts)])
    for query in ("word1 word2 word3", "word7", "word10 word11 word59"):
        expected = lucene_bm25(texts, query)
        got = library.search(query, k=80, method="words", evidence=False)
        assert len(got) == sum(score > 0 for score in expected)
        for hit in got:
            assert hit.score == pytest.approx(expected[int(hit.id)], abs=1e-4)


@pytest.mark.parametrize(("k1", "b"), [(0.9, 0.4), (2.0, 0.0)])
def test_another_setting_scores_candidates_again(make_library, k1, b):
    from osler.search import rankers

    rng = random.Random(4)
    texts = [" ".join(rng.choices("abcdefghij", k=rng.randint(5, 60))) for _ in range(40)]
    library = make_library([paper(f"{i:03}", "", text) for i, text in enumerate(texts)])
    expected = lucene_bm25(texts, "b c", k1=k1, b=b)
    got = library.search("b c", k=40, method=rankers.resolve("words", k1=k1, b=b))
    for hit in got:
        assert hit.score == pytest.approx(expected[int(hit.id)], abs=1e-4)
    assert [h.score for h in got] == sorted((h.score for h in got), reverse=True)


def test_fields_are_summed_with_their_weights(make_library):
    from osler.store.compile import DEFAULT_WEIGHTS

    library = make_library([paper("1", "cough", "cough"), paper("2", "fever", "chills")])
    by_field = {
        field: library.search(f"{field}:cough", method="words").hits[0].score
        for field in ("title", "abstract")
    }
    expected = sum(DEFAULT_WEIGHTS[field] * score for field, score in by_field.items())
    assert library.search("cough", method="words").hits[0].score == pytest.approx(
        expected, abs=1e-5
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("asthma", {"2", "3"}),
        ('"muscle pain"', {"1"}),
        ('"pain muscle"', set()),
        ("asthma AND children", {"2"}),
        ("asthma NOT children", {"3"}),
        ("NOT asthma", {"1", "4", "5"}),
        ("statins OR (asthma AND review)", {"1", "3"}),
        ("title:adults", {"3"}),
        ("title:(statins OR children)", {"1", "2"}),
        ("mesh:Child", {"2"}),
        ("Asthma[mh]", {"2"}),
        ("steroid*[tiab]", {"2", "3"}),
        ("treat* AND asthma", {"3"}),
        ("year:2019:2020", {"1", "3"}),
        ("year:2021", {"2"}),
        ("year::1999", {"5"}),
        ('journal:"air and health"', {"2", "3"}),
        ("type:Review", {"3"}),
        ("id:5 OR id:1", {"1", "5"}),
        ("keyword:myalgia", {"1"}),
        ("肺癌", {"4"}),
        ('"肺癌患者"', {"4"}),
        ("生存期 AND 化疗", {"4"}),
    ],
)
def test_the_query_language_finds(library, query, expected):
    assert set(words(library, query)) == expected


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        (Filter(years=(2020, None)), {"2"}),
        (Filter(years=(None, 2019)), {"3"}),
        (Filter(languages=("ENG",)), {"2", "3"}),
        (Filter(journals=("Air and Health",)), {"2", "3"}),
        (Filter(types=("review",)), {"3"}),
        (Filter(headings=("Asthma",)), {"2"}),
        (Filter(headings=("MESH:D001249",)), {"2"}),
        (Filter(exclude_retracted=True), {"2"}),
        (Filter(ids=("3", "5")), {"3"}),
        (Filter(ids=()), set()),
        (Filter(has_abstract=False), set()),
        (Filter(has_abstract=True), {"2", "3"}),
    ],
)
def test_filters_hold_before_the_top_k(library, filter, expected):
    assert set(words(library, "asthma", filter=filter)) == expected
    library.embed()
    by_vector = {h.id for h in library.search("asthma", method="vectors", filter=filter)}
    assert by_vector <= {p.id for p in PAPERS}
    # Vectors find every readable document that the filter lets through.
    assert expected <= by_vector


def test_a_filter_does_not_change_scores(library):
    free = {h.id: h.score for h in library.search("asthma steroids", method="words")}
    kept = library.search("asthma steroids", method="words", filter=Filter(years=(2019, 2019)))
    assert [h.score for h in kept] == [free["3"]]


def test_ties_go_by_id_whatever_the_order_of_adding(make_library):
    papers = [paper(f"{i:02}", "", "the same words here") for i in range(40)]
    forward = make_library(papers, name="forward")
    shuffled = make_library(random.Random(1).sample(papers, 40), name="shuffled")
    expected = [f"{i:02}" for i in range(7)]
    assert words(forward, "same words", k=7) == expected
    assert words(shuffled, "same words", k=7) == expected


def test_an_index_that_lags_is_caught_up_when_the_library_opens(make_library, encoder):
    library = make_library()
    # As after a kill between the truth's commit and the index's.
    with library._writing(), library.truth.transaction() as connection:
        library._documents.write(connection, [paper("9", "Late gout")])
    assert words(library, "gout") == []
    library.close()
    again = Library.open(library.path, encoder=encoder)
    assert words(again, "gout") == ["9"]
    again.close()


def test_a_lost_manifest_applies_nothing_twice(make_library, encoder):
    library = make_library()
    library.close()
    (library.layout.words / "manifest.json").unlink()
    again = Library.open(library.path, encoder=encoder)
    assert again.engine.words.size == len(PAPERS)
    again.close()


def test_full_text_is_searched_by_passage(make_library):
    from osler.kinds import Section

    filler = "Nothing of note was seen in this part of the work. " * 60
    body = Section(filler + "Thymectomy helped in myasthenia. " + filler, "Results")
    library = make_library([paper("1", "A long article", full_text=(body,)), paper("2", "Other")])
    assert words(library, "thymectomy myasthenia") == ["1"]
    (found,) = library.engine.search_passages(library.searcher.parse("thymectomy", plain=True), 5)
    text = body.text[found.passage.start : found.passage.end]
    assert "Thymectomy" in text
    assert len(text) < 1_100
    evidence = library.search("thymectomy myasthenia", method="words").hits[0].evidence
    assert (evidence.text, evidence.section) == ("Thymectomy helped in myasthenia.", "Results")
    assert body.text[evidence.start : evidence.end] == evidence.text


TEXTS = st.text(st.sampled_from("ab zZ09.-'_\n\tésß中文，ﬁ̈"), max_size=60)


@given(TEXTS | st.text(max_size=60) | st.sampled_from(["a" * 101, "x " + "b" * 200 + " Y", ""]))
def test_kept_terms_are_those_that_the_index_makes(text):
    assert terms_within([text]) == set(analyse(text))
    assert terms_within([text, "β2 of", text]) == set(analyse(f"{text} β2 of"))
    assert terms_of_sentence(text) == analyse(text)
    for word in text.split():
        assert terms_of_word(word) == analyse(word)


def test_kept_terms_are_bounded():
    _terms.clear()
    for number in range(_KEPT_WORDS + 10):
        terms_of_word(f"w{number}")
    assert len(_terms) <= _KEPT_WORDS
    assert terms_of_sentence("running W5 w5") == ["run", "w5", "w5"]


@pytest.mark.parametrize("text", ["the of and in", "the of and in the of and in"])
def test_stop_words_near_each_other_are_refused(library, text):
    """Eight of them within 99 places of each other kept a processor for 19 seconds."""
    with pytest.raises(LimitError, match="only stop words"):
        library.search(f'"{text}"~99', method="words")
    assert library.search(f'"{text}"', method="words").hits == []


def test_words_near_each_other_stay_bounded(make_library):
    """However many words: the more there are, the nearer they must stand."""
    words = [f"word{n}" for n in range(10)]
    body = " ".join(words[(7 * n) % 10] for n in range(300))
    library = make_library([paper(f"{n}", "x", body) for n in range(200)])
    begun = time.monotonic()
    for count in (4, 6, 8, 10):
        listed = " ".join([*words, *words][:count])
        assert library.search(f'"{listed}"~99', method="words").hits
    assert time.monotonic() - begun < 10


def test_stop_words_do_not_count_in_a_proximity(make_library):
    library = make_library([paper("1", "Risk of falls", "The risk of a fall in the home is high.")])
    assert library.search('"risk of the fall"~3', method="words").hits
    assert library.search('"risk home"~9', method="words").hits
    assert not library.search('"risk home"~2', method="words").hits


def test_columns_of_candidates_are_read_as_candidates(library):
    scored = library.engine.words.search(library.searcher.parse("asthma statins", plain=True), 10)
    each = list(scored)
    assert len(each) > 2
    assert [scored[at] for at in range(len(scored))] == each
    assert list(scored[1:3]) == each[1:3]
    assert (scored[-1].row, scored[-1].seq, scored[-1].score) == each[-1]
    candidates = library.searcher.view.words(library.searcher.parse("asthma", plain=True), 10)
    by_one = library.engine.search_words(library.searcher.parse("asthma", plain=True), 10)
    columns = (candidates.rows, candidates.seqs, candidates.scores)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == [*by_one]


@given(st.text(st.characters(min_codepoint=0, max_codepoint=127)))
def test_plain_words_of_ascii_are_the_analysers(text):
    assert plain_words(text) == _plain().analyze(text)


@given(st.text(st.characters(min_codepoint=97, max_codepoint=122), min_size=1, max_size=30))
def test_a_stem_begins_as_its_word(word):
    """What spelling leaves out for its first letter could not have the stem."""
    assert all(term[0] == word[0] for term in analyse(word))
