"""Each word that carries something stands in the form, or is told: form by form, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from osler.ask.form.accounting import idle, unaccounted
from osler.ask.form.clauses import Clause
from osler.ask.form.form import (
    Concept,
    Either,
    Every,
    Form,
    Has,
    Person,
    Time,
    Value,
    What,
    Where,
    Who,
    Without,
)
from osler.ask.form.heard import Heard
from osler.ask.form.lexicon import Meaning
from osler.ask.form.spans import Span
from osler.ask.form.times import Stretch
from osler.ask.form.vocabulary import Match

ANN = Who(("p",))
GOUT = Concept("gout", "condition", ("gout",))
WARD = Concept("ward", "encounter", ("ward stay",))
YEAR = Time("2019-01-01", "2019-12-31")


def span(word: str, at: int = 0) -> Span:
    """``high/range:above range``; a year is a time; several meanings stand behind one another."""
    said, *meant = word.replace("_", " ").split("/")
    made = Span(at, at + 1, said, tuple(Meaning(*m.split(":")) for m in meant))
    made.mark = said if said in (",", "?") else ""
    made.time = Stretch(at, at + 1, "2019-01-01", "2019-12-31") if said.isdigit() else None
    return made


def spans(text: str) -> list[Span]:
    return [span(word, at) for at, word in enumerate(text.split())]


def about(answer: str, who: Who = ANN, **more: Any) -> Form:
    """A form that asks for conditions: ``when``, ``time`` ... belong to them, the rest to it."""
    own = {k: more.pop(k) for k in ("attribute", "negated", "direction") if k in more}
    kind = more.pop("kind", "condition")
    what = None if kind is None else What((kind,), **more)
    return Form(answer, who, what, **own)  # type: ignore[arg-type]


def of_all(*where: Where, answer: str = "patients", **who: Any) -> Form:
    every = where[0] if len(where) == 1 else Every(where)
    return Form(answer, Who(where=every, **who))  # type: ignore[arg-type]


HAS, WOMEN = Has(What(("condition",), GOUT)), Person("sex", "=", "female")
FACTS, YES = about("facts"), about("yes or no")

LOST = [
    # Words that one kind of answer has room for: the form, what was heard, where it would be at
    # home.
    ("who/ask:who", {"asks": ["who"]}, FACTS, about("relative", relative="mother")),
    ("who/ask:who", {"asks": ["who"]}, FACTS, of_all(HAS)),
    ("second/nth:2", {"nth": 2}, FACTS, about("facts", nth=2)),
    ("two/many:2", {"many": 2}, FACTS, about("facts", many=2)),
    ("except/except:-", {"apart": [("sex", "female")]}, FACTS, of_all(HAS, Without(WOMEN))),
    ("except/except:-", {"but": GOUT}, FACTS, about("facts", but=GOUT)),
    ("aged/aged:oldest", {"aged": "oldest"}, of_all(HAS), of_all(HAS, pick="oldest")),
    ("in/setting:inpatient", {"setting": "inpatient"}, FACTS, about("facts", setting="inpatient")),
    (
        "in/setting:inpatient",
        {"setting": "inpatient"},
        about("facts", kind="encounter"),
        about("facts", kind="encounter", concept=WARD),
    ),
    ("in/setting:inpatient", {"setting": "inpatient"}, about("facts", concept=GOUT), None),
    ("positive/said:yes", {"said": "yes"}, FACTS, YES),
    ("mother/relative:mother", {"relatives": ["mother"]}, FACTS, about("facts", relative="mother")),
    ("rising/trend:rising", {"trend": "rising"}, FACTS, about("trend")),
    ("most/most:-", {"most": True}, FACTS, about("most frequent")),
    ("adults/people:adults", {}, FACTS, of_all(HAS)),
    ("children/people:children", {}, FACTS, of_all(HAS)),
    ("women/sex:female", {"sexes": ["female"]}, of_all(HAS), of_all(HAS, WOMEN)),
    ("sex/sex:female", {"sexes": ["female"]}, FACTS, about("person", attribute="sex")),
    ("wed/marital:M", {"marital": ["M"]}, of_all(HAS), of_all(Person("marital status", "=", "M"))),
    # Attributes: each is the answer, or a filter.
    ("died/attr:death", {"attributes": ["death"]}, FACTS, of_all(HAS, Person("death"))),
    ("alive/attr:alive", {"attributes": ["alive"]}, FACTS, of_all(Without(Person("death")))),
    ("dose/attr:dose", {"attributes": ["dose"]}, FACTS, about("dose")),
    (
        "dose/attr:dose",
        {"attributes": ["dose"]},
        about("facts", kind="immunization"),
        about("count of times", kind="immunization"),
    ),
    ("dose/attr:dose", {"attributes": ["dose"]}, about("count of times"), None),
    ("city/attr:city", {"attributes": ["city"]}, FACTS, about("person", attribute="city")),
    ("town/attr:city", {"attributes": ["city"]}, FACTS, about("person", attribute="birthplace")),
    (
        "born/attr:birth_date",
        {"attributes": ["birth date"]},
        about("person", kind=None, attribute="sex"),
        about("person", kind=None, attribute="birthplace"),
    ),
    ("born/attr:birth_date", {"attributes": ["birth date"]}, of_all(HAS), about("age", kind=None)),
    ("born/attr:birth_date", {"attributes": ["birth date"]}, of_all(HAS), FACTS),
    ("old/attr:age", {"attributes": ["age"]}, FACTS, of_all(Person("age", ">", "60"))),
    ("old/attr:age", {"attributes": ["age"]}, FACTS, about("age", kind=None)),
    # Times and values.
    ("2019", {"time": YEAR}, FACTS, about("facts", time=YEAR)),
    ("2019", {"lives": {"death": YEAR}}, FACTS, about("age", kind=None)),
    (
        "2019",
        {"clauses": [Clause(hint="condition", time=YEAR)]},
        FACTS,
        of_all(HAS, Person("birth date", "between", "2019-01-01", "2019-12-31")),
    ),
    ("2019", {"time": YEAR}, of_all(HAS), of_all(HAS, Person("age", ">", "60"))),
    ("2019", {"time": YEAR}, of_all(HAS, WOMEN), None),
    (
        "high/range:above_range",
        {"value": Value("above range")},
        FACTS,
        about("facts", value=Value("above range")),
    ),
    (
        "over/compare:>",
        {"clauses": [Clause(hint="condition", value=Value(">", 1.0))]},
        FACTS,
        about("facts", value=Value(">", 1.0)),
    ),
    # Words that ask.
    ("why/ask:why", {"asks": ["why"]}, FACTS, about("reason")),
    ("why/ask:why", {"asks": ["why"]}, FACTS, about("facts", kind="immunization")),
    ("where/ask:where", {"asks": ["where"]}, FACTS, YES),
    ("how/ask:how", {"asks": ["how"]}, FACTS, about("values")),
    ("old/ask:old", {"asks": ["old"]}, FACTS, about("age", kind=None)),
    ("when/ask:when", {"asks": ["when"]}, about("values"), about("end date")),
    ("when/ask:when", {"asks": ["when"], "pick": "latest"}, FACTS, about("values", pick="latest")),
    ("average/ask:average", {"asks": ["average"]}, FACTS, about("average")),
    ("long/ask:duration", {"asks": ["duration"]}, FACTS, about("duration")),
    ("which/ask:relative", {"asks": ["relative"]}, FACTS, about("relative")),
    ("times/ask:times", {"asks": ["times"]}, FACTS, about("count of times")),
    # What was named, and a kind by itself.
    ("gout/concept:", {"reason": GOUT}, FACTS, about("facts", reason=GOUT)),
    ("top/pick:highest", {"pick": "highest"}, FACTS, about("values", pick="highest")),
    ("last/pick:latest", {}, of_all(WOMEN), of_all(WOMEN, pick="youngest")),
    ("last/pick:latest", {}, of_all(WOMEN, answer="count of patients"), of_all(HAS)),
    # To show what many patients are is no order, but where it opens the question.
    ("all show/ask:show", {"asks": ["show"]}, of_all(HAS), None),
]


@pytest.mark.parametrize(("text", "heard", "without", "with_it"), LOST)
def test_a_word_that_the_form_has_no_place_for_forbids_the_answer(
    text: str, heard: dict[str, Any], without: Form, with_it: Form | None
) -> None:
    said = spans(text)
    assert unaccounted(Heard(said, **heard), without) == ([said[-1].words], [])
    if with_it is not None:
        assert unaccounted(Heard(said, **heard), with_it) == ([], [])


DOUBTFUL = [
    ("Leeds/place:Leeds", {"places": ["Leeds"]}, FACTS, of_all(Person("city", "=", "Leeds"))),
    ("Leeds/place:Leeds", {"places": ["Leeds"]}, FACTS, about("person", attribute="city")),
    ("reveal/ask:show", {"asks": ["show"]}, about("date"), about("text")),
    ("reveal/ask:show", {"asks": ["show"]}, YES, FACTS),
    ("last/pick:latest", {"pick": "latest"}, YES, about("yes or no", pick="latest")),
    ("last/pick:latest", {"pick": "latest"}, about("count of facts"), FACTS),
    ("first/pick:first", {"pick": "first"}, about("trend"), about("date", pick="first")),
    (
        "last/pick:latest",
        {"pick": "latest"},
        of_all(HAS),
        of_all(Has(What(("condition",), pick="latest"))),
    ),
]


@pytest.mark.parametrize(("text", "heard", "without", "with_it"), DOUBTFUL)
def test_a_word_that_was_not_used_makes_the_answer_doubtful(
    text: str, heard: dict[str, Any], without: Form, with_it: Form
) -> None:
    said = spans(text)
    assert unaccounted(Heard(said, **heard), without) == ([], [said[0].words])
    assert unaccounted(Heard(said, **heard), with_it) == ([], [])


RELATED = about("yes or no", relative="mother")
RISES = about("trend", kind="observation")


@pytest.mark.parametrize(
    ("text", "heard", "form", "heavy"),
    [
        # One relative of two; a family is no second one; herself beside one, and alone.
        (
            "mother/relative:mother father/relative:father",
            {"relatives": ["mother", "father"]},
            RELATED,
            ["mother", "father"],
        ),
        ("mother/relative:mother", {"relatives": ["*", "mother"]}, RELATED, []),
        ("herself/self:-", {"relatives": ["mother"]}, RELATED, ["herself"]),
        ("herself/self:-", {}, YES, []),
        # What means something else too is used as that; two such words are, and one beside
        # another that means the trend alone is not.
        ("put_on/trend:rising/verb:medication", {"trend": "rising"}, FACTS, []),
        (
            "put_on/trend:rising/verb:medication rising/trend:rising",
            {"trend": "rising"},
            FACTS,
            ["put on", "rising"],
        ),
        # By how much, and up to what: a trend tells no number.
        ("by how_much/ask:how_much", {}, RISES, ["how much"]),
        ("by how_much/ask:how_much", {}, about("values", kind="observation"), []),
        ("by that how_much/ask:how_much", {}, RISES, []),
        ("for how_much/ask:how_much", {}, RISES, []),
        ("climb/trend:rising to ?", {}, RISES, ["climb"]),
        ("climb/trend:rising to what", {}, RISES, []),
        ("climb to", {}, RISES, []),
        ("climb/trend:rising up", {}, RISES, []),
        ("to", {}, RISES, []),
        # A kind alone that the form does not hold; a drug's is its reason's, or the most frequent.
        ("drugs", {"clauses": "medication"}, FACTS, ["drugs"]),
        ("drugs", {"clauses": "condition"}, FACTS, []),
        ("drugs", {"clauses": "medication"}, about("reason"), []),
        ("drugs", {"clauses": "medication"}, about("most frequent"), []),
        ("drugs", {"clauses": "medication"}, about("person", kind=None), []),
        # "Show" opens the question, or "find" only means to; of many elsewhere it is none.
        ("show/ask:show gout", {"asks": ["show"]}, of_all(HAS), []),
        ("? show/ask:show gout", {"asks": ["show"]}, of_all(HAS), []),
        ("find/ask:show", {"asks": ["show"]}, about("date"), []),
        # What tells namesakes apart, or only says that somebody is meant, is no loss.
        ("patient/people:-", {}, FACTS, []),
        ("name/attr:name", {"attributes": ["name"]}, FACTS, []),
        ("number/attr:number", {"attributes": ["number"]}, FACTS, []),
        (
            "born/attr:birth_date",
            {"attributes": ["birth date"], "birth": ("", "")},
            of_all(HAS),
            [],
        ),
        ("city/attr:city", {"attributes": ["city"], "places": ["Leeds"]}, of_all(HAS), []),
    ],
)
def test_single_words_beside_a_form(
    text: str, heard: dict[str, Any], form: Form, heavy: list[str]
) -> None:
    said = spans(text)
    if "clauses" in heard:
        heard = {**heard, "clauses": [Clause(said, hint=heard["clauses"])]}
    assert unaccounted(Heard(said, **heard), form) == (heavy, [])


@pytest.mark.parametrize(
    ("names", "past", "words", "lost"),
    [
        (["gout"], [], "podagra", []),
        (["gout"], ["old gout"], "podagra", ["podagra"]),
        (["tophus"], [], "gout", []),
        (["tophus"], [], "podagra", ["podagra"]),
        ([], [], "podagra", ["podagra"]),
    ],
)
def test_a_thing_is_held_by_its_words_or_all_of_its_names(
    names: list[str], past: list[str], words: str, lost: list[str]
) -> None:
    clause = Clause(match={"condition": Match("condition", names, past)}, words=words)
    heard = Heard([], clauses=[clause])
    for form in (
        about("facts", concept=GOUT),
        about("facts", reason=GOUT),
        about("facts", but=GOUT),
        about("facts", time=Time(event=GOUT, side="after")),
        of_all(Either((HAS, WOMEN))),
        of_all(WOMEN, Without(HAS)),
    ):
        assert unaccounted(heard, form) == (lost, [])
    assert unaccounted(heard, FACTS) == ([words], [])


def _with(**what: Any) -> Form:
    return about("facts", **what)


DEAD, DENIED = about("person", attribute="death"), _with(value=Value("denied"))
NOT_GOUT = of_all(Without(HAS))
REALISED = [
    ("when:never", [about("yes or no", negated=True), NOT_GOUT, DENIED], [FACTS, of_all(HAS)]),
    ("when:ended", [_with(when="past")], [_with(when="now")]),
    ("when:now", [_with(when="now"), DEAD], [_with(when="ever"), _with(when="past")]),
    (
        "when:past",
        [_with(when="past"), _with(when="any"), _with(when="ever"), DEAD]
        + [_with(when="now", value=Value("former")), _with(when="now", attribute="status reason")],
        [_with(when="now"), _with(when="planned"), about("yes or no", when="now", negated=True)],
    ),
    (
        "when:not done",
        [_with(when="not done"), _with(when="any"), about("yes or no", negated=True)],
        [FACTS, _with(when="now", value=Value("former")), DEAD],
    ),
    ("when:planned", [_with(when="planned")], [FACTS, _with(when="any"), _with(when="past")]),
    ("sure:provisional", [_with(sure="provisional"), _with(sure="refuted")], [FACTS]),
    ("sure:confirmed", [_with(sure="confirmed")], [FACTS, _with(sure="refuted")]),
    (
        "edge:end",
        [about("end date"), _with(attribute="status reason"), _with(when="past")],
        [about("date"), _with(when="ever"), _with(time=YEAR)],
    ),
    ("edge:start", [about("date"), _with(time=YEAR)], [FACTS, about("end date")]),
    (
        "range:above range",
        [_with(value=Value("above range"))],
        [FACTS, _with(value=Value("below range"))],
    ),
    (
        "compare:>",
        [RISES, _with(value=Value(">", 1.0)), of_all(Person("age", ">", "60"))],
        [FACTS, _with(value=Value("<", 1.0)), _with(time=YEAR)],
    ),
    ("compare:<", [RISES], [FACTS]),
    ("compare:between", [_with(time=YEAR)], [FACTS, RISES]),
    (
        "time:before",
        [_with(when="past"), _with(time=YEAR), of_all(Person("birth date", "between"))],
        [FACTS, of_all(WOMEN)],
    ),
    ("time:since", [_with(time=YEAR)], [_with(when="past"), FACTS]),
    ("trend:rising", [RISES], [FACTS]),
    (
        "not:-",
        [about("yes or no", negated=True), NOT_GOUT, of_all(WOMEN, Without(HAS)), DENIED, DEAD]
        + [of_all(Either((HAS, Without(WOMEN))))],
        [FACTS, of_all(HAS, WOMEN)],
    ),
    ("relative:mother", [RELATED], [FACTS]),
    ("most:-", [about("most frequent")], [FACTS]),
    (
        "pick:latest",
        [_with(pick="latest"), about("duration"), of_all(HAS, pick="youngest")],
        [FACTS, _with(pick="first")],
    ),
    ("pick:all", [FACTS, _with(pick="first")], []),
    ("verb:medication on", [FACTS], [of_all(WOMEN), about("person", kind=None)]),
    ("verb:medication now", [FACTS, of_all(WOMEN)], []),
    ("verb:reaction", [about("reaction")], [FACTS]),
    ("ask:what", [FACTS, RISES], []),
    ("ask:why", [about("reason"), _with(kind="immunization")], [FACTS, DEAD]),
    ("ask:when", [about("date"), about("values"), DEAD, of_all(WOMEN)], [FACTS, of_all(HAS)]),
    ("ask:where", [DEAD, of_all(WOMEN)], [FACTS]),
    ("ask:count", [about("count of facts"), of_all(HAS, answer="count of patients")], [FACTS]),
    ("ask:old", [about("age", kind=None)], [FACTS, of_all(WOMEN)]),
    ("ask:how often", [about("dose")], [FACTS]),
    ("attr:dose", [FACTS], []),
    ("sex:female", [FACTS], []),
]
_FORBID = ("compare", "not", "sure", "relative", "most", "trend", "time")


@pytest.mark.parametrize(("meaning", "there", "missing"), REALISED)
def test_a_meaning_stands_in_the_form_or_is_told(
    meaning: str, there: list[Form], missing: list[Form]
) -> None:
    word = span(f"word/{meaning.replace(' ', '_')}")
    for form in there:
        assert idle([word], form, set()) == ([], []), form
    told = (["word"], []) if meaning.split(":")[0] in _FORBID else ([], ["word"])
    for form in missing:
        assert idle([word], form, set()) == told, form
        # A word that was used, or has a meaning for which no form has a place, is not.
        assert idle([word], form, {0}) == ([], [])
        assert idle([span(f"word/{meaning.replace(' ', '_')}/join:and")], form, set()) == ([], [])


def test_one_of_two_meanings_is_enough() -> None:
    either = span("last/pick:latest/trend:rising")
    assert idle([either], RISES, set()) == ([], [])
    assert idle([either], _with(pick="latest"), set()) == ([], [])
    # As heavy as the lighter of them.
    assert idle([either], FACTS, set()) == ([], ["last"])
    begun = span("begun/edge:start/begin:-")
    assert idle([begun], FACTS, set()) == ([], ["begun"])
