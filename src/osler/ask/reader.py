"""The default answerer: a symbolic reading of the question beside a small learned scorer.

The question is read without any template (``osler.ask.reading``), walks through the graph that
fit what it mentions are scored by how well their relations and types answer to its words, and the
best is executed. Relation names that no training saw work alike. A refusal is an answer: an unknown
patient, a fact that the records lack, or too little confidence.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from osler.ask.answer import Answer
from osler.ask.answerer import Answerer, answerers, checked
from osler.ask.reading.answering import Executed, finish
from osler.ask.reading.explain import path_text, reasons, sources
from osler.ask.reading.names import Names
from osler.ask.reading.namesakes import bearers, note, settle
from osler.ask.reading.question import Reading, read
from osler.ask.reading.relevance import Elements, Relevance, WordEncoder
from osler.ask.reading.scorer import BITS, Row, Scorer, fit_memory, fit_weights
from osler.ask.reading.search import Candidate, Search, candidates
from osler.ask.reading.trust import DOUBTED, doubts, facts_of, fit_trust, invented
from osler.ask.reading.walk_evidence import SIZE, features, grams, memory_keys, signature
from osler.records.kb import ClinicalKB
from osler.records.questions import Question

KEPT = 120
# Candidates of a question that training looks at.
TRAINED = 40
# Questions in which training must have met a word to call it common.
COMMON = 3


@answerers.register("reader")
class ReaderAnswerer(Answerer):
    name = "reader"
    help = "reads the question symbolically, scores walks by a small learned model (default)"
    needs: ClassVar[frozenset[str]] = frozenset({"unanswerable"})

    def __init__(
        self, kb: ClinicalKB, *, scorer: Scorer | None = None, encoder: WordEncoder | None = None
    ) -> None:
        super().__init__(kb)
        self.encoder = encoder
        self.scorer = scorer or Scorer.default(encoder=encoder is not None)
        self.names = Names(kb)
        self.elements = Elements(kb, encoder)

    def warm(self) -> None:
        """Build the lookups that the first question would otherwise wait for."""
        _ = self.kb.owner, self.names.holding, self.kb.schema, self.kb.numbers, self.kb.dates

    # reading

    def prepare(self, text: str) -> tuple[Reading, Relevance, list[Candidate]]:
        """The reading and its candidates with features, unscored."""
        reading = read(self.names, text)
        relevance = Relevance(self.elements, reading)
        reading.namesakes = settle(self.kb, reading)
        if reading.unknown_patient or reading.namesakes:
            return reading, relevance, []
        search = Search(self.kb, reading, relevance)
        items = candidates(search)
        if len(items) > KEPT:
            # The shortest walks always stay: their relation may share no word with the question.
            items.sort(
                key=lambda item: (
                    len(item.walk.codes) - len(item.walk.passed) > 1,
                    -search.worth(item.walk),
                )
            )
            items = items[:KEPT]
        rows = features(self.kb, reading, relevance, items)
        for item, row in zip(items, rows, strict=True):
            item.features = row
        return reading, relevance, items

    def ask(self, question: str, *, explain: bool = False) -> Answer:
        text = checked(question)
        reading, relevance, items = self.prepare(text)
        answer = Answer(question=question, method=self.name)
        if reading.unknown_patient:
            answer.note = f"there is no patient {reading.unknown_patient} in these records"
            answer.confidence = 0.99
            return answer
        if reading.namesakes:
            answer.note = note(self.kb, reading.namesakes)
            answer.candidates = bearers(self.kb, reading.namesakes)
            return answer
        if reading.points_at_nobody:
            answer.note = f"“{reading.points_at_nobody}” is nobody whom the question names"
            return answer
        scores = self.scorer.scores(self.kb, reading.masked, items)
        done = finish(self.kb, reading, relevance, items, scores, self.scorer)
        if done is None:
            answer.note = _nothing(reading)
            return answer
        facts = facts_of(reading, relevance, items, scores, done, self.scorer)
        answer.confidence = self.scorer.confidence(facts)
        open_ = doubts(reading, facts, items, done)
        if open_:
            answer.confidence = min(answer.confidence, DOUBTED)
        answer.path = path_text(self.kb, reading, done)
        if answer.confidence < self.scorer.floor:
            answer.note = "no answer in these records is sure enough"
            if explain:
                answer.reasons = reasons(self.kb, reading, relevance, done, self.scorer)
            return answer
        answer.answers, answer.entities, answer.note = (
            done.names,
            [self.kb.ids[n] for n in done.nodes],
            "; ".join([done.note, *open_] if done.note else open_),
        )
        answer.sources = sources(self.kb, done)
        if explain:
            answer.reasons = reasons(self.kb, reading, relevance, done, self.scorer)
        return answer

    # learning

    def fit(
        self,
        questions: Sequence[Question],
        *,
        dev: Sequence[Question] = (),
        seed: int = 0,
        progress: Callable[[str], None] | None = None,
        weights: bool = True,
        memory: bool = True,
        unanswerable: Sequence[str] = (),
        rows: Sequence[Row] | None = None,
    ) -> dict[str, float]:
        """Weights on all questions, memory on top, then confidence on ``dev`` and
        ``unanswerable``. ``rows`` are the questions as ``rows`` has read them before."""
        started = time.perf_counter()
        say = progress or (lambda _: None)
        fresh = Scorer(self.scorer.weights)
        if rows is None:
            rows = self.rows(questions, progress=say)
        readable = [row for row in rows if row.right.any()]
        if weights:
            fresh.weights = fit_weights(
                [(r.features, r.right) for r in readable], start=self.scorer.weights, seed=seed
            )
            say("weights learned")
        keys: frozenset[str] = frozenset()
        kept = None
        if memory:
            keys = frozenset(name for row in readable for name in row.names)
            kept = fit_memory(fresh.weights, readable, seed=seed)
            say(f"memory learned: {len(keys)} keys in {1 << BITS} places")
        met = Counter(word for row in rows for word in row.words)
        self.scorer = Scorer(
            fresh.weights,
            memory=kept,
            keys=sorted(keys),
            trust=self.scorer.trust,
            floor=self.scorer.floor,
            curve=self.scorer.curve,
            words=sorted(w for w, n in met.items() if n >= COMMON and w.isalpha()),
        )
        measures = {
            "questions": float(len(questions)),
            "readable": len(readable) / max(len(questions), 1),
        }
        if dev:
            measures |= self.calibrate(dev, unanswerable)
            say(
                f"confidence calibrated on {len(dev)} questions and {len(unanswerable)} "
                f"without an answer"
            )
        measures["seconds"] = time.perf_counter() - started
        measures["examples_a_second"] = len(questions) / max(measures["seconds"], 1e-9)
        return measures

    def rows(
        self, questions: Sequence[Question], *, progress: Callable[[str], None] | None = None
    ) -> list[Row]:
        """The questions read for training: several trainings can share them."""
        started = time.perf_counter()
        result = []
        for at, question in enumerate(questions, 1):
            reading, _, items = self.prepare(question.question)
            right = self.right(items, question)
            if len(items):
                x = np.asarray([i.features for i in items])
                order = np.argsort(-(x @ self.scorer.weights), kind="stable")[:TRAINED]
                chosen = sorted(set(order.tolist()) | set(np.flatnonzero(right).tolist()[:5]))
                items, right = [items[i] for i in chosen], right[chosen]
            names = [memory_keys(self.kb, i.walk) for i, r in zip(items, right, strict=True) if r]
            result.append(
                Row(
                    np.asarray([i.features for i in items], dtype=np.float32).reshape(-1, SIZE),
                    right,
                    grams(reading.masked),
                    self.scorer.key_hashes(self.kb, items),
                    frozenset(n for some in names for n in some),
                    frozenset(reading.masked),
                )
            )
            if progress and at % 500 == 0:
                rate = at / (time.perf_counter() - started)
                progress(f"read {at} of {len(questions)} questions, {rate:.0f} a second")
        return result

    def calibrate(self, dev: Sequence[Question], unanswerable: Sequence[str]) -> dict[str, float]:
        """Confidence as the chance to be right, and the floor under which an answer is kept
        back."""
        rows, right, answerable = [], [], []
        strange = invented([q.question for q in dev], [[n for _, n in q.constraints] for q in dev])
        for text, gold in [
            *((q.question, q) for q in dev),
            *((u, None) for u in [*unanswerable, *strange]),
        ]:
            reading, relevance, items = self.prepare(text)
            scores = self.scorer.scores(self.kb, reading.masked, items)
            done = finish(self.kb, reading, relevance, items, scores, self.scorer)
            if done is None:
                continue
            rows.append(facts_of(reading, relevance, items, scores, done, self.scorer))
            right.append(gold is not None and same(self.kb, done, gold))
            answerable.append(gold is not None)
        fitted = fit_trust(np.asarray(rows), np.asarray(right), np.asarray(answerable))
        self.scorer.trust, self.scorer.curve, self.scorer.floor = (
            fitted.weights,
            fitted.curve,
            fitted.floor,
        )
        return {"floor": fitted.floor}

    def right(self, items: Sequence[Candidate], question: Question) -> np.ndarray:
        number = self.kb.number_of
        gold = {number[i] for i in question.entities if i in number}
        if not gold and question.answers:
            wanted = set(question.answers)
            return np.asarray(
                [{self.kb.names[n] for n in i.nodes.tolist()} == wanted for i in items], dtype=bool
            )
        return np.asarray(
            [len(i.nodes) == len(gold) and set(i.nodes.tolist()) == gold for i in items], dtype=bool
        )

    # folders

    def save(self, folder: str | Path, *, measures: dict[str, float] | None = None) -> None:
        from osler.ask.saving import save

        save(
            folder,
            self.scorer.tensors(),
            self.scorer.config(),
            name=self.name,
            measures=measures or {},
        )

    def load(self, folder: str | Path) -> None:
        from osler.ask.saving import load

        tensors, config = load(folder, "reader")
        self.scorer = Scorer.from_tensors(tensors, config)


def same(kb: ClinicalKB, done: Executed, gold: Question) -> bool:
    if gold.entities:
        return {kb.ids[n] for n in done.nodes} == set(gold.entities)
    return set(done.names) == set(gold.answers)


def _nothing(reading: Reading) -> str:
    named = [m.name for m in reading.mentions if not m.patient and not m.weak]
    if reading.patients and named:
        return "these records of the patient do not hold what the question names"
    if not reading.mentions:
        return "nothing in the question is known to these records"
    return "no answer in these records"


__all__ = ["ReaderAnswerer", "same", "signature"]
