"""Help: commands by what a person does, examples apart, no types of Python."""

from __future__ import annotations

import re

import pytest
import typer.main
from typer.testing import CliRunner

from osler.cli.helping import PANELS, STRANGERS, first_sentence, panels, parted
from osler.cli.main import build


def commands(command, name="osler"):
    """Every command with its path."""
    subs = getattr(command, "commands", None)
    if subs is None:
        yield name, command
        return
    for sub, inner in subs.items():
        yield from commands(inner, f"{name} {sub}")


ROOT = typer.main.get_command(build())
EVERY = dict(commands(ROOT))
OURS = {
    name: command
    for name, command in EVERY.items()
    if command.callback.__module__.split(".")[0] == "osler"
}


def shown(*arguments, columns=80):
    answer = CliRunner().invoke(build(), [*arguments], env={"COLUMNS": str(columns)})
    assert answer.exit_code == 0, answer.output
    return answer.output


def test_every_command_of_ours_stands_under_what_a_person_does():
    listed = [name for names in PANELS.values() for name in names]
    assert len(listed) == len(set(listed))
    ours = {name.split()[1] for name in OURS} - {"review"}
    assert ours <= set(listed)
    assert set(listed) - ours <= {"recipe"}  # osler-papers fills it


def test_the_list_is_in_parts_and_fits():
    text = shown("-h")
    places = [text.index(f"\n{panel}:\n") for panel in PANELS]
    assert places == sorted(places)
    assert max(map(len, text.splitlines())) <= 80
    assert not re.findall(r"(?m)^  [\w-]+ +\S.{,20}\.\.\.$", text)  # a word or two tells nothing
    assert "OSLER_LIBRARY" in text
    assert "review" not in re.findall(r"(?m)^  ([\w-]+)  ", text)


def test_what_others_bring_stands_at_the_end():
    assert panels(["search", "mine"]) == {"Ask and read": ["search"], STRANGERS: ["mine"]}
    assert STRANGERS not in panels(["search"])


@pytest.mark.parametrize("name", EVERY)
def test_help_has_no_types_of_python_and_examples_as_they_are_typed(name):
    text = shown(*name.split()[1:], "-h", columns=100)
    assert not re.search(r"<(str|int|float|path|list|Path|bool)", text)
    assert "list[" not in text
    assert "[default: no-" not in text
    for example in parted(EVERY[name].help or "")[1]:
        assert f"\n  {example}\n" in text


@pytest.mark.parametrize("name", OURS)
def test_examples_are_commands_that_are_there(name):
    _, examples = parted(OURS[name].help or "")
    for example in examples:
        asked = example.split()
        depth = 3 if " ".join(asked[:2]) not in EVERY else 2
        command = EVERY[" ".join(asked[:depth])]
        known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
        for word in asked[depth:]:
            if re.match(r"--?[a-z]", word):
                assert word.split("=")[0] in known, example


def test_the_number_of_hits_is_told_as_it_is():
    text = " ".join(shown("search", "-h").split())
    assert "-k N How many hits. [default: 10; with --queries 1,000]" in text


def test_usage_shows_what_may_be_left_out():
    assert "search [OPTIONS] [LIB] [TEXT]" in shown("search", "-h")
    assert "[LIB] FILES..." in shown("add", "-h")
    assert "remove [OPTIONS] LIBRARY [IDS...]" in shown("remove", "-h")


def test_parted():
    words, examples = parted("Does it.\n\nMore words.\n\nosler a LIB\nosler b LIB\n\nAnd more.")
    assert words == "Does it.\n\nMore words.\n\nAnd more."
    assert examples == ["osler a LIB", "osler b LIB"]


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("Show it. More.", 20, "Show it"),
        ("Search papers: hits with evidence", 20, "Search papers"),
        ("Search papers: hits", 19, "Search papers: hits"),
        ("Make vectors; a killed run goes on", 15, "Make vectors"),
        ("Clear away everything at once", 20, "Clear away..."),
    ],
)
def test_first_sentence(text, limit, short):
    assert first_sentence(text, limit) == short
