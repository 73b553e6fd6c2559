"""Questions that others worded, over a ward made for them: needs the data sets, untrained."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from osler.ask.reader import ReaderAnswerer
from osler_papers.recipes.clinical_absent import about_known, ehrsql_absent, off_the_record
from osler_papers.recipes.clinical_sql_ward import Asked, ward


@pytest.fixture(scope="module")
def place(data_dir: Path) -> tuple[ReaderAnswerer, list[Asked]]:
    path = data_dir / "mimicsql" / "questions.jsonl.gz"
    if not path.is_file():
        pytest.skip("mimicsql is not here")
    kb, asked = ward(path)
    return ReaderAnswerer(kb), [a for a in asked if not a.learn]


def test_reworded_questions(place: tuple[ReaderAnswerer, list[Asked]]) -> None:
    reader, asked = place
    some = asked[:: len(asked) // 60]
    right = 0
    for one in some:
        answer = reader.ask(one.question)
        right += one.right(answer.answers, answer.entities)
    assert right / len(some) >= 0.85


def test_what_the_ward_does_not_hold(
    place: tuple[ReaderAnswerer, list[Asked]], data_dir: Path
) -> None:
    reader, _ = place
    people = [reader.kb.names[n] for n in reader.kb.patients.tolist()]
    rng = Random(0)
    texts = about_known(ehrsql_absent(data_dir, learn=False)[:60], people, rng)
    texts += off_the_record(people, rng, count=16)
    refused = sum(reader.ask(text).refused for text in texts)
    assert refused / len(texts) >= 0.9


def test_the_halves_do_not_meet(data_dir: Path) -> None:
    learn, test = (set(ehrsql_absent(data_dir, learn=half)) for half in (True, False))
    assert learn
    assert test
    assert not learn & test


def test_the_ward_is_the_same_each_time(
    place: tuple[ReaderAnswerer, list[Asked]], data_dir: Path
) -> None:
    kb, asked = ward(data_dir / "mimicsql" / "questions.jsonl.gz")
    assert kb.ids == place[0].kb.ids
    assert [a for a in asked if not a.learn] == place[1]
