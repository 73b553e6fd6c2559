"""The query language: what is read, and how a wrong query is explained."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import LimitError, OslerError, QueryError
from osler.kinds.query import And, Exact, Not, Or, Phrase, Span, Term
from osler.retrieve.parse import expand_headings, is_structured, parse, plain, words_of


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("heart failure", Or((Term("heart"), Term("failure")))),
        ("heart AND failure", And((Term("heart"), Term("failure")))),
        ("a b OR c", Or((And((Term("a"), Term("b"))), Term("c")))),
        ("a NOT b", And((Term("a"), Not(Term("b"))))),
        ('"heart failure"~3', Phrase("heart failure", slop=3, free=True)),
        ('"heart failure"~>3', Phrase("heart failure", slop=3)),
        ("title:wom?n", Term("wom?n", "title", wild=True)),
        ("cardi*", Term("cardi", prefix=True)),
        ("title:heart", Term("heart", "title")),
        ('ti:"heart failure" AND x', And((Phrase("heart failure", "title"), Term("x")))),
        ("mesh:Asthma", Exact("heading", ("Asthma",))),
        ('"Heart Failure"[mh]', Exact("heading", ("Heart Failure",))),
        ("heart[tiab]", Term("heart", "tiab")),
        ("year:2019", Span("year", 2019, 2019)),
        ("year:2019:2021", Span("year", 2019, 2021)),
        ("year:2019-", Span("year", 2019, None)),
        ("2020[dp]", Span("year", 2020, 2020)),
        ("(a OR b) AND c", And((Or((Term("a"), Term("b"))), Term("c")))),
        (
            "title:(a OR beta*)",
            Or((Term("a", "title"), Term("beta", "title", prefix=True))),
        ),
    ],
)
def test_a_query_is_read(query, tree):
    assert parse(query) == tree


@pytest.mark.parametrize("query", ["wom?n", "randomi#ed", "trials in wom?n"])
def test_a_wildcard_alone_is_no_plain_word(query):
    assert is_structured(query)
    assert "wild=True" in repr(parse(query))


@pytest.mark.parametrize(
    "text",
    [
        "What is (are) asthma ?",
        "asthma: causes and treatment",
        "and or not in lower case",
        "COVID-19 (2021)",
        "[brackets] of no tag",
        "a title [with a bracket] inside",
        "a title [with a bracket that nobody closes",
        "the #1 cause of death",
        "near/far vision of patients'/carers' eyes",
        "what is asthma? and COVID-19? yes",
        "is it safe?what of children?",
        "TNF -alpha in the U.S. and the U.K.",
    ],
)
def test_natural_language_is_plain_words(text):
    assert not is_structured(text)
    assert isinstance(parse(text), Or)


@pytest.mark.parametrize(
    ("query", "place", "says"),
    [
        ('asthma AND "severe', 11, "no end"),
        ("asthma AND", 7, "nothing follows AND"),
        ("AND asthma", 0, "nothing stands before"),
        ("(asthma OR copd", 0, "not closed"),
        ("asthma AND copd)", 15, "closes none"),
        ("titel:asthma", 0, "no field titel:"),
        ("asthma AND foo:bar", 11, "no field foo:"),
        ("asthma[zz] AND x", 6, "no tag [zz]"),
        ("year:soon", 5, "no date"),
        ("as* AND b", 0, "three letters"),
        ("a AND () OR b", 7, "nothing stands before"),
        ('"..." AND b', 0, "no word"),
        ("*itis", 0, "cut off at its beginning"),
        ("title:*itis", 6, "cut off at its beginning"),
        ('"chronic *itis"', 0, "cut off at its beginning"),
        ("asthma AND &", 11, "this sign holds no word"),
        ('"asthma" - child', 9, "this sign holds no word"),
        ("asthma AND [child]", 11, "this sign holds no word"),
        ("title:-", 6, "this sign holds no word"),
        ("asthma AND -child", 11, "a minus excludes nothing"),
        ("year:2021:2019", 5, "ends before it begins"),
    ],
)
def test_a_wrong_query_is_explained_with_its_place(query, place, says):
    with pytest.raises(QueryError) as caught:
        parse(query)
    assert caught.value.place == place
    assert says in caught.value.message
    shown, mark = caught.value.marked.split("\n")
    assert shown[mark.index("^") :] == query[place : place + 20]


def test_a_mark_stays_on_screen_in_a_long_query():
    with pytest.raises(QueryError) as caught:
        parse("word " * 200 + "AND (x")
    assert max(map(len, caught.value.marked.split("\n"))) <= 80


def test_a_query_that_fits_a_line_is_shown_whole():
    with pytest.raises(QueryError) as caught:
        parse("design:randomised AND asthma in children")
    assert caught.value.marked.split("\n")[0] == "design:randomised AND asthma in children"


def test_a_query_is_bounded():
    with pytest.raises(LimitError, match="E130"):
        parse("x" * 10_001)
    with pytest.raises(QueryError, match="deeply"):
        parse("(" * 200 + "a AND b" + ")" * 200)


def test_headings_take_in_their_branch():
    tree = parse("mesh:Asthma AND NOT mesh:Child")
    branches = {"Asthma": ("Asthma", "Status Asthmaticus"), "Child": ("Child",)}
    expanded = expand_headings(tree, lambda name: branches[name])
    assert expanded == And(
        (Exact("heading", ("Asthma", "Status Asthmaticus")), Not(Exact("heading", ("Child",))))
    )


def test_excluded_words_are_no_evidence():
    assert words_of(parse('asthma AND "severe attack" NOT mice')) == ["asthma", "severe attack"]


_PIECES = st.sampled_from(
    ["AND", "OR", "NOT", "(", ")", '"', "title:", "mesh:", "year:", "2019", ":", "[ti]", "[", "]",
     "heart", "card*", "*", "~2", "肺癌", " ", "\n", "\\", "-"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=12).map(" ".join) | st.text(max_size=60))
def test_any_text_is_read_or_explained(text):
    try:
        tree = parse(text)
    except QueryError as error:
        assert 0 <= error.place <= len(text)
        assert "^" in error.marked
    except OslerError as error:
        assert error.code.startswith("E1")
    else:
        words_of(tree)


def test_chinese_words_are_any_of_their_pairs() -> None:
    """Chinese has no blanks: a whole question as one phrase would stand in no paper."""
    node = plain("老年高血压 aspirin")
    assert isinstance(node, Or)
    assert [term.text for term in node.parts] == ["老年", "年高", "高血", "血压", "aspirin"]
