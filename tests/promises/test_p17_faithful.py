"""P17: a reason names what moved the score: without it the score falls more than without as much of
anything else. A small world of our own; ``benchmarks/faithfulness.py`` does the same on real data
and draws the reliability diagrams."""

from __future__ import annotations

import random

import numpy as np
import pytest

from osler import Library
from osler.kinds import Entity, Triple
from promises import faithful, faithful_answers
from samples import TrigramEncoder, paper

DISEASES = ("asthma", "gout", "measles", "anaemia", "scurvy", "rickets", "malaria", "tetanus")
FILLER = (
    "The ward was visited twice a week. Two nurses kept the charts in order. Letters were sent to "
    "families after discharge. Meals were served at noon. The garden was open in summer. "
)


def world() -> list:
    rng = random.Random(4)
    made = []
    for number in range(160):
        disease = DISEASES[number % len(DISEASES)]
        drug = f"drug{number % 12}"
        words = " ".join(rng.choices([f"word{n}" for n in range(200)], k=14))
        text = (
            f"{FILLER} We gave {drug} for {disease} to {number} adults. It {words}. {FILLER[:60]}."
        )
        made.append(paper(f"d{number:03}", f"Report {number} on care", text))
    return made


QUESTIONS = [f"{drug} for {disease}" for drug, disease in zip(
    [f"drug{n}" for n in range(8)], DISEASES, strict=True
)]  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faithful")
    with Library.create(folder / "library", encoder=TrigramEncoder()) as made:
        made.add_documents(world())
        rows = ["id\tname\tsynonyms\tparents", "DIS:0\tdisease\t\t"]
        rows += [f"DIS:{n}\t{name}\t\tDIS:0" for n, name in enumerate(DISEASES, 1)]
        rows += [f"DRUG:{n}\tdrug{n}\t\t" for n in range(12)]
        (folder / "terms.tsv").write_text("\n".join(rows))
        made.add([folder / "terms.tsv"], format="terms")
        yield made


def holds(falls: faithful.Falls, least: int) -> None:
    told = falls.told()
    assert told["cases"] >= least, told
    assert told["named"] > told["drawn"], told
    assert told["p"] < 0.05, told


def test_the_test_can_fail():
    """Reasons that name nothing in particular do not pass."""
    rng = np.random.default_rng(0)
    blind = faithful.Falls(list(rng.random(40)), list(rng.random(40)))
    assert blind.told()["p"] > 0.05
    seeing = faithful.Falls(list(rng.random(40) + 0.5), list(rng.random(40)))
    assert seeing.told()["p"] < 0.001


@pytest.mark.parametrize("method", ["words", "concepts"])
def test_the_evidence_sentence_carries_the_hit(library, method):
    holds(faithful.search_falls(library, QUESTIONS, kind="sentence", method=method, k=2), 12)


def test_the_shared_concept_carries_the_hit(library):
    holds(faithful.search_falls(library, QUESTIONS, kind="concept", method="concepts", k=2), 12)


@pytest.mark.parametrize("method", ["words", "concepts"])
def test_the_parts_are_the_score(library, method):
    count, worst = faithful.parts_hold(library, QUESTIONS, method=method)
    assert count >= 50
    assert worst < 1e-4


def test_topic_words_carry_a_paper_s_rank():
    pytest.importorskip("sklearn")
    from osler.rank import Pool, Topic, rankers

    documents = world()
    targets = np.asarray([number % len(DISEASES) for number in range(len(documents))])
    topics = [Topic(name) for name in DISEASES]
    pool = Pool(documents)
    ranker = rankers.resolve("hybrid").fit(pool.take(range(96)), targets[:96], topics)
    cases = []
    for at in range(96, 122):
        topic = int(targets[at])
        (reasons,) = ranker.reasons(Pool([documents[at]]), topic)

        def score(text: str, at: int = at, topic: int = topic) -> float:
            other = faithful.rewritten(documents[at], "x", text)
            return float(ranker.scores(Pool([other]))[0, topic])

        cases.append((documents[at].text, faithful.heat_of(reasons), score))
    holds(faithful.heat_falls(cases, count=2), 20)


def ward() -> tuple[list[Entity], list[Triple]]:
    entities: dict[str, Entity] = {}
    triples = []
    for number in range(24):
        patient = Entity(id=f"patient:P{number}", name=f"P{number}", type="patient")
        drug = Entity(id=f"drug:drug{number % 7}", name=f"drug{number % 7}", type="drug")
        illness = DISEASES[number % len(DISEASES)]
        ill = Entity(id=f"disease:{illness}", name=illness, type="disease")
        for each in (patient, drug, ill):
            entities[each.id] = each
        triples.append(Triple(patient.id, "takes", drug.id, f"ward:{number}"))
        triples.append(Triple(patient.id, "has", ill.id, f"ward:{number}"))
    return list(entities.values()), triples


def test_the_path_carries_the_answer():
    entities, triples = ward()
    questions = [f"Which drugs does P{number} take?" for number in range(12)]
    holds(faithful.path_falls(entities, triples, questions), 8)


def test_the_warm_words_carry_the_answer():
    from osler.ask.answerer import answerers
    from osler.records.kb import ClinicalKB

    entities, triples = ward()
    reader = answerers.get("reader")(ClinicalKB.build(entities, triples))
    cases = []
    for number in range(14):
        question = f"Please tell me which drugs does P{number} take at the moment?"
        answer = reader.ask(question, explain=True)
        wanted = set(answer.entities)

        def score(text: str, wanted=wanted) -> float:
            again = reader.ask(text)
            return again.confidence if wanted and set(again.entities) == wanted else 0.0

        cases.append((question, faithful.heat_of(answer.reasons), score))
    holds(faithful.heat_falls(cases, count=1), 10)


def test_the_heaviest_aspect_carries_the_answer():
    from osler.ask.answerer import answerers
    from osler.records.kb import ClinicalKB

    entities, triples = ward()
    reader = answerers.get("reader")(ClinicalKB.build(entities, triples))
    questions = [f"Please tell me which drugs does P{n} take at the moment?" for n in range(14)]
    holds(faithful_answers.aspect_falls(reader, questions), 10)


def test_the_heaviest_path_carries_the_match():
    pytest.importorskip("osler.match.default")
    entities, triples, pairs = [], [], []
    for number, disease in enumerate(DISEASES):
        entities.append(Entity(id=f"DIS:{number}", name=disease, type="disease"))
        for other in range(3):
            drug = Entity(id=f"DRUG:{number}{other}", name=f"drug{number}{other}", type="drug")
            entities.append(drug)
            triples.append(Triple(drug.id, "treats", f"DIS:{number}"))
            pairs.append((f"What helps against {disease}?", f"Take {drug.name}. {FILLER}"))
    holds(faithful_answers.match_path_falls(entities, triples, pairs), 20)


def test_the_parts_are_the_match(library):
    matching = pytest.importorskip("osler.verbs.match")
    pairs = [(f"What helps against {name}?", f"Rest helps {name}. {FILLER}") for name in DISEASES]
    matcher, _ = matching.matcher_of(library, None)
    count, worst = faithful_answers.match_parts_hold(matcher, pairs)
    assert count == len(pairs)
    assert worst < 1e-9


def test_the_heaviest_entity_pair_carries_the_match(library):
    matching = pytest.importorskip("osler.verbs.match")
    rng = random.Random(2)
    cases = []
    for number in range(30):
        disease = DISEASES[number % len(DISEASES)]
        other = " ".join(rng.choices(FILLER.split(), k=10))
        cases.append((f"What helps against {disease}?", f"Rest helps {disease}. {other}. {FILLER}"))
    matcher, _ = matching.matcher_of(library, None)
    holds(faithful.pair_falls(matcher, cases, link=library.linker.link), 20)


def test_warm_words_and_the_sentence_carry_a_grade():
    pytest.importorskip("osler.grade.methods.rule")
    from dataclasses import replace

    from osler.grade.job import evidence
    from osler.grade.methods.rule import Rule
    from osler.grade.pair import Fact, Pair

    rule = Rule()
    cases, shown = [], []
    for number in range(24):
        disease = DISEASES[number % len(DISEASES)]
        fact = Fact(f"drug{number % 7}", "treats", disease)
        text = f"{FILLER} Treatment with drug{number % 7} was good for {disease}. {FILLER}"
        pair = Pair(fact, "A report on care", text)

        def score(text: str, pair=pair) -> float:
            title, _, abstract = text.partition("\n")
            return float(rule.scores([replace(pair, title=title, abstract=abstract)])[0])

        words = faithful.heat_of(rule.heats(pair), "RCor")
        cases.append((pair.text, words, score))
        sentence = evidence(pair, 1.0)
        shown.append((pair.text, (sentence.start, sentence.end), score))
    holds(faithful.heat_falls(cases, count=2), 15)
    holds(faithful_answers.sentence_falls(shown), 15)
