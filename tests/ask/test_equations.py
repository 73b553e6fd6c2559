"""The equations of AAR (seed 004) against numbers worked out by hand, and who keeps patients apart.

The question has two words whose hidden states are (1, 0) and (0, 2); the LSTM is taken out, so that
the states are the word vectors themselves. Two aspects, each with an embedding, a W and a b of its
own. Worked out with a pocket calculator, step by step:

    entity: W = [[1, 0], [0, 2]], b = (0.5, 0), h = (1, -0.5)
      tanh(W h_1 + b) = tanh(1.5, 0) = (0.905148, 0)          u_1 = 0.905148
      tanh(W h_2 + b) = tanh(0.5, 4) = (0.462117, 0.999329)   u_2 = 0.462117 - 0.499665 = -0.037547
      alpha = (0.719644, 0.280356), r = (0.719644, 0.560712)
      s = 0.719644 - 0.280356 = 0.439288, w = 0.5 * 0.719644 + 1 * 0.560712 = 0.920534
    type: W = [[0.5, 0.25], [0, 1]], b = (0, -0.5), h = (0.2, 1)
      u = (-0.369694, 0.997572), alpha = (0.203062, 0.796938), r = (0.203062, 1.593876)
      s = 1.634488, w = 1.695407
    S = 0.920534 * 0.439288 + 1.695407 * 1.634488 = 0.404379 + 2.771123 = 3.175502
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from osler.ask.aspects import Batch, Example
from osler.ask.candidates import Candidates, candidates
from osler.ask.reader import ReaderAnswerer
from osler.kinds import Entity, Triple
from osler.records.kb import ClinicalKB
from osler.records.query import Query, Variable
from osler.records.questions import Question

torch = pytest.importorskip("torch", reason="the models of ask need torch")


def network() -> Any:
    from osler.ask.aar import _module_class

    made = _module_class()(
        ("entity", "type"), words=4, entities=3, types=3, paths=3, size=2, hidden=1, spread=1.0
    )

    class AsTheyAre(torch.nn.Module):  # type: ignore[misc]
        def forward(self, packed: Any) -> tuple[Any, None]:
            return packed, None

    made.lstm = AsTheyAre()
    with torch.no_grad():
        made.words.weight[2] = torch.tensor([1.0, 0.0])
        made.words.weight[3] = torch.tensor([0.0, 2.0])
        made.tables["of_entity"].weight[2] = torch.tensor([1.0, -0.5])
        made.tables["of_type"].weight[2] = torch.tensor([0.2, 1.0])
        made.align["to_entity"].weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 2.0]]))
        made.align["to_entity"].bias.copy_(torch.tensor([0.5, 0.0]))
        made.align["to_type"].weight.copy_(torch.tensor([[0.5, 0.25], [0.0, 1.0]]))
        made.align["to_type"].bias.copy_(torch.tensor([0.0, -0.5]))
    return made


def batch(words: list[list[int]]) -> Batch:
    one = torch.tensor([[2]] * len(words))
    tokens = torch.tensor(words)
    return Batch(tokens, tokens != 0, {"entity": one, "type": one}, None)


def test_equations_1_to_6() -> None:
    with torch.no_grad():
        total, weights, attention = network()(batch([[2, 3]]))
    assert attention["entity"][0, 0].tolist() == pytest.approx([0.719644, 0.280356], abs=1e-5)
    assert attention["type"][0, 0].tolist() == pytest.approx([0.203062, 0.796938], abs=1e-5)
    assert weights["entity"].item() == pytest.approx(0.920534, abs=1e-5)
    assert weights["type"].item() == pytest.approx(1.695407, abs=1e-5)
    assert total.item() == pytest.approx(3.175502, abs=1e-5)


def test_padding_changes_nothing() -> None:
    with torch.no_grad():
        alone = network()(batch([[2, 3]]))[0][0]
        padded = network()(batch([[2, 3, 0], [2, 2, 3]]))[0][0]
    assert alone.item() == pytest.approx(padded.item(), abs=1e-6)


class Scored(torch.nn.Module):  # type: ignore[misc]
    """A network that gives the scores it was told."""

    def __init__(self, scores: list[list[float]]) -> None:
        super().__init__()
        self.told = torch.tensor(scores)

    def forward(self, batch: Batch) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        return self.told, {}, {}


def model(**options: Any) -> Any:
    from osler.ask.aar import AAR

    return AAR(ClinicalKB.build([], []), **options)


def test_equation_7_keeps_a_margin() -> None:
    # Pairs (1.0, 0.8) and (0.2, 0.9): 0.5 - 1.0 + 0.8 = 0.3, 0.5 - 0.2 + 0.9 = 1.2; the third pair
    # (9, 0) is padding, the fourth (2, 1) is far enough apart. (0.3 + 1.2 + 0) / 3 = 0.5.
    made = model()
    assert made.margin == 0.5
    made.module = Scored([[1.0, 0.2, 9.0, 2.0, 0.8, 0.9, 10.0, 1.0]])
    valid = torch.tensor([[1.0, 1.0, 0.0, 1.0]])
    loss = made.loss(Batch(None, None, {}, valid))
    assert loss.item() == pytest.approx(0.5, abs=1e-6)


def test_equation_8_takes_all_within_the_margin() -> None:
    made = model()
    made.module = Scored([[2.0, 1.7, 1.5, 1.51, -3.0]])
    none = np.zeros(5, dtype=np.int64)
    found = Candidates(none, np.arange(5), [""] * 5)
    example = Example(np.ones(1, dtype=np.int64), none, none, none, none, none > 0, found)
    assert made.choose(example).tolist() == [True, True, False, True, False]


def two_patients() -> ClinicalKB:
    """Both take aspirin, which is shared; only the second one's prescription has a dose."""
    entities = [
        *(Entity(id=f"p{n}", name=f"P{n}", type="patient") for n in (1, 2)),
        Entity(id="rx2", name="rx2", type="prescription"),
        Entity(id="aspirin", name="aspirin", type="drug"),
        Entity(id="dose2", name="75 mg", type="dose"),
        Entity(id="dose3", name="10 mg", type="dose"),
    ]
    triples = [
        Triple("p1", "takes", "aspirin", "a:1"),
        Triple("p2", "takes", "aspirin", "a:2"),
        Triple("p2", "prescription", "rx2", "a:3"),
        Triple("rx2", "drug", "aspirin", "a:4"),
        Triple("rx2", "dose", "dose2", "a:5"),
        Triple("p2", "dose", "dose3", "a:6"),
    ]
    return ClinicalKB.build(entities, triples)


def test_candidates_stay_with_the_patient() -> None:
    kb = two_patients()
    asked = Question(id="", question="", topic_entity=("patient", "P1"), answer_type="dose")
    assert [kb.names[n] for n in candidates(kb, asked).nodes] == []
    asked = Question(id="", question="", topic_entity=("patient", "P2"), answer_type="dose")
    assert {"75 mg", "10 mg"} <= {kb.names[n] for n in candidates(kb, asked).nodes}


def test_a_walk_of_the_reader_stays_with_the_patient() -> None:
    from osler.ask.reading.question import read
    from osler.ask.reading.relevance import Relevance
    from osler.ask.reading.search import Search

    kb = two_patients()
    reader = ReaderAnswerer(kb)
    reading = read(reader.names, "What dose of aspirin does patient P1 take?")
    search = Search(kb, reading, Relevance(reader.elements, reading))
    search.patient = kb.number_of["p1"]
    around = search.groups(np.asarray([kb.number_of["aspirin"]]))
    reached = {kb.ids[n] for _, _, nodes in around for n in nodes.tolist()}
    assert "rx2" not in reached
    # A name that is another patient's own is not taken for this one's.
    named = read(reader.names, "Does patient P1 take 75 mg?")
    search = Search(kb, named, Relevance(reader.elements, named))
    search.patient = kb.number_of["p1"]
    of_dose = [i for i, m in enumerate(named.mentions) if "75 mg" in m.name]
    assert of_dose
    assert [n for i in of_dose for n in search._mentioned(i).tolist()] == []


def test_a_query_stays_with_the_patient() -> None:
    kb = two_patients()
    dose = kb.types.index("dose")
    drug = kb.types.index("drug")
    order = kb.types.index("prescription")
    code = {name: 2 * at for at, name in enumerate(kb.relations)}
    query = Query(
        variables=[
            Variable(nodes=np.asarray([kb.number_of["p1"]])),
            Variable(type=drug),
            Variable(type=order),
            Variable(type=dose),
        ],
        edges=[(0, 1, code["takes"]), (1, 2, code["drug"] + 1), (2, 3, code["dose"])],
        answer=3,
        patient=kb.number_of["p1"],
    )
    from osler.records.query import execute

    assert execute(kb, query).answers(query).tolist() == []


def test_absent_is_not_present() -> None:
    entities = [
        Entity(id="p1", name="P1", type="patient"),
        Entity(id="fever", name="fever", type="problem"),
        Entity(id="cough", name="cough", type="problem"),
        Entity(id="no", name="absent", type="assertion"),
        Entity(id="yes", name="present", type="assertion"),
    ]
    triples = [
        Triple("p1", "has problem", "fever", "n:1"),
        Triple("fever", "has assertion", "no", "n:1"),
        Triple("p1", "has problem", "cough", "n:2"),
        Triple("cough", "has assertion", "yes", "n:2"),
    ]
    reader = ReaderAnswerer(ClinicalKB.build(entities, triples))
    assert reader.ask("Does patient P1 have cough?").answers != ["no"]
    assert "yes" not in [a.casefold() for a in reader.ask("Does patient P1 have fever?").answers]
