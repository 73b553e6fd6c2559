"""Which library is meant when none is named: told, never guessed between two."""

from __future__ import annotations

import pytest
import typer
from typer.testing import CliRunner

from osler import Library
from osler.cli.ask import whose_and_what
from osler.cli.default_library import default_library, is_library, positionals
from osler.cli.main import build
from osler.errors import InputError
from samples import PAPERS


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OSLER_LIBRARY", raising=False)
    return tmp_path


@pytest.fixture
def papers(here):
    with Library.create("papers") as library:
        library.add_documents(PAPERS)
    return here / "papers"


def run(*arguments, code=0):
    answer = CliRunner().invoke(build(), [*map(str, arguments)])
    if isinstance(answer.exception, InputError):
        assert code == 2
        return str(answer.exception)
    if answer.exception and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    assert answer.exit_code == code, answer.output
    return answer.output


def test_the_only_library_in_the_folder(papers):
    told = run("status")
    assert "library: papers (the library in the current folder)\n" in told
    assert f"{len(PAPERS)}" in told
    assert "library:" not in run("status", "papers")


def test_the_current_folder_itself(papers, monkeypatch):
    monkeypatch.chdir(papers)
    assert "library: . (the current folder)\n" in run("status")


def test_the_environment_comes_first(papers, here, monkeypatch):
    Library.create("other").close()
    monkeypatch.setenv("OSLER_LIBRARY", str(papers))
    assert f"library: {papers} (OSLER_LIBRARY)\n" in run("status")
    monkeypatch.setenv("OSLER_LIBRARY", "nowhere")
    assert "OSLER_LIBRARY names nowhere, which is no library" in run("status", code=2)
    assert "documents" in run("status", "other")  # what is named needs no default


def test_two_libraries_are_named_and_none_is_taken(papers):
    Library.create("another").close()
    told = run("status", code=2)
    assert "2 libraries are here: another, papers" in told
    assert "OSLER_LIBRARY" in told


def test_a_question_is_told_from_a_library(papers):
    assert "asthma" in run("search", "asthma", "--plain").casefold()
    assert "there is nothing to search for" in run("search", "papers", code=2)
    # As many as there can be: the first is the library, and is not there.
    assert "nosuch" in str(CliRunner().invoke(build(), ["search", "nosuch", "asthma"]).exception)


def test_without_any_library_the_first_word_is_named(here):
    told = run("search", "asthma", code=2)
    assert "'asthma' is no library, and no library is named" in told


def test_files_never_go_into_a_library_that_was_not_meant(papers, here):
    (here / "more.csv").write_text("id,title\nz1,Sleep in nurses\n")
    assert "new is neither a library nor a file; osler new new" in run(
        "add", "new", "more.csv", code=2
    )
    assert run("add", "more.csv").endswith("1 read = 1 stored\n")


def test_what_cannot_be_undone_wants_a_name(papers):
    answer = CliRunner().invoke(build(), ["remove", PAPERS[0].id])
    assert answer.exit_code != 0 or answer.exception
    with Library.open(papers) as library:
        assert len(library) == len(PAPERS)
    assert CliRunner().invoke(build(), ["erase"]).exit_code == 2
    assert CliRunner().invoke(build(), ["new"]).exit_code == 2


def test_help_needs_no_library(here):
    assert "Usage" in run("search", "-h")
    assert "Usage" in run("search", "asthma", "--help")


def test_where_the_arguments_stand():
    command = typer.main.get_command(build()).commands["search"]
    found = positionals(command.params, ["-k", "5", "--json", "a", "--year=2020", "-o", "csv", "b"])
    assert found == [3, 7]
    assert positionals(command.params, ["--explain", "--", "-k", "x"]) == [2, 3]
    assert positionals(command.params, ["-"]) == [0]  # standard input
    assert positionals(command.params, ["-k5", "--no-evidence", "x"]) == [2]


def test_ask_takes_a_library_records_or_a_question(papers, here):
    (here / "ward.tsv").write_text("head\thead_type\trelation\ttail\ttail_type\n")
    assert whose_and_what("ward.tsv", "", elsewhere=False) == ("ward.tsv", "")
    assert whose_and_what("nosuch", "who?", elsewhere=False) == ("nosuch", "who?")
    assert whose_and_what("who?", "", elsewhere=True) == ("", "who?")
    assert whose_and_what("", "who?", elsewhere=True) == ("", "who?")
    assert whose_and_what("who takes aspirin?", "", elsewhere=False) == (
        "papers",
        "who takes aspirin?",
    )
    assert whose_and_what("w" * 5_000, "", elsewhere=False)[0] == "papers"


def test_ask_without_a_library_says_what_is_missing(here):
    with pytest.raises(InputError, match="'who?.*' is no library and no file, and no library"):
        whose_and_what("who?", "", elsewhere=False)
    with pytest.raises(InputError, match="^E100 no library is named"):
        whose_and_what("", "", elsewhere=False)


def test_a_folder_with_a_truth_and_no_card_is_a_library(here):
    assert not is_library("x" * 5_000)
    (here / "old").mkdir()
    assert not is_library("old")
    (here / "old" / "truth.sqlite").touch()
    assert is_library("old")
    assert default_library()[0].name == "old"
