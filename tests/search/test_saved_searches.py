"""Saved searches: a name is kept, and what is new since is told."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from osler import Library
from osler.cli.main import build
from osler.errors import InputError
from osler.kinds import Document, Filter


def paper(id: str, year: int = 2021) -> Document:
    return Document(id=id, title=f"asthma in town {id}", published=str(year))


def test_a_name_that_is_taken_is_refused(tmp_path):
    with Library.create(tmp_path / "lib") as library:
        library.add_documents([paper("a")])
        first = library.save_search("mine", "title:asthma")
        assert first.date
        with pytest.raises(InputError, match="saved as mine already"):
            library.save_search("mine", "title:town")
        assert [saved.query for saved in library.decisions.saved()] == ["title:asthma"]


def test_what_is_new_since_is_told(tmp_path):
    place = tmp_path / "lib"
    with Library.create(place) as library:
        library.add_documents([paper("a"), paper("old", 1999)])
        library.save_search("all", "title:asthma")
        library.save_search("late", "title:asthma", filter=Filter(years=(2020, None)))
        library.add_documents([paper("b"), paper("older", 1998)])
        everything, late = library.alerts()
    assert (everything.before, everything.now, sorted(everything.new)) == (2, 4, ["b", "older"])
    assert (late.before, late.now, late.new) == (1, 2, ["b"])
    done = CliRunner().invoke(build(), ["alerts", str(place), "--json"])
    assert [alert["name"] for alert in json.loads(done.stdout)] == ["all", "late"]
