from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from osler.errors import FormatError
from osler.text.encoder import load_encoder
from osler.text.static_table import TABLE, bag_of_pieces, save_static


@pytest.fixture
def folder(tiny: Path, tmp_path: Path) -> Path:
    table = np.random.default_rng(3).normal(0, 1, (20, 8)).astype(np.float32)
    # "the" is a piece that says nothing.
    table[9] = 0
    save_static(tmp_path / "table", table, tiny / "tokenizer.json")
    return tmp_path / "table"


def test_the_bag_by_hand() -> None:
    bag = bag_of_pieces([[3, 1, 3, 3], [], [0]], 4).toarray()
    expected = np.zeros((3, 4))
    expected[0, 3], expected[0, 1], expected[2, 0] = np.log(4), np.log(2), np.log(2)
    np.testing.assert_allclose(bag, expected, rtol=1e-6)


def test_a_sum_of_rows(folder: Path) -> None:
    encoder = load_encoder(folder)
    assert encoder.dimension == 8
    assert encoder.name == "table"
    (pieces, rows) = encoder.token_vectors(["aspirin fever"])[0]
    assert pieces == ["aspirin", "fever"]
    total = rows.sum(0)
    vectors = encoder.encode(["aspirin fever", "fever the aspirin", "aspirin", ""])
    np.testing.assert_allclose(vectors[0], total / np.linalg.norm(total), atol=1e-6)
    # Order does not count, nor does a piece whose row is nothing.
    np.testing.assert_allclose(vectors[1], vectors[0], atol=1e-6)
    assert not np.allclose(vectors[2], vectors[0])
    assert not vectors[3].any()


def test_a_damaged_table(folder: Path) -> None:
    (folder / TABLE).write_bytes(b"no tensors")
    with pytest.raises(FormatError, match="damaged"):
        load_encoder(folder)
