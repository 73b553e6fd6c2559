from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from osler.text import team as module
from osler.text.encoder import encoder_fingerprint, load_encoder
from osler.text.static_table import save_static
from osler.text.team import Member, Team

ENGLISH, CHINESE, NEITHER = "aspirin for stroke", "阿司匹林治疗中风", "аспирин"


class Reader:
    """An encoder as far as a team looks at it."""

    def __init__(self, name: str, *languages: str) -> None:
        self.name = self.fingerprint = name
        self.languages = languages

    def reads(self, text: str) -> bool:
        return module.language(text) in self.languages


def team(preferred: Reader, beside: list[Reader], stand_ins: list[Reader]) -> Team:
    def made(each: Reader) -> Member:
        return Member(each.name, each)  # type: ignore[arg-type]

    return Team(made(preferred), [made(e) for e in beside], [made(e) for e in stand_ins])


def test_each_language_has_its_reader() -> None:
    both = team(Reader("small", "en"), [Reader("zh", "zh")], [])
    owners = {
        encoder.name: [text for text in (ENGLISH, CHINESE, NEITHER) if own(text)]
        for encoder, own in both.readers()
    }
    assert owners == {"small": [ENGLISH], "zh": [CHINESE]}
    # One that reads both leaves the Chinese one nothing: a paper has one vector.
    wide = team(Reader("wide", "en", "zh"), [Reader("zh", "zh")], [])
    owners = {e.name: [t for t in (ENGLISH, CHINESE) if own(t)] for e, own in wide.readers()}
    assert owners == {"wide": [ENGLISH, CHINESE], "zh": []}


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"small": 100}, "small"),
        ({"small": 95, "table": 100}, "small"),
        ({"small": 10, "table": 100}, "table"),
        ({"small": 10, "old": 100, "table": 100}, "old"),
        ({"small": 95, "old": 100}, "small"),
        ({"small": 60, "old": 50, "table": 50}, "small"),
        ({"small": 66, "table": 100}, "table"),
        ({"small": 68, "table": 100}, "small"),
        ({"small": 0, "table": 20}, "table"),
        ({}, "small"),
    ],
)
def test_who_answers(counts: dict[str, int], expected: str) -> None:
    group = team(Reader("small", "en"), [], [Reader("old", "en"), Reader("table", "en")])
    answering = group.answering(ENGLISH, lambda name: counts.get(name, 0), 100)
    assert answering.name == expected


@pytest.mark.parametrize(("read", "expected"), [(9_799, "table"), (9_800, "small")])
def test_of_many_papers_few_may_be_missing(read: int, expected: str) -> None:
    group = team(Reader("small", "en"), [], [Reader("table", "en")])
    counts = {"small": read, "table": 10_000}
    assert group.answering(ENGLISH, counts.__getitem__, 10_000).name == expected


def test_a_chinese_question_never_goes_to_an_english_stand_in() -> None:
    group = team(Reader("small", "en"), [Reader("zh", "zh")], [Reader("table", "en")])
    counts = {"small": 0, "zh": 3, "table": 100}
    assert group.answering(CHINESE, counts.__getitem__, 100).name == "zh"
    assert group.answering(NEITHER, counts.__getitem__, 100).name == "small"


def test_an_encoder_of_ones_own_works_alone(tiny: Path) -> None:
    encoder = load_encoder(tiny, runtime="onnx")
    group = Team.of(encoder)
    assert group.preferred.encoder is encoder
    assert group.preferred.fingerprint == encoder.fingerprint
    assert not group.beside
    assert not group.stand_ins


def test_fingerprints_without_loading(
    tiny: Path, tmp_path: Path, bert_maker: Callable[..., Path]
) -> None:
    import numpy as np

    save_static(tmp_path / "table", np.ones((20, 4), np.float32), tiny / "tokenizer.json")
    for folder in (tiny, bert_maker(tmp_path / "r", kind="roberta"), tmp_path / "table"):
        assert encoder_fingerprint(folder) == load_encoder(folder, runtime="onnx").fingerprint
