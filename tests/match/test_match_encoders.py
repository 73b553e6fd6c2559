"""Which encoder reads a question and its answers, and whose vectors are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from osler.kinds import Pair
from osler.match.default import Default
from osler.match.learned import learned
from osler.match.matcher import Candidate, Sources
from osler.match.memory import VectorMemory
from osler.match.saving import load_matcher, save_matcher
from osler.match.signs import SignReader
from osler.match.texts import Texts


class Letters:
    """Finds two texts alike that share the first of some letters."""

    dimension = 26

    def __init__(self, name: str, *, chinese: bool) -> None:
        self.fingerprint = name
        self.chinese = chinese
        self.read: list[str] = []

    def reads(self, text: str) -> bool:
        return (max(text) > "\u4e00") == self.chinese

    def encode(self, texts: list[str]) -> np.ndarray:
        self.read += texts
        rows = np.zeros((len(texts), 26), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[ord(text[0].lower()) % 26] = 1.0
        return rows


def test_chinese_is_read_by_the_encoder_beside() -> None:
    english, chinese = Letters("en", chinese=False), Letters("zh", chinese=True)
    sources = Sources(load_encoder=lambda: english, beside=lambda: [chinese])  # type: ignore
    answers = [Candidate("other", "多喝水"), Candidate("alike", "头晕时平卧")]
    scores = Default(sources).scores("头痛怎么办", answers)
    assert scores[1] > scores[0]
    assert chinese.read
    assert not english.read
    Default(sources).scores("headache", [Candidate("a", "rest"), Candidate("b", "hunger")])
    assert english.read


def test_a_model_finds_its_encoder_again_wherever_it_stands(tmp_path: Path) -> None:
    english, chinese = Letters("en", chinese=False), Letters("zh", chinese=True)
    sources = Sources(load_encoder=lambda: english, beside=lambda: [chinese])  # type: ignore
    pairs = [Pair(id=str(n), question=f"头痛{n}怎么办", answer=f"服药{n}次") for n in range(40)]
    save_matcher(tmp_path / "model", Default(sources, tune=False).fit(pairs), pairs)
    again = load_matcher(tmp_path / "model", sources)
    assert isinstance(again, Default)
    assert again.features is not None
    assert again.features.encoder is chinese


def test_vectors_of_stored_answers_are_kept_and_those_of_questions_are_not(tmp_path: Path) -> None:
    encoder = Letters(learned().encoder, chinese=False)
    stored = [Candidate("1", "Rest well.", "What helps against headache?")]
    bare = [Candidate("2", "Drink tea.")]
    for round in range(2):
        encoder.read.clear()
        reader = SignReader(
            Texts(),
            encoders=[encoder],  # type: ignore
            memory=VectorMemory(tmp_path / "vectors.sqlite"),
        )
        reader.read("How do I stop headache?", [*stored, *bare])
        again = {"How do I stop headache?", "Drink tea."}
        first = {"What helps against headache?", "Rest well."} if not round else set()
        assert set(encoder.read) == again | first


def test_a_cache_that_cannot_be_opened_is_done_without(tmp_path: Path) -> None:
    encoder = Letters("any", chinese=False)
    memory = VectorMemory(tmp_path / "no folder" / "vectors.sqlite")
    assert (memory.encode(encoder, ["tea", "rest"]) == encoder.encode(["tea", "rest"])).all()  # type: ignore
