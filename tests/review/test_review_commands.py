"""A review at the command line, from its beginning to its flow."""

import json

from typer.testing import CliRunner

from osler.cli.main import build
from samples import paper


def test_a_review_at_the_command_line(make_library, tmp_path):
    make_library([paper(f"{n}", f"Statins {n}", "pain") for n in range(3)], name="lib").close()
    lib = str(tmp_path / "lib")

    def review(*words):
        answer = CliRunner().invoke(build(), ["review", words[0], lib, *words[1:]])
        if answer.exit_code and answer.exception and not isinstance(answer.exception, SystemExit):
            raise answer.exception
        return [json.loads(line) for line in answer.stdout.splitlines() if line[:1] in '{"']

    review("new", "pain", "--reviewers", "2", "--reason", "animals")
    assert review("list") == ["pain"]
    review("search", "pain", "statins")
    (first,) = review("next", "pain", "--by", "ann")
    review("decide", "pain", first["id"], "exclude", "--by", "ann", "--reason", "animals")
    assert review("next", "pain", "--by", "ann") != [first]
    assert review("next", "pain", "--by", "bob") == [first]
    review("decide", "pain", first["id"], "include", "--by", "bob")
    assert review("conflicts", "pain") == [first["id"]]
    review("decide", "pain", first["id"], "include", "--by", "cid", "--resolve")
    assert review("conflicts", "pain") == []
    review("undo", "pain", "--by", "cid")
    assert review("conflicts", "pain") == [first["id"]]
    assert len(review("log", "pain")) == 6
