"""A thing goes by several names: an answer that uses another one still names it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from osler.kinds import Entity, Pair
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.match.concepts import Concepts
from osler.match.known import Known
from osler.match.learned import learned
from osler.match.matcher import Candidate
from osler.match.other_names import everyday_names
from osler.match.pool import PairPool
from osler.match.signs import SignReader
from osler.match.texts import Texts


def own_terminology() -> Known:
    """A disease under two names, a kind of it, and a thing above both."""
    graph = Graph.build(
        [
            Entity(id="X:0", name="Wobble disorder"),
            Entity(id="X:1", name="Morbus Testii", synonyms=("wobbly feet",), parents=("X:0",)),
            Entity(id="X:2", name="Tiny morbus", parents=("X:1",)),
            Entity(id="X:3", name="Miniature morbus", parents=("X:2",)),
            Entity(id="X:4", name="Least morbus", parents=("X:3",)),
        ]
    )
    return Known(graph, Linker.build(graph))


def signs_of(question: str, answer: str, *, known: Known | None = None) -> dict[str, float]:
    reader = SignReader(Texts(), known=known)
    return reader.read(question, [Candidate("1", answer)])[0]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What are the signs of a heart attack?", "Myocardial infarction begins with pressure."),
        ("How is a myocardial infarction treated?", "After heart attacks people get aspirin."),
        ("What lowers high blood pressure?", "Less salt lowers hypertension."),
        ("血压高怎么办？", "高血压患者应少吃盐。"),
        ("烧心怎么办？", "胃灼热可以服用奥美拉唑。"),
    ],
)
def test_an_answer_names_what_it_calls_otherwise(question: str, answer: str) -> None:
    reader = SignReader(Texts())
    candidate = Candidate("1", answer)
    assert reader.read(question, [candidate])[0]["named"] > 0.6
    assert reader.lacking(question, candidate) == []


def test_another_thing_is_not_named() -> None:
    signs = signs_of("What are the signs of a heart attack?", "Stroke begins with a limp arm.")
    assert signs["named"] == 0.0
    assert signs["lacks"] > 0.2


def test_the_library_s_own_terminology_counts_beside_the_package_s() -> None:
    known = own_terminology()
    question, answer = "Who gets wobbly feet?", "Morbus Testii is found in testers."
    assert signs_of(question, answer)["all named"] == 0.0
    assert signs_of(question, answer, known=known)["all named"] == 1.0
    # The package's names are not lost where a library has its own.
    lowered = signs_of("What lowers high blood pressure?", "Salt and hypertension.", known=known)
    assert lowered["all named"] == 1.0


def test_kinds_of_a_thing_are_kin_and_no_more() -> None:
    concepts = Concepts([own_terminology()])
    question = "Who gets morbus testii?"
    span = frozenset({(9, 22)})
    assert concepts.kin(question, "About the tiny morbus.") == span
    assert concepts.kin(question, "About the miniature morbus.") == span
    assert concepts.kin(question, "About the least morbus.") == frozenset()
    assert concepts.kin(question, "About any wobble disorder.") == span
    # Two steps up is too far.
    assert concepts.kin("Who gets tiny morbus?", "About any wobble disorder.") == frozenset()


def test_a_question_is_said_in_the_words_of_a_text() -> None:
    concepts = Concepts.beside(own_terminology())
    asked = "Do wobbly feet come with high blood pressure?"
    said = concepts.in_words_of("Morbus testii and hypertension meet; then wobbly feet.", asked)
    assert said == "Do Morbus testii come with hypertension?"
    # What the text calls alike, or does not name, stays.
    assert concepts.in_words_of("High blood pressure, again.", asked) == asked
    assert concepts.in_words_of("Nothing of the kind.", asked) == asked


def test_other_wordings_come_one_thing_at_a_time() -> None:
    concepts = Concepts([own_terminology()])
    assert concepts.wordings("Who gets wobbly feet?") == [
        "Who gets wobbly feet?",
        "Who gets Morbus Testii?",
    ]
    assert concepts.wordings("Who gets gout?") == ["Who gets gout?"]
    many = Concepts.beside(None).wordings("high blood pressure, heart attack, stroke")
    assert len(many) == 9
    assert "hypertension, heart attack, stroke" in many
    assert "high blood pressure, myocardial infarction, stroke" in many
    # Names in another language, and turned ones, find nothing.
    assert all(one.isascii() for one in many)


def test_the_pool_finds_what_goes_by_another_name() -> None:
    asked = ["How is a myocardial infarction treated?", "How is a panic attack treated?"]
    asked += [f"Who should treat heart number {n}?" for n in range(30)]
    pairs = [Pair(id=str(n), question=one, answer=f"By {n}.") for n, one in enumerate(asked)]
    pool = PairPool.of(pairs, Texts())
    assert pool.candidates("What do they do for heart attacks?", most=3)[0].id == "0"


def test_the_encoder_chooses_what_is_read_closely() -> None:
    class Last:
        """Finds the question alike to what ends in the same word."""

        fingerprint = learned().encoder

        def reads(self, text: str) -> bool:
            return True

        def encode(self, texts: Sequence[str]) -> np.ndarray:
            ends = [text.rstrip("?").split()[-1] for text in texts]
            return np.array([[float(end == "gout"), float(end != "gout")] for end in ends])

    some = [
        Candidate(str(n), "Rest.", f"What of {end}?") for n, end in enumerate(["a", "b", "gout"])
    ]
    reader = SignReader(Texts(), encoders=[Last()])  # type: ignore[arg-type]
    assert reader.nearest("Who has gout?", some) == [2, 0, 1]
    assert SignReader(Texts()).nearest("Who has gout?", some) == [0, 1, 2]
    (signs,) = reader.read("Who has gout?", [Candidate("1", "Rest and gout", "What of toes?")])
    assert (signs["near"], signs["near asked"]) == (1.0, 0.0)
    bare = [Candidate("1", "Rest."), Candidate("2", "Gout.")]
    assert reader.nearest("Who has gout?", bare) == [0, 1]


def test_what_is_kin_counts_apart() -> None:
    known = own_terminology()
    signs = signs_of("Who gets wobbly feet?", "The tiny morbus is rare.", known=known)
    assert signs["kin"] == pytest.approx(1.0)
    assert signs["named"] == 0.0
    named = signs_of("Who gets wobbly feet?", "Tiny morbus; morbus testii.", known=known)
    assert named["kin"] == 0.0


def test_without_terminologies_nothing_meets() -> None:
    assert Concepts([]).in_words_of("gouty arthritis", "gout") == "gout"
    assert Concepts([]).kin("gout", "gout") == frozenset()
    assert Concepts([]).wordings("gout") == ["gout"]


def test_the_package_s_table_is_sound() -> None:
    graph = everyday_names().graph
    entities = list(graph.entities())
    assert len(entities) > 400
    # Each parent is there: one that is not would be left out in silence.
    assert graph.parents("everyday:myocardial infarction") == ["everyday:heart disease"]
    names = [name.lower() for entity in entities for name in entity.names]
    assert len(names) == len(set(names))
    assert all(name == name.strip() and name for name in names)
