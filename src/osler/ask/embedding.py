"""What the two embedding methods share: training by eq. 7, inference by eq. 8, folders.

Eq. 7 as printed, [gamma + S(q, a) - S(q, a')]+ with a the answer, would push answers down. What
it means is trained here: [gamma - S(q, a) + S(q, a')]+. One gamma serves training and inference:
every candidate within gamma of the best is an answer.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from osler.ask.answer import Answer
from osler.ask.answerer import Answerer, checked
from osler.ask.aspects import Aspects, Batch, Example, pair_batch, whole_batch
from osler.errors import ChoiceError, MissingModel
from osler.kinds import AspectWeights, Heat, Reason
from osler.records.kb import ClinicalKB
from osler.records.questions import Question

UNMEASURED = 0.5
"""How often a network is taken to be right that no held-out question has tried."""


class EmbeddingAnswerer(Answerer):
    """A network that scores candidates; subclasses build it and name their variants."""

    def __init__(
        self,
        kb: ClinicalKB,
        *,
        variant: str = "full",
        size: int = 300,
        hidden: int = 150,
        margin: float = 0.5,
        rate: float = 1e-4,
        epochs: int = 10,
        batch: int = 16,
        pairs: int = 16,
        spread: float = 1.0,
        seed: int = 0,
    ) -> None:
        """``spread``: the standard deviation that embeddings start with; the paper gives none."""
        super().__init__(kb)
        if variant not in self.variants:
            raise ChoiceError("variant", variant, self.variants)
        self.variant, self.size, self.hidden = variant, size, hidden
        self.margin, self.rate, self.epochs = margin, rate, epochs
        self.batch, self.pairs, self.seed = batch, pairs, seed
        self.spread = spread
        self.aspects = Aspects(kb)
        self.module: Any = None
        self.held_out_right = UNMEASURED
        self._reader: Any = None

    @property
    def used(self) -> tuple[str, ...]:
        return self.variants[self.variant]

    @abstractmethod
    def build(self) -> Any:
        """The network for the vocabularies at hand."""

    # learning

    def fit(
        self,
        questions: Sequence[Question],
        *,
        dev: Sequence[Question] = (),
        seed: int = 0,
        progress: Callable[[str], None] | None = None,
        prepared: tuple[Aspects, list[Example], list[Example]] | None = None,
    ) -> dict[str, float]:
        """Train as published: Adam, a constant rate, the epoch that is best on ``dev`` kept."""
        from osler.learn import needs
        from osler.learn.loop import fit
        from osler.learn.seeds import seed_everything

        torch = needs.torch("ask's embedding models")
        started = time.perf_counter()
        if prepared is not None:
            self.aspects, examples, held = prepared
        else:
            contexts = "context" in self.used
            examples = [self.aspects.example(q, grow=True, contexts=contexts) for q in questions]
            held = [self.aspects.example(q, contexts=contexts) for q in dev]
        seed_everything(seed)
        self.module = self.build()
        dense = [p for n, p in self.module.named_parameters() if "of_entity" not in n]
        sparse = [p for n, p in self.module.named_parameters() if "of_entity" in n]
        optimisers = [torch.optim.Adam(dense, lr=self.rate)] if dense else []
        if sparse:
            # Adam on the rows that a batch touches: the table of entities is far larger than a
            # batch.
            optimisers.append(torch.optim.SparseAdam(sparse, lr=self.rate))

        def batches(rng: np.random.Generator) -> Iterator[Batch]:
            order = rng.permutation(len(examples))
            for start in range(0, len(order), self.batch):
                batch = pair_batch(
                    [examples[i] for i in order[start : start + self.batch]],
                    rng,
                    pairs=self.pairs,
                    wanted=self.used,
                )
                if batch is not None:
                    yield batch

        def evaluate() -> float:
            return float(np.mean([self._exact(e) for e in held]))

        fit(
            self.module,
            self.loss,
            batches,
            optimiser=_Several(optimisers),
            epochs=self.epochs,
            evaluate=evaluate if held else None,
            seed=seed,
            progress=progress,
        )
        # Laplace's rule of succession: a few questions that all went well prove little.
        self.held_out_right = (sum(map(self._exact, held)) + 1) / (len(held) + 2)
        seconds = time.perf_counter() - started
        return {
            "seconds": seconds,
            "examples_a_second": len(examples) * self.epochs / max(seconds, 1e-9),
            "reachable": float(np.mean([e.missed == 0 for e in examples])) if examples else 0.0,
        }

    def loss(self, batch: Batch) -> Any:
        """Eq. 7: max(0, margin - S(q, a) + S(q, a')) over pairs of an answer and another
        candidate; positives stand in the first half, negatives in the second."""
        scores = self.module(batch)[0]
        half = scores.shape[1] // 2
        hinge = (self.margin - scores[:, :half] + scores[:, half:]).relu() * batch.valid
        return hinge.sum() / batch.valid.sum()

    def _exact(self, example: Example) -> bool:
        chosen = self.choose(example)
        return example.missed == 0 and bool((chosen == example.gold).all()) and bool(chosen.any())

    def scores(self, example: Example) -> np.ndarray:
        from osler.learn import needs

        torch = needs.torch("ask's embedding models")
        if not len(example.candidates):
            return np.zeros(0)
        with torch.no_grad():
            return np.asarray(self.module(whole_batch(example, self.used))[0][0].numpy())

    def choose(self, example: Example) -> np.ndarray:
        """Eq. 8: the best candidate and all within the margin of it."""
        scores = self.scores(example)
        return scores > scores.max() - self.margin if len(scores) else np.zeros(0, dtype=bool)

    def predict(self, question: Question, *, example: Example | None = None) -> list[str]:
        """Answers of a question whose topic entity and constraints are known, as the paper
        tests."""
        example = example or self.aspects.example(question, contexts="context" in self.used)
        return [self.kb.ids[n] for n in example.candidates.nodes[self.choose(example)].tolist()]

    # a question in words: topic and constraints are found by the reader

    def ask(self, question: str, *, explain: bool = False) -> Answer:
        if self.module is None:
            raise MissingModel(
                f"{self.name} is not trained", cure=f"osler train ask LIB --method {self.name}"
            )
        text = checked(question)
        known = self._grounded(text)
        answer = Answer(question=question, method=self.name)
        if isinstance(known, str):
            answer.note = known
            return answer
        example = self.aspects.example(known, contexts="context" in self.used)
        scores = self.scores(example)
        if not len(scores):
            answer.note = "no answer in these records"
            return answer
        chosen = np.flatnonzero(self.choose(example))
        best = int(scores.argmax())
        nodes = example.candidates.nodes[chosen].tolist()
        answer.entities = [self.kb.ids[n] for n in nodes]
        answer.answers = sorted({self.kb.names[n] for n in nodes})
        # How far the network prefers what it chose says nothing of whether it is right: it may be
        # as sure of nonsense. So that share is bounded by what it got right of held-out questions.
        share = np.exp(np.clip(scores - scores.max(), -50, 0))
        answer.confidence = self.held_out_right * float(share[chosen].sum() / share.sum())
        answer.path = example.candidates.paths[best]
        answer.sources = [
            self.kb.sources[t] for n in nodes[:5] for _, _, t in self.kb.neighbours(n)[:1]
        ]
        if explain:
            answer.reasons = self.explain(text, example, best)
        return answer

    def _grounded(self, text: str) -> Question | str:
        from osler.ask.reader import ReaderAnswerer

        if self._reader is None:
            self._reader = ReaderAnswerer(self.kb)
        reading, _, items = self._reader.prepare(text)
        if reading.unknown_patient:
            return f"there is no patient {reading.unknown_patient} in these records"
        strong = [m for m in reading.mentions if m.patient] + [
            m for m in reading.mentions if not m.patient and not m.weak
        ]
        if not strong:
            return "nothing in the question is known to these records"
        scores = self._reader.scorer.scores(self.kb, reading.masked, items)
        wanted = ""
        if len(scores):
            walk = items[int(scores.argmax())].walk
            wanted = self.kb.types[walk.types[-1]] if walk.types and walk.types[-1] >= 0 else ""
        pairs = [
            (self.kb.types[self.kb.type_of[m.nodes[0]]], self.kb.names[m.nodes[0]]) for m in strong
        ]
        return Question(
            id="", question=text, topic_entity=pairs[0], constraints=pairs[1:], answer_type=wanted
        )

    def explain(self, text: str, example: Example, best: int) -> tuple[Reason, ...]:
        """Aspect weights (eq. 5) and, for each aspect, its attention over the question's words
        (eq. 2)."""
        from osler.learn import needs
        from osler.records.kb import words

        torch = needs.torch("ask's embedding models")
        with torch.no_grad():
            _, weights, attention = self.module(whole_batch(example, self.used))
        shown = words(text)[:60]
        result: list[Reason] = []
        if weights:
            raw = {name: float(w[0, best]) for name, w in weights.items()}
            total = sum(abs(v) for v in raw.values()) or 1.0
            result.append(AspectWeights({name: value / total for name, value in raw.items()}))
        for name, alpha in attention.items():
            row = alpha[0, best].tolist()
            result.append(Heat(view=name, words=tuple(zip(shown, row, strict=False))))
        return tuple(result)

    # folders

    def save(self, folder: str | Path, *, measures: dict[str, float] | None = None) -> None:
        from osler.ask.saving import save

        config = {
            "kind": self.name,
            "variant": self.variant,
            "size": self.size,
            "hidden": self.hidden,
            "margin": self.margin,
            "held_out_right": self.held_out_right,
            "vocabulary": self.aspects.config(),
        }
        tensors = {name: value.numpy() for name, value in self.module.state_dict().items()}
        save(folder, tensors, config, name=self.name, measures=measures or {})

    def load(self, folder: str | Path) -> None:
        from osler.ask.saving import load
        from osler.learn import needs

        torch = needs.torch("ask's embedding models")
        tensors, config = load(folder, self.name)
        self.variant, self.size, self.hidden = config["variant"], config["size"], config["hidden"]
        self.margin = config["margin"]
        self.held_out_right = config.get("held_out_right", UNMEASURED)
        self.aspects = Aspects(self.kb)
        self.aspects.restore(config["vocabulary"])
        self.module = self.build()
        self.module.load_state_dict(
            {name: torch.from_numpy(np.array(value)) for name, value in tensors.items()}
        )
        self.module.eval()


class _Several:
    """Several optimisers that step as one."""

    def __init__(self, optimisers: Sequence[Any]) -> None:
        self.optimisers = optimisers

    def zero_grad(self) -> None:
        for optimiser in self.optimisers:
            optimiser.zero_grad()

    def step(self) -> None:
        for optimiser in self.optimisers:
            optimiser.step()
