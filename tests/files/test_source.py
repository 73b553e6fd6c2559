"""Sources: gzip of every shape, lines, heads, fingerprints."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import pytest

from osler.errors import FormatError, InputError, LimitError
from osler.files.source import Source


def put(folder: Path, data: bytes, name: str = "file") -> Source:
    path = folder / name
    path.write_bytes(data)
    return Source(path)


def content(source: Source) -> bytes:
    with source.open() as stream:
        return stream.read()


def test_gzip_is_known_by_its_bytes(tmp_path: Path) -> None:
    assert content(put(tmp_path, gzip.compress(b"abc"))) == b"abc"
    assert content(put(tmp_path, b"abc", "named.gz")) == b"abc"


def test_members_are_joined_and_padding_is_borne(tmp_path: Path) -> None:
    data = gzip.compress(b"a" * 100_000) + gzip.compress(b"") + gzip.compress(b"b") + b"\0" * 600
    assert content(put(tmp_path, data)) == b"a" * 100_000 + b"b"


@pytest.mark.parametrize("cut", [3, 12, 40, -9, -1])
def test_a_cut_stream_is_an_error(cut: int, tmp_path: Path) -> None:
    data = gzip.compress(bytes(range(256)) * 50)[:cut]
    with pytest.raises(FormatError, match="cut short"):
        content(put(tmp_path, data))


def test_garbage_and_a_wrong_checksum_are_errors(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="damaged"):
        content(put(tmp_path, gzip.compress(b"abc") + b"garbage"))
    data = bytearray(gzip.compress(b"abc"))
    data[-5] ^= 1
    with pytest.raises(FormatError, match="damaged"):
        content(put(tmp_path, bytes(data)))


def test_a_bomb_stops_at_the_ratio(tmp_path: Path) -> None:
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    data = b"".join(pack.compress(zeros) for _ in range(200)) + pack.flush()
    assert len(data) < 1_000_000
    with pytest.raises(LimitError, match="OSLER_MAX_RATIO"):
        content(put(tmp_path, data))


def test_a_lying_length_is_an_error(tmp_path: Path) -> None:
    data = gzip.compress(b"abc" * 1000)
    with pytest.raises(FormatError, match="damaged"):
        content(put(tmp_path, data[:-4] + b"\x01\0\0\0"))


def test_lines_are_numbered_and_bad_ones_are_none(tmp_path: Path) -> None:
    source = put(tmp_path, b"\xef\xbb\xbfone\r\n\xff\nthree\nlast")
    assert list(source.lines()) == [(1, "one"), (2, None), (3, "three"), (4, "last")]


def test_a_line_without_end_is_skipped_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OSLER_MAX_FIELD", "10")
    source = put(tmp_path, b"a\n" + b"x" * 1000 + b"\nb\n" + b"y" * 500)
    assert list(source.lines()) == [(1, "a"), (2, None), (3, "b"), (4, None)]


def test_a_line_of_exactly_the_limit_is_kept_apart_from_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OSLER_MAX_FIELD", "1")
    source = put(tmp_path, b"1234567\nab\n12345678\ncd\n")
    assert list(source.lines()) == [(1, "1234567"), (2, "ab"), (3, None), (4, "cd")]


def test_the_head_of_a_cut_stream_is_what_is_whole(tmp_path: Path) -> None:
    data = gzip.compress(b"".join(b"line %d\n" % n for n in range(20_000)))
    head = put(tmp_path, data[: len(data) // 2], "x.jsonl.gz").head()
    assert head.name == "x.jsonl"
    assert head.start.startswith(b"line 0\nline 1\n")


def test_no_file_and_a_folder_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        Source(tmp_path / "missing")
    with pytest.raises(FormatError, match="folder"):
        Source(tmp_path).open()


def test_the_fingerprint_follows_content_and_names(tmp_path: Path) -> None:
    one = put(tmp_path, b"a", "one").fingerprint()
    assert one == put(tmp_path, b"a", "two").fingerprint()
    assert one != put(tmp_path, b"b", "three").fingerprint()
    folder = Source(tmp_path).fingerprint()
    (tmp_path / "two").rename(tmp_path / "four")
    assert Source(tmp_path).fingerprint() != folder
