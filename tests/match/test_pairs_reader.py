"""Question-answer pairs out of CSV, TSV and JSON lines."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from osler.errors import FieldError, FormatError, OslerError
from osler.files.reader import readers, recognise
from osler.files.source import Source
from osler.kinds import Pair, Reject
from osler.match.training import read_pairs


def read(path):
    return list(readers.get("pairs")().read(Source(path)))


def test_csv_and_json_lines_give_the_same(tmp_path):
    table, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"
    table.write_text('id,question,answer,department,extra\n1,"a, b",c,d,e\n', "utf-8")
    record = {"_id": "1", "question": "a, b", "answer": "c", "department": "d", "extra": "e"}
    lines.write_text(json.dumps(record) + "\n", "utf-8")
    expected = Pair(id="1", question="a, b", answer="c", department="d", metadata={"extra": "e"})
    for path in (table, lines):
        assert recognise(Source(path)).name == "pairs"
        assert read(path) == [expected]


def test_a_title_stands_before_its_question(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [
        {"title": "胃痛？", "question": "我胃痛。", "answer": "喝水"},
        {"title": "胃痛", "question": "我胃痛。", "answer": "喝粥"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    first, second = read(path)
    assert first.question == "胃痛？\n我胃痛。"
    assert second.question == "我胃痛。"
    assert first.id.startswith("pair:")
    assert first.id != second.id


def test_bad_rows_are_rejects(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"question": "a", "answer": "b"}\nnot json\n{"question": "", "answer": "b"}\n'
        '{"question": "a"}\n{"question": ["a"], "answer": "b"}\n',
        "utf-8",
    )
    items = read(path)
    assert [type(item) for item in items] == [Pair, Reject, Reject, Reject, Reject]
    assert [item.place for item in items[1:]] == ["line 2", "line 3", "line 4", "line 5"]


def test_files_that_are_no_pairs_are_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("question\nfirst\n", "utf-8")
    with pytest.raises(FieldError, match="no column 'answer'"):
        read_pairs([path])
    path.write_text("", "utf-8")
    with pytest.raises(FormatError):
        read_pairs([path])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.binary(max_size=200))
def test_any_bytes_give_items_or_an_error(tmp_path, data):
    path = tmp_path / "a.jsonl"
    for start in (b"question,answer\n", b'{"question": "a", "answer": "b"}\n'):
        path.write_bytes(start + data)
        try:
            items = read(path)
        except OslerError:
            continue
        assert all(isinstance(item, Pair | Reject) for item in items)
