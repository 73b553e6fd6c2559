from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import FormatError, LimitError, OslerError
from osler.text.word_vectors import WordVectors

WORDS = ["aspirin", "糖尿病", "heart"]
MATRIX = np.array([[1, 2, 3, 4], [0.5, -0.25, 1e-3, 7], [0, 0, 0, -1]], dtype=np.float32)


def text_file(path: Path, *, header: bool = True) -> Path:
    lines = [f"{len(WORDS)} 4"] if header else []
    lines += [f"{w} {' '.join(map(str, row))}" for w, row in zip(WORDS, MATRIX, strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def binary_file(path: Path, *, newline: bytes = b"\n") -> Path:
    data = b"3 4\n"
    for word, row in zip(WORDS, MATRIX, strict=True):
        data += word.encode() + b" " + row.astype("<f4").tobytes() + newline
    path.write_bytes(data)
    return path


def same(vectors: WordVectors) -> None:
    assert vectors.words == WORDS
    np.testing.assert_allclose(vectors.matrix, MATRIX, rtol=1e-6)


def test_text_with_and_without_header(tmp_path: Path) -> None:
    same(WordVectors.load(text_file(tmp_path / "a.vec")))
    same(WordVectors.load(text_file(tmp_path / "b.txt", header=False)))


def test_binary_with_and_without_line_ends(tmp_path: Path) -> None:
    same(WordVectors.load(binary_file(tmp_path / "a.bin")))
    same(WordVectors.load(binary_file(tmp_path / "b.bin", newline=b"")))


def test_gzip_and_limit(tmp_path: Path) -> None:
    path = binary_file(tmp_path / "a.bin")
    packed = tmp_path / "a.bin.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    same(WordVectors.load(packed))
    assert WordVectors.load(packed, limit=2).words == WORDS[:2]


def test_gensim_reads_and_writes_the_same(tmp_path: Path) -> None:
    models = pytest.importorskip("gensim.models")
    theirs = models.KeyedVectors(4)
    theirs.add_vectors(WORDS, MATRIX)
    for binary in (True, False):
        path = tmp_path / f"{binary}"
        theirs.save_word2vec_format(str(path), binary=binary)
        same(WordVectors.load(path))


def test_lookups() -> None:
    vectors = WordVectors(WORDS, MATRIX)
    assert vectors.dimension == 4
    assert len(vectors) == 3
    assert "aspirin" in vectors
    assert "unknown" not in vectors
    np.testing.assert_array_equal(vectors.vector("heart"), MATRIX[2])
    np.testing.assert_array_equal(vectors.vector("unknown"), np.zeros(4))
    np.testing.assert_array_equal(vectors.vectors(["heart", "no"]), [MATRIX[2], np.zeros(4)])
    np.testing.assert_allclose(
        vectors.mean(["aspirin", "heart", "no"]), (MATRIX[0] + MATRIX[2]) / 2
    )
    np.testing.assert_array_equal(vectors.mean(["no"]), np.zeros(4))


def test_save_and_load(tmp_path: Path) -> None:
    folder = WordVectors(WORDS, MATRIX).save(tmp_path / "vectors")
    same(WordVectors.load(folder))
    assert sorted(p.name for p in folder.iterdir()) == ["vectors.safetensors", "vocabulary.json"]
    (folder / "vocabulary.json").write_text('["one"]')
    with pytest.raises(FormatError, match="do not fit"):
        WordVectors.load(folder)
    (folder / "vocabulary.json").unlink()
    with pytest.raises(FormatError, match=r"vocabulary\.json"):
        WordVectors.load(folder)


def test_training_is_the_same_twice() -> None:
    pytest.importorskip("gensim")
    corpus = [["aspirin", "lowers", "fever"], ["insulin", "lowers", "sugar"]] * 20
    first = WordVectors.train(corpus, dimension=8, seed=3)
    again = WordVectors.train(iter(corpus), dimension=8, seed=3)
    assert first.words == again.words
    np.testing.assert_array_equal(first.matrix, again.matrix)
    assert first.dimension == 8
    assert not np.array_equal(first.matrix, WordVectors.train(corpus, dimension=8, seed=4).matrix)
    with pytest.raises(FormatError, match="no words"):
        WordVectors.train([])
    with pytest.raises(FormatError, match="lower least"):
        WordVectors.train(corpus, least=1000)


def test_words_in_like_company_are_alike() -> None:
    pytest.importorskip("gensim")
    pain = [[drug, "lowers", "fever"] for drug in ("aspirin", "ibuprofen")]
    sugar = [[drug, "controls", "sugar"] for drug in ("insulin", "metformin")]
    vectors = WordVectors.train((pain + sugar) * 300, dimension=16, epochs=20, seed=1)

    def cosine(one: str, other: str) -> float:
        a, b = vectors.vector(one), vectors.vector(other)
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    assert cosine("aspirin", "ibuprofen") > cosine("aspirin", "insulin")
    assert cosine("insulin", "metformin") > cosine("ibuprofen", "metformin")


def test_bad_files(tmp_path: Path) -> None:
    path = binary_file(tmp_path / "a.bin")
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    with pytest.raises(FormatError, match="cut short at word 3 of 3"):
        WordVectors.load(path)
    path.write_bytes(b"999999999999 4\n")
    with pytest.raises(LimitError):
        WordVectors.load(path)
    path.write_bytes(b"")
    with pytest.raises(FormatError, match="holds no word vectors"):
        WordVectors.load(path)
    path.write_text("3 4\nfever 1 2 3\n")
    with pytest.raises(FormatError, match="row 1 has not 4 numbers"):
        WordVectors.load(path)
    path.write_bytes(b"3 4\n" + b"x" * 9000)
    with pytest.raises(FormatError, match="has no end"):
        WordVectors.load(path)


@given(st.binary(max_size=200))
def test_any_bytes_give_vectors_or_an_error_of_ours(data: bytes) -> None:
    import tempfile

    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        try:
            vectors = WordVectors.load(file.name)
        except OslerError:
            return
        assert len(vectors.words) == len(vectors.matrix) > 0
