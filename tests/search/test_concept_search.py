"""The concept search through a library: ranking, reasons, parts, bounds, judgements."""

from __future__ import annotations

import json

import numpy as np
import pytest

from osler import Filter, Library
from osler.errors import ChoiceError, InputError, UnknownId
from osler.kinds import Document, Heading, ScoreParts, SharedConcept
from osler.search.concepts import PARTS, Concepts
from osler.search.concepts_paper import ConceptsPaper, enriched
from osler.search.telling import WORDLESS
from osler.search.training import train_search
from samples import paper

TERMS = """id\tname\ttree_numbers\tentry_terms
D000001\tLipid Agents\tD27\t
D000002\tStatins\tD27.1\tHMG Inhibitors
D000003\tSimvastatin\tD27.1.1\tZocor
D000004\tAtorvastatin\tD27.1.2\t
D000005\tMyalgia\tC23\tMuscle Pain|Muscle Soreness
D000006\tAsthma\tC08\tBronchial Asthma
D000007\tAir Pollution\tN06\t
"""
DOCUMENTS = (
    paper("1", "Zocor after a stroke", "Simvastatin was given to 90 adults for one year."),
    paper("2", "Soreness with atorvastatin", "Muscle soreness was frequent. Doses were high."),
    paper("3", "Asthma near busy roads", "Air pollution was counted. Attacks were frequent."),
    paper("4", "Counting cars", "Traffic was counted for one year.", headings=(Heading("Asthma"),)),
    paper("5", "Bread", "Flour, water and salt.", published="2020"),
)


@pytest.fixture
def known(make_library, tmp_path):
    """A library with documents, vectors and a terminology."""
    library = make_library(DOCUMENTS)
    terms = tmp_path / "descriptors.tsv"
    terms.write_text(TERMS, encoding="utf-8")
    library.add([terms], format="mesh")
    library.embed()
    return library


def parts(hit):
    return next(reason for reason in hit.reasons if isinstance(reason, ScoreParts))


def concepts(hit):
    return [reason for reason in hit.reasons if isinstance(reason, SharedConcept)]


def test_it_is_the_default_with_a_terminology(known):
    assert known.default_method() == "concepts"
    assert known.search("statins").method == "concepts"


def test_a_terminology_that_another_version_linked_is_not_left_out_in_silence(known, monkeypatch):
    state = known.layout.derived / "knowledge" / "state.json"
    kept = json.loads(state.read_text(encoding="utf-8"))
    state.write_text(json.dumps(kept | {"format": "1.0.0"}), encoding="utf-8")
    monkeypatch.setattr("osler.shelf.QUICKLY_LINKED", 0)
    with Library.open(known.path, encoder=known.encoder) as later:
        ranking = later.search("statins")
        assert ranking.method != "concepts"
        assert any("terminology" in note and "osler rebuild" in note for note in ranking.notes)
        asked_for = later.search("statins", method="words")
        assert not any("terminology" in note for note in asked_for.notes)
    with Library.open(known.path, encoder=known.encoder) as later:
        later.rebuild()
        again = later.search("statins")
        assert again.method == "concepts"
        assert not any("terminology" in note for note in again.notes)


def test_a_library_without_a_terminology_is_not_said_to_wait_for_one(make_library):
    library = make_library(DOCUMENTS)
    assert not any("terminology" in note for note in library.search("statins").notes)


def test_a_synonym_finds_what_no_word_of_the_question_names(known):
    assert "myalgia" not in known.document("2").text.lower()
    ranking = known.search("myalgia", k=1)
    assert ranking.hits[0].id == "2"
    assert ranking.total == 0
    assert WORDLESS in ranking.notes
    assert WORDLESS not in known.search("asthma", k=1).notes
    assert [h.id for h in known.search("myalgia", method="words")] == []


@pytest.mark.parametrize("method", ["concepts", "concepts-paper"])
def test_the_parts_of_a_score_sum_to_it(known, method):
    for hit in known.search("muscle pain with statins", method=method, k=5):
        assert sum(parts(hit).contributed.values()) == pytest.approx(hit.score, abs=1e-4)


def test_a_hit_names_the_shared_concepts_the_parent_and_the_place(known):
    hits = {hit.id: hit for hit in known.search("simvastatin", k=5)}
    direct = concepts(hits["1"])[0]
    assert (direct.entity, direct.via, direct.in_document) == ("MESH:D000003", "", "MESH:D000003")
    text = known.document("1").text
    assert [text[a:b] for a, b in direct.spans] == ["Zocor", "Simvastatin"]
    sibling = concepts(hits["2"])[0]
    assert (sibling.entity, sibling.in_document) == ("MESH:D000003", "MESH:D000004")
    assert (sibling.via, sibling.via_name) == ("MESH:D000002", "Statins")
    assert direct.weight > sibling.weight > 0
    assert "3" not in hits or concepts(hits["3"]) == []


def test_a_heading_counts_and_can_be_switched_off(known):
    def score(*off: str) -> float:
        run = known.search_many({"q": "asthma"}, method=Concepts(off=off))["q"]
        return run["4"] - run["5"]

    assert score() > score("headings")


@pytest.mark.parametrize("part", sorted(set(PARTS) - {"synonyms", "headings", "judgements"}))
def test_each_channel_can_be_switched_off(known, part):
    question = "muscle pain with statins"
    assert part in parts(known.search(question, k=1).hits[0]).contributed
    without = known.search(question, method=Concepts(off=[part]), k=1).hits[0]
    assert part not in parts(without).contributed


def test_synonyms_can_be_switched_off(known):
    def words(*off: str) -> float:
        hits = known.search("myalgia", method=Concepts(off=off), k=5)
        return next(parts(hit).raw["words"] for hit in hits if hit.id == "2")

    assert words() > 0
    assert words("synonyms") == 0


def test_an_unknown_part_names_the_choices():
    with pytest.raises(ChoiceError, match="synonyms"):
        Concepts(off=["synonym"])


def test_a_filter_and_a_structured_query_bound_what_concepts_may_find(known):
    only = known.search("asthma statins", filter=Filter(ids=("3", "5")), k=5)
    assert {hit.id for hit in only} <= {"3", "5"}
    assert {hit.id for hit in known.search("asthma NOT counted", k=5)} == set()
    assert {hit.id for hit in known.search("counted NOT pollution", k=5)} == {"4"}


def test_a_structured_query_lists_what_it_counts_and_no_more(make_library):
    """Headings are searched where they are asked for: a paper that has the word in a heading alone
    stood in the list and not in its count, its facets or its order by date."""
    library = make_library(
        [
            Document(id="a", title="Asthma", headings=(Heading("Child", "D002648"),)),
            Document(id="b", title="Asthma of a child"),
        ]
    )
    for query, ids in (('"child"', ["b"]), ("child[tw]", ["a", "b"]), ("headings:child", ["a"])):
        ranking = library.search(query, method="concepts")
        assert sorted(hit.id for hit in ranking.hits) == ids
        assert ranking.total == len(ids)
        assert sorted(hit.id for hit in library.search(query, sort="date").hits) == ids


def test_a_deleted_document_is_not_found_and_a_replaced_one_by_its_new_concepts(known):
    known.remove(["1"])
    known.add_documents([paper("2", "Asthma", "Bronchial asthma in adults.")])
    hits = {hit.id: hit for hit in known.search("simvastatin", k=5)}
    assert "1" not in hits
    assert not concepts(hits["2"]) if "2" in hits else True
    again = {hit.id: hit for hit in known.search("bronchial asthma", k=5)}
    assert concepts(again["2"])[0].entity == "MESH:D000006"


def test_without_a_terminology_it_says_so_and_still_searches(library):
    library.embed()
    ranking = library.search("asthma near roads", method="concepts")
    assert ranking.hits
    assert any("terminology" in note for note in ranking.notes)


def test_without_vectors_it_says_so_and_still_searches(make_library, tmp_path):
    library = make_library(DOCUMENTS)
    terms = tmp_path / "descriptors.tsv"
    terms.write_text(TERMS, encoding="utf-8")
    library.add([terms], format="mesh")
    ranking = library.search("myalgia", method="concepts")
    assert ranking.hits[0].id == "2"
    assert any("vectors" in note for note in ranking.notes)


@pytest.mark.parametrize("text", ["", "   ", "the of and", "zzzz", "糖尿病"])
def test_a_question_without_words_or_concepts_is_no_error(known, text):
    for method in ("concepts", "concepts-paper"):
        known.search(text, method=method, plain=True)


def test_the_same_question_twice_gives_the_same(known):
    one = known.search("muscle pain with statins", k=5)
    two = known.search("muscle pain with statins", k=5)
    assert [(h.id, h.score) for h in one] == [(h.id, h.score) for h in two]


# -- judgements --------------------------------------------------------------------------------


def test_marks_of_one_question_act_in_its_own_search_alone(known):
    def place(text: str) -> int:
        return [hit.id for hit in known.search(text, k=5)].index("5")

    before = place("statins for lipids"), place("traffic noise")
    known.judge({"q1": {"5": 2}}, {"q1": "statins for lipids"})
    after = known.search("Lipids: for statins", k=5)
    hit = next(hit for hit in after if hit.id == "5")
    assert [hit.id for hit in after].index("5") < before[0]
    assert any("1 marks of this question" in note for note in after.notes)
    # Two standard deviations of all else, times the weight: no more, however few the marks.
    told = [parts(one).contributed for one in after]
    rest = [sum(v for name, v in one.items() if name != "judgements") for one in told]
    assert 0 < parts(hit).contributed["judgements"] <= 1.8 * 2 * np.std(rest) * 1.0001
    for other in ("statins for lipid control", "traffic noise counted"):
        unlike = known.search(other, k=5)
        assert all("judgements" not in parts(one).contributed for one in unlike)
        assert not any("marks" in note for note in unlike.notes)
    assert place("traffic noise") == before[1]
    for off in (
        known.search("statins for lipids", method=Concepts(off=["judgements"]), k=5),
        known.search("statins for lipids", without_marks=True, k=5),
    ):
        assert "judgements" not in parts(off.hits[0]).contributed


def test_a_new_judgement_counts_at_once(known):
    known.judge({"q1": {"5": 2}}, {"q1": "statins"})
    assert known.search("statins", k=1).hits[0].id == "5"
    known.judge({"q1": {"5": 0, "1": 2}})
    assert known.search("statins", k=1).hits[0].id != "5"


# -- the paper's score -------------------------------------------------------------------------


def test_the_papers_factor_is_the_count_at_the_threshold_and_one_below(known):
    def parts_of(threshold: int) -> dict[str, ScoreParts]:
        ranker = ConceptsPaper(threshold=threshold)
        return {h.id: parts(h) for h in known.search("simvastatin", method=ranker, k=5)}

    low, high = parts_of(1), parts_of(100)
    # Document 1 names the concept: itself, its parent, and the terms simvastatin and zocor.
    assert low["1"].raw["concepts"] == 4
    assert low["1"].contributed["concepts"] == pytest.approx(3 * low["1"].raw["vectors"], abs=1e-5)
    # Document 2 names a sibling: the parent alone is shared.
    assert low["2"].raw["concepts"] == 1
    assert all(one.contributed["concepts"] == 0 for one in high.values())
    assert all(one.raw["vectors"] >= 0 for one in low.values())


def test_the_context_concept_joins_every_question(known):
    plain = ConceptsPaper(threshold=1)
    added = ConceptsPaper(threshold=1, context=["Asthma"])
    knowledge = known.knowledge
    assert set(added.concepts("simvastatin", knowledge)) - set(
        plain.concepts("simvastatin", knowledge)
    ) == {knowledge.graph.number("MESH:D000006")}
    assert added.concepts("asthma", knowledge) == plain.concepts("asthma", knowledge)
    with pytest.raises(UnknownId, match="unheard of"):
        ConceptsPaper(context=["unheard of"]).concepts("x", knowledge)
    with pytest.raises(InputError):
        ConceptsPaper(threshold=0)


# -- training ----------------------------------------------------------------------------------


def test_weights_are_trained_from_a_librarys_judgements(known):
    queries = {f"q{i}": text for i, text in enumerate(["statins", "muscle pain", "asthma"] * 4)}
    wanted = {"statins": "1", "muscle pain": "2", "asthma": "3"}
    judgements = {q: {wanted[text]: 2} for q, text in queries.items()}
    weights, card = train_search(known.searcher, queries, judgements)
    assert card.measures
    assert weights.card["questions"] == len(queries)
    run = known.search_many({"q": "muscle pain"}, method=Concepts(learned=weights))["q"]
    assert max(run, key=run.get) == "2"
    hit = known.search("muscle pain", method=Concepts(learned=weights), k=1).hits[0]
    assert sum(parts(hit).contributed.values()) == pytest.approx(hit.score, abs=1e-4)
    with pytest.raises(InputError, match="no query"):
        train_search(known.searcher, queries, {})


TWINS = """id\tname\tsynonyms\tparents\txrefs
MESH:D000001\tMyalgia\t\t\t
HP:0000001\tMyalgia\t\t\tMESH:D000001
MESH:D000002\tAsthma\t\t\t
"""


def test_twins_of_two_terminologies_count_once(make_library, tmp_path):
    library = make_library([paper("1", "Myalgia", "Myalgia was seen."), paper("2", "Asthma", "x")])
    terms = tmp_path / "terms.tsv"
    terms.write_text(TWINS, encoding="utf-8")
    library.add([terms], format="terms")
    view = library.searcher.view
    knowledge = view.knowledge
    twins = {knowledge.graph.number(id) for id in ("MESH:D000001", "HP:0000001")}
    asked = knowledge.concepts("myalgia")
    assert set(asked) == twins
    one = knowledge.concepts("asthma")
    (alone,) = one.values()
    assert sum(asked.values()) == pytest.approx(alone, rel=0.2)
    # Eq. 2: one element for the two concepts, and one for their name.
    sets = enriched(knowledge.graph)
    row = view.documents.numbered(["1"])["1"][0]
    assert sets.counts(sorted(twins), knowledge.index, np.array([row])).tolist() == [2]


def test_what_most_papers_hold_is_no_reason(make_library, tmp_path):
    terms = tmp_path / "descriptors.tsv"
    terms.write_text(TERMS, encoding="utf-8")
    many = [paper(f"m{n}", f"Asthma {n}", "Asthma again.") for n in range(40)]
    library = make_library([*DOCUMENTS, *many])
    library.add([terms], format="mesh")
    by_id = {hit.id: hit for hit in library.search("asthma and myalgia", k=50)}
    assert [c.name for c in concepts(by_id["2"])] == ["Myalgia"]
    assert concepts(by_id["m1"]) == []


def test_a_denied_concept_is_marked(make_library, tmp_path):
    terms = tmp_path / "descriptors.tsv"
    terms.write_text(TERMS, encoding="utf-8")
    library = make_library([paper("1", "Cars", "There was no myalgia. Later myalgia came.")])
    library.add([terms], format="mesh")
    (shared,) = concepts(library.search("myalgia", k=1).hits[0])
    text = library.document("1").text
    assert len(shared.spans) == 2
    assert [text[a - 3 : a] for a, _ in shared.denied] == ["no "]
