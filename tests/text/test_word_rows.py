"""Rows of single words without the tokenizer: the same as the table's own encoder gives."""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from osler.errors import FormatError, InputError
from osler.text.encoder import load_encoder
from osler.text.model_folder import STATIC, TABLE, shipped
from osler.text.static_table import StaticTable, save_static
from osler.text.word_rows import load_word_rows

CUT = ["treating", "risks", "aspirins", "heart", "hearts", "zebra", "ofin", "a", "risk" * 40]
"""Whole words, words of two and three pieces, unknown ones, one that is too long."""


@pytest.fixture
def folder(tiny: Path, tmp_path: Path) -> Path:
    table = np.random.default_rng(3).normal(0, 1, (20, 8)).astype(np.float32)
    save_static(tmp_path / "table", table, tiny / "tokenizer.json")
    return tmp_path / "table"


def test_as_the_tables_own_encoder(folder: Path) -> None:
    rows, encoder = load_word_rows(folder), load_encoder(folder)
    assert rows is not None
    assert isinstance(encoder, StaticTable)
    assert {len(rows._pieces.word(word)) for word in CUT} == {1, 2}
    assert rows.rows_of(CUT).tolist() == encoder.rows_of(CUT).tolist()
    assert rows.dimension == encoder.dimension


def test_the_shipped_table_word_by_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of its own vocabulary, joined and cut anywhere: every bit the same."""
    monkeypatch.delenv("OSLER_WEIGHTS", raising=False)
    place = shipped(STATIC)
    if place is None:
        pytest.skip("this checkout lacks the table")
    rows, encoder = load_word_rows(place), load_encoder(STATIC)
    assert rows is not None
    assert isinstance(encoder, StaticTable)
    known = sorted(filter(re.compile("[a-z]{3,}").fullmatch, rows._pieces.vocabulary))
    chosen = random.Random(5)
    words = [chosen.choice(known)[: chosen.randint(2, 9)] for _ in range(4_000)]
    words += ["".join(chosen.sample(known, 3)) for _ in range(1_000)] + ["qzx" * 12, "z" * 101]
    assert max(len(rows._pieces.word(word)) for word in words) > 4
    assert rows.rows_of(words).tobytes() == encoder.rows_of(words).tobytes()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("model", {"type": "Unigram", "vocab": {}}),
        ("normalizer", None),
        ("pre_tokenizer", {"type": "Whitespace"}),
        ("added_tokens", [{"content": "heart"}]),
    ],
)
def test_a_tokenizer_that_does_more_is_left_to_itself(
    folder: Path, part: str, value: object
) -> None:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {part: value}))
    assert load_word_rows(folder) is None


def test_what_cannot_be_read_is_left_to_the_encoder_to_tell(folder: Path) -> None:
    (folder / "tokenizer.json").write_bytes(gzip.compress(b"{}"))
    assert load_word_rows(folder) is None


def test_damage_and_a_table_that_is_too_short(folder: Path, tiny: Path) -> None:
    (folder / TABLE).write_bytes(b"no tensors")
    with pytest.raises(FormatError, match="damaged"):
        load_word_rows(folder)
    save_static(folder, np.ones((5, 8), np.float32), tiny / "tokenizer.json")
    with pytest.raises(InputError, match="fewer vectors"):
        load_word_rows(folder)
