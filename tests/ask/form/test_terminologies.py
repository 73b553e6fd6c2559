"""What a word takes in beyond its own letters: narrower things, members of a class, through the
tables that ship and through a terminology; and what it leaves out. Each name stands in the record
of one patient, who is called after it."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer
from osler.ask.form.relation import MemoryFacts
from osler.ask.form.terminology import Terminology
from osler.ask.form.vocabulary import Name
from osler.kinds import Entity, Fact, Triple
from osler.knowledge.graph import Graph

from .ward import TODAY, fact, patient

SNOMED, ICD = "http://snomed.info/sct", "http://hl7.org/fhir/sid/icd-10-cm"

GRAPH = Graph.build(
    [
        Entity(id="MESH:1", name="Sinus Diseases", places=("C1",), language="en"),
        Entity(
            id="MESH:2",
            name="Sinusitis",
            synonyms=("Sinus Infections", "鼻窦炎"),
            parents=("MESH:1",),
            places=("C1.1",),
            xrefs=("SCTID:36971009", "ICD10CM:J32"),
        ),
        Entity(id="MESH:3", name="Antrum Catarrh", parents=("MESH:2",), places=("C1.1.7",)),
        Entity(id="MESH:4", name="Sore", parents=("MESH:1",), places=("C1.2",)),
        Entity(id="MESH:5", name="Nut Hypersensitivity", synonyms=("Nut Allergy",), places=("C9",)),
        Entity(
            id="MESH:6",
            name="Pignolia Hypersensitivity",
            synonyms=("Pignolia Allergy",),
            parents=("MESH:5",),
            places=("C9.1",),
        ),
        Entity(id="MESH:7", name="Uricosuric Agents", places=("D1",)),
        Entity(id="MESH:8", name="Lesinurad", places=("D2",)),
        Entity(id="MESH:9", name="Gas", places=("D3",)),
        Entity(id="DOID:1", name="Sinusitis", xrefs=("MESH:2",)),
        Entity(id="DOID:2", name="Barotrauma sinuum", parents=("DOID:1",)),
    ],
    [
        Triple("MESH:8", "has pharmacological action", "MESH:7"),
        Triple("MESH:9", "interacts with", "MESH:7"),
    ],
)


def facts(*named: tuple[str, str, str, tuple[tuple[str, str], ...]]) -> list[Fact]:
    return [
        one
        for at, (who, kind, name, codes) in enumerate(named)
        for one in [*patient(f"p{at}", who), fact(f"p{at}", kind, name, codes=codes)]
    ]


WARD = facts(
    ("Ada Catarrh", "condition", "Antrum catarrh (disorder)", ()),
    ("Bo Viral", "condition", "Viral sinusitis (disorder)", ()),
    ("Cy Coded", "condition", "Blocked nose", ((SNOMED, "36971009"),)),
    ("Di Icd", "condition", "Stuffy nose", ((ICD, "J32"),)),
    ("Ed Another", "condition", "Runny nose", ((ICD, "36971009"),)),
    ("Flo Screen", "condition", "Screening for antrum catarrh", ()),
    ("Gus Sore", "condition", "Sore", ()),
    ("Hal Diver", "condition", "Barotrauma sinuum", ()),
    ("Ira Urate", "medication", "Lesinurad 200 MG Oral Tablet", ()),
    ("Jo Gas", "medication", "Gas 2 MG Oral Tablet", ()),
    ("Kim Pine", "allergy", "Pignolia allergy", ()),
    ("Lou Peanut", "allergy", "Allergy to peanuts", ()),
    ("Max Nut", "allergy", "Allergy to nut", ()),
    ("Ned Walnut", "allergy", "Walnut", ()),
    ("Oz Prawn", "allergy", "Prawn", ()),
    ("Pia Cod", "allergy", "Cod", ()),
    ("Ray Amox", "allergy", "Amoxicillin", ()),
    ("Sue Ibu", "allergy", "Ibuprofen", ()),
    ("Tom Pen", "medication", "Ampicillin 250 MG Oral Capsule", ()),
)


def asked(*, graph: bool) -> FormAnswerer:
    return FormAnswerer(
        MemoryFacts(WARD), today=lambda: TODAY, graph=lambda: GRAPH if graph else None
    )


@pytest.fixture(scope="module")
def plain() -> FormAnswerer:
    return asked(graph=False)


@pytest.fixture(scope="module")
def learned() -> FormAnswerer:
    return asked(graph=True)


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Who has a nut allergy?", ["Lou Peanut", "Max Nut", "Ned Walnut"]),
        ("How many people have a nut allergy?", ["3"]),
        ("Who is allergic to tree nuts?", ["Ned Walnut"]),
        ("Who is allergic to peanuts?", ["Lou Peanut"]),
        ("谁对坚果过敏？", ["Lou Peanut", "Max Nut", "Ned Walnut"]),
        ("Who is allergic to shellfish?", ["Oz Prawn"]),
        ("Who is allergic to fish?", ["Pia Cod"]),
        ("Who has a seafood allergy?", ["Oz Prawn", "Pia Cod"]),
        # A class of drugs is one of allergies, too; who takes a member is not allergic to it.
        ("Who is allergic to penicillin?", ["Ray Amox"]),
        ("Who takes a penicillin?", ["Tom Pen"]),
        ("Is Sue Ibu allergic to any NSAID?", ["yes"]),
        ("Is Tom Pen allergic to penicillin?", []),
    ],
)
def test_narrower_things(plain: FormAnswerer, question: str, who: list[str]) -> None:
    assert sorted(plain.ask(question).answers) == who


@pytest.mark.parametrize(
    ("question", "who", "without"),
    [
        # By a narrower name, by one that holds it, by code of either system, through another
        # terminology's branch; not by a number of another system, nor where it is only looked for.
        (
            "Who has sinusitis?",
            ["Ada Catarrh", "Bo Viral", "Cy Coded", "Di Icd", "Hal Diver"],
            ["Bo Viral"],
        ),
        (
            "谁有鼻窦炎？",
            ["Ada Catarrh", "Bo Viral", "Cy Coded", "Di Icd", "Hal Diver"],
            None,
        ),
        (
            "Who has a sinus infection?",
            ["Ada Catarrh", "Bo Viral", "Cy Coded", "Di Icd", "Hal Diver"],
            None,
        ),
        ("Who has antrum catarrh?", ["Ada Catarrh"], ["Ada Catarrh"]),
        # By what it does, one step away; what has another relation to the class is no member.
        ("Who takes a uricosuric agent?", ["Ira Urate"], None),
        ("Who takes uricosuric agents?", ["Ira Urate"], None),
        # The allergy is a concept of its own, beside the thing itself.
        ("Who has a nut allergy?", ["Kim Pine", "Lou Peanut", "Max Nut", "Ned Walnut"], None),
        ("Who is allergic to nuts?", ["Kim Pine", "Lou Peanut", "Max Nut", "Ned Walnut"], None),
    ],
)
def test_a_terminology_takes_in_what_is_below(
    plain: FormAnswerer,
    learned: FormAnswerer,
    question: str,
    who: list[str],
    without: list[str] | None,
) -> None:
    assert sorted(learned.ask(question).answers) == who
    if without is not None:
        assert sorted(plain.ask(question).answers) == without


def test_a_concept_that_no_record_bears_is_known() -> None:
    """Refused without the terminology, for the word is not understood; with it there is nobody."""
    records = MemoryFacts(facts(("Gus Sore", "condition", "Sore", ())))
    question = "Does Gus Sore have sinusitis?"
    told = FormAnswerer(records, today=lambda: TODAY, graph=lambda: GRAPH).ask(question)
    assert (told.answers, told.form_text) == (
        [],
        "whether conditions: sinusitis, active now · of Gus Sore, p0",
    )


def test_names_that_belong() -> None:
    """Which names of the facts belong to a concept, and by what it came in."""
    known = Terminology(GRAPH)
    names = [
        Name("condition", "a", "Antrum catarrh"),
        Name("medication", "b", "Sinusitis drops"),
        Name("observation", "c", "Sinusitis score"),
        Name("procedure", "d", "Lavage for sinusitis"),
        Name("condition", "e", "No sinusitis"),
        Name("condition", "f", "Something", ((SNOMED, "36971009"),)),
    ]
    found = {m.kind: (m.names, m.how) for m in known.matches("sinus infections", names)}
    assert found == {
        "condition": (["a", "f"], "below Sinusitis"),
        "medication": (["b"], "below Sinusitis"),
        "procedure": (["d"], "below Sinusitis"),
    }
    assert known.matches("gout", names) == []
    assert known.knows("Nut Allergy")
    assert not known.knows("gout")
    # Short names are no ingredients: a gas is not in every drug that says so.
    gases = known.matches("gas", [Name("medication", "g", "Gas mask 2 MG")])
    assert gases == []
