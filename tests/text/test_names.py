"""Names of people are folded the same, by the quick way and by the index's own."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from osler.text.names import _APOSTROPHE, _folder, folded, spellings

LETTERS = st.text(st.sampled_from(string.printable + "éßØ’ʼ王小明 "), max_size=30)


@given(LETTERS | st.sampled_from(["O'Brien", "Nogués, X.", "van der Berg-Smith 3rd", "D`Arcy"]))
def test_a_plain_name_is_folded_as_any_other(name: str) -> None:
    by_folder = " ".join(_folder().analyze(_APOSTROPHE.sub("", name)))
    assert folded(name).replace(" ", "") == by_folder.replace(" ", "")
    if name.isascii():
        assert folded(name) == by_folder


def test_an_author_is_looked_for_by_all_of_these() -> None:
    listed = spellings("O'Brien-Lee", "Anna Maria", "AM", first=True)
    assert listed == [
        "obrien lee",
        "obrien lee a",
        "obrien lee am",
        "obrien lee anna",
        "obrien lee anna maria",
        "anna obrien lee",
        "anna maria obrien lee",
        "^obrien lee",
        "^obrien lee a",
        "^obrien lee am",
        "^obrien lee anna",
        "^obrien lee anna maria",
        "^anna obrien lee",
        "^anna maria obrien lee",
        "=obrien lee am",
    ]
    assert spellings("王", "小 明", "")[-3:] == ["王小明", "小明王", "=王 小"]
