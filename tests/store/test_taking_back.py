"""Judgements that are taken back: gone from the content, told to every cache."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from osler.search.judged import judged


def test_what_is_taken_back_leaves_the_content_as_it_was(library):
    before = library.digest()
    library.judge({"q1": {"2": 2, "3": 0}}, {"q1": "asthma"})
    library.judge({"q1": {"3": None}})
    assert library.decisions.judgements() == {"q1": {"2": 2}}
    assert library.decisions.queries() == {"q1": "asthma"}
    library.judge({"q1": {"2": None}}, {"q1": "asthma"})
    assert library.decisions.judgements() == {}
    assert library.decisions.queries() == {}
    assert library.digest() == before
    assert not list(library.verify())


def test_a_query_that_was_never_judged_stays(library):
    library.judge({"q1": {"2": 1}}, {"q1": "asthma", "q2": "statins"})
    library.judge({"q1": {"2": None}})
    assert library.decisions.queries() == {"q2": "statins"}


def test_the_number_of_the_last_decision_always_rises(library):
    seen = [library.decisions.last_seq()]
    for grade in (1, 0, None, None, 2, None):
        library.judge({"q": {"2": grade}})
        seen.append(library.decisions.last_seq())
        assert library.truth.seq() == seen[-1]
    assert seen == sorted(set(seen))


def test_votes_forget_what_was_taken_back(library):
    view = library.searcher.view
    library.judge({"q1": {"2": 1}, "q2": {"3": 1}}, {"q1": "asthma", "q2": "statins"})
    assert judged(view).ids == ["q1", "q2"]
    library.judge({"q2": {"3": None}})
    assert judged(view).ids == ["q1"]


def test_the_command_takes_a_file_back(library, tmp_path):
    from osler.cli.main import build

    app = build()
    qrels, queries = tmp_path / "qrels.txt", tmp_path / "queries.jsonl"
    qrels.write_text("q1 0 2 1\nq1 0 3 0\nq9 0 2 1\n")
    queries.write_text(json.dumps({"_id": "q1", "text": "asthma"}) + "\n")
    base = ["judge", "search", str(library.path), str(qrels)]
    run = CliRunner()
    assert run.invoke(app, base).exit_code != 0  # texts are needed to keep, not to take back
    assert run.invoke(app, [*base, "--queries", str(queries)]).exit_code == 0
    assert library.decisions.judgements() == {"q1": {"2": 1, "3": 0}}
    qrels.write_text("q1 0 2 3\nq1 0 77 1\nq9 0 2 1\n")
    done = run.invoke(app, [*base, "--remove"])
    assert "1 judgements taken back" in done.output
    assert library.decisions.judgements() == {"q1": {"3": 0}}
