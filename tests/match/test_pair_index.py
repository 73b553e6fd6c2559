"""The index of pairs: read once, grown, kept on disk, and made again where it does not fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from osler.kinds import Pair
from osler.library import Library
from osler.match.pair_index import PairIndex
from osler.match.pool import FOCUS, OTHERWISE, PairPool
from osler.match.texts import Texts
from osler.text import bm25
from osler.verbs import match as verb

WORDS = ("asthma", "migraine", "gout", "psoriasis", "anaemia", "epilepsy", "scabies", "rosacea")


def pairs(count: int, *, begin: int = 0) -> list[Pair]:
    return [
        Pair(
            id=f"p{number:03}",
            question=f"What helps against {WORDS[number % 8]} number {number}?",
            answer=f"For {WORDS[number % 8]} take remedy {number}.",
        )
        for number in range(begin, begin + count)
    ]


def answers(pool: PairPool, question: str, most: int = 5) -> list[str]:
    return [one.id for one in pool.candidates(question, most=most)]


def test_a_pool_grown_in_two_steps_is_the_pool_made_at_once() -> None:
    some, more = pairs(20), pairs(12, begin=20)
    changed = Pair(id="p003", question="What helps against hives?", answer="An antihistamine.")
    whole = {pair.id: pair for pair in [*some, *more, changed]}
    at_once = PairPool.of(list(whole.values()), Texts())
    index = PairIndex.empty().grown(some, Texts()).grown([*more, changed], Texts())
    grown = PairPool(index, Texts(), lambda ids: {id: whole[id] for id in ids})
    assert len(grown) == len(at_once) == 32
    for question in ("What helps against gout number 18?", "hives", "remedy 27 for psoriasis"):
        assert answers(grown, question) == answers(at_once, question)
    assert answers(grown, "What helps against hives?", 1) == ["p003"]


def test_an_index_comes_back_from_disk_as_it_was_and_a_damaged_one_does_not(tmp_path: Path) -> None:
    place = tmp_path / "pairs.safetensors"
    made = PairIndex.empty("static").grown(
        pairs(9), Texts(), encode=lambda texts: np.eye(9, 4)[: len(texts)], applied=7, mark="m"
    )
    made.save(place)
    read = PairIndex.load(place)
    assert read is not None
    assert (read.state, read.ids, read.vocabulary) == (made.state, made.ids, made.vocabulary)
    assert (read.vectors == made.vectors).all()
    assert (read.whole.terms == made.whole.terms).all()
    assert (read.asked.counts == made.asked.counts).all()
    raw = bytearray(place.read_bytes())
    raw[len(raw) // 2] ^= 1
    place.write_bytes(bytes(raw))
    assert PairIndex.load(place) is None
    assert PairIndex.load(tmp_path / "none") is None


def test_an_answer_that_stands_twice_is_one_candidate() -> None:
    twice = [Pair(id=f"t{n}", question=f"gout question {n}", answer="Allopurinol.") for n in (2, 1)]
    assert answers(PairPool.of(twice, Texts()), "gout question") == ["t1"]


def test_a_question_of_other_words_is_met_by_its_vector() -> None:
    class Alike:
        """Finds sleep in two words that share no letters."""

        fingerprint = "alike"

        def reads(self, text: str) -> bool:
            return True

        def encode(self, texts: list[str]) -> np.ndarray:
            return np.array([[1.0, 0.0] if "sleep" in t or "vigil" in t else [0.0, 1.0]
                             for t in texts])  # fmt: skip

    some = [*pairs(8), Pair(id="s", question="How are vigils cured?", answer="Melatonin.")]
    asked = "never sleep"
    assert "s" not in answers(PairPool.of(some, Texts()), asked)
    assert answers(PairPool.of(some, Texts(), encoder=Alike()), asked, 1) == ["s"]  # type: ignore[arg-type]


def test_a_library_reads_a_pair_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb, "WORTH_KEEPING", 5)
    read: list[int] = []
    grown = PairIndex.grown

    def counted(self: PairIndex, pairs: object, *given: object, **more: object) -> PairIndex:
        listed = list(pairs)  # type: ignore[call-overload]
        read.append(len(listed))
        return grown(self, listed, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(PairIndex, "grown", counted)
    for step, count in ((0, 10), (10, 3)):
        (tmp_path / f"{step}.csv").write_text(
            "id,question,answer\n"
            + "".join(f"{p.id},{p.question},{p.answer}\n" for p in pairs(count, begin=step))
        )
    with Library.create(tmp_path / "lib") as library:
        library.add([tmp_path / "0.csv"])
        assert library.match("What helps against gout number 2?").hits[0].id == "p002"
        library.match("psoriasis")
    with Library.open(tmp_path / "lib") as library:
        library.match("psoriasis")
        library.add([tmp_path / "10.csv"])
        assert library.match("What helps against gout number 10?").hits[0].id == "p010"
    assert read == [10, 3]
    with Library.open(tmp_path / "lib") as library:
        library.rebuild()
        assert library.match("What helps against gout number 10?").hits[0].id == "p010"
    assert read == [10, 3, 13]


def test_nearness_by_words_is_a_share_of_what_the_wording_could_give() -> None:
    """By hand: one piece in one of two pairs, of its question and of both its texts."""
    two = [
        Pair(id="a", question="gout", answer="rest"),
        Pair(id="b", question="cough", answer="tea"),
    ]
    pool = PairPool.of(two, Texts())
    lengths = [len(Texts().grams(f"{pair.question} {pair.answer}")) for pair in two]
    whole = bm25.saturated(1, lengths[0], sum(lengths) / 2)
    asked = bm25.saturated(1, 1, sum(lengths) / 2)
    (near, far) = pool._by_words(["gout"])
    assert near == pytest.approx((whole + FOCUS * asked) / (1 + FOCUS))
    assert far == 0.0
    # A piece that no pair holds weighs as much as one can: the share falls.
    known, unknown = bm25.idf(1, 2), bm25.idf(0, 2)
    (less, _) = pool._by_words(["gout zyx"])
    assert less == pytest.approx(float(near * known / (known + unknown)))
    # Another wording counts for less, and what has no pieces for nothing.
    assert pool._by_words(["cough", "gout"])[0] == pytest.approx(OTHERWISE * near)
    assert pool._by_words(["?"]).tolist() == [0.0, 0.0]


def test_the_question_s_own_wording_is_a_little_nearer_than_another() -> None:
    class Apart:
        fingerprint = "apart"

        def reads(self, text: str) -> bool:
            return True

        def encode(self, texts: list[str]) -> np.ndarray:
            return np.array([[1.0, 0.0] if "pressure" in t else [0.0, 1.0] for t in texts])

    two = [Pair(id="a", question="Hypertension?", answer="Salt."),
           Pair(id="b", question="Blood pressure?", answer="Rest.")]  # fmt: skip
    pool = PairPool.of(two, Texts(), encoder=Apart())  # type: ignore[arg-type]
    assert pool._by_vector(["high blood pressure", "hypertension"], 2) == [1, 0]
    assert pool._by_vector(["hypertension", "high blood pressure"], 2) == [0, 1]


def test_an_encoder_that_does_not_read_the_question_finds_nothing() -> None:
    class Silent:
        fingerprint = "silent"

        def reads(self, text: str) -> bool:
            return text == "gout"

        def encode(self, texts: list[str]) -> np.ndarray:
            assert texts
            return np.ones((len(texts), 1))

    one = PairPool.of([Pair(id="a", question="gout", answer="rest")], Texts(), encoder=Silent())  # type: ignore[arg-type]
    assert one._by_vector(["痛风"], 2) == []
    assert one._by_vector(["痛风", "gout"], 2) == [0]
    assert PairPool.of([], Texts(), encoder=Silent()).candidates("gout") == []  # type: ignore[arg-type]
