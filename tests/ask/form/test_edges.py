"""Where two readings or two branches lie side by side: what is asked, what is answered, and what
the note says. Over the ward, where nothing else is named."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from osler import Library
from osler.ask.form.answering import FormAnswerer
from osler.ask.form.called import other_names
from osler.ask.form.form import Concept, Has, Person, What, Without
from osler.ask.form.ground import attribute
from osler.ask.form.people import People
from osler.ask.form.reading import Reader
from osler.ask.form.relation import LibraryFacts
from osler.ask.form.spans import cut
from osler.ask.form.vocabulary import Name, Vocabulary
from osler.kinds import Fact
from osler.store.facts import FactRows

from .test_reading import READ
from .ward import TODAY, fact, over, patient


@pytest.mark.parametrize(
    ("question", "answers", "note"),
    [
        # Restated: what stands behind the restart is the question, if it asks.
        ("Whose lungs are bad, I mean who takes lisinopril?", ["Ann Lee"], ""),
        ("Whose lungs are bad, I mean lisinopril?", [], "there is no patient I mean"),
        # One word before the comma is as good an opening as many.
        ("patients with creatinine > 1.5, how many", ["1"], ""),
        ("How many patients are married?", [], "nothing of the kind stands in these records"),
        ("How many patients have gout?", [], "nothing of the kind stands in these records"),
        ("How many patients have pneumonia?", ["0"], ""),
        # Whose relative it was; who prescribed is not recorded.
        ("Which relative of Ben Okoro had a stroke?", [], "no record of stroke for the family"),
        ("By whom was lisinopril prescribed to MRN-7?", [], "whom"),
        ("Who has the higher creatinine, MRN-7 or Ben Okoro?", [], "one patient at a time"),
        # What stands beside a fact that is there, and one that is not.
        ("What dose of apixaban does Ben Okoro take?", [], "its dose is not"),
        ("What dose of lisinopril does Ben Okoro take?", [], "no record of lisinopril"),
        ("Why does MRN-7 take simvastatin?", [], "its reason is not"),
        # A range closed by a unit; a range that is none.
        ("Whose creatinine is between 1 and 2 mg/dL?", ["Ann Lee"], ""),
        ("Whose creatinine is between 1 mg/dL and 2 mg/dL?", ["Ann Lee"], ""),
        ("Whose creatinine is between 1.9 and 1.9?", ["Ann Lee"], ""),
        ("Whose creatinine is from 0.9 to 1.8?", ["Ben Okoro"], ""),
        ("Whose creatinine is between 1?", [], ""),
        # The asker's own doings, and where they are none.
        ("Before I ring Ben Okoro, is MRN-7 on lisinopril?", [], "one patient"),
        ("Is MRN-7 on lisinopril, so that I can stop asthma?", [], ""),
        ("I should know: is MRN-7 on lisinopril?", ["yes"], ""),
        # Told of the one patient beside the question.
        ("Cora Diaz, who, her mother says, is worried: does she have asthma?", [], ""),
        # A rule for yes and no that holds for either.
        ("Is MRN-7 not on apixaban?", [], "no record of apixaban"),
        ("Has MRN-7 never had pneumonia?", ["no"], ""),
        ("Is MRN-7 no longer on lisinopril?", ["no"], ""),
        ("Which of MRN-7's problems have not resolved?", ["Essential hypertension"], ""),
        ("Which of MRN-7's problems have resolved?", ["Pneumonia"], ""),
    ],
)
def test_side_by_side(asked: FormAnswerer, question: str, answers: list[str], note: str) -> None:
    answer = asked.ask(question)
    assert sorted(answer.answers) == answers
    assert note in answer.note


def test_what_is_not_counted_is_left_out() -> None:
    """A dose that was written in error is no dose, and it is said that it was left out."""
    ward = over(
        *patient("p", "Ann Lee"),
        fact("p", "medication", "Aspirin 81 MG", status="entered in error", dose="9 a day"),
        fact("p", "medication", "Aspirin 75 MG", status="active", dose="1 a day"),
    )
    answer = ward.ask("What dose of aspirin does Ann Lee take?")
    assert answer.answers == ["1 a day"]
    assert [(one.name, one.why) for one in answer.left_out] == [
        ("Aspirin 81 MG", "entered in error")
    ]


def test_what_a_description_is_about() -> None:
    """Whether it is of the patient's person, also under a "without"; or of what was recorded."""
    dead = Person("death", "=")
    asthma = Has(What(("condition",), Concept("asthma", "condition", ("asthma",))))
    assert attribute(dead) == attribute(Without(dead)) == "death"
    assert attribute(asthma) == attribute(Without(asthma)) == ""


def test_a_name_is_no_other_name_of_itself() -> None:
    assert ("clavicle",) not in set(other_names(("clavicle",)))
    assert ("clavicle",) in set(other_names(("collarbone",)))


def test_spans_are_the_whole_question(asked: FormAnswerer) -> None:
    """Every word of a question stands in one span, in its order: none is lost, none heard twice."""
    asked.warm()
    vocabulary, people = asked._vocabulary, asked._people
    assert vocabulary is not None
    assert people is not None
    for question in READ:
        words, spans = cut(question, vocabulary, people, TODAY)
        ends = [0, *(span.end for span in spans)]
        assert [span.start for span in spans] == ends[:-1], question
        assert ends[-1] == len(words), question
        for span in spans:
            assert span.end > span.start, question


def test_a_drug_that_ends_today_is_still_taken() -> None:
    ward = over(
        *patient("p", "Ann Lee"),
        fact("p", "medication", "Aspirin", status="active", start="2024-01-01", end="2024-06-01"),
        fact("p", "medication", "Warfarin", status="active", start="2024-01-01", end="2024-05-31"),
    )
    assert ward.ask("What is Ann Lee taking?").answers == ["Aspirin"]


def test_words_that_are_names_and_words(asked: FormAnswerer) -> None:
    """A reader alone, over a few names: what is a name of the records is found as it stands."""
    names = Vocabulary([Name("condition", "a", "Asthma"), Name("medication", "b", "Aspirin")])
    reader = Reader(names, People(()), today=datetime.date(2024, 6, 1))
    assert reader.read("Who takes aspirin?").form is not None
    assert reader.read("Who takes zorkium?").form is None
    assert names.find(()) == {}
    assert names.find(("of", "the")) == {}


def test_what_was_written_in_error_is_no_family_history() -> None:
    def of(relative: str, status: str) -> Fact:
        return fact(
            "p",
            "condition",
            "Stroke",
            role="family member",
            relative=relative,
            status=status,
        )

    ward = over(
        *patient("p", "Ann Lee"), of("mother", "entered in error"), of("father", "completed")
    )
    assert ward.ask("Did Ann Lee's mother have a stroke?").answers == []
    assert ward.ask("Did Ann Lee's father have a stroke?").answers == ["yes"]
    assert ward.ask("Who in the family of Ann Lee had a stroke?").answers == ["father"]


def test_an_answer_names_the_entity_where_a_fact_has_one() -> None:
    named = fact("p", "medication", "Aspirin", status="active", entity="record:ward/p/aspirin")
    plain = fact("p", "medication", "Warfarin", status="active")
    answer = over(*patient("p", "Ann Lee"), named, plain).ask("What is Ann Lee taking?")
    assert answer.answers == ["Aspirin", "Warfarin"]
    assert answer.entities == ["record:ward/p/aspirin", plain.id]


def test_who_is_removed_is_forgotten(tmp_path: Path) -> None:
    """Names and people that were read are read again when a patient was taken away."""
    facts = [
        *patient("p", "Ann Lee"),
        fact("p", "condition", "Gout"),
        *patient("q", "Bo Hill"),
        fact("q", "condition", "Asthma"),
    ]
    with Library.create(tmp_path / "ward") as library:
        rows = FactRows(library.truth)
        with library.truth.transaction() as connection:
            rows.write(connection, facts, 0)
        ward = FormAnswerer(LibraryFacts(library.layout.truth), today=lambda: TODAY)
        assert ward.ask("Does Ann Lee have gout?").answers == ["yes"]
        with library.truth.transaction() as connection:
            rows.remove_patient(connection, "record:ward/p")
        assert ward.ask("Does Ann Lee have gout?").note == (
            "there is no patient Ann Lee in these records"
        )
        assert ward.ask("Does Bo Hill have asthma?").answers == ["yes"]


def test_chinese_names_of_two_to_four_characters() -> None:
    names = {"王丽": "1950-01-01", "王丽华": "1960-01-01", "欧阳小明": "1970-01-01"}
    ward = over(
        *(
            one
            for at, (name, born) in enumerate(names.items())
            for one in patient(f"p{at}", name, birth_date=born)
        )
    )
    for name, born in names.items():
        assert ward.ask(f"{name}的出生日期是什么？").answers == [born]
