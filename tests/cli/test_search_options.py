"""Options of ``osler search``: the paper's two numbers, the verdict, the spelling."""

from __future__ import annotations

import pytest

from osler.cli.search import _enriched
from osler.errors import InputError
from osler.search.concepts_paper import THRESHOLD, ConceptsPaper


def test_threshold_and_context_go_with_the_papers_method():
    chosen = _enriched(3, ["coronavirus"], "concepts-paper")
    assert isinstance(chosen, ConceptsPaper)
    assert (chosen.threshold, chosen.context) == (3, ("coronavirus",))
    by_default = _enriched(None, ["coronavirus"], None)
    assert isinstance(by_default, ConceptsPaper)
    assert by_default.threshold == THRESHOLD
    assert _enriched(None, None, "words") == "words"
    with pytest.raises(InputError, match="concepts-paper"):
        _enriched(3, None, "words")
