"""The same forms over a hospital's OMOP tables: SQLite here, and a real PostgreSQL where one is."""

from __future__ import annotations

import datetime
import socket
from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

import servers
from osler.ask.form.answering import FormAnswerer
from osler.ask.form.omop import OmopFacts
from osler.errors import AwayError, InputError

from .omop_ward import ASKED, fill

TODAY = datetime.date(2022, 1, 1)


def answerer(url: str) -> FormAnswerer:
    return FormAnswerer(OmopFacts(url, today=TODAY), today=lambda: TODAY)


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("omop") / "cdm.sqlite"
    fill(create_engine(f"sqlite:///{path}"))
    return f"sqlite:///{path}"


@pytest.mark.parametrize(("question", "expected"), ASKED.items())
def test_answers_worked_out_by_hand(sqlite: str, question: str, expected: list[str]) -> None:
    answer = answerer(sqlite).ask(question)
    assert _sorted(answer.answers) == _sorted(expected), (answer.note, answer.form_text)


def test_nothing_is_written(sqlite: str) -> None:
    with OmopFacts(sqlite).connect() as connection, pytest.raises(DBAPIError):
        connection.execute(text("DELETE FROM person"))


def test_an_address_that_is_none() -> None:
    with pytest.raises(InputError):
        OmopFacts("nonsense")
    with pytest.raises(InputError):
        OmopFacts("mysql://host/name")


def test_a_server_that_is_away() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(AwayError):
        answerer(f"postgresql://nobody@127.0.0.1:{port}/none").ask("Who has gout?")


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own with the small database in it."""
    try:
        with servers.postgres(tmp_path_factory.mktemp("pg")) as url:
            engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
            fill(engine)
            engine.dispose()
            yield url
    except servers.Unavailable as missing:
        pytest.skip(str(missing))


def test_postgresql_says_the_same(sqlite: str, postgres: str) -> None:
    here, there = answerer(sqlite), answerer(postgres)
    for question, expected in ASKED.items():
        ours, theirs = here.ask(question), there.ask(question)
        assert _sorted(theirs.answers) == _sorted(expected), (question, theirs.note)
        assert (ours.answers, ours.note, ours.form) == (theirs.answers, theirs.note, theirs.form)


def test_postgresql_is_only_read(postgres: str) -> None:
    with OmopFacts(postgres).connect() as connection, pytest.raises(DBAPIError):
        connection.execute(text("DELETE FROM person"))


def _sorted(answers: list[str]) -> list[str]:
    return sorted(answers)
