"""The answerer over facts: a question is read into a form, the form is run.

Its confidence says how often an answer like it is right: what was only understood in part, through
a corrected word, a part of a name or a doubtful scope, lowers it.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from osler.ask.answer import Answer
from osler.ask.answerer import Answerer, answerers, checked
from osler.ask.form.certainty import SURE, confidence
from osler.ask.form.clause_reading import LEANING
from osler.ask.form.compiling import LASTING, Compiler
from osler.ask.form.form import Form, What
from osler.ask.form.people import People
from osler.ask.form.reading import Reader, Reading
from osler.ask.form.relation import MemoryFacts, Relation, SqliteFacts
from osler.ask.form.running import Runner
from osler.ask.form.showing import standing
from osler.ask.form.terminology import Terminology
from osler.ask.form.vocabulary import Vocabulary
from osler.errors import InputError
from osler.knowledge.graph import Graph
from osler.records.kb import ClinicalKB
from osler.records.questions import Question


@answerers.register("form")
class FormAnswerer(Answerer):
    """Answers over one relation of facts; what it needs is read once, and again when it changed."""

    name = "form"
    help = "reads the question into a form that is shown, and runs it over the facts (default)"

    def __init__(
        self,
        source: Relation | ClinicalKB,
        *,
        today: Callable[[], datetime.date] = datetime.date.today,
        graph: Callable[[], Graph | None] = lambda: None,
    ) -> None:
        """``graph`` gives the terminologies of the library, loaded when they are first needed."""
        self.graph = graph
        # A knowledge base alone is a graph of what is true: it has no facts to ask.
        self.relation = source if isinstance(source, Relation) else MemoryFacts(())
        if isinstance(source, ClinicalKB):
            self.kb = source
        self.today = today
        self._stamp = ""
        self._vocabulary: Vocabulary | None = None
        self._people: People | None = None

    def warm(self) -> None:
        """Read names and people, unless those that were read still hold."""
        stamp = self.relation.stamp()
        if self._vocabulary is None or stamp != self._stamp:
            graph = self.graph()
            known = Terminology(graph) if graph is not None else None
            self._vocabulary = Vocabulary(self.relation.names(), known)
            self._people = People(self.relation.people())
            self._stamp = stamp

    @property
    def people(self) -> People:
        self.warm()
        assert self._people is not None
        return self._people

    def read(self, question: str, *, before: Form | None = None) -> Reading:
        self.warm()
        assert self._vocabulary is not None
        assert self._people is not None
        reader = Reader(self._vocabulary, self._people, today=self.today())
        return reader.read(checked(question), before=before)

    def ask(self, question: str, *, explain: bool = False, before: Form | None = None) -> Answer:
        answer, rest, new = self.weighed(question, before=before)
        if answer.form:
            answer.confidence = round(confidence(rest, new=new), 4)
        return answer

    def weighed(self, question: str, *, before: Form | None = None) -> tuple[Answer, float, bool]:
        """An answer, what the doubts of its reading and of its facts left of its certainty, and
        whether its wording is new: what its confidence is made of."""
        reading = self.read(question, before=before)
        if reading.form is None:
            note = reading.refusal or "not understood"
            refused = Answer(question=question, method=self.name, note=note, confidence=0.9)
            return refused, 1.0, False
        answer = self.run(reading.form, question)
        if reading.silent and self._only_once(reading.form, answer):
            reading.sure *= LEANING
            reading.doubts.append("what is over is taken to be asked for too")
        answer.note = "; ".join([*reading.doubts, answer.note]).strip("; ")
        return answer, answer.confidence / SURE * reading.sure, reading.new

    def _only_once(self, form: Form, answer: Answer) -> bool:
        """Whether an answer to words that are silent about time holds what is over by now."""
        assert form.what is not None
        now = msgspec.structs.replace(form, what=msgspec.structs.replace(form.what, when="now"))
        return form.what.when == "ever" and self.run(now).answers != answer.answers

    def describes(self) -> bool:
        """Whether the facts describe people, and do not only number them."""
        relation = self.relation
        return not isinstance(relation, SqliteFacts) or relation.describes()

    def states(self, patient: str) -> dict[str, str]:
        """What of a patient's drugs, conditions and the like no fact says simply so: stopped,
        resolved, on hold, suspected, absent; by the entity of the graph that stands for it, or by
        name where none does."""
        compiler = Compiler(self.relation, self.today())
        simply: set[str] = set()
        states: dict[str, str] = {}
        with self.relation.connect() as connection:
            for kind in LASTING:
                query = compiler.rows(What((kind,), when="any", sure="any"), [patient])
                for fact in self.relation.whole(connection, connection.execute(query).all()):
                    keys = {fact.entity or fact.id, fact.name.casefold()}
                    if said := standing(fact):
                        states |= dict.fromkeys(keys, said)
                    else:
                        simply |= keys
        return {key: said for key, said in states.items() if key not in simply}

    def names_stranger(self, question: str) -> bool:
        """Whether a question names somebody whom no fact is about."""
        return bool(self.read(question).whom.unknown)

    def run(self, form: Form, question: str = "") -> Answer:
        """The answer to a form that was given instead of words."""
        self.warm()
        assert self._people is not None
        return Runner(self.relation, self._people, self.today()).run(form, question)

    def fit(
        self,
        questions: Sequence[Question],
        *,
        dev: Sequence[Question] = (),
        seed: int = 0,
        progress: Callable[[str], None] | None = None,
    ) -> dict[str, float]:
        raise InputError(
            "forms are read by rules; there is nothing to train", cure="train reader or aar"
        )

    def save(self, folder: str | Path, *, measures: dict[str, float] | None = None) -> None:
        raise InputError("forms are read by rules; there is nothing to save")

    def load(self, folder: str | Path) -> None:
        raise InputError("forms are read by rules; there is nothing to load")
