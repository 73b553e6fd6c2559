"""Plain English is cut as the tokenizer cuts it, and everything else is left to it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from osler.text.encoder import load_encoder
from osler.text.model_folder import SMALL, shipped
from osler.text.plain_pieces import LateTokenizer, late_tokenizer, load_plain_pieces
from osler.text.wordpieces import load_tokenizer

PLAIN = [
    "Does aspirin treat fever?",
    "the risk (of stroke), in-the heart's",
    "  aspirin   FEVER ",
    "",
    "risks treating zebra 12 <5% a_b",
]
NOT_PLAIN = ["é of fever", "肝炎", "of\tthe", "aspirin " * 60, "a" * 500]


def fresh(folder: Path, most: int = 16) -> LateTokenizer:
    tokenizer = late_tokenizer(folder, max_tokens=most)
    assert isinstance(tokenizer, LateTokenizer)
    return tokenizer


def opened(tokenizer: LateTokenizer) -> bool:
    return "_whole" in tokenizer.__dict__


@pytest.mark.parametrize("framed", [True, False])
@pytest.mark.parametrize("text", PLAIN + NOT_PLAIN)
def test_as_the_tokenizer(tiny: Path, text: str, framed: bool) -> None:
    whole = load_tokenizer(tiny, max_tokens=16)
    tokenizer = fresh(tiny)
    (cut,) = tokenizer.encode_batch_fast([text], add_special_tokens=framed)
    (expected,) = whole.encode_batch_fast([text], add_special_tokens=framed)
    assert cut.ids == expected.ids
    assert opened(tokenizer) == (text in NOT_PLAIN)


def test_a_mark_of_the_model_in_a_text_is_the_tokenizers(tiny: Path, tmp_path: Path) -> None:
    held = json.loads((tiny / "tokenizer.json").read_text())
    mark = {"id": 3, "content": "[SEP]", "special": True, "single_word": False, "lstrip": False}
    held["added_tokens"] = [{**mark, "rstrip": False, "normalized": False}]
    (tmp_path / "tokenizer.json").write_text(json.dumps(held))
    tokenizer, whole = fresh(tmp_path), load_tokenizer(tmp_path, max_tokens=16)
    for text, left in (("fever", False), ("aspirin [SEP] fever", True)):
        assert tokenizer.encode_batch_fast([text])[0].ids == whole.encode(text).ids
        assert opened(tokenizer) == left


def test_what_a_vocabulary_answers_opens_nothing(tiny: Path) -> None:
    tokenizer, whole = fresh(tiny), load_tokenizer(tiny, max_tokens=16)
    assert tokenizer.get_vocab() == whole.get_vocab()
    assert tokenizer.token_to_id("[PAD]") == whole.token_to_id("[PAD]")
    assert tokenizer.token_to_id("<pad>") is None
    assert not opened(tokenizer)
    assert tokenizer.encode("fever").ids == whole.encode("fever").ids
    assert opened(tokenizer)


def test_many_texts_are_the_tokenizers(tiny: Path) -> None:
    tokenizer = fresh(tiny)
    assert len(tokenizer.encode_batch_fast(["fever"] * 9)) == 9
    assert opened(tokenizer)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("model", {"type": "Unigram", "vocab": {}}),
        ("normalizer", {"type": "BertNormalizer", "lowercase": False}),
        ("normalizer", None),
        ("pre_tokenizer", {"type": "Whitespace"}),
        ("added_tokens", [{"content": "heart"}]),
        ("added_tokens", [{"content": "[NEW]"}]),
    ],
)
def test_a_tokenizer_that_does_more_is_left_to_itself(
    tiny: Path, tmp_path: Path, part: str, value: object
) -> None:
    held = json.loads((tiny / "tokenizer.json").read_text()) | {part: value}
    (tmp_path / "tokenizer.json").write_text(json.dumps(held))
    assert load_plain_pieces(tmp_path) is None


def test_another_frame_is_left_to_the_tokenizer(tiny: Path, tmp_path: Path) -> None:
    held: dict[str, Any] = json.loads((tiny / "tokenizer.json").read_text())
    held["post_processor"] = None
    (tmp_path / "tokenizer.json").write_text(json.dumps(held))
    tokenizer = fresh(tmp_path)
    assert (
        tokenizer.encode_batch_fast(["of fever"])[0].ids
        == [10, 7]
        == (load_tokenizer(tmp_path, max_tokens=16).encode("of fever").ids)
    )
    assert opened(tokenizer)


def test_the_shipped_encoder_gives_a_plain_question_the_same_vector(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OSLER_WEIGHTS", raising=False)
    folder = shipped(SMALL)
    if folder is None:
        pytest.skip("this checkout lacks the weights")
    late, whole = fresh(folder, 128), load_tokenizer(folder, max_tokens=128)
    words = sorted(word for word in late.get_vocab() if word.isascii() and word.isalnum())
    chosen = random.Random(9)
    for _ in range(2_000):
        picked = ["".join(chosen.sample(words, chosen.randint(1, 2))) for _ in range(9)]
        text = "".join(word + chosen.choice([" ", "-", ", ", "/", "? ", " <"]) for word in picked)
        text = text.title() if chosen.random() < 0.3 else text
        assert late.encode_batch_fast([text])[0].ids == whole.encode(text).ids, text
    assert not opened(late)
    encoder = load_encoder(SMALL)
    question = "does vitamin D protect against COVID-19?"
    before = encoder.encode_questions([question])
    assert len(encoder.pieces(question)) > 8  # the tokenizer is open from here on
    assert np.array_equal(before, encoder.encode_questions([question]))
