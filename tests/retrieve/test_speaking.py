"""A summariser that was trained into a library speaks for papers in retrieval."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from osler import Library
from osler.errors import MissingExtra
from osler.kinds import Document, Section
from osler.learn.card import Card, Measured
from osler.learn.saved import save_model
from osler.retrieve.summaries import speaking
from osler.retrieve.summaries.speaking import MODEL, Speaker
from osler.retrieve.summaries.summarise import TRAINED, UNTRAINED, represent
from osler.retrieve.summaries.summariser import Summariser
from osler.store.embedding import embedded_text
from osler.store.vector_cache import VectorCache, text_key

BARE = Document(
    id="bare",
    title="Zinc",
    full_text=(
        Section(
            label="Results",
            text="Zinc helped against fever in children. Zinc and fever were seen in children of "
            "all ages. In children zinc was better than water. The forms were kept in a drawer "
            "upstairs. The building was painted in spring. Nobody was paid for any of this.",
        ),
    ),
)
WHOLE = Document(
    id="whole",
    title="Iron",
    sections=(
        Section(text="Iron helped. It was cheap. It was liked. We found no harm. It was right."),
    ),
    full_text=(Section(label="Results", text="Another text altogether."),),
)


class Last(Summariser):
    """The last sentences: no other method takes these."""

    name = "last"
    help = "the last sentences"
    redundancy = 0.0

    def __init__(self, *, folder: Path) -> None:
        assert folder.name == MODEL

    def scores(self, document, candidates):
        return np.arange(len(candidates), dtype=np.float64)


def model(folder: Path, trained: float = 0.5) -> None:
    card = Card(
        name=MODEL,
        what="a summariser",
        method="bertsum",
        data="none",
        data_hash="0",
        seed=0,
        measures=(
            Measured(name=TRAINED, value=trained, on="held out"),
            Measured(name=UNTRAINED, value=0.4, on="held out"),
        ),
        versions={},
        intended_use="tests",
        known_failures=(),
    )
    save_model(folder, {}, {"kind": "bertsum"}, card)


@pytest.fixture
def library(make_library, monkeypatch):
    monkeypatch.setattr(speaking, "BertSum", Last)
    return make_library([BARE, WHOLE])


def test_a_summary_stands_only_for_what_has_no_valid_abstract(library):
    assert library.speaker(WHOLE) == embedded_text(WHOLE)
    assert library.speaker(BARE) == represent(BARE)
    assert library.speaker.ever(BARE) == (represent(BARE),)


def test_the_trained_summariser_chooses_once_it_is_there(library):
    before = library.speaker(BARE)
    model(library.models.place(MODEL))
    after = library.speaker(BARE)
    assert after != before
    assert "Nobody was paid" in after
    assert "Zinc helped against fever" not in after
    assert library.speaker(WHOLE) == embedded_text(WHOLE)
    assert library.speaker.ever(BARE) == (after, before)
    assert library.speaker.ever(WHOLE) == (embedded_text(WHOLE),)


def test_one_that_lost_against_the_untrained_method_does_not(library):
    model(library.models.place(MODEL), trained=0.4)
    assert library.speaker(BARE) == represent(BARE)


def test_where_its_extra_is_missing_the_untrained_method_goes_on(library, monkeypatch, caplog):
    def missing(**_):
        raise MissingExtra("summarising", "neural")

    monkeypatch.setattr(speaking, "BertSum", missing)
    model(library.models.place(MODEL))
    assert Speaker(library.models)(BARE) == represent(BARE)
    assert "without the trained model" in caplog.text


def vectors(library: Library, text: str) -> int:
    """How many vectors of a text the cache holds."""
    cache = VectorCache(library.layout.vector_cache)
    try:
        return len(cache.get(library.encoder.fingerprint, [text_key(text)]))
    finally:
        cache.close()


def test_taking_a_summariser_in_gives_its_papers_other_vectors(library):
    library.embed()
    row = library.searcher.view.documents.rows_of(["bare", "whole"])
    name = library.encoder.fingerprint
    _, before = library.engine.vectors_of(name, [row["bare"], row["whole"]])
    former = library.speaker(BARE)
    assert vectors(library, former) == 1
    assert library.speak_anew(lambda: model(library.models.place(MODEL))) == 1
    _, after = library.engine.vectors_of(name, [row["bare"], row["whole"]])
    assert not np.allclose(before[0], after[0])
    assert np.array_equal(before[1], after[1])
    assert vectors(library, former) == 0
    assert vectors(library, library.speaker(BARE)) == 1
    assert library.coverage().waiting == 0
    library.remove(["bare"])
    assert vectors(library, library.speaker(BARE)) == 0


def test_papers_that_wait_for_their_vector_go_on_waiting(library):
    assert library.speak_anew(lambda: model(library.models.place(MODEL))) == 1
    assert library.coverage().waiting == 2
