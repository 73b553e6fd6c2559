"""PubMed's language, line by line, and every tree written and read again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import ChoiceError, InputError, QueryError
from osler.kinds.query import And, Exact, Not, Or, Phrase, Span, Term
from osler.retrieve.languages import LANGUAGES, translate, write
from osler.retrieve.parse import parse

A, B, C = Term("asthma", "title"), Term("child", "title"), Term("steroid", "title")
MH, MAJR = Exact("heading", ("Asthma",)), Exact("major", ("Asthma",))

# The meaning of each is what PubMed's help says of its tags, operators, phrases and truncation.
LINES = [
    # one tag, short and long, whatever the case
    ("asthma[ti]", A),
    ("asthma[TI]", A),
    ("asthma [ti]", A),
    ("asthma[Title]", A),
    ("asthma[ab]", Term("asthma", "abstract")),
    ("asthma[Abstract]", Term("asthma", "abstract")),
    ("asthma[tiab]", Term("asthma", "tiab")),
    ("asthma[Title/Abstract]", Term("asthma", "tiab")),
    ("asthma[tw]", Term("asthma", "tw")),
    ("asthma[Text Word]", Term("asthma", "tw")),
    ("asthma[all]", Term("asthma", "all")),
    ("asthma[All Fields]", Term("asthma", "all")),
    ("asthma[ot]", Term("asthma", "keywords")),
    ("asthma[Other Term]", Term("asthma", "keywords")),
    # phrases: a tag binds all words before it; quotes bind too
    ("primary care[ti]", Phrase("primary care", "title")),
    ("kidney allograft[tiab]", Phrase("kidney allograft", "tiab")),
    ('"primary care"[ti]', Phrase("primary care", "title")),
    ('"primary care"[tiab]', Phrase("primary care", "tiab")),
    ("randomised and blinded[ti]", Phrase("randomised and blinded", "title")),
    ("heart failure in children[ti]", Phrase("heart failure in children", "title")),
    # proximity
    ('"hip pain"[ti:~2]', Phrase("hip pain", "title", slop=2, free=True)),
    ('"hip pain"[Title/Abstract:~4]', Phrase("hip pain", "tiab", slop=4, free=True)),
    ('"hip pain"[all:~0]', Phrase("hip pain", "all", free=True)),
    ('"public health"[ad:~3]', Phrase("public health", "affiliation", slop=3, free=True)),
    # truncation
    ("child*[ti]", Term("child", "title", prefix=True)),
    ("child*[tiab]", Term("child", "tiab", prefix=True)),
    ("breast feed*[ti]", Phrase("breast feed", "title", prefix=True)),
    ('"breast feed*"[tiab]', Phrase("breast feed", "tiab", prefix=True)),
    ("child*[tiab] AND asthma[ti]", And((Term("child", "tiab", prefix=True), A))),
    ("nogu*[au]", Term("nogu", "authors", prefix=True)),
    # headings, with their branch or without
    ("Asthma[mh]", MH),
    ("Asthma[MeSH]", MH),
    ("Asthma[MeSH Terms]", MH),
    ('"Asthma"[Mesh]', MH),
    ("Asthma[mh:noexp]", Exact("heading", ("Asthma",), explode=False)),
    ("Asthma[MeSH Terms:noexp]", Exact("heading", ("Asthma",), explode=False)),
    ("Heart Failure[mh]", Exact("heading", ("Heart Failure",))),
    ("asthma/drug therapy[mh]", Exact("heading", ("asthma/drug therapy",))),
    ("Asthma[majr]", MAJR),
    ("Asthma[MeSH Major Topic]", MAJR),
    ("Asthma[majr:noexp]", Exact("major", ("Asthma",), explode=False)),
    ('"Diabetes Mellitus, Type 2"[mh]', Exact("heading", ("Diabetes Mellitus, Type 2",))),
    # qualifiers: beside any heading, by name or by their letters
    ("drug therapy[sh]", Exact("subheading", ("drug therapy",))),
    ("dt[sh]", Exact("subheading", ("drug therapy",))),
    ("adverse effects[MeSH Subheading]", Exact("subheading", ("adverse effects",))),
    ("asthma/dt[mh]", Exact("heading", ("asthma/drug therapy",))),
    ("asthma/ae[majr:noexp]", Exact("major", ("asthma/adverse effects",), explode=False)),
    # affiliations
    ("toronto[ad]", Term("toronto", "affiliation")),
    ("mount sinai[Affiliation]", Phrase("mount sinai", "affiliation")),
    # authors: they go on unless quoted
    ("Smith[au]", Exact("author", ("Smith",))),
    ("Smith J[au]", Exact("author", ("Smith J",))),
    ("Nogues X[Author]", Exact("author", ("Nogues X",))),
    ('"Smith J"[au]', Exact("author", ("=Smith J",))),
    ("Smith J[1au]", Exact("author", ("^Smith J",))),
    ("Smith J[Author - First]", Exact("author", ("^Smith J",))),
    ("Jane Smith[fau]", Exact("author", ("Jane Smith",))),
    # journals, kinds, languages
    ("N Engl J Med[ta]", Exact("journal", ("N Engl J Med",))),
    ("Lancet[Journal]", Exact("journal", ("Lancet",))),
    ("0028-4793[is]", Exact("journal", ("0028-4793",))),
    ("review[pt]", Exact("type", ("review",))),
    ("randomized controlled trial[pt]", Exact("type", ("randomized controlled trial",))),
    ('"Clinical Trial"[Publication Type]', Exact("type", ("Clinical Trial",))),
    ("eng[la]", Exact("language", ("eng",))),
    ("english[Language]", Exact("language", ("english",))),
    # names of papers
    ("34000001[pmid]", Exact("name", ("34000001",))),
    ("10.1000/bone.1[lid]", Exact("name", ("10.1000/bone.1",))),
    ("34000001[uid]", Exact("name", ("34000001",))),
    ("10.1000/bone.1[aid]", Exact("name", ("10.1000/bone.1",))),
    ("10.1000/bone.1[doi]", Exact("name", ("10.1000/bone.1",))),
    ("PMC800001[pmc]", Exact("name", ("PMC800001",))),
    # dates
    ("2020[dp]", Span("year", 2020, 2020)),
    ("2019:2021[dp]", Span("year", 2019, 2021)),
    ("2019 : 2021[dp]", Span("year", 2019, 2021)),
    ("2019:3000[dp]", Span("year", 2019, None)),
    ("2019/01/01:2021/12/31[dp]", Span("year", 2019, 2021)),
    ("2019:2021[pdat]", Span("year", 2019, 2021)),
    ("2019:2021[Date - Publication]", Span("year", 2019, 2021)),
    # operators from left to right
    ("asthma[ti] AND child[ti]", And((A, B))),
    ("asthma[ti] OR child[ti]", Or((A, B))),
    ("asthma[ti] NOT child[ti]", And((A, Not(B)))),
    ("asthma[ti] OR child[ti] AND steroid[ti]", And((Or((A, B)), C))),
    ("asthma[ti] AND child[ti] OR steroid[ti]", Or((And((A, B)), C))),
    ("asthma[ti] OR child[ti] NOT steroid[ti]", And((Or((A, B)), Not(C)))),
    ("asthma[ti] NOT child[ti] OR steroid[ti]", Or((And((A, Not(B))), C))),
    ("asthma[ti] OR (child[ti] AND steroid[ti])", Or((A, And((B, C))))),
    ("asthma[ti] NOT (child[ti] OR steroid[ti])", And((A, Not(Or((B, C)))))),
    ("asthma[ti] AND child[ti] AND steroid[ti]", And((A, B, C))),
    ("asthma[ti] child[ti]", And((A, B))),
    ("(asthma[ti])", A),
    ("((asthma[ti]) AND (child[ti]))", And((A, B))),
    # beside words without a tag
    ("steroids AND asthma[ti]", And((Term("steroids"), A))),
    ("inhaled steroids AND asthma[ti]", And((Term("inhaled"), Term("steroids"), A))),
    ('"inhaled steroids" AND asthma[ti]', And((Phrase("inhaled steroids"), A))),
    ("asthma[ti] AND year:2019:2021", And((A, Span("year", 2019, 2021)))),
    ("(Asthma[mh] OR asthma[ti]) AND review[pt]", And((Or((MH, A)), Exact("type", ("review",))))),
]


def test_there_are_eighty_lines():
    assert len(LINES) >= 80


@pytest.mark.parametrize(("line", "tree"), LINES)
def test_a_line_of_pubmed_means_what_pubmed_says(line, tree):
    assert parse(line) == tree


# What a language has no words for: an error for some, a note for others, never silence.
CANNOT = {
    "embase": {
        "34000001[pmid]",
        "34000001[uid]",
        "PMC800001[pmc]",
    },
}


@pytest.mark.parametrize("to", LANGUAGES)
@pytest.mark.parametrize(("line", "tree"), LINES)
def test_a_line_written_in_another_language_reads_the_same(line, tree, to):
    if line in CANNOT.get(to, ()):
        with pytest.raises(InputError, match="cannot say"):
            translate(line, to)
        return
    written = translate(line, to)
    again = parse(written.text, to)
    if written.notes:
        assert to in ("ovid", "embase")
        assert any(mark in line for mark in ("1au", "First", "steroids"))
    else:
        assert _plain(again) == _plain(tree)
        assert parse(written.text) == again  # its marks tell the language


def _plain(node):  # type: ignore[no-untyped-def]
    """Brackets of an AND within an AND, and a heading's quotes, change nothing."""
    match node:
        case And() | Or():
            parts = []
            for part in map(_plain, node.parts):
                parts += part.parts if type(part) is type(node) else [part]
            return type(node)(tuple(parts))
        case Not():
            return Not(_plain(node.part))
        case _:
            return node


@pytest.mark.parametrize(
    ("line", "place", "says"),
    [
        ("asthma[zz]", 6, "no tag [zz]"),
        ("asthma[ti] AND 12345[gr]", 20, "not indexed here"),
        ("chi*[ti]", 0, "needs 4 letters"),
        ('"hip pai*"[ti:~2]', 0, "cuts off no word"),
        ("#3 AND asthma[ti]", 0, "no line 3"),
        ("asthma[ti] AND child[tiba]", 20, "no tag [tiba]"),
        ("(asthma[ti] OR child[ti]", 0, "not closed"),
        ("asthma[ti] AND", 11, "nothing follows AND"),
        ("asthma[ti])", 10, "closes none"),
        ("[ti] asthma", 0, "follows no word"),
        ("soon[dp]", 0, "no date"),
        ("2020/13[dp]", 0, "no date"),
        ('"asthma[ti] AND child[ti]', 0, "no end"),
        ("as*[ti]", 0, "letters before"),
        ("lung*[pt]", 0, "no truncated word"),
        ('"hip pain"[mh:~2]', 10, "near each other"),
        ("asthma[ti", 6, "not closed"),
        ("*itis[ti]", 0, "a * stands at the end of the last word only"),
        ("asthma[ti AND child[tiab]", 6, "not closed"),
        ("asthma [title and child", 7, "not closed"),
        ("#1 AND #2", 0, "no line 1"),
        ("asthma AND #2", 11, "no line 2"),
        ("2021:2019[dp]", 0, "ends before it begins"),
    ],
)
def test_a_broken_line_is_marked(line, place, says):
    with pytest.raises(QueryError) as caught:
        parse(line)
    assert caught.value.place == place
    assert says in caught.value.message


def test_an_unknown_language_is_told():
    with pytest.raises(ChoiceError, match="klingon"):
        translate("asthma[ti]", "klingon")


_words = st.sampled_from(["asthma", "child", "肺癌", "il6", "steroid"])
_fields = st.sampled_from(["title", "abstract", "tiab", "tw", "all", "keywords"])
_terms = st.builds(Term, _words, _fields, prefix=st.booleans()).filter(
    lambda term: len(term.text) > 3 or not term.prefix
)
_phrases = st.builds(lambda a, b, field: Phrase(f"{a} {b}", field), _words, _words, _fields)
_exact = st.builds(
    lambda field, value, explode: Exact(
        field, (value,), explode=explode or field not in ("heading", "major")
    ),
    st.sampled_from(["heading", "major", "journal", "type", "language", "author"]),
    st.sampled_from(["Asthma", "Heart Failure", "Smith J"]),
    st.booleans(),
)
_years = st.integers(1900, 2030)
_spans = st.builds(lambda low, more: Span("year", low, low + more), _years, st.integers(0, 9))
_leaves = _terms | _phrases | _exact | _spans
_trees = st.recursive(
    _leaves,
    lambda inner: (
        st.builds(
            lambda kind, parts: kind(tuple(parts)),
            st.sampled_from([And, Or]),
            st.lists(inner, min_size=2, max_size=4),
        )
        | st.builds(lambda a, b: And((a, Not(b))), inner, inner)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("to", LANGUAGES)
@given(tree=_trees)
def test_a_tree_written_and_read_is_the_same(to, tree):
    text = write(tree, to)
    assert parse(text, to) == tree
    assert write(parse(text, to), to) == text


_wild = st.builds(Term, st.sampled_from(["wom?n", "randomi#ed", "h*moglobin*"]), _fields).map(
    lambda term: Term(term.text, term.field, wild=True)
)
_near = st.builds(
    lambda text, field, slop, free: Phrase(text, field, slop=slop, free=free or not slop),
    st.sampled_from(["asthma child", "asthma child steroid"]),
    _fields,
    st.integers(0, 9),
    st.booleans(),
) | st.builds(
    lambda field, slop: Phrase("wheez* child*", field, slop=slop, free=True, wild=True),
    _fields,
    st.integers(0, 9),
)


@pytest.mark.parametrize("to", ["embase", "osler"])
@given(
    tree=st.recursive(
        _leaves | _wild | _near, lambda inner: st.builds(lambda a, b: Or((a, b)), inner, inner)
    )
)
def test_wildcards_and_words_near_each_other_too(to, tree):
    text = write(tree, to)
    assert parse(text, to) == tree
