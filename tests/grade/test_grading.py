"""Grading in a library: papers for a fact, facts for a paper, and what is asked wrongly."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from osler import Library
from osler.errors import ChoiceError, InputError, LimitError, QueryError, UnknownId
from osler.explain.heat import heat_html, heat_line, heat_page, scaled
from osler.grade.biolink import BY_GROUP, CATEGORIES, NAMED, PREDICATES, RELATED, predicate
from osler.grade.export import leaves, write_kgx, write_rdf, write_tsv
from osler.grade.job import GradedFact
from osler.grade.scale import GRADES, PLAIN
from osler.kinds import GradeReason, Heat, Hit, Triple
from osler.verbs.curate import CurateRequest, curate, decisions
from osler.verbs.grade import GradeRequest, as_facts
from osler.verbs.grade_training import drawn_pairs, weakly_labelled


def told(hit: Hit) -> GradeReason:
    return next(reason for reason in hit.reasons if isinstance(reason, GradeReason))


def test_papers_for_a_fact(graph_library: Library) -> None:
    found = graph_library.grade("metformin", "treats", "diabetes mellitus", k=5)
    assert [hit.id for hit in found.hits[:2]] == ["p1", "p2"]
    assert told(found.hits[0]).grade == "H"
    assert told(found.hits[1]).grade == "M"
    assert found.notes == [n for n in found.notes if "abstract" in n]
    best = found.hits[0]
    assert best.evidence is not None
    assert best.evidence.text == "Metformin was an effective treatment of diabetes mellitus."
    text = graph_library.document("p1").text
    assert text[best.evidence.start : best.evidence.end] == best.evidence.text
    assert {r.view for r in best.reasons if isinstance(r, Heat)} == {"RCor", "KImp"}
    assert sum(told(best).probabilities.values()) == pytest.approx(1, abs=1e-3)
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)


def test_chinese_works_alike(graph_library: Library) -> None:
    found = graph_library.grade("二甲双胍", "适应症", "糖尿病")
    assert found.hits[0].id == "p4"
    assert told(found.hits[0]).grade == "H"
    assert found.hits[0].evidence is not None
    assert "疗效显著" in found.hits[0].evidence.text


def test_entities_apart_are_not_described(graph_library: Library) -> None:
    found = graph_library.grade("warfarin", "causes", "bleeding")
    assert found.hits[0].id == "p3"
    assert told(found.hits[0]).grade == "I"


def test_what_is_unknown_is_said(graph_library: Library) -> None:
    found = graph_library.grade("moonlight", "treets", "diabetes mellitus")
    notes = " ".join(found.notes)
    assert "'moonlight' is no entity of the graph" in notes
    assert "no relation 'treets'; did you mean 'treats'?" in notes
    nothing = graph_library.grade("zzzz", "treats", "qqqq")
    assert len(nothing) == 0
    assert any("no paper" in note for note in nothing.notes)


def test_a_paper_without_abstract_is_graded_by_title(graph_library: Library) -> None:
    found = graph_library.grade("metformin", "treats", "diabetes mellitus")
    assert "p5" in [hit.id for hit in found.hits]
    assert any("no abstract" in note for note in found.notes)


def test_facts_for_a_paper(graph_library: Library) -> None:
    (found,) = graph_library.facts("p1")
    assert (found.head, found.triple.relation, found.tail) == (
        "metformin",
        "treats",
        "diabetes mellitus",
    )
    assert (found.grade, found.plain, found.paper) == ("H", "about this fact", "p1")
    assert found.sentence is not None
    assert graph_library.facts("p6") == []
    with pytest.raises(UnknownId):
        graph_library.facts("nobody")
    with pytest.raises(InputError):
        graph_library.facts("p1", k=0)


def test_bad_questions(graph_library: Library) -> None:
    with pytest.raises(QueryError, match="the head is empty"):
        graph_library.grade("  ", "treats", "x")
    with pytest.raises(LimitError):
        graph_library.grade("a", "treats", "x", k=0)
    with pytest.raises(LimitError):
        graph_library.grade("a" * 20_000, "treats", "x")
    with pytest.raises(ChoiceError, match="did you mean 'evidence'"):
        graph_library.grade("a", "treats", "x", method="evidenc")
    with pytest.raises(InputError, match="no trained 'evidence'"):
        graph_library.grade("a", "treats", "x", method="evidence")


def test_without_a_graph_words_serve(library: Library) -> None:
    found = library.grade("statin", "causes", "muscle pain")
    assert found.hits[0].id == "1"
    assert any("no graph" in note for note in found.notes)
    with pytest.raises(InputError, match="holds no graph"):
        library.facts("1")
    with pytest.raises(InputError, match="holds no graph"):
        drawn_pairs(library)


def test_the_same_question_gives_the_same(graph_library: Library) -> None:
    one, two = (graph_library.grade("warfarin", "treats", "thrombosis") for _ in range(2))
    assert one.hits == two.hits


def test_weak_labels_of_a_library(graph_library: Library) -> None:
    pairs = weakly_labelled(graph_library)
    by_paper = {pair.paper_id: pair.label for pair in pairs}
    assert by_paper["p1"] == "H"
    assert by_paper["p2"] == "M"
    assert by_paper["p3"] == "I"
    assert set(by_paper.values()) <= set(GRADES)


def test_export_keeps_the_sentence(graph_library: Library, tmp_path: Path) -> None:
    request = GradeRequest(head="metformin", relation="treats", tail="diabetes mellitus", k=2)
    ranking = graph_library.grade(request.head, request.relation, request.tail, k=2)
    found = as_facts(graph_library, request, ranking)
    assert write_tsv(tmp_path / "facts.tsv", found) == 2
    header, first, *_ = (tmp_path / "facts.tsv").read_text("utf-8").splitlines()
    row = dict(zip(header.split("\t"), first.split("\t"), strict=True))
    assert row["paper"] == "p1"
    assert row["plain"] == PLAIN["H"]
    assert "effective treatment" in row["sentence"]
    # Only what a paper that is about the fact supports well leaves: without the encoder that ships
    # the second judge trusts this sentence to .74, which is not well.
    assert 0.7 < found[0].supports < 0.8
    assert not any(leaves(fact) for fact in found)
    found = [msgspec.structs.replace(found[0], supports=0.81), *found[1:]]
    nodes, edges, count = write_kgx(tmp_path / "kgx", found, type_of=lambda id: "drug")
    assert count == sum(leaves(fact) for fact in found) == 1
    assert len(nodes.read_text("utf-8").splitlines()) == 3
    lines = edges.read_text("utf-8").splitlines()
    edge = dict(zip(lines[0].split("\t"), lines[1].split("\t"), strict=True))
    assert edge["predicate"] == "biolink:treats"
    assert edge["supporting_text"] == row["sentence"]
    assert edge["stance"] == "supports"
    assert float(edge["probability"]) >= 0.8
    assert predicate("has phenotype") == "biolink:has_phenotype"


def test_what_leaves_is_decided_or_well_supported(tmp_path: Path) -> None:
    fact = GradedFact(
        triple=Triple("MESH:D008687", "treats", "MESH:D003924"),
        head="metformin",
        tail="type 2 diabetes",
        grade="H",
        confidence=0.9,
        plain=PLAIN["H"],
        paper="123",
        stance="supports",
        supports=0.9,
    )
    refuted = msgspec.structs.replace(fact, supports=0.05, refutes=0.9, stance="refutes")
    off_topic = msgspec.structs.replace(fact, grade="I")
    accepted = msgspec.structs.replace(
        refuted, decided="accept", decided_by="AB", decided_on="2021-03-15"
    )
    rejected = msgspec.structs.replace(fact, decided="reject")
    unsure = msgspec.structs.replace(fact, decided="unsure")
    told = [leaves(one) for one in (fact, refuted, off_topic, accepted, rejected, unsure)]
    assert told == [True, False, False, True, False, False]
    nodes, edges, count = write_kgx(
        tmp_path / "x",
        [fact, accepted],
        name_of=lambda id: "Metformin" if id == "MESH:D008687" else "",
    )
    assert count == 2
    assert "Metformin\tmetformin" in nodes.read_text("utf-8")
    assert "AB\t2021-03-15\tknowledge_assertion\tmanual_agent" in edges.read_text("utf-8")
    assert write_rdf(tmp_path / "x.nt", [fact, refuted]) == 1
    text = (tmp_path / "x.nt").read_text("utf-8")
    assert "<http://id.nlm.nih.gov/mesh/D008687> <https://w3id.org/biolink/vocab/treats>" in text
    assert '"PMID:123"' in text


def test_biolink_names_are_the_models_own() -> None:
    """Checked with the model's own toolkit, on the model that comes as a package: no network."""
    bmt = pytest.importorskip("bmt", reason="osler[biolink] is not installed: pip install bmt")
    pytest.importorskip("biolink_model", reason="osler[biolink] is not installed")
    schema = files("biolink_model") / "schema" / "biolink_model.yaml"
    toolkit = bmt.Toolkit(str(schema), predicate_map={"predicate mappings": []})
    assert not toolkit.is_predicate("biolink:cures")
    for name in (*PREDICATES.values(), *BY_GROUP.values(), RELATED):
        assert toolkit.is_predicate(name), name
    for name in (*CATEGORIES.values(), NAMED):
        assert toolkit.is_category(name), name
    assert toolkit.is_association("biolink:Association")
    for enum, values in (
        ("KnowledgeLevelEnum", ("knowledge_assertion", "prediction")),
        ("AgentTypeEnum", ("manual_agent", "text_mining_agent")),
    ):
        for value in values:
            assert toolkit.is_permissible_value_of_enum(enum, value), value


def test_decisions_are_kept_with_name_and_date(graph_library: Library) -> None:
    request = CurateRequest(
        head="metformin",
        relation="treats",
        tail="diabetes mellitus",
        paper="p1",
        said="reject",
        by="A. B.",
        on="2021-03-15",
    )
    kept = curate(graph_library, request)
    assert (kept.by, kept.on) == ("A. B.", "2021-03-15")
    assert kept in decisions(graph_library)
    asked = GradeRequest(head="metformin", relation="treats", tail="diabetes mellitus", k=2)
    ranking = graph_library.grade(asked.head, asked.relation, asked.tail, k=2)
    found = {fact.paper: fact for fact in as_facts(graph_library, asked, ranking)}
    assert found["p1"].decided == "reject"
    assert not leaves(found["p1"])
    with pytest.raises(ChoiceError):
        curate(graph_library, msgspec.structs.replace(request, said="perhaps"))


def test_heat_is_escaped_and_scaled() -> None:
    heat = Heat("RCor", (("<b>", 2.0), ("cold", -1.0), ("warm", 1.0)))
    assert scaled(heat) == [("<b>", 1.0), ("cold", 0.0), ("warm", 0.5)]
    assert "<b>RCor</b>" in heat_html(heat)
    assert "&lt;b&gt;" in heat_html(heat)
    page = heat_page("<script>", [("x", [heat])])
    assert "<script>" not in page
    assert heat_line(Heat("KImp", (("糖", 1.0), ("尿", 0.2)))).plain == "KImp: 糖尿"


def test_faithful_heat(make_library: Callable[..., Library]) -> None:
    """Taking the warmest words away lowers the score; taking a cold one away does not."""
    from osler.grade.methods.rule import Rule
    from osler.grade.pair import Fact, Pair

    fact = Fact("warfarin", "treats", "thrombosis")
    pair = Pair(fact, "On blood", "We saw rain. Warfarin was given as treatment of thrombosis.")
    rule = Rule()
    whole = rule.scores([pair])[0]
    heat = rule.heats(pair)[0]
    warm = max(heat.words, key=lambda word: word[1])[0]
    cold = min(heat.words, key=lambda word: word[1])[0]

    def without(word: str) -> float:
        less = Pair(fact, pair.title, pair.abstract.replace(word, "x"))
        return float(rule.scores([less])[0])

    assert without(warm) < whole
    assert without(cold) == pytest.approx(whole)
