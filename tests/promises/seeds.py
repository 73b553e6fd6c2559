"""Small sound files for every reader: what fuzzing starts from."""

from __future__ import annotations

import json
from pathlib import Path

from osler.files.reader import readers
from osler_papers.simulator import WRITERS, simulate
from pdfs import pdf

TESTS = Path(__file__).parent.parent
CORPUS = TESTS / "corpus" / "fixtures"
KNOWLEDGE = TESTS / "knowledge" / "fixtures"

FILES: dict[str, Path] = {
    "pubmed": CORPUS / "citations.xml",
    "jats": CORPUS / "article.nxml",
    "beir": CORPUS / "corpus.jsonl",
    "trec": CORPUS / "docs.trec",
    "ohsumed": CORPUS / "ohsumed.txt",
    "cord19": CORPUS / "cord19",
    "ris": CORPUS / "references.ris",
    "nbib": CORPUS / "citations.nbib",
    "columns": CORPUS / "papers.csv",
    "bibtex": CORPUS / "library.bib",
    "endnote": CORPUS / "library.xml",
    "isi": CORPUS / "savedrecs.txt",
    "refer": CORPUS / "references.enw",
    "ovid": CORPUS / "ovid.txt",
    "obo": KNOWLEDGE / "small.obo",
    "mesh": KNOWLEDGE / "descriptors.tsv",
    "mesh-xml": KNOWLEDGE / "desc.xml",
    "mesh-supplementary": KNOWLEDGE / "supp.xml",
    "orphanet": KNOWLEDGE / "orphanet.xml",
    "terms": KNOWLEDGE / "terms.tsv",
    "indra-json": KNOWLEDGE / "terms.json",
    "triples": KNOWLEDGE / "typed.tsv",
    "nodes": KNOWLEDGE / "hetio_nodes.tsv",
    "hpo-annotations": KNOWLEDGE / "small.hpoa",
    "hpo-genes": KNOWLEDGE / "genes_to_phenotype.txt",
    "snomed-rf2": KNOWLEDGE / "rf2",
    "umls-rrf": KNOWLEDGE / "rrf",
}

BUNDLE = {
    "resourceType": "Bundle",
    "entry": [
        {"resource": {"resourceType": "Patient", "id": "p1", "gender": "female",
                      "birthDate": "1950-02-03", "name": [{"given": ["A"], "family": "B"}]}},
        {"resource": {"resourceType": "Condition", "id": "c1",
                      "subject": {"reference": "Patient/p1"},
                      "code": {"coding": [{"code": "1", "system": "s", "display": "Asthma"}]},
                      "onsetDateTime": "2001-05-06"}},
        {"resource": {"resourceType": "Observation", "id": "o1",
                      "subject": {"reference": "Patient/p1"}, "effectiveDateTime": "2002-01-01",
                      "code": {"coding": [{"code": "2", "display": "Weight"}]},
                      "valueQuantity": {"value": 70.5, "unit": "kg"}}},
    ],
}  # fmt: skip
SMALL = {
    "fhir": ("bundle.json", json.dumps(BUNDLE)),
    "clinical-triples": (
        "ward.tsv",
        "head\thead_type\trelation\ttail\ttail_type\nP7\tpatient\ttakes\taspirin\tdrug\n"
        "P7\tpatient\thas\tasthma\tdisease\n",
    ),
    "fhir-tables": (
        "patients.tsv",
        "patient\tname\tgender\tbirthDate\np1\tA B\tfemale\t1950-02-03\n",
    ),
    "omop": ("person.csv", "person_id,gender_concept_id,year_of_birth\n7,8532,1950\n"),
    "pairs": ("pairs.csv", "question,answer\nDoes gout hurt?,Yes.\nIs it rare?,No.\n"),
    "medquad": (
        "0000007.xml",
        '<Document id="0000007" source="S" url=""><Focus>Sample fever</Focus><QAPairs>'
        '<QAPair pid="1"><Question qid="0000007-1" qtype="treatment">How is it treated?</Question>'
        "<Answer>With rest.</Answer></QAPair></QAPairs></Document>",
    ),
    "images": ("pictures.tsv", "entity\tfile\nasthma\ta.png\n"),
    "brat": (
        "7.ann",
        "T1\tDisease 0 6\tasthma\nT2\tDrug 10 17\taspirin\nR1\ttreats Arg1:T2 Arg2:T1\n",
    ),
}


def seeds(folder: Path) -> dict[str, Path]:
    """A file or a folder for each reader that has one; written where it is not there yet."""
    found = dict(FILES)
    for name, (file, text) in SMALL.items():
        path = folder / name / file
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            path.with_suffix(".txt").write_text("asthma and aspirin", "utf-8")
        found[name] = path
    leaf = folder / "pdf" / "paper.pdf"
    if not leaf.exists():
        leaf.parent.mkdir(parents=True, exist_ok=True)
        leaf.write_bytes(pdf([[(60.0, 700.0, 12.0, "Statins and muscle pain in older adults")]]))
    found["pdf"] = leaf
    marks = folder / "simulated"
    if not marks.exists():
        simulate(marks, seed=1, scale=0.02)
    for _, file, reader in WRITERS.values():
        found.setdefault(reader, marks / file)
    known = {name for name, reader in readers if reader.__module__.startswith("osler.")}
    return {name: path for name, path in found.items() if name in known}
