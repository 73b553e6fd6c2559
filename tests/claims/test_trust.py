"""A side is told where a second judge trusts it, and not because the heads are sure."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from claim_samples import heard_in, told_by
from osler.claims import vectors
from osler.claims.paper import TRUSTED_FROM, UNTRUSTED, leaning, paper_stance, values_of
from osler.claims.trust import Trust, Weight, read_tables, tables, trust_features
from osler.claims.verdict import NO_EFFECT, NO_SIDE, SUPPORTS, Stance
from osler.kinds import Document, Section
from osler.text.model_folder import SMALL
from osler.text.model_folder import shipped as weights_of

ROWS = Path(__file__).parent.parent.parent / "benchmarks" / "stance_told.tsv"


@pytest.fixture
def with_encoder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OSLER_WEIGHTS", "")
    if weights_of(SMALL) is None:
        pytest.skip("the encoder's weights are not in this checkout")
    vectors.forget()
    yield
    monkeypatch.undo()
    vectors.forget()


def features_of(claim: str, text: str, title: str = "") -> dict[str, float]:
    paper = Document(id="1", title=title, sections=(Section(text),))
    told = leaning(claim, paper)
    return trust_features(claim, paper, told, values_of(claim, paper, told))


PLAIN = "We treated 300 adults. Exercise reduced depression."
BESIDE = (
    "With respect to the categories of drugs, urological drugs and antidepressants increased the "
    "risk of dementia, whereas cardiovascular drugs lowered it."
)


def test_what_is_said_plainly_is_told() -> None:
    told = told_by("Does exercise reduce depression?", PLAIN)
    assert told.stance == SUPPORTS
    assert told.supports >= TRUSTED_FROM
    assert told.why == ()


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        # One word for another: antidepressants are no depression.
        ("Does depression increase the risk of dementia?", BESIDE),
        # The subject is only what something else is held against.
        (
            "Is D-dimer a predictor of death?",
            "In contrast to D-dimer levels, an increase of platelets over the first week was "
            "associated with a lower risk of death.",
        ),
        # A word of the claim that was read as a direction, and is what it is about.
        ("Does vitamin D reduce the risk of falls?", "Vitamin D reduced the risk of diabetes."),
        ("Does STAT3 promote differentiation?", "STAT3 promoted the growth of tumours."),
    ],
)
def test_what_the_heads_wrongly_believe_is_not_told(claim: str, text: str) -> None:
    text = f"We followed 300 adults. {text}"
    heard, told = heard_in(claim, text), told_by(claim, text)
    assert heard.stance == SUPPORTS
    assert told.stance == NO_SIDE
    assert told.why == (UNTRUSTED,)
    assert told.supports < TRUSTED_FROM


def test_a_word_that_is_read_as_a_direction_must_be_named_too() -> None:
    claim = "Does vitamin D reduce the risk of falls?"
    other = "We treated 300 adults. Vitamin D reduced the risk of diabetes."
    own = "We treated 300 adults. Vitamin D reduced the risk of falls."
    assert features_of(claim, other)["unread named"] == 0.0
    assert features_of(claim, own)["unread named"] == 1.0
    assert told_by(claim, own).supports > told_by(claim, other).supports


@pytest.mark.parametrize("text", [PLAIN, "Exercise did not reduce depression.", BESIDE])
def test_probabilities_are_those_of_the_second_judge_and_sum_to_one(text: str) -> None:
    claim = "Does exercise reduce depression?"
    if text == BESIDE:
        claim = "Does depression increase the risk of dementia?"
    told = told_by(claim, text)
    assert told.supports + told.refutes + told.neutral == pytest.approx(1.0, abs=2e-4)
    assert min(told.supports, told.refutes, told.neutral) >= 0.0
    assert told.no_effect <= told.refutes + 1e-9
    side = max(told.supports, told.refutes)
    expected = tables()[1].probability(features_of(claim, text))
    assert side == pytest.approx(expected, abs=1e-4)


def test_the_claims_own_verb_states_and_what_is_measured_does_not() -> None:
    claim = "Budesonide treats asthma"
    text = "We saw 300 adults. Budesonide treated asthma better than placebo."
    assert features_of(claim, text)["in order"] == 1.0
    assert told_by(claim, text).stance == SUPPORTS
    asked = "Is atrial fibrillation a risk factor for stroke?"
    other = (
        "We followed 300 adults with atrial fibrillation (AF). In this large study of patients "
        "with AF, the risk of stroke among those aged <75 years was comparable between women and "
        "men."
    )
    paper = Document(id="1", sections=(Section(other),))
    lean = Stance(
        stance=NO_EFFECT,
        supports=0.1,
        refutes=0.7,
        neutral=0.2,
        start=other.index("In this"),
        end=len(other),
    )
    features = trust_features(asked, paper, lean, [-1.0])
    assert (features["in order"], features["same verb"]) == (0.0, 0.0)
    assert tables()[1].probability(features) < TRUSTED_FROM


def test_no_effect_stays_no_effect() -> None:
    claim, text = "Does exercise reduce depression?", "Exercise did not reduce depression."
    heard, told = heard_in(claim, text), told_by(claim, text)
    assert heard.stance == NO_EFFECT
    assert told.stance in (NO_EFFECT, NO_SIDE)
    assert told.no_effect / told.refutes == pytest.approx(heard.no_effect / heard.refutes, abs=0.01)


def test_the_order_of_the_ends_and_what_stands_ahead_are_seen() -> None:
    claim = "Does exercise reduce depression?"
    plain = features_of(claim, PLAIN)
    assert (plain["in order"], plain["in turned order"], plain["between"]) == (1.0, 0.0, 1.0)
    assert plain["others ahead"] == 0.0
    turned = features_of(claim, "We treated adults. Depression was reduced by exercise.")
    assert (turned["in order"], turned["in turned order"]) == (0.0, 1.0)
    crowded = features_of(claim, "We treated adults. Among nurses with asthma exercise reduced it.")
    assert "in order" not in crowded
    other = features_of("Does depression increase the risk of dementia?", BESIDE)
    assert other["others ahead"] > 0.0


def test_the_title_of_a_paper_without_one_is_its_sentence() -> None:
    claim = "Does exercise reduce depression?"
    without = features_of(claim, PLAIN)
    assert without["titled"] == without["named"] == 1.0
    other = features_of(claim, PLAIN, "Walks in the park")
    assert other["titled"] == 0.0
    assert other["named"] == 1.0
    assert other["title in order"] == 0.0


def test_words_alone_decide_where_no_encoder_is() -> None:
    assert not any(
        name.startswith("likeness") for name in features_of("Zinc cures.", "Zinc cures.")
    )
    assert not any(name.startswith("likeness") for name in tables()[1].weights)
    assert any(name.startswith("likeness") for name in tables()[0].weights)


@pytest.mark.usefixtures("with_encoder")
def test_likeness_counts_where_an_encoder_is() -> None:
    claim = "Does exercise reduce depression?"
    near = features_of(claim, PLAIN)
    assert near["likeness"] > 0.7
    assert near["likeness of title"] == near["likeness"] == near["likeness at best"]
    assert near["likeness in order"] == near["likeness"]
    paper = Document(id="1", title="Walks in the park", sections=(Section(PLAIN),))
    told = paper_stance(claim, paper)
    far = features_of(claim, PLAIN, "Walks in the park")
    assert far["likeness of title"] < near["likeness"]
    assert told.supports == pytest.approx(tables()[0].probability(far), abs=1e-3)


def test_a_table_is_read_as_it_stands() -> None:
    lines = (
        "# a card\nlikeness\tbias\t0\t1\t-1.5\nlikeness\tnear\t0.5\t0.25\t2\nwords\tbias\t0\t1\t1\n"
    )
    first, second = read_tables(lines)
    assert first == Trust({"near": Weight(0.5, 0.25, 2.0)}, -1.5)
    assert second == Trust({}, 1.0)
    assert first.probability({"near": 0.5}) == pytest.approx(1 / (1 + 2.718281828**1.5))
    assert first.probability({"near": 1.0}) == pytest.approx(1 / (1 + 2.718281828**-2.5))
    assert first.probability({}) == pytest.approx(1 / (1 + 2.718281828**5.5))


def test_what_taught_it_can_be_read_again() -> None:
    """The sentences themselves are PubMed's: only their places are kept."""
    with ROWS.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    assert {row["side"] for row in rows} == {"supports", "refutes", "neither"}
    assert all(row["pmid"].isdigit() for row in rows)
    assert all(0 <= int(row["start"]) < int(row["end"]) for row in rows)
    keys = [(row["question"], row["pmid"], row["start"]) for row in rows]
    assert len(set(keys)) == len(keys)


def seen_in(claim: str, text: str, values: list[float], title: str = "") -> dict[str, float]:
    """Features of one sentence of which it is said that it supports, .6 to .2."""
    paper = Document(id="1", title=title, sections=(Section(text),))
    begin = len(paper.text) - len(paper.abstract)
    lean = Stance(
        stance=SUPPORTS, supports=0.6, refutes=0.2, neutral=0.2, start=begin, end=begin + len(text)
    )
    return trust_features(claim, paper, lean, values)


FRAME = {"aim": 0.0, "contrasted": 0.0, "one place": 0.0, "title": 0.0, "unread": 0.0}
EVERY = {"between": 1.0, "exact": 1.0, "named": 1.0, "purity": 0.75, "same kind": 1.0}
EVERY |= {"same verb": 1.0, "unread named": 1.0, "verb between": 1.0, "phrases": 0.5}


@pytest.mark.parametrize(
    ("claim", "title", "text", "values", "expected"),
    [
        (
            "Does exercise reduce depression?",
            "",
            "In older nurses and teachers daily exercise significantly reduced severe depression.",
            [1.0, -0.5],
            {
                "agree least": 1.0,
                "agree mean": 1.0,
                "claim signed": 1.0,
                # Five of twelve words name something else; four stand ahead.
                "foreign": 5 / 12,
                "others ahead": 0.8,
                "gap": math.log(5) / 3,
                "gap to rest": math.log(3) / 3,
                "gap to subject": math.log(3) / 3,
                "in order": 1.0,
                "in turned order": 0.0,
                "mentions": 1 / 3,
                "place of subject": 6 / 12,
                "relation in order": 0.0,
                "rule strength": 0.5,
                "subject first": 1.0,
                "title in order": 1.0,
                "titled": 1.0,
                "value least": -0.5,
                "value most": 1.0,
            },
        ),
        (
            "Is frailty associated with mortality?",
            "Frailty and death in adults",
            "After exercise mortality was lower, and mortality was associated with age and "
            "frailty.",
            [0.7],
            {
                "agree least": 0.8,
                "agree mean": 0.8,
                "claim signed": 0.0,
                "foreign": 2 / 15,
                "others ahead": 0.2,
                "gap": math.log(7) / 3,
                "gap to rest": math.log(3) / 3,
                "gap to subject": math.log(5) / 3,
                "in order": 0.0,
                "in turned order": 1.0,
                "mentions": 1 / 3,
                "place of subject": 13 / 15,
                "relation in order": 0.0,
                "rule strength": 1.0,
                "subject first": 0.0,
                "title in order": 0.0,
                "titled": 0.5,
                "value least": 0.7,
                "value most": 0.7,
            },
        ),
    ],
)
def test_what_is_seen_of_a_sentence(
    claim: str, title: str, text: str, values: list[float], expected: dict[str, float]
) -> None:
    features = seen_in(claim, text, values, title)
    assert features == pytest.approx(FRAME | EVERY | expected, abs=1e-6)


def test_a_statement_inside_is_nearer_than_one_outside() -> None:
    """Of two statements the one that stands between the ends is looked at, or the nearest."""
    claim = "Does exercise reduce depression?"
    text = "In nurses yoga raised hopes, and exercise in all groups greatly reduced depression."
    features = seen_in(claim, text, [1.0])
    assert features["gap to rest"] == pytest.approx(math.log(2) / 3)
    assert features["in order"] == 1.0


def test_a_table_without_a_bias_has_none() -> None:
    assert read_tables("words\tnear\t0.5\t0.25\t2")[1].bias == 0.0
    assert features_of("Does exercise reduce depression?", PLAIN)["mentions"] == pytest.approx(
        1 / 3
    )
    many = "We treated adults. Exercise, exercise, exercise and exercise reduced depression."
    assert features_of("Does exercise reduce depression?", many)["mentions"] == 1.0


def test_without_a_statement_there_is_no_value() -> None:
    features = seen_in("Does exercise reduce depression?", "Exercise reduced depression.", [])
    assert (features["value least"], features["value most"]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "contrasted"),
    [
        ("Unlike quiet yoga, exercise reduced depression.", 1.0),
        ("Unlike very quiet yoga, exercise reduced depression.", 0.0),
    ],
)
def test_what_is_held_against_a_subject_stands_close_ahead(text: str, contrasted: float) -> None:
    assert seen_in("Does exercise reduce depression?", text, [1.0])["contrasted"] == contrasted
