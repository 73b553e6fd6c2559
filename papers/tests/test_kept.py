"""An encoder whose vectors are kept gives what the bare one gives, and asks it once."""

from __future__ import annotations

import numpy as np

from osler.grade.networks.views import view
from osler.grade.pair import Fact, Pair
from osler_papers.grade.kept import KeptEncoder


class Counting:
    """Lengths of texts as vectors; counts the texts that it was given."""

    dimension = 1

    def __init__(self) -> None:
        self.given = 0

    def vectors(self, views, length):
        self.given += len(views)
        return np.array([[len(one.text)] for one in views], np.float32)


def test_a_text_is_encoded_once():
    fact = Fact("warfarin", "treats", "thrombosis")
    views = [view(Pair(fact, title), "medl") for title in ("a", "bb", "a")]
    bare, kept = Counting(), KeptEncoder(Counting())
    expected = bare.vectors(views, 32)
    for _ in range(2):
        assert np.array_equal(kept.vectors(views, 32), expected)
    assert kept.encoder.given == 2
