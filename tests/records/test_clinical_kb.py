"""The knowledge base's arrays, its queries, and that nobody sees another patient's facts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from osler.errors import FormatError
from osler.files.source import Source
from osler.kinds import Entity, Reject, Triple
from osler.records.kb import BOTH, ClinicalKB, merge, normalise
from osler.records.opening import holds_patients
from osler.records.query import Query, Variable, execute
from osler.records.readers.clinical_triples import ClinicalTriples

TSV = """head\thead_type\trelation\ttail\ttail_type
P1\tpatient\thas rx\trx1\tprescription
rx1\tprescription\tdrug\tmetformin\tmedication
rx1\tprescription\tdose\t500 mg\tdose
P2\tpatient\thas rx\trx2\tprescription
rx2\tprescription\tdrug\tmetformin\tmedication
rx2\tprescription\tdose\t850 mg\tdose
P2\tpatient\tborn\t1950-02-01\tdate
"""


@pytest.fixture
def kb(tmp_path: Path) -> ClinicalKB:
    path = tmp_path / "hospital.tsv"
    path.write_text(TSV, encoding="utf-8")
    return ClinicalKB.read(path)


def node(kb: ClinicalKB, name: str) -> int:
    return kb.named(name)[0]


def test_typed_triples_are_records(kb: ClinicalKB) -> None:
    assert [kb.names[n] for n in kb.patients] == ["P1", "P2"]
    assert kb.sources[0] == "hospital.tsv:2"
    assert kb.ids[node(kb, "metformin")] == "medication:metformin"


def test_owner_keeps_patients_apart(kb: ClinicalKB) -> None:
    one = node(kb, "P1")
    seen = {kb.names[n] for n in range(len(kb)) if kb.may_see(one, np.asarray([n]))[0]}
    assert seen == {"P1", "rx1", "metformin", "500 mg"}


def test_tree_query(kb: ClinicalKB) -> None:
    code = {r: 2 * i for i, r in enumerate(kb.relations)}
    query = Query()
    patient = query.add(Variable(nodes=np.asarray([node(kb, "P2")])))
    rx = query.add(Variable())
    dose = query.add(Variable())
    drug = query.add(Variable(nodes=np.asarray(kb.named("metformin"))))
    query.edges = [
        (patient, rx, code["has rx"]),
        (rx, dose, code["dose"]),
        (rx, drug, code["drug"]),
    ]
    query.answer = dose
    assert [kb.names[n] for n in execute(kb, query).answers(query)] == ["850 mg"]
    query.variables[drug].nodes = np.asarray([node(kb, "P1")])
    assert not len(execute(kb, query).answers(query))


def test_numbers_dates_and_tests(kb: ClinicalKB) -> None:
    dose = node(kb, "850 mg")
    assert kb.numbers[dose] == 850
    assert kb.dates[0][node(kb, "1950-02-01")] == 19500201
    query = Query([Variable(type=kb.types.index("dose"), tests=((">", 600.0),))], [], 0)
    assert execute(kb, query).answers(query).tolist() == [dose]
    query = Query([Variable(type=kb.types.index("date"), tests=(("before", "1960"),))], [], 0)
    assert len(execute(kb, query).answers(query)) == 1


def test_either_way_step(kb: ClinicalKB) -> None:
    both = BOTH + kb.relations.index("drug")
    _, reached, _ = kb.step(np.asarray(kb.named("metformin")), both)
    assert {kb.names[n] for n in reached} == {"rx1", "rx2"}


def test_saved_copy_is_the_same(kb: ClinicalKB, tmp_path: Path) -> None:
    kb.save(tmp_path / "copy")
    again = ClinicalKB.load(tmp_path / "copy")
    assert (again.ids, again.names, again.sources) == (kb.ids, kb.names, kb.sources)
    assert (again.triples == kb.triples).all()
    both = merge([kb, again])
    assert len(both) == len(kb)
    assert len(both.triples) == len(kb.triples)


def test_ends_without_an_entity_are_read_off_their_ids() -> None:
    kb = ClinicalKB.build(
        [],
        [
            Triple("record:fhir/u1", "has", "record:fhir/u1/allergy/bee-venom"),
            Triple("a:b", "r", "c"),
        ],
    )
    assert kb.names == ["u1", "bee venom", "b", "c"]
    assert kb.types[kb.type_of[0]] == "patient"


def test_bad_triples(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text(
        TSV + "only\tthree\tfields\n\tpatient\tr\tx\ty\n" + f"{'n' * 2000}\ta\tb\tc\td\n",
        encoding="utf-8",
    )
    rejects = [i for i in ClinicalTriples().read(Source(path)) if isinstance(i, Reject)]
    assert [r.place for r in rejects] == ["line 9", "line 10", "line 11"]
    path.write_text("head\ttail\n", encoding="utf-8")
    with pytest.raises(FormatError):
        list(ClinicalTriples().read(Source(path)))


def test_names_meet_however_they_are_written() -> None:
    assert normalise("Beta-Blocker  (oral)") == "beta blocker oral"
    assert normalise("病人P12的") == "病 人 p12 的"
    assert normalise("HbA1c 7.5%") == "hba1c 7.5"


def test_entities_keep_the_last_word() -> None:
    kb = ClinicalKB.build(
        [Entity(id="x", name="old", type="t"), Entity(id="x", name="new", type="u")], []
    )
    assert (kb.names, kb.types[kb.type_of[0]]) == (["new"], "u")


def test_a_terminology_s_persons_are_no_patients() -> None:
    persons = [Entity(id=f"M:{n}", name=f"person {n}", type="Person") for n in range(3)]
    kinds = [Triple("M:1", "is a", "M:0"), Triple("M:2", "is a", "M:0")]
    assert not holds_patients(ClinicalKB.build(persons, kinds))
    said = [*kinds, Triple("M:1", "takes", "drug:x")]
    assert holds_patients(ClinicalKB.build(persons, said))
