"""What a verb keeps on the library, and what throws it away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from osler import Library
from osler.store.keeping import Kept
from samples import TrigramEncoder, paper

PATIENTS = (
    "head\thead_type\trelation\ttail\ttail_type\n"
    "P1\tpatient\ttakes\tmetformin\tdrug\n"
    "P2\tpatient\ttakes\taspirin\tdrug\n"
)
QUESTION = "Which drug does P1 take?"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    from importlib import resources

    own = Path(str(resources.files("osler.demo")))
    table = tmp_path / "patients.tsv"
    table.write_text(PATIENTS, encoding="utf-8")
    with Library.create(tmp_path / "library", encoder=TrigramEncoder()) as made:  # type: ignore[arg-type]
        made.add_documents([paper("1", "Asthma and budesonide", "Budesonide helps in asthma.")])
        made.add([own / "facts.tsv", own / "answers.tsv", table])
        yield made


def test_a_thing_is_made_once_for_each_stamp():
    kept, made = Kept(), []
    for stamp in (1, 1, 2, 2):
        kept.keep("thing", stamp, lambda: made.append(None))
    assert len(made) == 2


def test_one_thing_may_need_another_of_the_same_name_inside():
    kept = Kept()
    assert kept.keep("a", 1, lambda: kept.keep("a", 2, lambda: "inner") + "!") == "inner!"


def test_a_mark_of_relevance_throws_nothing_else_away(library):
    """The stamp is that of the tables a thing is made of, not the library's number."""
    from osler.verbs.ask import answerer_of
    from osler.verbs.match import matcher_of, pool_of

    before = answerer_of(library)[0], matcher_of(library)[0], pool_of(library), library.records()
    seq = library.truth.seq()
    library.judge({"q": {"1": 1}}, {"q": "asthma"})
    library.save_search("mine", "asthma")
    assert library.truth.seq() > seq
    after = answerer_of(library)[0], matcher_of(library)[0], pool_of(library), library.records()
    assert all(one is other for one, other in zip(before, after, strict=True))


def test_new_papers_leave_graph_and_records_alone(library):
    from osler.verbs.ask import answerer_of
    from osler.verbs.match import matcher_of

    before = answerer_of(library)[0], matcher_of(library)[0]
    library.add_documents([paper("2", "Migraine", "Sumatriptan helps in migraine.")])
    assert (answerer_of(library)[0], matcher_of(library)[0]) == before


def test_new_records_are_seen(library, tmp_path):
    assert library.ask(QUESTION).answers == ["metformin"]
    more = tmp_path / "more.tsv"
    more.write_text(PATIENTS.splitlines()[0] + "\nP1\tpatient\ttakes\tinsulin\tdrug\n", "utf-8")
    library.add([more], source="patients")  # another file of the same hospital
    assert sorted(library.ask(QUESTION).answers) == ["insulin", "metformin"]


def test_a_question_opens_nothing_again(library, monkeypatch):
    """``Library.ask`` built the clinical graph anew for each question."""
    from osler.records.kb import ClinicalKB

    library.ask(QUESTION)

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("built again")

    monkeypatch.setattr(ClinicalKB, "build", fail)
    assert library.ask("Which drug does P2 take?").answers == ["aspirin"]


def test_that_there_are_no_records_is_said_each_time(tmp_path):
    from osler.errors import InputError

    with Library.create(tmp_path / "library") as made:
        for _ in range(2):
            with pytest.raises(InputError, match="no patient records"):
                made.ask(QUESTION)


def test_readers_of_one_server_share_what_is_kept(library):
    from osler.serve.reader import Reader, Shared
    from osler.verbs.ask import answerer_of

    library.close()
    shared = Shared(library.path, TrigramEncoder())  # type: ignore[arg-type]
    one, other = Reader.of(shared), Reader.of(shared)
    try:
        assert answerer_of(one)[0] is answerer_of(other)[0]
    finally:
        for reader in (one, other):
            reader.close()
        shared.close()


def test_a_patient_who_was_taken_out_is_gone_from_what_is_kept(tmp_path):
    """Rows that are deleted leave no number behind: the stamp must change all the same."""
    import json

    for name in ("p1", "p2"):
        condition = {"subject": {"reference": f"Patient/{name}"}, "code": {"text": f"Gout {name}"}}
        entries = [
            {"resource": {"resourceType": "Patient", "id": name}},
            {"resource": {"resourceType": "Condition", "id": f"c-{name}", **condition}},
        ]
        bundle = {"resourceType": "Bundle", "entry": entries}
        (tmp_path / f"{name}.json").write_text(json.dumps(bundle), "utf-8")
    with Library.create(tmp_path / "library") as made:
        made.add([tmp_path / "p1.json", tmp_path / "p2.json"], source="ward")
        assert {"Gout p1", "Gout p2"} <= set(made.records().names)
        made.remove_patient("record:ward/p1")
        assert "Gout p1" not in made.records().names
        assert "Gout p2" in made.records().names
