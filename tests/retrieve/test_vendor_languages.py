"""Ovid's and Embase's languages, as people paste them."""

from __future__ import annotations

import pytest

from osler.errors import QueryError
from osler.kinds.query import And, Exact, Not, Or, Phrase, Span, Term
from osler.retrieve.languages import translate
from osler.retrieve.languages.detect import language_of
from osler.retrieve.parse import is_structured, parse

EXP = Exact("heading", ("asthma",))
ASTHMA, CHILD = Term("asthma", "tiab"), Term("child", "tiab", prefix=True)

OVID = [
    ("exp asthma/", EXP),
    ("asthma/", Exact("heading", ("asthma",), explode=False)),
    ("exp *asthma/", Exact("major", ("asthma",))),
    ("*asthma/", Exact("major", ("asthma",), explode=False)),
    ('"quality of life"/', Exact("heading", ("quality of life",), explode=False)),
    ("exp asthma/ae [Adverse Effects]", Exact("heading", ("asthma/adverse effects",))),
    ("exp asthma/dt, th", Or((Exact("heading", ("asthma/drug therapy",)),
                              Exact("heading", ("asthma/therapy",))))),
    ("asthma.ti,ab.", ASTHMA),
    ("asthma.ti, ab.", ASTHMA),
    ("asthma.tw.", ASTHMA),
    ("asthma.mp.", Term("asthma", "tw")),
    ("asthma.ti,ab,kf.", Or((ASTHMA, Term("asthma", "keywords")))),
    ("child$.ti,ab.", CHILD),
    ("child*.ti,ab.", CHILD),
    ("child:.ti,ab.", CHILD),
    ("child$2.ti.", Term("child??", "title", wild=True)),
    ("wom?n.ti.", Term("wom?n", "title", wild=True)),
    ("wom#n.ti.", Term("wom#n", "title", wild=True)),
    ("heart failure.ti.", Phrase("heart failure", "title")),
    ("heart adj failure.ti.", Phrase("heart failure", "title")),
    ("(asthma adj3 child$).ti,ab.", Phrase("asthma child", "tiab", slop=2, prefix=True, free=True)),
    ("asthma adj3 child$.ti,ab.", Phrase("asthma child", "tiab", slop=2, prefix=True, free=True)),
    ("(wheez$ adj1 child$).ti.", Phrase("wheez* child*", "title", free=True, wild=True)),
    (
        "((asthma or wheeze) adj2 child).ti.",
        Or((Phrase("asthma child", "title", slop=1, free=True),
            Phrase("wheeze child", "title", slop=1, free=True))),
    ),
    (
        "(heart failure adj3 child).ti.",
        And((Phrase("heart failure", "title"),
             Phrase("heart failure child", "title", slop=2, free=True))),
    ),
    ("asthma.ti. and child$.ti,ab. or exp asthma/",
     Or((And((Term("asthma", "title"), CHILD)), EXP))),
    ("asthma.ti. not (child$ or exp asthma/).ti,ab.",
     And((Term("asthma", "title"), Not(Or((CHILD, EXP)))))),
    ("ae.fs. and asthma.ti.", And((Exact("subheading", ("adverse effects",)),
                                  Term("asthma", "title")))),
    ("smith j$.au.", Exact("author", ("smith j",))),
    ("smith j.au.", Exact("author", ("=smith j",))),
    ("smith.au.", Exact("author", ("smith",))),
    ("toronto.in.", Term("toronto", "affiliation")),
    ("2019.yr. and asthma.ti.", And((Span("year", 2019, 2019), Term("asthma", "title")))),
    ("review.pt. and english.la. and asthma.ti.",
     And((Exact("type", ("review",)), Exact("language", ("english",)), Term("asthma", "title")))),
]  # fmt: skip
EMBASE = [
    ("'asthma'/exp", EXP),
    ("'asthma'/de", Exact("heading", ("asthma",), explode=False)),
    ("'asthma'/mj", Exact("major", ("asthma",), explode=False)),
    ("'asthma'/exp/mj", Exact("major", ("asthma",))),
    ("'asthma'/exp/dm_dt", Exact("heading", ("asthma/drug therapy",))),
    ("asthma:ti,ab", ASTHMA),
    ("child*:ti,ab", CHILD),
    ("wom?n:ti", Term("wom#n", "title", wild=True)),
    ("wom$n:ti", Term("wom?n", "title", wild=True)),
    ("'heart failure':ti", Phrase("heart failure", "title")),
    ("(asthma NEAR/3 child*):ti,ab",
     Phrase("asthma child", "tiab", slop=2, prefix=True, free=True)),
    ("(asthma NEXT/2 child*):ti,ab", Phrase("asthma child", "tiab", slop=1, prefix=True)),
    ("(asthma near/1 child):ti", Phrase("asthma child", "title", free=True)),
    ("asthma:ti OR child*:ti,ab AND 'asthma'/exp",
     And((Or((Term("asthma", "title"), CHILD)), EXP))),
    ("'asthma'/exp AND [english]/lim AND [2010-2020]/py",
     And((EXP, Exact("language", ("english",)), Span("year", 2010, 2020)))),
    ("asthma child*:ti,ab", And((Term("asthma", "all"), CHILD))),
    ("'smith j*':au", Exact("author", ("smith j",))),
    ("asthma:ti,ab,kw", Or((ASTHMA, Term("asthma", "keywords")))),
]  # fmt: skip


@pytest.mark.parametrize(("line", "tree"), OVID)
def test_a_line_of_ovid(line, tree):
    assert language_of(line) == "ovid"
    assert is_structured(line)
    assert parse(line) == tree


@pytest.mark.parametrize(("line", "tree"), EMBASE)
def test_a_line_of_embase(line, tree):
    assert language_of(line) == "embase"
    assert is_structured(line)
    assert parse(line) == tree


@pytest.mark.parametrize(("line", "tree"), OVID + EMBASE)
def test_the_same_in_the_other_language_and_back(line, tree):
    for to in ("ovid", "embase", "osler"):
        written = translate(line, to)
        if not written.notes:
            assert parse(written.text, to) == tree


STRATEGY = """1. exp Asthma/
2. (asthma$ or wheez*).ti,ab.\t12,345
3. 1 or 2 (20,111)
4. exp child/
5. or/1-2,4
6. 3 and 4
7. limit 6 to (english language and yr="2010 -Current")"""


def test_lines_speak_of_earlier_ones_and_the_last_is_asked():
    words = Or((Term("asthma", "tiab", prefix=True), Term("wheez", "tiab", prefix=True)))
    either = Or((Exact("heading", ("Asthma",)), words))
    assert parse(STRATEGY) == And(
        (
            And((either, Exact("heading", ("child",)))),
            Exact("language", ("english",)),
            Span("year", 2010, None),
        )
    )
    assert parse(STRATEGY.rpartition("\n")[0].rpartition("\n")[0]) == Or(
        (Exact("heading", ("Asthma",)), words, Exact("heading", ("child",)))
    )


def test_a_limit_by_kind_and_lines_that_only_break():
    limited = parse("1. asthma.ti.\n2. limit 1 to (review articles and humans)")
    assert limited == And(
        (
            Term("asthma", "title"),
            Exact("type", ("review",)),
            Exact("heading", ("Humans",), explode=False),
        )
    )
    # Lines without numbers are one query that was broken to fit a page.
    assert parse("asthma.ti. and\nchild.ti.") == And(
        (Term("asthma", "title"), Term("child", "title"))
    )


def test_lines_of_pubmed_and_embase_too():
    assert parse("#1 asthma[ti]\n#2 child[ti]\n#3 #1 AND #2") == And(
        (Term("asthma", "title"), Term("child", "title"))
    )
    assert parse("#1 'asthma'/exp\n#2 child*:ti,ab\n#3 #1 AND #2") == And((EXP, CHILD))


@pytest.mark.parametrize(
    ("line", "place", "says"),
    [
        ("asthma.zz. and child.ti.", 6, "no field .zz."),
        ("exp asthma/qq and child.ti.", 11, "no qualifier qq"),
        ("(asthma.ti. or child.ti.", 0, "not closed"),
        ("asthma.ti. and", 11, "nothing follows and"),
        ("1. asthma.ti.\n2. 1 and 7", 23, "no line 7"),
        ("1. asthma.ti.\n2. limit 1 to core clinical journals", 28, "cannot be held"),
        ('"asthma.ti. and child.ab.', 0, "no end"),
        ("1. asthma.ti.\n1. child.ti.", 17, "two lines 1"),
        ("'asthma'/exp AND child:ti,zz", 22, "no field :zz"),
        ("'asthma'/exp AND 'child'/foo", 24, "no /foo"),
        ("'asthma'/exp AND [young]/lim", 17, "cannot be held"),
        ("('asthma'/exp NEAR/3 child:ti)", 14, "only words and phrases"),
        ("'asthma'/exp AND", 13, "nothing follows AND"),
        ("asthma.zz.", 6, "no field .zz."),
        ("*itis.ti.", 0, "cut off at its beginning"),
        ("*itis:ti", 0, "cut off at its beginning"),
        ("1 and 2", 0, "no line 1"),
        ("'asthma'/foo", 8, "no /foo"),
        ("asthma NEAR/x child", 11, "no /x"),
    ],
)
def test_a_broken_line_is_marked(line, place, says):
    with pytest.raises(QueryError) as caught:
        parse(line)
    assert says in caught.value.message
    assert caught.value.place == place


@pytest.mark.parametrize(
    "text",
    [
        "does vitamin D protect against COVID-19?",
        "HIV/AIDS in children and/or adolescents",
        "costs of $5 a day",
        "BMJ Open. 2020, i.v. iron e.g. ferric",
        "ratio 1:2 and 24/7 care",
        "[Asthma in childhood]",
        "effect of l-dopa: a trial",
    ],
)
def test_a_question_is_in_no_language(text):
    assert language_of(text) == ""
    assert not is_structured(text)


@pytest.mark.parametrize(
    ("line", "to", "says"),
    [
        ("wom?n.ti.", "pubmed", "at their end only"),
        ("(wheez$ adj3 child$).ti.", "pubmed", "no word of those near"),
        ("(asthma adj3 child$).ti.", "pubmed", "no word of those near"),
        ("(asthma adj3 child).ab.", "pubmed", "near each other in the field abstract"),
        ("chi$.ti.", "pubmed", "four letters"),
        ("design:cohort AND asthma", "ovid", "a study design"),
        ("design:cohort AND asthma", "embase", "a study design"),
        ("design:cohort AND asthma", "pubmed", "a study design"),
        ("asthma/history of[mh]", "ovid", "the qualifier history of"),
        ("asthma/virology[mh]", "embase", "the qualifier virology"),
    ],
)
def test_what_a_language_cannot_say_is_an_error(line, to, says):
    from osler.errors import InputError

    with pytest.raises(InputError, match="cannot say") as caught:
        translate(line, to)
    assert says in caught.value.message


@pytest.mark.parametrize(
    ("line", "to", "says"),
    [
        ("(asthma NEXT/3 child):ti", "ovid", "any order"),
        ("(asthma NEXT/3 child):ti", "pubmed", "any order"),
        ("smith j[1au]", "ovid", "first authors"),
        ("smith j[1au]", "embase", "first authors"),
        ("steroids AND asthma[ti]", "ovid", "as .mp. does"),
        ("steroids AND asthma[ti]", "embase", "as :all does"),
    ],
)
def test_what_a_language_says_otherwise_is_noted(line, to, says):
    (note,) = translate(line, to).notes
    assert says in note


def test_the_language_can_be_given():
    # Nothing tells that these are operators.
    assert parse("asthma and child", "ovid") == And((Term("asthma", "tw"), Term("child", "tw")))
    assert not is_structured("asthma and child")


def test_the_mark_stands_under_its_line():
    with pytest.raises(QueryError) as caught:
        parse("1. asthma.ti.\n2. child.zz.\n3. 1 or 2")
    shown, mark = caught.value.marked.split("\n")
    assert shown == "2. child.zz."
    assert mark == " " * 8 + "^"
