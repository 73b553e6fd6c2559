"""The commands, from files to answers: osler add, train match, match."""

from __future__ import annotations

import csv
import json
import re

import pytest
from typer.testing import CliRunner

from match_samples import chinese_pairs, triples_file
from osler import Library
from osler.cli.main import build
from osler.errors import FieldError, InputError, OslerError
from osler.learn.saved import load_card
from osler.match.splits import candidate_lists, write_lists
from osler.measures.trec import read_run


def osler(*arguments: object) -> str:
    result = CliRunner().invoke(build(), [str(a) for a in arguments])
    if isinstance(result.exception, OslerError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    folder = tmp_path_factory.mktemp("match")
    with (folder / "pairs.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "department", "question", "answer"])
        for pair in chinese_pairs():
            writer.writerow([pair.id, pair.department, pair.question, pair.answer])
    (folder / "triples.tsv").write_text(triples_file(), "utf-8")
    Library.create(folder / "lib").close()
    osler("add", folder / "lib", folder / "triples.tsv", folder / "pairs.csv")
    return folder / "lib"


def test_the_librarys_own_pairs_answer(lib):
    out = json.loads(osler("match", lib, "糖尿病吃什么药", "-k", "3", "--json"))
    assert out["method"] == "default"
    assert out["hits"][0]["id"].startswith("糖尿病")
    assert len(out["hits"]) == 3
    assert any("osler train match" in note for note in out["notes"])


def test_a_trained_model_becomes_the_default_where_it_won(lib):
    osler("train", "match", lib, "--about", "our own")
    card = (lib / "models" / "match" / "card.md").read_text("utf-8")
    assert "our own" in card
    assert "cross-fitted precision" in card
    assert "nearest answers of held-out questions" in card
    taken = load_card(lib / "models" / "match").taken
    out = json.loads(osler("match", lib, "糖尿病吃什么药", "--json"))
    assert out.get("model", "") == ("match" if taken else "")
    assert any("found it no better" in note for note in out["notes"]) is not taken
    assert not any("osler train match" in note for note in out["notes"])
    assert out["hits"][0]["id"].startswith("糖尿病")
    with Library.open(lib) as library:
        assert "match" in [model["name"] for model in library.status()["models"]]


def test_explanations_are_shown_and_written(lib, tmp_path):
    answers = tmp_path / "answers.csv"
    answers.write_text("id,answer\nx,<b>胃镜</b>检查\ny,多喝水\n", "utf-8")
    page, drawing = tmp_path / "page.html", tmp_path / "paths.svg"
    out = osler(
        "match", lib, "胃炎要做什么检查", "--answers", answers,
        "--explain", "--html", page, "--svg", drawing,
    )  # fmt: skip
    assert "pair" in out
    assert "path" in out
    assert "–检查项目→ 胃镜" in out
    html = page.read_text("utf-8")
    assert "<b>胃镜" not in html
    assert '<mark class="answer"' in html
    assert "Content-Security-Policy" in html
    assert "script" not in html
    svg = drawing.read_text("utf-8")
    assert svg.startswith("<svg")
    from lxml import etree

    etree.fromstring(svg.encode())
    assert "胃镜" in "".join(re.findall(r">([^<]*)<", svg))


def test_a_file_of_questions_gives_a_run(lib, tmp_path):
    lists = candidate_lists(chinese_pairs(), 5)
    write_lists(tmp_path / "q.jsonl", lists)
    osler("match", lib, "--questions", tmp_path / "q.jsonl", "--run", tmp_path / "a.trec")
    osler("match", lib, "--questions", tmp_path / "q.jsonl", "--run", tmp_path / "b.trec")
    assert (tmp_path / "a.trec").read_bytes() == (tmp_path / "b.trec").read_bytes()
    run = read_run(tmp_path / "a.trec")
    assert {id: set(scores) for id, scores in run.items()} == {
        one.id: {c.id for c in one.candidates} for one in lists
    }
    right = sum(max(run[one.id], key=lambda id: run[one.id][id]) == one.true for one in lists)
    assert right / len(lists) > 0.6


@pytest.mark.parametrize("method", ["bm25", "bm25-bigrams", "bow", "shared-entities"])
def test_methods_by_name(lib, method):
    out = json.loads(osler("match", lib, "哮喘气喘", "--method", method, "--json"))
    assert out["method"] == method
    assert out["hits"][0]["id"].startswith("哮喘")


def test_bad_input_is_named(lib, tmp_path):
    one = tmp_path / "one.csv"
    one.write_text("answers of a kind\nfirst\nsecond\n", "utf-8")
    with pytest.raises(FieldError, match="no column 'answer' or 'text'"):
        osler("match", lib, "胃痛", "--answers", one)
    with pytest.raises(FieldError, match="no column 'question'"):
        osler("train", "match", lib, "--pairs", one)
    with pytest.raises(InputError, match="no question"):
        osler("match", lib)
    with pytest.raises(InputError, match="come together"):
        osler("match", lib, "--questions", one)
    with pytest.raises(InputError, match="no matcher 'knmr'.*did you mean 'knrm'"):
        osler("match", lib, "胃痛", "--method", "knmr")
    with pytest.raises(OslerError, match="osler train match"):
        osler("match", lib, "胃痛", "--method", "smatrix")


def test_answers_one_a_line(lib, tmp_path):
    plain = tmp_path / "answers.txt"
    plain.write_text("多喝水\n\n胃镜检查\n", "utf-8")
    out = json.loads(osler("match", lib, "胃炎检查", "--answers", plain, "--json"))
    assert [hit["id"] for hit in out["hits"]] == ["3", "1"]


def test_a_library_without_pairs_says_so(tmp_path):
    Library.create(tmp_path / "empty").close()
    with pytest.raises(InputError, match="no question-answer pairs"):
        osler("match", tmp_path / "empty", "胃痛")
    (tmp_path / "a.txt").write_text("多喝水\n", "utf-8")
    out = osler("match", tmp_path / "empty", "胃痛", "--answers", tmp_path / "a.txt")
    assert "no graph" in out
