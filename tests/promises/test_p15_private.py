"""P15: patient text stays in: a canary in every record is found in no log, error, reject or cache.

What the page shows is escaped: see ``test_p09_page.py``.
"""

from __future__ import annotations

import os

from promises.everyday import CANARY


def test_the_work_was_done(day):
    _, done, told = day
    assert "LOG osler" in done.stderr
    codes = [one["code"] for one in told]
    assert codes.count(0) >= 15
    assert sum(code != 0 for code in codes) >= 5  # broken files and questions are among it
    assert any(CANARY in one["stdout"] for one in told if one["command"][0] == "search")


def test_no_log_and_no_error_holds_it(day):
    _, done, told = day
    assert CANARY not in done.stderr
    assert CANARY not in done.stdout
    for one in told:
        assert CANARY not in one["stderr"], one["command"]
        assert CANARY not in one["error"], one["command"]


def test_no_list_of_rejects_and_no_status_holds_it(day):
    _, _, told = day
    for one in told:
        if one["command"][0] in ("status", "verify", "add", "rebuild", "searches"):
            assert CANARY not in one["stdout"], one["command"]


def test_no_cache_holds_it(day):
    base, _, _ = day
    for folder in ("home", "cache", "tmp"):
        for path in (base / folder).rglob("*"):
            if path.is_file():
                assert CANARY.encode() not in path.read_bytes(), path
                assert CANARY.lower().encode() not in path.read_bytes(), path


def test_the_vector_cache_holds_no_text(tmp_path):
    from promises import whole

    folder = whole.build(tmp_path / "library")
    data = (folder / "vectors.sqlite").read_bytes()
    assert b"asthma" not in data.lower()
    assert b"statin" not in data.lower()


def test_the_library_s_folder_is_as_private_as_the_umask_says(tmp_path):
    from osler import Library

    old = os.umask(0o077)
    try:
        Library.create(tmp_path / "library").close()
    finally:
        os.umask(old)
    for path in (tmp_path / "library").rglob("*"):
        if not path.name.startswith(".tantivy") and path.suffix != ".lock":
            assert path.stat().st_mode & 0o077 == 0, path
