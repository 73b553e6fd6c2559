"""A review at the command line, from its beginning to its flow."""

import json

import pytest
from typer.testing import CliRunner

from osler.cli.main import build
from osler.errors import ChoiceError, UnknownId
from samples import paper


@pytest.fixture
def osler(make_library, tmp_path):
    make_library([paper(f"{n}", f"Statins {n}", "pain") for n in range(3)], name="lib").close()

    def run(*words, group="project"):
        lib = str(tmp_path / "lib")
        answer = CliRunner().invoke(build(), [group, words[0], lib, *map(str, words[1:])])
        if answer.exit_code and answer.exception and not isinstance(answer.exception, SystemExit):
            raise answer.exception
        return answer

    return run


def lines(answer):
    return [json.loads(line) for line in answer.stdout.splitlines()]


def test_a_review_at_the_command_line(osler, tmp_path):
    osler("new", "pain", "--reviewers", 2, "--reason", "animals", "--population", "adults")
    osler("edit", "pain", "--highlight", "statin", "--question", "why?")
    card = json.loads(osler("show", "pain").stdout)["card"]
    assert card["reviewers"] == 2
    assert (card["population"], card["highlights"], card["question"]) == (
        "adults",
        ["statin"],
        "why?",
    )
    assert "3 of them new" in osler("search", "pain", "statins").stderr
    (first,) = lines(osler("next", "pain", "--by", "ann"))
    osler("decide", "pain", first["id"], "exclude", "--by", "ann", "--reason", "animals")
    assert lines(osler("next", "pain", "--by", "ann")) != [first]
    assert lines(osler("next", "pain", "--by", "bob")) == [first]
    osler("decide", "pain", first["id"], "include", "--by", "bob", "--tag", "x", "--note", "n")
    assert lines(osler("conflicts", "pain")) == [first["id"]]
    osler("decide", "pain", first["id"], "include", "--by", "cid", "--resolve")
    assert lines(osler("conflicts", "pain")) == []
    osler("undo", "pain", "--by", "cid")
    assert lines(osler("conflicts", "pain")) == [first["id"]]
    # What the group was called before still works.
    assert len(lines(osler("log", "pain", group="review"))) == 7
    osler("decide", "pain", first["id"], "include", "--by", "cid", "--resolve")
    osler("not-retrieved", "pain", first["id"], "--by", "cid", "--note", "asked twice")
    flow = json.loads(osler("prisma", "pain", "--json").stdout)
    assert (flow["sought"], flow["not_retrieved"]) == (1, 1)
    assert "Reports not retrieved" in osler("prisma", "pain").stdout
    osler("prisma", "pain", "--out", tmp_path / "flow.svg")
    assert "<svg" in (tmp_path / "flow.svg").read_text()
    osler("prisma", "pain", "--out", tmp_path / "flow.png")
    assert (tmp_path / "flow.png").read_bytes()[:4] == b"\x89PNG"
    assert "pain" in osler("list").stdout
    assert json.loads(osler("list", "--json").stdout)[0]["papers"] == 3


def test_the_next_line_tells_the_estimate(osler):
    osler("new", "p")
    osler("search", "p", "statins")
    osler("decide", "p", "0", "include", "--by", "ann")
    assert "order of finding" in osler("next", "p", "--by", "ann").stderr
    osler("decide", "p", "1", "exclude", "--by", "ann")
    told = osler("next", "p", "--by", "ann").stderr
    assert "learned" in told
    assert "Found 1." in told
    assert "Go on reading" in told


def test_files_in_and_out(osler, tmp_path):
    osler("new", "p")
    osler("search", "p", "statins")
    osler("decide", "p", "0", "include", "--by", "ann")
    file = tmp_path / "out.ris"
    osler("export", "p", "ris", "--out", file)
    osler("new", "q")
    came = json.loads(osler("import", "q", file, "--json").stdout)
    assert (came["records"], came["papers"], came["decisions"]) == (3, 3, 1)
    assert "3 were here" in osler("import", "q", file).stderr
    osler("export", "p", "log", "--out", tmp_path / "p.jsonl")
    osler("import", "r", tmp_path / "p.jsonl")
    assert len(lines(osler("log", "r"))) == 3
    bad = tmp_path / "bad.csv"
    bad.write_text("id,title,abstract\n1,a,b,c\n9,New,Text\n")
    told = osler("import", "q", bad, "--decided", "exclude", "--by", "x").stderr
    assert "bad.csv line 2" in told
    for wrong in (
        ("decide", "p", "0", "perhaps", "--by", "ann"),
        ("next", "p", "--by", "ann", "--stage", "title"),
        ("prisma", "p", "--out", tmp_path / "x.gif"),
    ):
        with pytest.raises(ChoiceError):
            osler(*wrong)


def test_duplicates(make_library, tmp_path):
    twins = [
        paper(f"t{n}", "Statins and muscle pain in older adults of the north", "Text " * 30)
        for n in range(2)
    ]
    make_library(twins, name="lib").close()

    def run(*words):
        command = ["project", words[0], str(tmp_path / "lib"), *words[1:]]
        return CliRunner().invoke(build(), command)

    run("new", "p")
    run("search", "p", "statins")
    assert json.loads(run("duplicates", "p").stdout) == ["t0", "t1"]
    run("duplicates", "p", "--apart", "t0")
    assert run("duplicates", "p").stdout == ""


def test_the_last_change_of_a_card_is_taken_back(osler):
    osler("new", "pain", "--question", "why?")
    osler("edit", "pain", "--question", "how?")
    osler("undo-card", "pain")
    assert json.loads(osler("show", "pain").stdout)["card"]["question"] == "why?"
    with pytest.raises(UnknownId):
        osler("undo-card", "pain")
    said = [line["entry"].get("type") for line in lines(osler("log", "pain"))]
    assert len(said) == 3


def test_a_project_is_put_away_and_brought_back(osler):
    osler("new", "pain")
    osler("new", "sleep")
    osler("put-away", "pain")
    listed = json.loads(osler("list", "--json").stdout)
    assert [one["name"] for one in listed] == ["sleep"]
    listed = json.loads(osler("list", "--json", "--all").stdout)
    assert [(one["name"], one["put_away"]) for one in listed] == [("pain", True), ("sleep", False)]
    osler("put-away", "pain", "--back")
    listed = json.loads(osler("list", "--json").stdout)
    assert [one["name"] for one in listed] == ["pain", "sleep"]
