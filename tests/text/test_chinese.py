from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from osler.errors import MissingExtra
from osler.text import chinese
from osler.text.chinese import segment


def test_bigrams_without_jieba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chinese, "has_jieba", lambda: False)
    assert [t.text for t in segment("糖尿病 HbA1c")] == ["糖尿", "尿病", "HbA1c"]
    with pytest.raises(MissingExtra, match=r"osler\[zh\]"):
        segment("糖尿病", by="jieba")


def test_names_stay_whole() -> None:
    pytest.importorskip("jieba")
    text = "患者服用阿莫西林克拉维酸钾后好转。"
    found = segment(text, names=["阿莫西林克拉维酸钾"], by="jieba")
    assert "阿莫西林克拉维酸钾" in [t.text for t in found]
    assert all(text[t.start : t.end] == t.text for t in found)
    assert "。" not in [t.text for t in found]
    # Another caller's names leave no trace.
    assert "阿莫西林克拉维酸钾" not in [t.text for t in segment(text, by="jieba")]


def test_jieba_writes_no_file_and_says_nothing(tmp_path: Path) -> None:
    pytest.importorskip("jieba")
    program = "from osler.text.chinese import segment; segment('糖尿病患者', by='jieba')"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        env={"TMPDIR": str(tmp_path), "PATH": "", "HOME": str(tmp_path)},
        check=True,
    )
    assert done.stdout == ""
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []
