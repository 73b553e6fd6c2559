"""A trie from disk answers as the one that was saved, from its arrays and from dictionaries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import LimitError
from osler.kinds import Entity
from osler.knowledge import index
from osler.knowledge.index import FEW_TOKENS, NOWHERE, UNKNOWN, SortedSteps, Trie
from osler.knowledge.linker import Linker

NAMES = (("heart",), ("heart", "failure"), ("heart", "attack"), ("cough",))


def made() -> Trie:
    trie = Trie()
    for name in NAMES:
        trie.add([trie.token(word) for word in name])
    return trie


def from_disk(trie: Trie) -> Trie:
    return Trie.of(list(trie.words), trie.arrays())


@given(st.dictionaries(st.integers(0, 1 << 40), st.integers(0, 1 << 40), max_size=60))
def test_sorted_steps_answer_as_a_dictionary(table: dict[int, int]) -> None:
    keys = np.array(list(table), np.int64)
    steps = SortedSteps(keys, np.array(list(table.values()), np.int64))
    asked = [*table, 0, 1, (1 << 40) + 1]
    assert [steps.get(key) for key in asked] == [table.get(key) for key in asked]
    assert steps.many(np.array(asked), -7).tolist() == [table.get(key, -7) for key in asked]
    assert steps.whole() == table


def test_arrays_are_saved_in_order() -> None:
    arrays = made().arrays()
    assert np.all(np.diff(arrays["step_keys"]) > 0)
    assert np.all(np.diff(arrays["final_nodes"]) > 0)


def test_names_are_found_in_the_arrays_as_in_the_dictionaries() -> None:
    trie, loaded = made(), from_disk(made())
    for name in (*NAMES, ("failure",), ("heart", "cough")):
        tokens = [trie.words[word] for word in name]
        assert loaded.find(tokens) == trie.find(tokens)
    assert loaded.find([UNKNOWN]) is None
    assert loaded.openings() == trie.openings()
    nodes, names = loaded.openings()
    assert nodes[-1] == NOWHERE
    assert names[-1] is None
    assert names[loaded.words["heart"]] == 0
    assert names[loaded.words["failure"]] is None


def test_many_texts_make_dictionaries_and_few_do_not() -> None:
    loaded = from_disk(made())
    questions = [loaded.tables(10) for _ in range(FEW_TOKENS // 10)]
    assert all(isinstance(step, SortedSteps) for step, _ in questions)
    tables = loaded.tables(1)
    assert tables == (made().step, made().final)
    assert loaded.whole() == tables


def test_a_name_can_be_added_to_a_trie_from_disk() -> None:
    loaded = from_disk(made())
    number = loaded.add([loaded.words["cough"], loaded.token("syrup")])
    assert number == len(NAMES)
    assert loaded.find([loaded.words["heart"], loaded.words["attack"]]) == 2


def test_words_beyond_the_width_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "WIDTH", 4)
    trie = Trie()
    assert [trie.token(word) for word in "abc"] == [0, 1, 2]
    with pytest.raises(LimitError):
        trie.token("d")


@pytest.mark.parametrize("texts", [1, 5, 20])
def test_a_linker_from_disk_links_the_same_however_many_texts(
    tmp_path: Path, texts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "FEW_TOKENS", 60)
    linker = Linker.build(
        [Entity(id=f"X:{at}", name=" ".join(name)) for at, name in enumerate(NAMES)]
    )
    linker.save(tmp_path / "linker")
    loaded = Linker.load(tmp_path / "linker")
    text = "Heart failure with cough after a heart attack."
    for _ in range(texts):
        assert loaded.link(text) == linker.link(text)


def test_words_by_their_beginning_are_the_same_asked_again() -> None:
    linker = Linker.build([Entity(id="A", name="heart failure"), Entity(id="B", name="hip pain")])
    first = linker.words_from("h")
    assert sorted(first) == ["heart", "hip"]
    first.clear()  # what was given is the asker's own
    assert sorted(linker.words_from("h")) == ["heart", "hip"]
    assert linker.words_from("hi") == ["hip"]
    assert linker.words_from("h", range(4, 6)) == ["heart"]
    assert linker.words_from("hi", range(1, 3)) == []
    assert linker.words_from("q", range(9)) == []
