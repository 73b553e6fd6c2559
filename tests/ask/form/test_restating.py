"""What counts of a question that starts anew: "... - I mean, who has asthma?"."""

from __future__ import annotations

import pytest

from osler.ask.form.restating import restated

from .by_hand import spans_of


@pytest.mark.parametrize(
    ("asked", "counts"),
    [
        # Nothing is taken back.
        ("who has asthma ?", "who has asthma ?"),
        # The new part asks by itself: of the old one only the patient is kept.
        ("does Ann takes gout , mean , who has asthma ?", "Ann , who has asthma ?"),
        ("gout mean who takes", "who takes"),
        ("gout mean , what , about who drugs", ", what , about who drugs"),
        # Before it nothing was asked yet: only the word goes.
        ("Ann hello mean asthma ?", "Ann hello asthma ?"),
        ("mean who has asthma", "who has asthma"),
        # The last of two counts, with whoever was named before it.
        ("gout mean Ann asthma mean who takes drugs", "Ann who takes drugs"),
    ],
)
def test_what_stands_behind_the_restart_counts(asked: str, counts: str) -> None:
    kept = restated(spans_of(asked))
    assert " ".join(span.words for span in kept) == counts
    assert not any(span.left or span.means("restart") for span in kept)


@pytest.mark.parametrize(
    "asked",
    [
        # Another thing instead, and nothing that asks.
        "does Ann takes gout , mean asthma ?",
        # Something asks, and is about nothing.
        "gout mean who ?",
        # What asks stands too far behind to open the new part.
        "gout mean asthma asthma asthma who",
    ],
)
def test_a_part_that_is_no_question_leaves_it_open(asked: str) -> None:
    kept = restated(spans_of(asked))
    assert [span.words for span in kept] == asked.split()
    assert [span.words for span in kept if span.left] == ["mean"]
    assert not any(span.means("restart") for span in kept)
