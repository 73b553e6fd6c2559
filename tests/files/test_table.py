"""Tables: quoting, line numbers, missing columns, broken rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.errors import FieldError, FormatError
from osler.files.source import Source
from osler.files.table import delimiter_of, header_of, rows
from osler.kinds import Reject


def put(folder: Path, data: bytes) -> Source:
    path = folder / "table"
    path.write_bytes(data)
    return Source(path)


def test_csv_quotes_and_breaks(tmp_path: Path) -> None:
    source = put(tmp_path, b'\xef\xbb\xbfa,b\n1,"x, ""y""\nz"\n\n2,w\n')
    assert list(rows(source)) == [(2, {"a": "1", "b": 'x, "y"\nz'}), (5, {"a": "2", "b": "w"})]


def test_tsv_is_literal(tmp_path: Path) -> None:
    assert list(rows(put(tmp_path, b'a\tb\n"1\t2, "3"\n'))) == [(2, {"a": '"1', "b": '2, "3"'})]


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(FieldError, match="no column 'c'.*columns, a, c among"):
        list(rows(put(tmp_path, b"a,b\n1,2\n"), required=("a", "c")))


def test_broken_rows_are_rejects_with_their_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OSLER_MAX_FIELD", "20")
    source = put(tmp_path, b"a,b\n1,2\n3\n\xff,4\n5," + b"x" * 30 + b"\n6,7\n")
    found = list(rows(source))
    assert [r for r in found if not isinstance(r, Reject)] == [
        (2, {"a": "1", "b": "2"}),
        (6, {"a": "6", "b": "7"}),
    ]
    assert [r.place for r in found if isinstance(r, Reject)] == ["line 3", "line 4", "line 5"]


def test_nul_never_comes_through(tmp_path: Path) -> None:
    assert list(rows(put(tmp_path, b"a,b\n1\0,2\n"))) == [(2, {"a": "1", "b": "2"})]


def test_an_empty_table_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="empty"):
        list(rows(put(tmp_path, b"\n")))


def test_headers() -> None:
    assert delimiter_of("a;b;c") == ";"
    assert header_of('"a, b",c\n1,2') == ["a, b", "c"]
    assert header_of("words only\n") == []


def test_a_stray_quote_costs_its_own_row(tmp_path):
    """One quote swallowed the rest of the file: 10,000 rows in, 12 added."""
    lines = [f"{n},title {n},words" for n in range(10_000)]
    for place, line in ((12, '12,"title 12,words'), (5_000, '5000,needles,"open'), (7_000, '"')):
        lines[place] = line
    # A later cell that is quoted closes the stray quote, and the rows between would be lost.
    lines[30] = '30,"a sound, quoted title",words'
    path = tmp_path / "t.csv"
    path.write_text("id,title,text\n" + "\n".join(lines) + "\n")
    items = list(rows(Source(path)))
    bad = [item for item in items if isinstance(item, Reject)]
    assert [item.place for item in bad] == ["line 14", "line 5002", "line 7002"]
    assert len(items) == 10_000
    good = {item[1]["id"] for item in items if not isinstance(item, Reject)}
    assert good == {str(n) for n in range(10_000)} - {"12", "5000", "7000"}


def test_a_cell_of_several_lines_is_one_row(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('id,text\n1,"one\ntwo, with ""quotes""\n\nthree"\n2,x\n')
    assert list(rows(Source(path))) == [
        (2, {"id": "1", "text": 'one\ntwo, with "quotes"\n\nthree'}),
        (6, {"id": "2", "text": "x"}),
    ]


def test_a_table_in_another_encoding_is_read_in_it(tmp_path):
    """Latin-1 lines were dropped, and the rows around them torn."""
    texts = ["naïve café", "Müller und Söhne: Über die Größe", "el niño señaló", "ação é não"]
    whole = "id,text\n" + "".join(f'{n},"{t},\n{t}"\n' for n, t in enumerate(texts * 5))
    for encoding in ("latin-1", "utf-16", "utf-8-sig"):
        path = tmp_path / f"{encoding}.csv"
        path.write_bytes(whole.encode(encoding))
        found = [row[1]["text"].split(",")[0] for row in rows(Source(path))]
        assert found == texts * 5, encoding
