"""The default answerer on a hospital's own triples, with relation names that no training saw."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.ask.reader import ReaderAnswerer
from osler.errors import LimitError, QueryError
from osler.records.kb import ClinicalKB

ROWS = """
John Doe|patient|takes_drug|metformin|drug
John Doe|patient|takes_drug|lisinopril|drug
Mary Roe|patient|takes_drug|metformin|drug
Mary Roe|patient|takes_drug|warfarin|drug
Alan Poe|patient|takes_drug|warfarin|drug
John Doe|patient|suffers_from|diabetes|disorder
Mary Roe|patient|suffers_from|diabetes|disorder
Mary Roe|patient|suffers_from|gout|disorder
Alan Poe|patient|suffers_from|gout|disorder
Alan Poe|patient|suffers_from|asthma|disorder
John Doe|patient|had_lab|lab1|lab result
lab1|lab result|analyte|HbA1c|analyte
lab1|lab result|lab_value|8.1 %|value
lab1|lab result|taken_on|2020-03-04|date
John Doe|patient|had_lab|lab2|lab result
lab2|lab result|analyte|HbA1c|analyte
lab2|lab result|lab_value|6.4 %|value
lab2|lab result|taken_on|2021-05-06|date
Mary Roe|patient|had_lab|lab3|lab result
lab3|lab result|analyte|HbA1c|analyte
lab3|lab result|lab_value|6.9 %|value
lab3|lab result|taken_on|2020-07-08|date
John Doe|patient|date_of_birth|1950-01-02|date
Mary Roe|patient|date_of_birth|1971-01-02|date
Alan Poe|patient|attending_physician|Dr Smith|physician
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> ReaderAnswerer:
    path = tmp_path_factory.mktemp("kb") / "ward.tsv"
    lines = [
        "head\thead_type\trelation\ttail\ttail_type",
        *(row.replace("|", "\t") for row in ROWS.split("\n") if row),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ReaderAnswerer(ClinicalKB.read(path))


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which medications is John Doe on?", {"metformin", "lisinopril"}),
        ("What illnesses does Mary Roe have?", {"diabetes", "gout"}),
        ("Which patients take metformin?", {"John Doe", "Mary Roe"}),
        ("Who is being treated with warfarin?", {"Mary Roe", "Alan Poe"}),
        ("Which patients have both diabetes and gout?", {"Mary Roe"}),
        ("Which patients with gout take metformin?", {"Mary Roe"}),
        ("How many patients suffer from diabetes?", {"2"}),
        ("Count the patients who take warfarin.", {"2"}),
        ("When was John Doe born?", {"1950-01-02"}),
        ("Which patients had a HbA1c above 7 in 2020?", {"John Doe"}),
        ("Which patients had a HbA1c below 7 in 2020?", {"Mary Roe"}),
        ("What was the latest HbA1c value of John Doe?", {"6.4 %"}),
        ("What was the highest HbA1c value of John Doe?", {"8.1 %"}),
        ("Which patients have gout but not diabetes?", {"Alan Poe"}),
        ("Does John Doe take lisinopril?", {"yes"}),
        ("Which patients were born before 1960?", {"John Doe"}),
        ("Which patients take metfornin?", {"John Doe", "Mary Roe"}),
        ("How many patients are there?", {"3"}),
        ("Who is the physician of Alan Poe?", {"Dr Smith"}),
    ],
)
def test_answers(reader: ReaderAnswerer, question: str, answers: set[str]) -> None:
    found = reader.ask(question, explain=True)
    assert set(found.answers) == answers, (found.path, found.note, found.confidence)
    assert found.entities
    assert 0 < found.confidence <= 1


@pytest.mark.parametrize(
    "question",
    [
        "Which medications does Jane Roe take?",
        "Which medications does patient 4711 take?",
        "What did patient P1234 die of?",
        "When did the gout of P5678 begin?",
        "Does John Doe take warfarin?",
        "What does John Doe take for gout?",
        "What is the phone number of John Doe?",
        "What colour is the sky?",
        "今天天气怎么样？",
    ],
)
def test_refusals(reader: ReaderAnswerer, question: str) -> None:
    found = reader.ask(question)
    assert found.refused, found.answers
    assert not found.entities
    assert found.note


@pytest.mark.parametrize(
    ("question", "pronoun"),
    [
        ("What is my HbA1c?", "my"),
        ("Which drugs does she take for gout?", "she"),
        ("What was his last HbA1c?", "his"),
        ("她的HbA1c是多少？", "她"),
        ("What did they give me for gout?", "me"),
        ("Tell me my HbA1c.", "my"),
    ],
)
def test_a_pronoun_names_nobody(reader: ReaderAnswerer, question: str, pronoun: str) -> None:
    answer = reader.ask(question)
    assert answer.refused
    assert answer.note == f"“{pronoun}” is nobody whom the question names"


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs does Mary Roe take for her gout?",
        "Which patients take warfarin for his gout?",
        "Give me the drugs for gout.",
        "Can you please show me every drug against gout?",
        "告诉我哪些药治疗gout",
    ],
)
def test_a_pronoun_beside_a_person_or_those_asked_for(
    reader: ReaderAnswerer, question: str
) -> None:
    assert "nobody" not in reader.ask(question).note


def test_nothing_of_another_patient(reader: ReaderAnswerer) -> None:
    for question in (
        "What was the HbA1c value of John Doe?",
        "Tell me everything about the labs of John Doe",
    ):
        names = set(reader.ask(question).answers)
        assert not names & {"6.9 %", "lab3", "2020-07-08", "warfarin"}


def test_sources_and_reasons(reader: ReaderAnswerer) -> None:
    found = reader.ask("Which medications is John Doe on?", explain=True)
    assert found.sources == ["ward.tsv:2", "ward.tsv:3"]
    assert found.path == "John Doe -takes_drug-> ?drug"
    kinds = {type(r).__name__ for r in found.reasons}
    assert kinds == {"PathReason", "AspectWeights", "Heat"}


def test_chinese_words_over_known_names(reader: ReaderAnswerer) -> None:
    assert set(reader.ask("John Doe的药物有哪些？").answers) == {"metformin", "lisinopril"}


def test_bad_questions(reader: ReaderAnswerer) -> None:
    for empty in ("", "   ", "?!"):
        with pytest.raises(QueryError):
            reader.ask(empty)
    with pytest.raises(LimitError):
        reader.ask("a" * 20_000)
    reader.ask("medication of John Doe " * 200)
    reader.ask("why " * 1_250)


def test_faithful_heat(reader: ReaderAnswerer) -> None:
    """The warmest word carries the answer: without it the reading changes or is less sure."""
    question = "Which medications is John Doe on?"
    base = reader.ask(question)
    without = reader.ask(question.replace("medications", "things"))
    assert without.confidence < base.confidence or without.answers != base.answers


def test_saved_and_loaded(reader: ReaderAnswerer, tmp_path: Path) -> None:
    reader.save(tmp_path / "m", measures={"accuracy": 1.0})
    again = ReaderAnswerer(reader.kb)
    again.load(tmp_path / "m")
    question = "Which patients take metformin?"
    assert again.ask(question).answers == reader.ask(question).answers
    assert "metformin" not in (tmp_path / "m" / "card.md").read_text(encoding="utf-8")
