"""Whether a list answers: parts of a question, who holds them, the verdict and its words."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from osler import Library
from osler.kinds import Document, Heading, Section
from osler.retrieve.channel import Candidates
from osler.retrieve.likeness import shipped_likeness
from osler.retrieve.question_parts import Held, Holding, Part, held_by, parts_of
from osler.retrieve.verdict import (
    ANSWERED,
    NEAR,
    NOTHING,
    Looked,
    VerdictModel,
    VerdictModels,
    _features,
    _nearest_rows,
    judged,
    shipped,
    weightiest,
)
from osler.store.passages import Passage
from samples import paper

FILLER = tuple(
    paper(f"f{n}", f"Growth of barley variety {n}", f"Barley number {n} grew in a field.")
    for n in range(30)
)
STATINS = paper(
    "s",
    "Statins lower cholesterol",
    "We gave statins to 200 adults. Cholesterol fell by a third.",
)
PAIN = paper("p", "Muscle pain after running", "Muscle pain was common in runners.")
BOTH = paper("b", "Statins and muscle pain", "Statins caused muscle pain in one of ten adults.")


@pytest.fixture
def library(tmp_path: Path):
    with Library.create(tmp_path / "library") as opened:
        opened.add_documents([STATINS, PAIN, *FILLER])
        yield opened


def part(words: str, weight: float = 1.0, documents: int = 1) -> Part:
    return Part(words, frozenset(words.split()), frozenset(), documents, weight)


def told(words: str) -> float:
    """How much words tell, as parts weigh by it: 1 in a checkout without the table."""
    likeness = shipped_likeness()
    return likeness.tells(words) ** 2 if likeness is not None else 1.0


# -- parts -----------------------------------------------------------------------------------------


def test_words_of_asking_and_common_words_are_no_parts(library):
    parts = parts_of("Does barley help against muscle pain?", library.searcher.view)
    assert [each.words for each in parts] == ["muscle", "pain"]


def test_a_rare_part_weighs_by_its_idf(library):
    (one,) = parts_of("cholesterol", library.searcher.view)
    assert one.documents == 1
    assert one.weight == pytest.approx(math.log(1 + (32 - 1 + 0.5) / 1.5) * told("cholesterol"))
    (absent,) = parts_of("yaws", library.searcher.view)
    assert absent.documents == 0
    assert absent.weight == pytest.approx(math.log(1 + 32.5 / 0.5) * told("yaws"))


def test_a_word_counts_once(library):
    assert len(parts_of("statins, statin and STATINS", library.searcher.view)) == 1


def test_a_pasted_page_has_a_bounded_number_of_parts(library):
    text = " ".join(f"word{chr(97 + n)}{chr(97 + m)}" for n in range(10) for m in range(10))
    assert len(parts_of(text, library.searcher.view)) == 12


def test_where_a_document_holds_parts():
    document = Document(
        id="1",
        title="Statins in adults",
        sections=(Section("Pain was rare. Muscle enzymes and pain fell together."),),
        headings=(Heading("Cholesterol"),),
        keywords=("lipids",),
    )
    parts = [part("statin"), part("pain"), part("muscl"), part("cholesterol"), part("lipid")]
    held = held_by(document, 1, parts, None)
    assert held.anywhere == {0, 1, 2, 3, 4}
    assert (held.alike, held.lacking) == (frozenset(), 0.0)


def test_a_title_holds_a_question_by_its_words_or_by_a_concept_below(tmp_path):
    terms = tmp_path / "terms.tsv"
    terms.write_text(
        "id\tname\tsynonyms\tparents\n"
        "MESH:D1\tLipid agents\t\t\nMESH:D2\tStatins\tVastatins\tMESH:D1\n",
        encoding="utf-8",
    )
    late = paper("late", "A third less", "Vastatins lower cholesterol.")
    with Library.create(tmp_path / "library") as library:
        library.add_documents([STATINS, late, *FILLER])
        library.add([terms], format="terms")
        view = library.searcher.view
        rows = view.documents.rows_of(["s", "late"])
        index = view.knowledge.index

        def holds(document: Document, asked: str) -> tuple[bool, bool]:
            parts = parts_of(asked, view)
            held = held_by(document, rows[document.id], parts, index)
            return held.anywhere == set(range(len(parts))), held.title

        assert holds(STATINS, "lipid agents and cholesterol") == (True, True)
        assert holds(STATINS, "lipid agents in adults") == (True, False)
        assert holds(late, "lipid agents") == (True, False)
        assert holds(late, "vastatins") == (True, False)


def test_what_is_said_in_other_words_is_held_in_part(monkeypatch):
    """By hand: .45 and less is nothing, .75 and more is all, .66 is .7; from half on it is held."""

    class Table:
        def alike(self, asked, text):
            assert {"obesity", "nursing"} <= set(text)
            return [{"fat": 0.66, "nurse": 0.8, "yaws": 0.3}[each] for each in asked]

    monkeypatch.setattr("osler.retrieve.question_parts.shipped_likeness", Table)
    document = paper("1", "Obesity and nursing workload", "Obesity made more work.")
    parts = [part("fat", 4.0), part("nurse", 2.0), part("yaws", 3.0), part("workload", 9.0)]
    held = held_by(document, 1, parts, None)
    assert held.anywhere == {3}
    assert held.alike == {0, 1}
    assert held.parts == {0, 1, 3}
    assert held.lacking == pytest.approx(4.0 * 0.3 + 0.0 + 3.0)


def test_without_the_table_only_the_words_themselves_are_held(monkeypatch):
    monkeypatch.setattr("osler.retrieve.question_parts.shipped_likeness", lambda: None)
    document = paper("1", "Obesity and nursing workload", "Obesity made more work.")
    held = held_by(document, 1, [part("fat", 4.0), part("workload", 1.0)], None)
    assert (held.anywhere, held.alike, held.lacking) == ({1}, frozenset(), 4.0)


def test_one_document_after_the_other_holds_what_each_holds_alone(library):
    """What is kept for the next document must not be the last one's."""
    view = library.searcher.view
    parts = parts_of("statins and muscle pain in adults", view)
    documents = view.documents.by_rows(
        list(view.documents.rows_of(library.page(limit=50)).values())
    )
    holding = Holding(parts, None)
    together = [holding.of(document, row) for row, document in documents.items()]
    assert together == [held_by(document, row, parts, None) for row, document in documents.items()]
    assert len({held.anywhere for held in together}) > 1


def test_words_that_begin_alike_are_the_same_part():
    document = paper("1", "Autism in girls", "Children with autism were seen.")
    assert held_by(document, 1, [part("autist")], None).anywhere == {0}
    assert held_by(document, 1, [part("auto")], None).anywhere == frozenset()
    assert held_by(document, 1, [part("childish")], None).anywhere == frozenset()


def test_the_two_weightiest_parts_say_most():
    parts = [part("a", 1.0), part("b", 3.0), part("c", 2.0)]
    assert [each.words for each in weightiest(parts)] == ["b", "c"]


# -- the model -------------------------------------------------------------------------------------

MODEL = VerdictModel(-2.0, {"cosine": 4.0}, 0.3, 0.6)
MODELS = VerdictModels(MODEL, MODEL, "none")


def looked(best: float, parts: list[Part], *held: frozenset[int]) -> Looked:
    """Papers that hold these parts; the first is the best of them."""
    papers = [{"cosine": best - at / 100} for at in range(len(held))]
    return Looked(parts, [Held(places) for places in held], papers)


def test_the_probability_is_the_logistic_one():
    assert MODEL.probability({"cosine": 0.5}) == pytest.approx(0.5)
    assert MODEL.probability({"cosine": 1.0}) == pytest.approx(1 / (1 + math.exp(-2)))


def test_a_list_answers_as_far_as_its_best_paper_does():
    first, second = Held(frozenset({0})), Held(frozenset({1}))
    seen = Looked([], [first, second], [{"cosine": 0.2}, {"cosine": 0.9}])
    assert seen.best(MODEL) == (pytest.approx(1 / (1 + math.exp(-1.6))), second)
    assert Looked([], [], []).best(MODEL) == (0.0, None)


def test_three_verdicts():
    parts = [part("statins", 2.0), part("pain", 1.0)]
    every = frozenset({0, 1})
    assert judged("q", looked(1.0, parts, every), MODELS).kind == ANSWERED
    near = judged("q", looked(0.5, parts, every), MODELS)
    assert (near.kind, near.missing) == (NEAR, ())
    assert near.text == "papers hold all of it, but none stands out as the answer"
    assert judged("肌痛", looked(0.5, parts, every), MODELS).text.startswith(
        "有论文含有问题的全部内容"
    )
    nothing = judged("q", looked(0.0, parts, frozenset({0}), frozenset({1})), MODELS)
    assert nothing.kind == NOTHING
    assert nothing.probability == pytest.approx(0.1192)
    assert nothing.text == "no paper in this library is about statins and pain"
    assert nothing.missing == ("statins", "pain")


def test_what_no_paper_mentions_is_named():
    parts = [part("yaws", 3.0, documents=0), part("pain", 1.0)]
    verdict = judged("q", looked(0.0, parts, frozenset({1})), MODELS)
    assert verdict.text == 'no paper in this library mentions "yaws"'
    assert verdict.missing == ("yaws",)


def test_what_the_best_paper_lacks_is_named():
    parts = [part("a", 3.0), part("b", 2.0), part("c", 1.0)]
    verdict = judged("q", looked(0.0, parts, frozenset({0, 1}), frozenset({2})), MODELS)
    assert verdict.missing == ("c",)
    assert 'the best lacks "c"' in verdict.text


def test_a_chinese_question_is_answered_in_chinese():
    parts = [part("雅司病", 3.0, documents=0)]
    verdict = judged("雅司病怎么治", looked(0.0, parts), MODELS)
    assert verdict.text == "本库没有论文提到“雅司病”"


def test_a_chinese_question_goes_through_the_names_of_both_languages(tmp_path):
    terms = tmp_path / "terms.tsv"
    terms.write_text(
        "id\tname\tsynonyms\tparents\nMESH:D000001\tMuscle pain\t肌痛\t\n", encoding="utf-8"
    )
    with Library.create(tmp_path / "library") as library:
        library.add_documents([PAIN, *FILLER])
        library.add([terms], format="terms")
        ranking = library.search("肌痛的治疗", method="concepts")
        assert ranking.hits[0].id == "p"
        assert ranking.verdict is not None
        assert ranking.verdict.missing == ()
        unknown = library.search("丹参滴丸的疗效", method="concepts").verdict
        assert unknown is not None
        assert unknown.missing == ("丹参滴丸",)
        assert unknown.text == (
            "本库没有论文提到“丹参滴丸”；术语表里没有“丹参滴丸”的英文名称，无法查找英文论文"
        )


def test_the_weights_that_ship_never_count_support_against_an_answer():
    models = shipped()
    for model in (models.with_vectors, models.without_vectors):
        assert 0 < model.nothing_below <= model.answered_from < 1
        assert all(w >= 0 for name, w in model.weights.items() if name != "parts")
    assert "cosine" in models.with_vectors.weights
    assert "cosine" not in models.without_vectors.weights


# -- whole searches --------------------------------------------------------------------------------


def test_a_list_says_what_is_missing(library):
    ranking = library.search("statins and muscle pain", method="words")
    assert ranking.verdict is not None
    assert ranking.verdict.kind != ANSWERED
    assert set(ranking.verdict.missing) <= {"statins", "muscle", "pain"}
    before = ranking.verdict.probability
    library.add_documents([BOTH])
    after = library.search("statins and muscle pain", method="words").verdict
    assert after is not None
    assert after.kind == ANSWERED
    assert after.probability > before


def test_known_items_need_no_model(library):
    named = library.search("s", method="words").verdict
    assert named is not None
    known = library.search("Muscle pain after running", method="words").verdict
    assert known is not None
    assert (known.kind, known.probability) == (ANSWERED, 1.0)
    unknown = library.search("pmid 99999999", method="words").verdict
    assert unknown is not None
    assert (unknown.kind, unknown.missing) == (NOTHING, ("PMID 99999999",))


def test_a_query_is_judged_only_where_nothing_matches(library):
    assert library.search("title:statins AND cholesterol", method="words").verdict is None
    empty = library.search("title:statins AND title:barley", method="words").verdict
    assert empty is not None
    assert empty.kind == NOTHING
    assert library.search("yaws", method="words", verdict=False).verdict is None
    assert library.search("yaws", method="words", evidence=False).verdict is None


def test_a_question_of_nothing_is_told_so(library):
    verdict = library.search("which barley is better?", method="words").verdict
    assert verdict is not None
    assert verdict.kind == NEAR
    assert "names nothing" in verdict.text


@pytest.mark.parametrize("text", ["((((", "which is better?"])
def test_where_a_question_of_nothing_lists_nothing_no_paper_is_near(library, text):
    ranking = library.search(text, method="words")
    assert not ranking.hits
    assert ranking.verdict is not None
    assert ranking.verdict.kind == NOTHING
    assert "names nothing" in ranking.verdict.text


def test_absent_is_only_what_neither_the_index_nor_a_paper_has():
    held_elsewhere = [part("a", 3.0, documents=4), part("b", 2.0)]
    assert judged("q", looked(0.0, held_elsewhere, frozenset({1})), MODELS).missing == ("a", "b")
    under_another_form = [part("autistic", 3.0, documents=0), part("b", 2.0)]
    verdict = judged("q", looked(0.0, under_another_form, frozenset({0}), frozenset({1})), MODELS)
    assert verdict.text == "no paper in this library is about autistic and b"


# -- full texts ------------------------------------------------------------------------------------

LONG = Document(
    id="long",
    title="Sleep of nurses",
    full_text=(
        Section("Melatonin was given at night.", "page 1"),
        Section("Melatonin helped the axolotl keepers. Falls were rare.", "page 2"),
    ),
)


def test_what_a_full_text_says_is_not_called_missing(library):
    asked = "melatonin for axolotl keepers"
    before = library.search(asked, method="words").verdict
    assert before is not None
    assert (before.kind, before.missing) == (NOTHING, ("melatonin", "axolotl", "keepers"))
    library.add_documents([LONG])
    after = library.search(asked, method="words").verdict
    assert after is not None
    assert (after.kind, after.missing) == (ANSWERED, ())
    apart = library.search("axolotl yaws", method="words").verdict
    assert apart is not None
    assert apart.missing == ("yaws",)


def test_parts_are_seen_in_the_passages_that_are_given():
    parts = [part("melatonin"), part("axolotl"), part("rare", 5.0)]
    assert held_by(LONG, 1, parts, None).anywhere == frozenset()
    first = held_by(LONG, 1, parts, None, [Passage(0, 0, 29)])
    assert first.anywhere == {0}
    both = held_by(LONG, 1, parts, None, [Passage(1, 0, 54), Passage(0, 0, 29)])
    assert both.anywhere == {0, 1, 2}
    # An index that is ahead of the paper names a section that it no longer has.
    assert not held_by(LONG, 1, parts, None, [Passage(7, 0, 9)]).anywhere


def test_a_word_that_the_terminology_does_not_know_weighs_less(tmp_path):
    terms = tmp_path / "terms.tsv"
    terms.write_text("id\tname\tsynonyms\tparents\nMESH:D1\tMuscle pain\t\t\n", encoding="utf-8")
    with Library.create(tmp_path / "library") as library:
        library.add_documents([STATINS, PAIN, *FILLER])
        library.add([terms], format="terms")
        pain, running = parts_of("muscle pain after running", library.searcher.view)
        rarity = math.log(1 + (32 - 1 + 0.5) / 1.5)
        assert (pain.words, pain.weight) == (
            "muscle pain",
            pytest.approx(rarity * told("muscle pain")),
        )
        loose = 0.6 * rarity * told("running")
        assert (running.words, running.weight) == ("running", pytest.approx(loose))


def test_the_model_reads_of_each_paper_what_lacks_and_how_near_it_is():
    parts = [part("x", 2.0), part("y", 1.0)]
    held = {1: Held(frozenset({0}), lacking=1.0), 7: Held(frozenset({0, 1}), title=True)}
    nearest = Candidates(np.array([9, 1]), np.array([0.7, 0.95]), np.zeros(2, np.int64))
    first, beyond = _features(parts, held, nearest)
    assert first == pytest.approx(
        {"lacking": -math.log(2), "title": 0.0, "parts": math.log(3), "cosine": 0.95}
    )
    # A paper beyond the nearest is no nearer than the last of them.
    assert beyond == pytest.approx(
        {"lacking": 0.0, "title": 1.0, "parts": math.log(3), "cosine": 0.7}
    )
    assert "cosine" not in _features(parts, held, None)[0]


def test_the_nearest_are_looked_at_wherever_they_are_listed():
    rows, scores = np.arange(8), np.array([0.1, 0.8, 0.3, 0.7, 0.5, 0.6, 0.2, 0.9])
    nearest = Candidates(rows, scores, np.zeros(8, np.int64))
    assert _nearest_rows(nearest, frozenset()) == [7, 1, 3, 5, 4]
    assert _nearest_rows(nearest, frozenset({1, 7})) == [3, 5, 4, 2, 6]


def test_words_that_stand_in_a_far_paper_do_not_make_an_answer():
    """Near to none, though one paper holds every word: the capital of Peru, among papers."""
    held = [Held(frozenset({0, 1}))]
    model = shipped().with_vectors
    papers = [{"lacking": 0.0, "title": 0.0, "parts": math.log(3), "cosine": 0.7}]
    verdict = judged("q", Looked([part("capital"), part("peru")], held, papers))
    assert (verdict.kind, verdict.missing) == (NOTHING, ())
    assert verdict.probability < model.nothing_below
    assert "none seems to be about" in verdict.text
