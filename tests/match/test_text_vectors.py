"""Who reads a question, how often a text is read, and what is kept of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from osler.kinds import GradeReason
from osler.match.answering import ANSWERS, Answering, Judged
from osler.match.default import Default
from osler.match.job import match
from osler.match.learned import Weighed, learned
from osler.match.matcher import Candidate, Sources
from osler.match.memory import VectorMemory
from osler.match.signs import SignReader
from osler.match.text_vectors import TextVectors
from osler.match.texts import Texts


class Letters:
    """The vector of a text is that of its first letter."""

    dimension = 26

    def __init__(self, name: str, *, chinese: bool = False) -> None:
        self.fingerprint = name
        self.chinese = chinese
        self.seen: list[str] = []
        self.calls = 0

    def reads(self, text: str) -> bool:
        return (max(text) > "\u4e00") == self.chinese

    def encode(self, texts: list[str]) -> np.ndarray:
        self.seen += texts
        self.calls += 1
        rows = np.zeros((len(texts), 26), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[ord(text[0].lower()) % 26] = 1.0
        return rows


def vectors(*encoders: Letters, memory: VectorMemory | None = None) -> TextVectors:
    return TextVectors(encoders, ("en", "zh"), memory=memory)  # type: ignore[arg-type]


def test_an_encoder_that_was_not_weighed_reads_nothing():
    assert vectors(Letters("another")).reader("gout") is None
    assert vectors().reader("gout") is None


def test_none_is_loaded_before_those_in_front_of_it_have_been_asked():
    english, chinese = Letters("en"), Letters("zh", chinese=True)
    loaded = []

    def encoders() -> Iterator[Letters]:
        for one in (Letters("another"), english, chinese):
            loaded.append(one.fingerprint)
            yield one

    held = TextVectors(encoders(), ("en", "zh"))  # type: ignore[arg-type]
    assert held.reader("gout") is english
    assert held.reader("fever") is english
    assert loaded == ["another", "en"]
    assert held.reader("痛风") is chinese
    assert held.reader("gout") is english
    assert held.reader("发烧") is chinese
    assert loaded == ["another", "en", "zh"]


def test_a_text_is_read_once_and_together_with_others():
    english = Letters("en")
    held = vectors(english)
    assert held.reader("gout") is english
    held.read(english, ["gout", "ache", "gout"])  # type: ignore[arg-type]
    held.read(english, ["ache"])  # type: ignore[arg-type]
    assert english.seen == ["gout", "ache"]
    assert int(held.of(english, "ache").argmax()) == ord("a") % 26  # type: ignore[arg-type]
    assert int(held.of(english, "new").argmax()) == ord("n") % 26  # type: ignore[arg-type]
    assert english.seen == ["gout", "ache", "new"]


def test_each_encoder_has_vectors_of_its_own():
    english, chinese = Letters("en"), Letters("zh", chinese=True)
    held = vectors(english, chinese)
    assert held.reader("痛风") is chinese
    held.read(english, ["a"])  # type: ignore[arg-type]
    held.read(chinese, ["a"])  # type: ignore[arg-type]
    assert (english.seen, chinese.seen) == (["a"], ["a"])


def test_only_what_is_a_librarys_is_kept(tmp_path: Path):
    memory = VectorMemory(tmp_path / "vectors.sqlite")
    for expected in (["stored", "asked"], ["asked"]):
        english = Letters("en")
        held = vectors(english, memory=memory)
        held.reader("gout")
        held.read(english, ["stored"], keep=True)  # type: ignore[arg-type]
        held.read(english, ["asked"])  # type: ignore[arg-type]
        assert english.seen == expected


GOUT = [
    Candidate("1", "休息。", "痛风怎么治疗？"),
    Candidate("2", "喝水。", "发烧怎么治疗？"),
]


@pytest.fixture
def answering() -> Answering:
    """Weighs nothing but how near the Chinese encoder finds a stored question."""
    head = Weighed({"near asked": 8.0}, -4.0)
    table = msgspec.structs.replace(
        learned(), chinese="zh", heads={**learned().heads, "stored encoded zh": head}
    )
    chinese = Letters("zh", chinese=True)
    return Answering(SignReader(Texts(), encoders=[chinese], table=table))  # type: ignore[list-item]


def test_a_chinese_question_is_weighed_by_the_encoder_that_reads_it(answering):
    near, far = answering.judged("痛得厉害，怎么办？", GOUT)
    assert near.raw == {"near asked": 1.0}
    assert near.probability == pytest.approx(1 / (1 + np.exp(-4)))
    assert far.probability == pytest.approx(1 / (1 + np.exp(4)))
    # Bare answers are weighed by words.
    bare = answering.judged("痛得厉害，怎么办？", [Candidate("1", "休息。")])
    assert "near asked" not in bare[0].raw


def test_what_a_chinese_question_asks_is_told_by_its_cues(answering):
    """However long the vectors of the Chinese encoder are."""
    table = answering.reader.table

    class AsLong(Letters):
        def encode(self, texts: list[str]) -> np.ndarray:
            return np.ones((len(texts), len(table.asked.by_vector)))

    long = SignReader(Texts(), encoders=[AsLong("zh", chinese=True)], table=table)  # type: ignore
    for reader in (answering.reader, long):
        assert reader.shares("痛风怎么治疗？") == {"treat": 1.0}


def test_stored_questions_are_read_together_and_kept(tmp_path: Path):
    table = msgspec.structs.replace(learned(), chinese="zh")
    for calls, seen in ((2, 3), (1, 1)):
        chinese = Letters("zh", chinese=True)
        memory = VectorMemory(tmp_path / "vectors.sqlite")
        reader = SignReader(Texts(), encoders=[chinese], memory=memory, table=table)  # type: ignore
        assert reader.nearest("发烧怎么办？", GOUT) == [1, 0]
        # Two stored questions at once, and the question that was asked: the second time it alone.
        assert (chinese.calls, len(chinese.seen)) == (calls, seen)


def test_what_may_answer_is_less_than_what_does():
    assert 0.1 < learned().perhaps < learned().least


def test_words_alone_decide_where_nobody_reads_chinese_and_it_is_said(answering):
    alone = Answering(SignReader(Texts()))
    matcher = Default(Sources(texts=Texts()))
    said = "osler fetch bge-small-zh"
    for judge, question, some, expected in (
        (alone, "痛风怎么治疗？", GOUT, True),
        (alone, "How is gout treated?", [Candidate("1", "Rest.", "What of gout?")], False),
        (alone, "痛风怎么治疗？", [Candidate("1", "休息。")], False),
        (alone, "痛风怎么治疗？", [], False),
        (answering, "痛风怎么治疗？", GOUT, False),
    ):
        ranking = match(matcher, question, some, answering=judge, reorder=True)
        assert any(said in note for note in ranking.notes) is expected
    assert said not in match(matcher, "痛风？", GOUT, answering=alone, reorder=True).notes[0]


@pytest.mark.parametrize(
    ("odds", "english", "chinese"),
    [
        (-3.0, "none of these answers that", "这些都没有回答这个问题"),
        (-1.5, "the nearest may answer that, look closely", "最接近的一条也许能回答"),
    ],
)
def test_what_may_answer_is_said_to_but_not_to_answer(odds, english, chinese):
    table = msgspec.structs.replace(
        learned(),
        least=0.35,
        perhaps=0.15,
        heads=dict.fromkeys(learned().heads, Weighed({"lacks": 0.0}, odds)),
    )
    judge = Answering(SignReader(Texts(), table=table))
    matcher = Default(Sources(texts=Texts()))
    for question, said in (("How is gout treated?", english), ("痛风怎么治疗？", chinese)):
        some = [Candidate("1", "Rest.", question)]
        ranking = match(matcher, question, some, answering=judge, reorder=True)
        assert ranking.notes[0].startswith(said)
        assert ranking.answered is False
        (verdict,) = (r for r in ranking.hits[0].reasons if isinstance(r, GradeReason))
        assert verdict.probabilities[ANSWERS] == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-4)


def test_at_the_lower_bar_the_nearest_may_answer():
    judge = Answering(SignReader(Texts()))
    at, below = (Judged(Candidate("a", "b"), judge.perhaps - less) for less in (0.0, 0.001))
    assert "may answer" in judge.none_said("What is it?", [at])
    assert "none of these" in judge.none_said("What is it?", [below])


def test_the_cosines_of_another_encoder_are_not_weighed():
    class Other:
        fingerprint = "another"

        def reads(self, text):
            raise AssertionError(text)

    reader = SignReader(Texts(), encoders=[Other()])
    assert not reader.reads("What is it?")
    (signs,) = reader.read("What is gout?", [Candidate("a", "Gout hurts.")])
    assert signs["near"] == 0.0


def test_a_question_that_stands_alone_is_read_by_the_encoder():
    table = learned()
    vector = np.linspace(-0.1, 0.1, len(table.asked.by_vector))

    class Same:
        fingerprint = table.encoder

        def reads(self, text):
            return True

        def encode(self, some):
            return np.array([vector] * len(some))

    shares = SignReader(Texts(), encoders=[Same()]).shares("Gout")
    assert shares == table.asked.shares("Gout", vector)
    assert shares != table.asked.shares("Gout")


def test_what_is_asked_is_read_in_one_go_under_all_its_names():
    """Once what is stored, once the rest: an encoder reads many texts for little more than one."""
    some = [
        Candidate("1", "Rest well.", "How is myocardial infarction treated?"),
        Candidate("2", "Call for help.", "How is a heart attack treated?"),
    ]
    for read in (
        lambda reader: reader.nearest("What helps in a heart attack?", some),
        lambda reader: reader.read(
            "What helps in a heart attack?", [*some, Candidate("3", "Tea."), Candidate("4", "Go.")]
        ),
    ):
        english = Letters(learned().encoder)
        read(SignReader(Texts(), encoders=[english]))  # type: ignore[list-item]
        assert english.calls == 2
        assert "What helps in a heart attack?" in english.seen
        assert "What helps in a myocardial infarction?" in english.seen
