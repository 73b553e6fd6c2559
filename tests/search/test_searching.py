"""Search from question to hits: reasons, methods, structured queries, snapshots."""

from __future__ import annotations

import pytest

from osler import Filter
from osler.errors import ChoiceError, InputError, LimitError
from osler.kinds import ScoreParts
from osler.retrieve import view as view_room
from osler.search import rankers
from samples import PAPERS, paper


def parts(hit):
    return next(reason for reason in hit.reasons if isinstance(reason, ScoreParts))


@pytest.mark.parametrize("method", ["words", "vectors", "hybrid"])
def test_a_hit_carries_score_parts_title_and_evidence(library, method):
    library.embed()
    question = "asthma in children living near busy roads"
    hit = library.search(question, method=method, k=1).hits[0]
    assert hit.id == "2"
    assert sum(parts(hit).contributed.values()) == pytest.approx(hit.score, abs=1e-5)
    assert hit.evidence.text == "Children near busy roads had more asthma attacks."
    document = library.document("2")
    assert document.text[hit.evidence.start : hit.evidence.end] == hit.evidence.text
    assert [document.title[a:b] for a, b in hit.highlights] == [
        "Asthma",
        "children",
        "living",
        "near",
        "busy",
        "roads",
    ]


def test_retracted_papers_are_marked(library):
    hits = {h.id: h.retracted for h in library.search("asthma", method="words")}
    assert hits == {"2": False, "3": True}


def test_a_structured_query_bounds_what_vectors_may_find(library):
    library.embed()
    assert {h.id for h in library.search("asthma NOT children", method="hybrid")} == {"3"}
    plain = library.search("asthma NOT children", method="hybrid", plain=True)
    assert {h.id for h in plain} > {"3"}


def test_the_default_method_is_the_best_one_ready(library):
    assert library.default_method() == "words"
    library.embed()
    assert library.default_method() == "hybrid"
    assert library.search("asthma").method == "hybrid"


def test_an_unknown_method_names_the_choices(library):
    with pytest.raises(ChoiceError, match="hybrid"):
        library.search("asthma", method="hybird")
    assert {"words", "vectors", "hybrid"} <= set(rankers.names())


def test_k_is_bounded(library):
    with pytest.raises(InputError):
        library.search("asthma", k=0)
    with pytest.raises(LimitError):
        library.search("asthma", k=1_000_000)


def test_a_question_of_stop_words_or_signs_finds_something_or_nothing(library):
    assert library.search("the of and", method="words").hits
    assert library.search("?!", method="words").hits == []
    assert library.search("zzzz", method="words").hits == []


def test_what_is_newer_than_the_snapshot_is_not_shown(library):
    with library.truth.snapshot():
        assert len(library.search("gout", method="words")) == 0
        from threading import Thread

        writer = Thread(target=library.add_documents, args=([paper("9", "Gout"), PAPERS[0]],))
        writer.start()
        writer.join()
        assert len(library.search("gout", method="words")) == 0
    assert [h.id for h in library.search("gout", method="words")] == ["9"]


def test_many_queries_make_a_run(library):
    run = library.search_many({"a": "asthma", "b": "statins", "c": "zzzz"}, method="words", k=5)
    assert list(run) == ["a", "b", "c"]
    assert set(run["a"]) == {"2", "3"}
    assert run["c"] == {}
    assert run == library.search_many(
        {"a": "asthma", "b": "statins", "c": "zzzz"}, method="words", k=5
    )


def test_saved_searches_count_what_prisma_asks_for(library):
    library.save_search("one", "asthma")
    second = library.save_search("two", "asthma OR statins")
    assert (second.identified, second.duplicates) == (3, 2)
    library.judge({"review": {"2": 1, "3": 0}})
    flow = library.prisma()
    assert (flow["identified"], flow["duplicates"], flow["screened"]) == (5, 2, 3)
    assert (flow["excluded"], flow["included"]) == (1, 1)
    library.save_search("three", "asthma", filter=Filter(years=(2021, 2021)))
    assert library.prisma()["identified"] == 6


def test_judgements_are_kept_as_qrels(library):
    library.judge({"q1": {"2": 2, "3": 0}}, {"q1": "asthma"})
    library.judge({"q1": {"3": 1}})
    assert library.decisions.judgements() == {"q1": {"2": 2, "3": 1}}
    assert library.decisions.queries() == {"q1": "asthma"}


def test_concepts_of_documents_come_by_id(make_library, tmp_path):
    obo = tmp_path / "small.obo"
    obo.write_text(
        "format-version: 1.2\n\n[Term]\nid: HP:0000001\nname: All\n\n"
        "[Term]\nid: HP:0002099\nname: Asthma\nis_a: HP:0000001\n"
    )
    library = make_library()
    library.add([obo])
    assert library.concepts(["2", "1", "zzz"]) == {"2": ["HP:0002099"], "1": []}


def test_a_document_changed_since_the_snapshot_is_not_shown_by_its_new_words(library):
    from threading import Thread

    with library.truth.snapshot():
        assert len(library.search("asthma", method="words")) == 2
        changed = [paper("2", "Now on gout", revised="2030")]
        writer = Thread(target=library.add_documents, args=(changed,))
        writer.start()
        writer.join()
        assert len(library.search("gout", method="words")) == 0
    assert [h.id for h in library.search("gout", method="words")] == ["2"]


def test_a_paper_is_read_once_for_a_question(library, monkeypatch):
    read: list[int] = []
    by_rows = library._documents.by_rows

    def watched(rows):
        read.extend(rows)
        return by_rows(rows)

    monkeypatch.setattr(library._documents, "by_rows", watched)
    hits = library.search("asthma", method="words").hits
    assert hits
    assert len(read) == len(set(read)) >= len(hits)


def test_nothing_is_kept_from_one_question_to_the_next(library):
    searcher = library.searcher
    one, other = (searcher.view.for_question("asthma") for _ in range(2))
    rows = list(library._documents.rows_of([document.id for document in PAPERS]).values())
    assert one.papers(rows[:1]).keys() == set(rows[:1])
    assert one._papers
    assert not other._papers
    assert one.papers([*rows[:2], 99_999]).keys() == set(rows[:2])
    searcher.view.papers(rows)
    assert not searcher.view._papers


def test_the_same_vector_is_compared_once_for_a_question(library, monkeypatch):
    library.embed()
    asked: list[int] = []
    search_vectors = library.engine.search_vectors

    def watched(*given):
        asked.append(1)
        return search_vectors(*given)

    monkeypatch.setattr(library.engine, "search_vectors", watched)
    view = library.searcher.view.for_question("asthma")
    vector = view.encode("asthma")
    first, again = view.vectors(vector, 5), view.vectors(vector.copy(), 5)
    assert len(asked) == 1
    assert again.rows.tolist() == first.rows.tolist()
    assert len(view.vectors(vector, 2)) <= len(first)
    view.vectors(-vector, 5)
    assert len(asked) == 3


def test_a_question_is_answered_from_one_state_of_the_truth(library):
    """What the question names is looked up in the same state as what is shown of it."""
    connection = library.truth.reader
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    try:
        assert library.search("asthma in children at night", method="words").hits
    finally:
        connection.set_trace_callback(None)
    begun = [at for at, text in enumerate(asked) if text == "BEGIN"]
    names = [at for at, text in enumerate(asked) if "FROM names" in text]
    shown = [at for at, text in enumerate(asked) if "body, checksum FROM documents" in text]
    assert names
    assert shown
    assert not any(min(names) < at < max(shown) for at in begun)


def test_nothing_is_read_for_a_question_where_nothing_waits(library, monkeypatch):
    """A paper in a language that no encoder reads never has a vector, and does not wait."""
    library.add_documents([paper("zh", "哮喘患儿的夜间治疗", "儿童哮喘。")])
    library.embed()
    assert library.engine.vector_count(library.encoder.fingerprint) < len(library)
    made: list[object] = []
    monkeypatch.setattr(view_room, "kept_vectors", lambda *given: made.append(given) or {})
    assert library.search("asthma", method="hybrid").hits
    assert not made


@pytest.mark.parametrize("k", [1, 2, 50])
def test_what_jobs_draw_by_words_is_what_a_search_by_words_lists(library, k):
    text = "asthma children roads statins AND"
    hits = library.search(text, k=k, method="words", plain=True).hits
    assert hits
    assert library.view.best_by_words(text, k) == [hit.id for hit in hits]
    library.remove([hits[0].id])
    assert hits[0].id not in library.view.best_by_words(text, k)
