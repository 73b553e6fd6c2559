"""The same forms over a hospital's OMOP tables: SQLite here, and a real PostgreSQL where one is."""

from __future__ import annotations

import datetime
import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

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


def _binary(name: str) -> str | None:
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(places[-1]) if places else None)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own on a free port, under an account that may run one."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    initdb, server = _binary("initdb"), _binary("postgres")
    if initdb is None or server is None:
        pytest.skip("PostgreSQL is not installed")
    account: list[str] = []
    folder = tmp_path_factory.mktemp("pg")
    if os.geteuid() == 0:
        # The server refuses to run as root.
        try:
            owner = pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("there is no account to run PostgreSQL under")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        for parent in list(folder.parents)[:3]:
            parent.chmod(parent.stat().st_mode | 0o011)
        account = [
            "setpriv",
            f"--reuid={owner.pw_uid}",
            f"--regid={owner.pw_gid}",
            "--clear-groups",
        ]
    data = folder / "data"
    made = subprocess.run(
        [
            *account,
            initdb,
            "-D",
            str(data),
            "-U",
            "osler",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
        ],
        capture_output=True,
        cwd="/",
    )
    if made.returncode:
        pytest.skip("PostgreSQL could not be set up here")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = subprocess.Popen(
        [
            *account,
            server,
            "-D",
            str(data),
            "-p",
            str(port),
            "-h",
            "127.0.0.1",
            "-k",
            str(folder),
            "-F",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
    )
    url = f"postgresql://osler@127.0.0.1:{port}/postgres"
    try:
        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        deadline = datetime.datetime.now() + datetime.timedelta(seconds=90)
        while True:
            try:
                with engine.connect():
                    break
            except DBAPIError:
                if datetime.datetime.now() > deadline or running.poll() is not None:
                    pytest.skip("PostgreSQL did not start here")
        fill(engine)
        engine.dispose()
        yield url
    finally:
        running.terminate()
        running.wait(timeout=30)


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
