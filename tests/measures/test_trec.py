"""Runs, qrels and queries: what is written is read back, and what is wrong is named."""

from __future__ import annotations

import contextlib
import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from osler.errors import FieldError, FormatError, InputError, LimitError, StorageError
from osler.measures.retrieval import trec_order
from osler.measures.trec import (
    fit,
    ordered,
    read_qrels,
    read_queries,
    read_run,
    untied,
    write_qrels,
    write_run,
)

ids = st.text(min_size=1, max_size=12).filter(fit)
scores = st.floats(min_value=-1e30, max_value=1e30, allow_nan=False)
runs = st.dictionaries(ids, st.dictionaries(ids, scores, min_size=1, max_size=8), max_size=5)
fuzz = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@fuzz
@given(run=runs)
def test_a_run_is_read_back_in_its_order_and_a_second_time_byte_by_byte(
    tmp_path: Path, run: dict[str, dict[str, float]]
) -> None:
    path = tmp_path / "a.trec"
    write_run(path, run)
    back = read_run(path)
    assert set(back) == set(run)
    for query, documents in run.items():
        assert list(back[query]) == [document for document, _ in ordered(documents)]
        assert trec_order(back[query]) == list(back[query])
        if len({np.float32(score) for score in documents.values()}) == len(documents):
            assert back[query] == documents
    first = path.read_bytes()
    write_run(path, back)
    assert path.read_bytes() == first


@given(st.dictionaries(ids, st.sampled_from([0.0, 1.0, 1.0 + 1e-12, 1.0 - 6e-8]), min_size=1))
def test_untied_scores_differ_in_single_precision_and_hardly_move(given: dict[str, float]) -> None:
    kept = untied(given)
    singles = [np.float32(score) for score in kept.values()]
    assert all(above > below for above, below in zip(singles, singles[1:], strict=False))
    assert all(abs(kept[name] - score) < 1e-4 for name, score in given.items())
    assert untied(kept) == kept


def test_the_text_of_a_run(tmp_path: Path) -> None:
    path = tmp_path / "a.trec"
    write_run(path, {"q2": {"d1": 0.1}, "q1": {"b": 1.0, "a": 1.0, "c": 2.5, "d": -3}}, tag="bm25")
    below = float(np.nextafter(np.float32(1), np.float32(0)))
    assert path.read_text() == (
        "q1 Q0 c 1 2.5 bm25\n"
        "q1 Q0 a 2 1.0 bm25\n"
        f"q1 Q0 b 3 {below!r} bm25\n"
        "q1 Q0 d 4 -3.0 bm25\n"
        "q2 Q0 d1 1 0.1 bm25\n"
    )


def test_the_order_of_a_mapping_does_not_matter(tmp_path: Path) -> None:
    write_run(tmp_path / "a", {"q": {"x": 1.0, "y": 1.0}, "p": {"z": 2.0}})
    write_run(tmp_path / "b", {"p": {"z": 2.0}, "q": {"y": 1.0, "x": 1.0}})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("name", ["", "two words", "tab\tbed", "line\nbreak", "nul\0", "\ud800"])
def test_an_id_that_would_break_a_line_is_refused_and_leaves_the_old_file(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / "a.trec"
    write_run(path, {"q": {"d": 1.0}})
    before = path.read_bytes()
    with pytest.raises(FieldError):
        write_run(path, {"a": {"d": 1.0}, "q": {name: 1.0}})
    with pytest.raises(FieldError):
        write_run(path, {name: {"d": 1.0}})
    with pytest.raises(InputError):
        write_run(path, {"q": {"d": 1.0}}, tag=name)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.trec"]


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -float("inf"), 1e39])
def test_a_score_that_cannot_be_ranked_is_refused(tmp_path: Path, score: float) -> None:
    with pytest.raises(FieldError):
        write_run(tmp_path / "a", {"q": {"d": score}})
    assert not list(tmp_path.iterdir())


def test_lowest_scores_that_cannot_be_told_apart_are_refused() -> None:
    lowest = -float(np.finfo(np.float32).max)
    with pytest.raises(FieldError, match="too low"):
        untied({"a": lowest, "b": lowest})


def test_a_folder_that_is_not_there_is_an_ordinary_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        write_run(tmp_path / "none" / "a.trec", {"q": {"d": 1.0}})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q Q0 d 1 2.0", r"line 2 has 5 fields, expected 6 \(query, Q0, document, rank, score"),
        ("q Q0 d 1 2.0 tag more", "line 2 has 7 fields"),
        ("q", "line 2 has 1 field,"),
        ("q Q0 d one 2.0 tag", "line 2: the rank"),
        ("q Q0 d 1 nan tag", "line 2: the score"),
        ("q Q0 d 1 1_0 tag", "line 2: the score"),
        ("q Q0 d 1 1e999 tag", "line 2: the score"),
        ("q Q0 d 1 ٣ tag", "line 2: the score"),
        ("q0 Q0 d0 7 1 other", "line 2 repeats the query and document of line 1"),
    ],
)
def test_a_wrong_line_of_a_run_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "my.trec"
    path.write_text(f"q0 Q0 d0 1 3.5 tag\n{line}\n", encoding="utf-8")
    with pytest.raises(FieldError, match=message) as caught:
        read_run(path)
    assert str(caught.value).startswith("E104 my.trec line 2")


def test_a_run_without_results_is_an_empty_run(tmp_path: Path) -> None:
    write_run(tmp_path / "a", {})
    assert read_run(tmp_path / "a") == {}


def test_qrels_blank_separated(tmp_path: Path) -> None:
    path = tmp_path / "q.tsv"
    path.write_bytes(b"\xef\xbb\xbf1 0 a 2\r\n1\t0\tb\t-1\n\n  2   Q0  \xe6\x96\x87  +1 \n")
    assert read_qrels(path) == {"1": {"a": 2, "b": -1}, "2": {"文": 1}}
    packed = tmp_path / "q.tsv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_qrels(packed) == read_qrels(path)


def test_qrels_under_the_header_of_beir(tmp_path: Path) -> None:
    path = tmp_path / "q.tsv"
    path.write_text("query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n")
    assert read_qrels(path) == {"1": {"a": 2, "b": 0}}
    path.write_text("query-id\tcorpus-id\tscore\n1\t0\ta\t2\n")
    with pytest.raises(FieldError, match=r"line 2 has 4 fields, expected 3 \(query-id"):
        read_qrels(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 a 2", r"has 3 fields, expected 4 \(query, iteration, document, grade\)"),
        ("1 0 a 2 x", "has 5 fields"),
        ("1 0 a two", "the grade is not a whole number"),
        ("1 0 a 1.5", "the grade is not a whole number"),
        ("1 0 a 99999999999", "the grade is not a whole number"),
        ("0 0 z 2", "repeats the query and document of line 1"),
    ],
)
def test_a_wrong_line_of_qrels_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "qrels.tsv"
    path.write_text(f"0 0 z 1\n{line}\n")
    with pytest.raises(FieldError, match=f"^E104 qrels.tsv line 2:? {message}"):
        read_qrels(path)


def test_qrels_that_are_empty_or_not_text(tmp_path: Path) -> None:
    path = tmp_path / "qrels.tsv"
    path.write_bytes(b"\n\n")
    with pytest.raises(FormatError, match="holds no judgement"):
        read_qrels(path)
    path.write_bytes(b"1 0 \xff\xfe 1\n")
    with pytest.raises(FieldError, match="line 1: .*UTF-8"):
        read_qrels(path)
    with pytest.raises(InputError, match="there is no file"):
        read_qrels(tmp_path / "none")
    with pytest.raises(FormatError, match="is a folder"):
        read_qrels(tmp_path)


@fuzz
@given(
    qrels=st.dictionaries(
        ids, st.dictionaries(ids, st.integers(-2, 8), min_size=1, max_size=6), min_size=1
    )
)
def test_qrels_are_read_back(tmp_path: Path, qrels: dict[str, dict[str, int]]) -> None:
    write_qrels(tmp_path / "q", qrels)
    assert read_qrels(tmp_path / "q") == qrels


@fuzz
@given(queries=st.dictionaries(ids, st.text(min_size=1).filter(str.strip), min_size=1))
def test_queries_are_read_in_order(tmp_path: Path, queries: dict[str, str]) -> None:
    path = tmp_path / "q.jsonl"
    rows = [json.dumps({"_id": name, "text": text}) for name, text in queries.items()]
    try:
        path.write_text("\n".join(rows))
    except UnicodeEncodeError:
        pytest.fail("json escapes what UTF-8 cannot carry")
    try:
        assert list(read_queries(path).items()) == list(queries.items())
    except FieldError:
        # A lone surrogate is not text, whatever JSON lets one write.
        assert any("\ud800" <= c <= "\udfff" for text in queries.values() for c in text)


def test_queries_by_their_other_names(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(
        '{"id": 7, "question": "what is it?", "more": [1]}\n\n{"_id": "8", "text": "x"}'
    )
    assert read_queries(path) == {"7": "what is it?", "8": "x"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "is not JSON"),
        ("[1]", "is not a JSON object"),
        ('{"text": "x"}', "has no id"),
        ('{"_id": "", "text": "x"}', "has no id"),
        ('{"_id": true, "text": "x"}', "has no id"),
        ('{"_id": "a b", "text": "x"}', "the id holds a blank"),
        ('{"_id": "q"}', "has no text"),
        ('{"_id": "q", "text": "  "}', "has no text"),
        ('{"_id": "q", "text": 3}', "has no text"),
        ('{"_id": "one", "text": "x"}', "repeats the id of line 1"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_wrong_query_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text(f'{{"_id": "one", "text": "first"}}\n{line}\n')
    with pytest.raises(FieldError, match=f"^E104 queries.jsonl line 2:? {message}"):
        read_queries(path)


def test_no_queries(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("")
    with pytest.raises(FormatError, match="holds no query"):
        read_queries(tmp_path / "q")


@fuzz
@given(data=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_a_code(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "any"
    path.write_bytes(data)
    for reader in (read_run, read_qrels, read_queries):
        # Whatever else is raised fails the test.
        with contextlib.suppress(FormatError, FieldError, LimitError):
            reader(path)


@fuzz
@given(
    lines=st.lists(
        st.lists(st.sampled_from(["q1", "0", "d1", "d2", "1", "-1.5e3", "tag", "x"]), max_size=7),
        max_size=5,
    )
)
def test_lines_of_likely_fields_are_read_or_refused(tmp_path: Path, lines: list[list[str]]) -> None:
    path = tmp_path / "any"
    path.write_text("\n".join(" ".join(fields) for fields in lines))
    try:
        run = read_run(path)
    except FieldError:
        return
    assert sum(len(documents) for documents in run.values()) == sum(
        bool(fields) for fields in lines
    )
