"""The commands that keep a library, run as a person runs them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from osler import __version__
from samples import PAPERS


def osler(*arguments, code=0, cwd=None):
    done = subprocess.run(
        [sys.executable, "-m", "osler.cli.main", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=120,
    )
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    lines = [
        json.dumps({"_id": d.id, "title": d.title, "text": d.abstract}, ensure_ascii=False)
        for d in PAPERS
    ]
    path.write_text("\n".join(lines), "utf-8")
    return path


@pytest.fixture
def lib(tmp_path, corpus):
    osler("new", tmp_path / "lib")
    osler("add", tmp_path / "lib", corpus)
    return tmp_path / "lib"


def test_the_version_is_told():
    assert osler("--version").stdout == f"osler {__version__}\n"
    assert "answers with" in osler("--help").stdout


def test_the_package_runs_without_its_script():
    done = subprocess.run(
        [sys.executable, "-m", "osler", "--version"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, f"osler {__version__}\n")


def test_new_add_search_show_status_remove_verify(lib):
    found = osler("search", lib, "asthma children", "--method", "words", "--explain").stdout
    assert "Asthma in children living near busy roads" in found
    assert "Children near busy roads had more asthma attacks." in found
    assert "score = words" in found
    shown = osler("show", lib, "1").stdout
    assert "Statins and muscle pain" in shown
    assert json.loads(osler("show", lib, "1", "--json").stdout)["id"] == "1"
    status = json.loads(osler("status", lib, "--json").stdout)
    assert status["counts"]["documents"] == 5
    assert status["files"][0]["state"] == "done"
    assert "corpus.jsonl" in osler("status", lib).stdout
    digest = osler("verify", lib, "--digest").stdout
    osler("remove", lib, "2")
    assert osler("verify", lib, "--digest").stdout != digest
    assert "everything holds" in osler("verify", lib).stderr


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("json", '{"id":"2"'),
        ("csv", "rank,id,score,title"),
        ("trec", "1 Q0 2 1 "),
    ],
)
def test_output_styles(lib, style, expected):
    out = osler("search", lib, "busy roads", "--method", "words", "-o", style).stdout
    assert out.startswith(expected)


def test_a_file_of_queries_makes_a_run_twice_the_same(lib, tmp_path):
    queries = tmp_path / "q.jsonl"
    queries.write_text('{"_id": "a", "text": "asthma"}\n{"_id": "b", "text": "statins: pain?"}\n')
    for name in ("one.trec", "two.trec"):
        osler("search", lib, "--queries", queries, "--run", tmp_path / name, "--method", "words")
    run = (tmp_path / "one.trec").read_text()
    assert run == (tmp_path / "two.trec").read_text()
    assert run.splitlines()[0].split()[:4] == ["a", "Q0", "3", "1"]
    assert "--run" in osler("search", lib, "--queries", queries, code=2).stderr


def test_rejects_give_exit_code_3_and_a_list(tmp_path):
    osler("new", tmp_path / "lib")
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"_id": "1", "title": "t", "text": "x"}\n{"title": "no id", "text": "x"}\n')
    done = osler("add", tmp_path / "lib", bad, "--rejects", tmp_path / "r.jsonl", code=3)
    assert "1 record rejected" in done.stderr
    (reject,) = map(json.loads, (tmp_path / "r.jsonl").read_text().splitlines())
    assert (reject["file"], reject["place"]) == ("bad.jsonl", "line 2")
    listed = osler("status", tmp_path / "lib", "--rejects").stdout
    assert json.loads(listed)["place"] == "line 2"


def test_a_wrong_query_is_marked(lib):
    done = osler("search", lib, "asthma AND (child", "--method", "words", code=2)
    marked = "asthma AND (child\n           ^\n"
    assert done.stderr == f"{marked}E110 this bracket is not closed; add a )\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["search", "nowhere", "x"], "E201 there is no library at nowhere; osler new nowhere"),
        (["search", "{lib}", ""], "E100 there is nothing to search for"),
        (["search", "{lib}", "x", "--method", "wrods"], "did you mean 'words'"),
        (["search", "{lib}", "x", "--year", "soon"], "E100 soon is no range of years"),
        (["show", "{lib}", "zzz"], "E206 the library holds no document zzz"),
        (["add", "{lib}", "{lib}/nothing.xml"], "E100 there is no file"),
        (["add", "{lib}", "{lib}/models"], "E101"),
        (["new", "{lib}"], "is a library already"),
        (["remove", "{lib}", "zzz"], "E206"),
    ],
)
def test_every_error_is_one_line_with_a_code(lib, tmp_path, arguments, says):
    arguments = [a.replace("{lib}", str(lib)) for a in arguments]
    done = subprocess.run(
        [sys.executable, "-m", "osler.cli.main", *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode in (1, 2)
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_damaged_index_is_named_and_rebuilt(lib):
    victim = max((lib / "derived" / "words").glob("*.*"), key=lambda p: p.stat().st_size)
    victim.write_bytes(b"\0" * victim.stat().st_size)
    done = osler("verify", lib, code=1)
    assert victim.name in done.stdout
    osler("rebuild", lib)
    assert "everything holds" in osler("verify", lib).stderr
    assert "Asthma" in osler("search", lib, "asthma", "--method", "words").stdout


def test_saved_searches(lib):
    assert "2 found" in osler("save", lib, "asthma", "asthma").stderr
    assert "2 of them by an earlier search" in osler("save", lib, "b", "asthma OR statins").stderr
    listed = osler("searches", lib)
    assert "asthma OR statins" in listed.stdout
    assert "5 found by all searches, 2 duplicates removed, 3 to screen" in listed.stderr
    gone = osler("searches", lib, "--remove", "b")
    assert "b of " in gone.stderr
    assert "had found 3: asthma OR statins" in gone.stderr
    assert "asthma OR statins" not in osler("searches", lib).stdout
    assert '"name"' in osler("searches", lib, "--remove", "asthma", "--json").stdout


def test_settings_are_listed():
    assert "OSLER_MAX_QUERY" in osler("settings").stdout


def test_judgements_are_kept(lib, tmp_path):
    (tmp_path / "q.jsonl").write_text('{"_id": "a", "text": "asthma"}\n')
    (tmp_path / "qrels.tsv").write_text("a 0 2 1\na 0 3 0\nb 0 1 1\n")
    done = osler("judge", "search", lib, tmp_path / "qrels.tsv", "--queries", tmp_path / "q.jsonl")
    assert "1 queries with 2 judgements kept; 1 have no text" in done.stderr
    assert json.loads(osler("status", lib, "--json").stdout)["counts"]["judgements"] == 2
