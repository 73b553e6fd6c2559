"""Options of ``osler search``: the paper's two numbers, the verdict, the spelling."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from osler import Library
from osler.cli.main import main
from osler.cli.search import _enriched
from osler.errors import InputError
from osler.kinds import Document
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


@pytest.mark.parametrize("place", ["nowhere/out.ris", "."])
def test_a_file_that_cannot_be_written_is_told_by_its_name(tmp_path, monkeypatch, capsys, place):
    with Library.create(tmp_path / "papers") as library:
        library.add_documents([Document(id="1", title="Asthma in children")])
    (tmp_path / "out").mkdir()
    out = str(tmp_path / "out" / place)
    arguments = ["osler", "search", str(tmp_path / "papers"), "asthma", "-o", "ris", "--out", out]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"E100 {Path(out)} cannot be used: ")
