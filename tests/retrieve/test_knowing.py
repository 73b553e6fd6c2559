"""What is derived from terminologies follows the truth."""

from __future__ import annotations

import json

import pytest

from samples import paper

TERMS = "id\tname\ttree_numbers\tentry_terms\nD000001\tStatins\tD27\t\nD000002\tAsthma\tC08\t\n"
MORE = "id\tname\ttree_numbers\tentry_terms\nD000003\tMyalgia\tC23\tMuscle Pain\n"


@pytest.fixture
def known(make_library, tmp_path):
    library = make_library([paper("1", "Statins and muscle pain"), paper("2", "Asthma")])
    (tmp_path / "terms.tsv").write_text(TERMS, encoding="utf-8")
    library.add([tmp_path / "terms.tsv"], format="mesh")
    return library


def linked(library) -> dict[str, set[str]]:
    """Names of the concepts of each document."""
    held = library.knowledge
    found = {}
    for document in library.documents():
        row = library._documents.by_rows(held.index.mentions.rows.tolist())
        at = next(r for r, one in row.items() if one.id == document.id)
        names = {held.graph.name(held.graph.id(e.concept)) for e in held.index.mentions.entries(at)}
        found[document.id] = names
    return found


def test_adding_a_terminology_links_what_is_there(known):
    assert linked(known) == {"1": {"Statins"}, "2": {"Asthma"}}


def test_a_second_terminology_links_everything_again_and_leaves_no_old_folder(known, tmp_path):
    (tmp_path / "more.tsv").write_text(MORE, encoding="utf-8")
    known.add([tmp_path / "more.tsv"], format="mesh")
    assert linked(known) == {"1": {"Statins", "Myalgia"}, "2": {"Asthma"}}
    folders = [one for one in known._knowing.folder.iterdir() if one.is_dir()]
    assert len(folders) == 1


def test_later_documents_are_linked_alone_and_deleted_ones_dropped(known):
    known.add_documents([paper("3", "Asthma and statins"), paper("2", "Statins")])
    known.remove(["1"])
    assert linked(known) == {"2": {"Statins"}, "3": {"Asthma", "Statins"}}
    assert known._knowing.catch_up() == 0


def test_a_state_of_another_format_or_a_damaged_one_is_made_again(known):
    state = known._knowing.folder / "state.json"
    for text in (json.dumps({**json.loads(state.read_text("utf-8")), "format": 99}), "{", ""):
        state.write_text(text, encoding="utf-8")
        assert known._knowing.load() is None
        assert known._knowing.catch_up() == 2
        assert linked(known) == {"1": {"Statins"}, "2": {"Asthma"}}


def test_without_a_terminology_there_is_nothing_to_load(library):
    assert library._knowing.load() is None
    assert library._knowing.catch_up() == 0
    assert not library._knowing.behind(10**9)


def test_documents_alone_leave_graph_and_linker_in_hand(known, tmp_path):
    before = known._knowing.load()
    known.add_documents([paper("3", "Asthma and statins")])
    after = known._knowing.load()
    assert after.linker is before.linker
    assert after.graph is before.graph
    assert len(after.index) == 3
    (tmp_path / "more.tsv").write_text(MORE, encoding="utf-8")
    known.add([tmp_path / "more.tsv"], format="mesh")
    anew = known._knowing.load()
    assert anew.linker is not before.linker
    assert linked(known)["1"] == {"Statins", "Myalgia"}
    known.add_documents([paper("4", "Myalgia")])
    assert known._knowing.load().linker is anew.linker
    assert linked(known)["4"] == {"Myalgia"}
