"""Vectors: the cache, the matrix, exact and approximate search."""

from __future__ import annotations

import numpy as np
import pytest

from osler import Library
from osler.store.vector_cache import VectorCache
from osler.store.vectors import VectorIndex
from samples import PAPERS, paper


def test_the_nearest_come_first(library):
    library.embed()
    hits = library.search("asthma in children near roads", method="vectors", k=2).hits
    assert hits[0].id == "2"
    assert hits[0].score >= hits[1].score


def test_only_what_the_encoder_reads_gets_a_vector(library):
    library.embed()
    assert library.coverage().done == 4
    ranking = library.search("肺癌", method="hybrid")
    assert [h.id for h in ranking] == ["4"]
    assert any("language" in note for note in ranking.notes)


def test_search_says_how_much_is_covered(library):
    library.embed()
    library.add_documents([paper("9", "A late paper on asthma")])
    ranking = library.search("asthma", method="hybrid")
    assert any("vectors cover 80%" in note for note in ranking.notes)
    assert "9" in {h.id for h in ranking}  # found by its words meanwhile


def test_embedding_goes_on_where_it_stopped(library, encoder):
    library.embed()
    count = encoder.encoded
    assert library.embed() == 0
    library.add_documents([paper("9", "New")])
    assert library.embed() == 1
    assert encoder.encoded == count + 1


def test_a_replaced_document_has_its_new_vector(library):
    library.embed()
    library.add_documents([paper("5", "Thyroid storm in pregnancy", revised="2022")])
    library.embed()
    best = library.search("thyroid storm in pregnancy", method="vectors", k=1).hits[0]
    assert best.id == "5"
    assert best.score > 0.9


def test_a_removed_document_is_not_found(library):
    library.embed()
    library.remove(["2"])
    assert "2" not in {h.id for h in library.search("asthma children", method="vectors")}
    library.embed()
    assert library.coverage().done == 3


def test_rebuild_takes_vectors_from_the_cache(library, encoder):
    library.embed()
    before = library.search("asthma", method="vectors").hits
    count = encoder.encoded
    library.rebuild()
    after = library.search("asthma", method="vectors").hits
    assert encoder.encoded == count + 1  # the question itself
    assert [(h.id, h.score) for h in after] == [(h.id, h.score) for h in before]


def test_an_append_that_was_cut_off_is_not_read(tmp_path):
    index = VectorIndex(tmp_path / "v", dimension=4)
    index.append([1, 2], [1, 2], np.eye(4, dtype=np.float32)[:2], applied=2)
    for name in ("rows.i64", "seqs.i64", "matrix.f32"):
        with (tmp_path / "v" / name).open("ab") as stream:
            stream.write(b"\x07" * 9)  # a kill in the middle of the next append
    again = VectorIndex(tmp_path / "v", dimension=4)
    assert again.count == 2
    again.append([3], [3], np.eye(4, dtype=np.float32)[2:3], applied=3)
    rows, _, scores, _, _ = again.search(np.eye(4, dtype=np.float32)[2], 1)
    assert (rows.tolist(), scores.tolist()) == ([3], [1.0])
    assert list(again.check()) == []


def test_a_damaged_vector_file_is_named(tmp_path):
    index = VectorIndex(tmp_path / "v", dimension=4)
    index.append([1, 2], [1, 2], np.eye(4, dtype=np.float32)[:2], applied=2)
    path = tmp_path / "v" / "matrix.f32"
    data = bytearray(path.read_bytes())
    data[5] ^= 1
    path.write_bytes(data)
    assert any("matrix.f32" in line for line in index.check())


def test_a_damaged_cached_vector_is_made_again(tmp_path):
    import sqlite3

    cache = VectorCache(tmp_path / "c.sqlite")
    cache.put("e", [b"k"], np.ones((1, 4), np.float32))
    assert cache.get("e", [b"k"])[b"k"].tolist() == [1, 1, 1, 1]
    cache.close()
    with sqlite3.connect(tmp_path / "c.sqlite") as db:
        db.execute("UPDATE vectors SET vector = zeroblob(8)")
    db.close()
    again = VectorCache(tmp_path / "c.sqlite")
    assert again.get("e", [b"k"]) == {}
    again.close()


def test_beyond_the_limit_search_is_approximate_and_close(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(4_000, 16)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    index = VectorIndex(tmp_path / "v", dimension=16)
    index.append(range(1, 4_001), range(1, 4_001), matrix, applied=4_000)
    exact = [set(index.search(matrix[i], 10)[0].tolist()) for i in range(30)]
    monkeypatch.setenv("OSLER_EXACT_VECTORS", "1000")
    found = [set(index.search(matrix[i], 10)[0].tolist()) for i in range(30)]
    recall = sum(len(a & b) for a, b in zip(exact, found, strict=True)) / 300
    assert recall > 0.95
    few = np.arange(1, 50)
    rows, *_ = index.search(matrix[2_000], 10, few)
    assert set(rows.tolist()) <= set(few.tolist())
    assert len(rows) == 10
    many = np.arange(1, 3_001)
    rows, *_ = index.search(matrix[3_500], 10, many)
    assert rows.max() <= 3_000
    assert len(rows) >= 10


def test_a_shuffled_corpus_ranks_the_same_by_vectors(make_library):
    one = make_library(PAPERS, name="one")
    other = make_library(list(reversed(PAPERS)), name="other")
    for library in (one, other):
        library.embed()
    runs = [
        [(h.id, h.score) for h in library.search("inhaled steroids", method="vectors")]
        for library in (one, other)
    ]
    assert runs[0] == runs[1]


def test_vectors_of_named_documents(library: Library):
    library.embed()
    ids, matrix = library.vectors(["3", "4", "1"])
    assert ids == ["3", "1"]
    assert matrix.shape == (2, 64)
    assert np.linalg.norm(matrix, axis=1) == pytest.approx([1, 1], abs=1e-3)


def test_without_a_valid_abstract_a_summary_of_the_full_text_is_embedded(make_library):
    from osler.kinds import Section
    from osler.retrieve.summaries.summarise import represent

    filler = " ".join(f"Ward {i} was visited on a weekday by the team." for i in range(30))
    body = f"{filler} Colchicine shortens gout attacks. Colchicine for gout is cheap. {filler}"
    library = make_library(
        [
            paper("1", "Colchicine in gout", "Short.", full_text=(Section(body),)),
            paper("2", "Other"),
        ]
    )
    texts: list[str] = []
    encode = library.encoder.encode
    library.encoder.encode = lambda batch, **o: texts.extend(batch) or encode(batch, **o)
    library.embed()
    (embedded,) = [text for text in texts if "gout" in text]
    assert embedded == represent(library.document("1"))
    assert len(embedded) < len(body) / 2
