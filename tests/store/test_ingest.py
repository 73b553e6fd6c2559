"""Reading files: bad ones are reported and lose nothing."""

from __future__ import annotations

import gzip
import json

import pytest

from osler.errors import FormatError, InputError


def lines(count: int) -> bytes:
    return b"".join(
        json.dumps({"_id": str(i), "title": f"title {i}", "text": "text"}).encode() + b"\n"
        for i in range(count)
    )


def test_bad_records_are_listed_and_the_batch_goes_on(make_library, tmp_path):
    file = tmp_path / "corpus.jsonl"
    records = lines(10).split(b"\n")
    records[3] = b"{broken"
    records[5] = b'{"title": "no id"}'
    records[7] = b"\xff\xfe not utf-8"
    file.write_bytes(b"\n".join(records))
    library = make_library([])
    summary = library.add([file])
    assert summary.counts["stored"] == 7
    assert summary.counts["rejected"] == 3
    assert [r.place for r in summary.rejects] == ["line 4", "line 6", "line 8"]
    assert all(r.file == "corpus.jsonl" and r.reason for r in summary.rejects)
    assert not summary.clean
    assert len(library) == 7
    assert [r.place for r in library.rejects()] == ["line 4", "line 6", "line 8"]


def test_a_truncated_gzip_keeps_what_was_whole(make_library, tmp_path, monkeypatch):
    monkeypatch.setenv("OSLER_BATCH", "10")
    file = tmp_path / "corpus.jsonl.gz"
    whole = gzip.compress(lines(5_000))
    file.write_bytes(whole[: len(whole) // 2])
    library = make_library([])
    summary = library.add([file])
    assert "cut short" in summary.failed["corpus.jsonl.gz"]
    assert 0 < len(library) < 5_000
    assert library.ledger.all()[0].state == "failed"
    file.write_bytes(whole)
    assert library.add([file]).failed == {}
    assert len(library) == 5_000


def test_a_known_file_is_not_read_again(make_library, tmp_path):
    file = tmp_path / "corpus.jsonl"
    file.write_bytes(lines(3))
    library = make_library([])
    library.add([file])
    again = library.add([file])
    assert again.already == ["corpus.jsonl"]
    assert not again.counts
    assert library.add([file], again=True).counts["unchanged"] == 3


@pytest.mark.parametrize("content", [b"", b"   \n"])
def test_an_empty_file_is_an_error(make_library, tmp_path, content):
    file = tmp_path / "corpus.jsonl"
    file.write_bytes(content)
    library = make_library([])
    with pytest.raises(FormatError):
        library.add([file])
    assert len(library) == 0


def test_a_folder_or_a_missing_file_is_an_error(make_library, tmp_path):
    library = make_library([])
    (tmp_path / "folder").mkdir()
    with pytest.raises(FormatError):
        library.add([tmp_path / "folder"])
    with pytest.raises(InputError, match="no file"):
        library.add([tmp_path / "nothing.jsonl"])


def test_one_bad_file_does_not_stop_the_others(make_library, tmp_path):
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl.gz"
    good.write_bytes(lines(3))
    bad.write_bytes(gzip.compress(lines(2_000))[:100])
    library = make_library([])
    summary = library.add([bad, good])
    assert set(summary.failed) == {"bad.jsonl.gz"}
    assert len(library) >= 3
