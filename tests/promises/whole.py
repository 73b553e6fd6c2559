"""A small library that holds some of everything, and every answer that it gives.

``python whole.py FOLDER`` makes it; ``answers`` is what two libraries are compared by.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import msgspec  # noqa: E402
import numpy as np  # noqa: E402

from osler import Library  # noqa: E402
from osler.kinds import Pair, Section  # noqa: E402
from osler.learn.card import Card  # noqa: E402
from osler.learn.saved import load_model, save_model  # noqa: E402
from osler.records import opening  # noqa: E402
from osler.store.facts import FactRows  # noqa: E402
from osler.verbs.patients import patients  # noqa: E402
from samples import PAPERS, TrigramEncoder, paper  # noqa: E402

opening.WORTH_KEEPING = 1
"""So that the derived copy of the records, too, stands there to be damaged."""

TERMS = """id\tname\tsynonyms\tparents
DIS:0\tdisease\t\t
DIS:1\tasthma\tbronchial asthma\tDIS:0
DIS:2\tmyalgia\tmuscle pain\tDIS:0
DIS:3\t肺癌\t肺部肿瘤\tDIS:0
DIS:4\tsevere asthma\t\tDIS:1
"""
TRIPLES = """head\thead_type\trelation\ttail\ttail_type
statin\tdrug\tcauses\tmyalgia\tdisease
steroid\tdrug\ttreats\tasthma\tdisease
asthma\tdisease\taffects\tchild\tgroup
"""
RECORDS = """head\thead_type\trelation\ttail\ttail_type
P7\tpatient\ttakes\taspirin\tdrug
P8\tpatient\ttakes\tibuprofen\tdrug
P8\tpatient\thas\tasthma\tdisease
"""
SYSTEM = "urn:number"


def ward(patient: str, name: str, number: str, *others: dict[str, Any]) -> dict[str, Any]:
    """One patient as FHIR has it: a number that another source may carry too, and what is said of
    them."""
    person = {
        "resourceType": "Patient",
        "id": patient,
        "name": [{"text": name}],
        "birthDate": "1961-03-04",
        "identifier": [{"system": SYSTEM, "value": number}],
    }
    about = {"reference": f"Patient/{patient}"}
    entries = [person, *({**one, "subject": about} for one in others)]
    return {"resourceType": "Bundle", "entry": [{"resource": one} for one in entries]}


CONDITION = {
    "resourceType": "Condition",
    "id": "c1",
    "code": {
        "text": "Gout",
        "coding": [{"system": "http://snomed.info/sct", "code": "90560007", "display": "Gout"}],
    },
    "clinicalStatus": {"coding": [{"code": "active"}]},
    "onsetDateTime": "2014-05-06",
}
MEASURED = {
    "resourceType": "Observation",
    "id": "o1",
    "status": "final",
    "code": {"text": "Troponin"},
    "effectiveDateTime": "2019-01-02",
    "valueQuantity": {"value": 0.004, "comparator": "<", "unit": "ng/mL"},
}
NORTH = ward("p1", "Ada Lark", "77", CONDITION)
SOUTH = ward("p1", "Ada Lark", "77", MEASURED)
"""Another source with the same id; the same person, since both carry the same number."""

CORPUS = [
    {"_id": "90", "title": "Gout and diet", "text": "Gout follows from some diets. It hurts."},
    {"title": "no id"},
    {"_id": "91", "title": "Measles", "text": "A rash and fever. Vaccines prevent it."},
    {"_id": "90", "title": "Gout and diet", "text": "Gout follows from some diets. It hurts."},
]
ASKED = ("conditions", "troponin")
QUERIES = ("asthma", '"muscle pain"', "title:asthma NOT children", "肺癌", "mesh:Asthma", "gout")
WHOLE = paper(
    "60",
    "Whole text on tetanus",
    "A short abstract on spasms.",
    full_text=(Section("The whole text speaks of lockjaw at length. " * 30, "1. Findings"),),
    ids={"doi": "10.1000/tetanus", "pmcid": "PMC60"},
)


def build(folder: Path) -> Path:
    inputs = folder.with_name("inputs")
    inputs.mkdir()
    for name, text in (
        ("terms.tsv", TERMS),
        ("facts.tsv", TRIPLES),
        ("ward.tsv", RECORDS),
        ("corpus.jsonl", "\n".join(map(json.dumps, CORPUS))),
        ("north.json", json.dumps(NORTH)),
        ("south.json", json.dumps(SOUTH)),
    ):
        (inputs / name).write_text(text, "utf-8")
    with Library.create(folder, encoder=TrigramEncoder()) as library:  # type: ignore[arg-type]
        library.add_documents([*PAPERS, WHOLE])
        # The same paper under another id: joined, its earlier name kept.
        library.add_documents([paper("x-60", "", "", ids={"doi": "10.1000/tetanus", "pmid": "61"})])
        library.add([inputs / "terms.tsv"], format="terms")
        library.add([inputs / "facts.tsv"], format="triples")
        library.add([inputs / "ward.tsv"], format="clinical-triples")
        library.add([inputs / "corpus.jsonl"])
        library.add([inputs / "north.json", inputs / "south.json"])
        library.join(SYSTEM)
        with library._writing(), library.truth.transaction() as connection:
            pairs = [Pair(id="p1", question="Does gout hurt?", answer="Yes, a great deal.")]
            library._graphs.write_pairs(connection, pairs, 0)
        library.remove(["5"])
        library.embed()
        library.judge({"q": {"1": 1, "2": 0}}, {"q": "statins"})
        library.save_search("first", "asthma")
        library.projects.new("gout", question="Does diet matter?")
        library.projects.search("gout", "gout")
        library.projects.decide("gout", "90", "include", reviewer="ann", note="clear")
        weights = {"w": np.arange(6, dtype=np.float32).reshape(2, 3)}
        save_model(library.layout.models / "small", weights, {"a": 1}, Card(name="s", what="t"))
        library.records()
    return folder


def _decided(library: Library, name: str) -> Any:
    """A project without its moments: they differ from one building to the next."""
    project = library.projects.get(name)
    decided = project.decisions.get("abstract", {})
    return name, project.card.question, list(project.papers), sorted(decided)


def answers(folder: Path) -> Any:
    """Everything that a person could ask of it, as plain values."""
    with Library.open(folder, encoder=TrigramEncoder()) as library:  # type: ignore[arg-type]
        found: dict[str, Any] = {"digest": library.digest()}
        for method in ("words", "hybrid", "concepts"):
            for query in QUERIES:
                ranking = library.search(query, method=method)
                found[f"{method} {query}"] = [(h.id, h.title, h.score, h.reasons) for h in ranking]
        found["documents"] = list(library.documents())
        names = ("1", "10.1000/statins", "10.1000/tetanus", "PMC60", "61", "x-60", "60", "90")
        found["names"] = [library.document(name).title for name in names]
        found["entities"] = list(library.entities())
        found["triples"] = list(library.triples())
        found["pairs"] = list(library.pairs())
        found["facts"] = list(FactRows(library.truth).facts())
        found["patients"] = patients(library)
        found["notes"] = list(library.ledger.notes())
        found["projects"] = [_decided(library, name) for name in library.projects.names()]
        found["rejects"] = list(library.rejects())
        found["files"] = [
            (e.name, e.format, e.state, e.position, sorted(e.counts.items()))
            for e in library.ledger.all()
        ]
        found["paths"] = library.paths(["drug:statin"], ["disease:myalgia"], max_length=4).paths
        found["mentions"] = library.mentions("2")
        found["judgements"] = library.decisions.judgements()
        found["queries"] = library.decisions.queries()
        found["searches"] = library.decisions.saved()
        found["ask"] = [library.ask(f"Which drugs does {p} take?").entities for p in ("P7", "P8")]
        asked = (library.ask(f"What {what} does Ada Lark have?") for what in ASKED)
        found["ask of facts"] = [(answer.answers, answer.confidence) for answer in asked]
        tensors, config = load_model(library.layout.models / "small", framework="numpy")
        found["model"] = [tensors["w"].tolist(), config]
        ids, matrix = library.vectors([d.id for d in library.documents()])
        found["vectors"] = [ids, matrix.tolist()]
        # What is written next must not meet a number that was given before.
        found["next"] = library.truth.seq() >= 0
    return msgspec.to_builtins(found)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
