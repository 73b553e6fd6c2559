"""The reader's parts one by one: spelling, Chinese words, profiles of types, confidence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.ask.reader import ReaderAnswerer
from osler.ask.reading import han
from osler.ask.reading.names import Names, question_words
from osler.ask.reading.profiles import profiles, shown
from osler.ask.reading.question import read
from osler.ask.reading.scorer import TRUST, Scorer, corrected
from osler.ask.reading.spelling import Spelling, slipped
from osler.ask.reading.tests import date_tests, number_tests, unread_comparison
from osler.ask.reading.trust import fit_curve, fit_trust
from osler.ask.reading.whom import bare_patient, called
from osler.records.kb import ClinicalKB

HOSPITALS = Path(__file__).parent / "hospitals"


@pytest.fixture(scope="module")
def clinic() -> ClinicalKB:
    return ClinicalKB.read(HOSPITALS / "clinic.tsv")


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [("patient", "patient", 0), ("pateint", "patient", 1), ("medicaton", "medication", 1)],
)
def test_slips(a: str, b: str, distance: int) -> None:
    assert slipped(a, b, 2) == distance
    assert slipped(b, a, 2) == distance


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_slips_are_a_distance(a: str, b: str) -> None:
    assert slipped(a, b, 99) == slipped(b, a, 99) <= max(len(a), len(b))
    assert (slipped(a, b, 99) == 0) == (a == b)


def test_spelling_mends_only_what_nothing_knows() -> None:
    spelling = Spelling({"warfarin"}, {"compound"})
    assert spelling.meant("pateint") == "patient"
    assert spelling.meant("compunds") == "compound"
    for kept in ("warfarin", "patients", "zebra", "12345", "患者"):
        assert spelling.meant(kept) == kept


def test_chinese_is_cut_by_what_is_known() -> None:
    assert [p for _, p in han.pieces("服用药物", frozenset())] == ["服用", "药物"]
    assert "入院" in han.bag("入院日期")
    assert han.glue("的是")
    assert not han.glue("电话")


@given(st.text(max_size=40))
def test_pieces_put_together_are_the_text(text: str) -> None:
    assert "".join(piece for _, piece in han.pieces(text)) == text


def test_profiles(clinic: ClinicalKB) -> None:
    held = dict(zip(clinic.types, profiles(clinic), strict=True))
    assert "medication" in held["Compound"]
    assert "disease" in held["Ailment"]
    assert "date" in held["Day"]
    assert "doctor" in held["Clinician"]
    assert not held["Patient"]
    assert not shown("Harwick")


@pytest.mark.parametrize(
    ("words", "is_patient"),
    [
        ("patient 51214", True),
        ("subject id 51214", True),
        ("the patient with id 51214", True),
        ("lab test item id 51214", False),
        ("icd9 code is 51214", False),
    ],
)
def test_whose_number(words: str, is_patient: bool) -> None:
    texts = words.split()
    assert called(texts, len(texts) - 1) == is_patient


def test_bare_numbers() -> None:
    assert bare_patient(["did", "88101", "receive"], 1)
    assert not bare_patient(["admitted", "in", "2019"], 2)
    assert not bare_patient(["above", "8810"], 1)


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("aged 44 years or older", (">=", 44.0)),
        ("stayed for 17 days", ("=", 17.0)),
        ("more than 2 days", (">", 2.0)),
        ("below 56", ("<", 56.0)),
    ],
)
def test_numbers(text: str, tests: tuple[str, float]) -> None:
    found = [t for f in number_tests(text, []) for t in f.tests]
    assert found == [tests]


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("born before the year 2156", ("before", "2156")),
        ("admitted after year 2146", ("after", "2146")),
        ("in or after 2144", ("since", "2144")),
        ("2021年之后入院", ("after", "2021")),
    ],
)
def test_dates(text: str, tests: tuple[str, str]) -> None:
    found = [t for f in date_tests(text, []) for t in f.tests]
    assert found == [tests]


@pytest.mark.parametrize(
    ("text", "asks", "population"),
    [
        ("Which patients who were born before 1950 take aspirin?", True, False),
        ("What is the average age of patients who live in Marl?", False, True),
        ("Among patients with gout, how many of them take colchicine?", True, False),
        ("Who looks after NF-0044?", False, False),
        ("Tell me who takes bisoprolol", True, False),
        ("How many female patients are there?", True, False),
    ],
)
def test_who_is_asked_for(clinic: ClinicalKB, text: str, asks: bool, population: bool) -> None:
    reading = read(Names(clinic), text)
    assert (reading.asks_patients, reading.population) == (asks, population)


def test_words_keep_their_places() -> None:
    for word in question_words("What's the HbA1c of P-7?"):
        assert "What's the HbA1c of P-7?"[word.start : word.end].lower() == word.text


def test_confidence_is_calibrated_and_rises_with_what_is_met() -> None:
    rng = np.random.default_rng(0)
    facts = rng.uniform(0, 1, (800, len(TRUST)))
    share = facts[:, TRUST.index("share")]
    right = rng.uniform(0, 1, 800) < share
    found = fit_trust(facts, right, np.ones(800, dtype=bool))
    assert found.weights[TRUST.index("share")] > 1
    scorer = Scorer(np.zeros(0), trust=found.weights, curve=found.curve)
    sure = np.asarray([scorer.confidence(f) for f in facts])
    assert abs(sure.mean() - right.mean()) < 0.05
    assert (np.diff(found.curve[1]) >= 0).all()


def test_a_fact_that_speaks_against_never_speaks_for() -> None:
    rng = np.random.default_rng(1)
    facts = rng.uniform(0, 1, (400, len(TRUST)))
    right = facts[:, TRUST.index("missed")] > 0.5
    found = fit_trust(facts, right, np.ones(400, dtype=bool))
    assert found.weights[TRUST.index("missed")] <= 0


def test_a_curve_ends_at_near_certainty_and_never_beyond() -> None:
    p = np.linspace(0.1, 0.9, 40)
    curve = fit_curve(p, (np.arange(40) % 2).astype(float), np.ones(40))
    assert curve[1, -1] == pytest.approx(0.99)
    assert (curve <= 1.0).all()


def test_a_curve_without_questions() -> None:
    curve = fit_curve(np.zeros(0), np.zeros(0), np.zeros(0))
    assert corrected(np.asarray([0.3]), curve)[0] == pytest.approx(0.3)


def test_the_only_answer_is_not_the_right_one(tmp_path: Path) -> None:
    """Where records hold one fact, a question about something else is still refused."""
    path = tmp_path / "w.tsv"
    path.write_text(
        "head\thead_type\trelation\ttail\ttail_type\nP7\tpatient\ttakes\taspirin\tdrug\n",
        encoding="utf-8",
    )
    reader = ReaderAnswerer(ClinicalKB.read(path))
    assert reader.ask("Which drugs does P7 take?").answers == ["aspirin"]
    for text in ("What is the phone number of P7?", "Where does P7 live?", "How tall is P7?"):
        assert reader.ask(text).refused, text


def test_either_of_two(clinic: ClinicalKB) -> None:
    reader = ReaderAnswerer(clinic)
    found = reader.ask("Which patients take colchicine or salbutamol?")
    assert set(found.answers) == {"NF-0044", "NF-0102", "NF-0119"}
    assert reader.ask("Is NF-0031 male or female?").answers == ["female"]


def test_what_all_of_a_kind_have(clinic: ClinicalKB) -> None:
    reader = ReaderAnswerer(clinic)
    found = reader.ask("Which compounds do patients with gout take?")
    assert set(found.answers) == {"bisoprolol", "colchicine", "apixaban", "pantoprazole"}


def test_sources_are_of_the_answer_alone(clinic: ClinicalKB) -> None:
    """ "But not": lines about those who were taken away are not shown."""
    reader = ReaderAnswerer(clinic)
    found = reader.ask("Which patients have gout but not heart failure?")
    assert found.answers == ["NF-0102"]
    lines = (HOSPITALS / "clinic.tsv").read_text("utf-8").splitlines()
    shown_lines = [lines[int(s.split(":")[1]) - 1] for s in found.sources]
    assert shown_lines
    assert all("NF-0102" in line for line in shown_lines)
    assert "without" in found.path


@pytest.mark.parametrize(
    ("text", "kind", "tests"),
    [
        ("patients in or above 76 years of age", "number", ((">=", 76.0),)),
        ("patients at or under 40 years", "number", (("<=", 40.0),)),
        ("patients above 76 years of age", "number", ((">", 76.0),)),
        ("admitted under the year 2198", "date", (("before", "2198"),)),
        ("admitted above the year 2198", "date", (("after", "2198"),)),
    ],
)
def test_comparisons_that_hold_the_number_itself_or_a_year(
    text: str, kind: str, tests: tuple[object, ...]
) -> None:
    read = {"number": number_tests, "date": date_tests}[kind](text, [])
    assert [f.tests for f in read] == [tests]


def test_a_comparison_that_was_not_read_is_known() -> None:
    assert unread_comparison("admitted in the year less that 2187", [])
    text = "admitted in the year less than 2187"
    assert not unread_comparison(text, [(text.index("less"), len(text))])
    assert not unread_comparison("seen after the operation", [])


def small_ward(folder: Path) -> ReaderAnswerer:
    rows = ["head\thead_type\trelation\ttail\ttail_type"]
    for at in range(6):
        who = f"P{at + 1}\tpatient"
        rows += [
            f"{who}\tvital_state\t{'alive' if at % 2 else 'deceased'}\tvital state",
            f"{who}\tbirth_year\t{1830 + at * 4}\tyear of birth",
            f"{who}\tdays_of_stay\t{10 + at * 3}\tdays of stay",
            f"{who}\thas_diagnosis\tgout {at}\tdiagnosis",
            f"gout {at}\tdiagnosis\ticd9\t27{at}9\ticd9 code",
            f"{who}\tdrug_code\tNS{at}00\tdrug code",
            f"{who}\tstatus_flag\t{'delta' if at % 2 else 'abnormal'}\tlab status",
            f"{who}\tstatus_flag\t{'normal' if at % 3 else 'delta'}\tlab status",
        ]
    path = folder / "ward.tsv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return ReaderAnswerer(ClinicalKB.read(path))


def test_without_takes_away_from_those_who_meet_the_rest(tmp_path: Path) -> None:
    reader = small_ward(tmp_path)
    answer = reader.ask("How many patients born before the year 1842 are not alive?")
    # Born 1830, 1834 and 1838; of them P2 is alive: never everybody less P2.
    assert answer.answers == ["2"]


@pytest.mark.parametrize(
    ("question", "open_"),
    [
        ("How many patients had a delta abnormal lab status?", "two values are named"),
        ("How many patients have an abnormal lab status that is delta?", "two values are named"),
        ("What is the icd9 code of patient P1?", "elsewhere than in the answer"),
        ("How many patients under the age of 27 stayed more than 12 days?", "two tests"),
    ],
)
def test_what_stays_open_is_said_and_never_sure(tmp_path: Path, question: str, open_: str) -> None:
    answer = small_ward(tmp_path).ask(question)
    assert answer.answers
    assert answer.confidence < 0.9
    assert open_ in answer.note


def test_what_is_read_whole_may_be_sure(tmp_path: Path) -> None:
    answer = small_ward(tmp_path).ask("How many patients born before 1842 are alive?")
    assert (answer.answers, answer.note) == (["1"], "counted")
    assert answer.confidence > 0.9


def test_the_highest_of_what_has_no_number_is_not_everything(tmp_path: Path) -> None:
    reader = small_ward(tmp_path)
    assert reader.ask("What are the lab status values of patients who are alive?").answers
    assert reader.ask("What is the maximum lab status of patients who are alive?").refused
