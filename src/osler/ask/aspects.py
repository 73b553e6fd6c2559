"""Questions and candidates as numbers for the embedding models: words, entities, types, paths,
contexts.

An entity is its name and type (section 3.1), so a medication in two records shares one embedding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from osler.ask.candidates import Candidates, candidates
from osler.records.kb import ClinicalKB, words
from osler.records.questions import Question

CONTEXT = 12
UNKNOWN = 1


class Vocabulary:
    """Strings to numbers; 0 pads, 1 is unknown."""

    def __init__(self, items: Iterable[str] = ()) -> None:
        self.items = ["", "<unknown>", *dict.fromkeys(items)]
        self._number = {item: at for at, item in enumerate(self.items)}

    def __len__(self) -> int:
        return len(self.items)

    def grow(self, item: str) -> int:
        at = self._number.get(item)
        if at is None:
            at = self._number[item] = len(self.items)
            self.items.append(item)
        return at

    def __getitem__(self, item: str) -> int:
        return self._number.get(item, UNKNOWN)


@dataclass
class Example:
    """One question: its words, and aspect numbers of each candidate; ``gold`` marks the answers."""

    words: np.ndarray
    entity: np.ndarray
    type: np.ndarray
    path: np.ndarray
    context: np.ndarray
    gold: np.ndarray
    candidates: Candidates
    missed: int = 0


class Aspects:
    """The vocabularies, and the way from a question to an example."""

    def __init__(self, kb: ClinicalKB) -> None:
        self.kb = kb
        self.words, self.paths = Vocabulary(), Vocabulary()
        self.types = Vocabulary(kb.types)
        self.entities = Vocabulary()
        self._entity_of: dict[int, int] = {}
        self._context_of: dict[int, np.ndarray] = {}

    def entity(self, node: int, grow: bool) -> int:
        known = self._entity_of.get(node)
        if known is None or (grow and known == UNKNOWN):
            key = f"{self.kb.types[self.kb.type_of[node]]}\t{self.kb.names[node][:120].lower()}"
            known = self.entities.grow(key) if grow else self.entities[key]
            self._entity_of[node] = known
        return known

    def context(self, node: int, grow: bool) -> np.ndarray:
        known = self._context_of.get(node)
        if known is None:
            known = np.zeros(CONTEXT, dtype=np.int64)
            around = self.kb.neighbour[int(self.kb.start[node]) : int(self.kb.start[node + 1])][
                :CONTEXT
            ]
            known[: len(around)] = [self.entity(int(n), grow) for n in around]
            self._context_of[node] = known
        return known

    def example(self, question: Question, *, grow: bool = False, contexts: bool = True) -> Example:
        reached = candidates(self.kb, question)
        lookup = self.words.grow if grow else self.words.__getitem__
        tokens = np.asarray(
            [lookup(w) for w in words(question.question)[:60]] or [UNKNOWN], dtype=np.int64
        )
        path = self.paths.grow if grow else self.paths.__getitem__
        nodes = reached.nodes.tolist()
        gold_ids = {self.kb.number_of[i] for i in question.entities if i in self.kb.number_of}
        gold = np.asarray([n in gold_ids for n in nodes], dtype=bool)
        context = np.zeros((len(nodes), CONTEXT), dtype=np.int64)
        if contexts and nodes:
            context = np.stack([self.context(n, grow) for n in nodes])
        kinds = (
            [self.types[self.kb.types[t]] for t in self.kb.type_of[reached.nodes].tolist()]
            if nodes
            else []
        )
        return Example(
            words=tokens,
            entity=np.asarray([self.entity(n, grow) for n in nodes], dtype=np.int64),
            type=np.asarray(kinds, dtype=np.int64),
            path=np.asarray([path(p) for p in reached.paths], dtype=np.int64),
            context=context,
            gold=gold,
            candidates=reached,
            missed=len(gold_ids) - int(gold.sum()),
        )

    def config(self) -> dict[str, Any]:
        return {
            "words": self.words.items[2:],
            "paths": self.paths.items[2:],
            "types": self.types.items[2:],
            "entities": self.entities.items[2:],
        }

    def restore(self, config: dict[str, Any]) -> None:
        self.words, self.paths = Vocabulary(config["words"]), Vocabulary(config["paths"])
        self.types, self.entities = Vocabulary(config["types"]), Vocabulary(config["entities"])


@dataclass
class Batch:
    """Pairs of several questions: positive and negative candidates side by side, padded."""

    words: Any
    mask: Any
    aspects: dict[str, Any]
    valid: Any


def pair_batch(
    examples: Sequence[Example], rng: np.random.Generator, *, pairs: int, wanted: Sequence[str]
) -> Batch | None:
    """For each question up to ``pairs`` (answer, random other candidate), as eq. 7 takes them."""
    from osler.learn import needs

    torch = needs.torch("ask's embedding models")
    chosen = []
    for example in examples:
        positive, negative = np.flatnonzero(example.gold), np.flatnonzero(~example.gold)
        if not len(positive) or not len(negative):
            continue
        if len(positive) > pairs:
            positive = rng.choice(positive, pairs, replace=False)
        chosen.append((example, positive, rng.choice(negative, len(positive))))
    if not chosen:
        return None
    longest = max(len(e.words) for e, _, _ in chosen)
    most = max(len(p) for _, p, _ in chosen)
    tokens = np.zeros((len(chosen), longest), dtype=np.int64)
    valid = np.zeros((len(chosen), most), dtype=np.float32)
    picks = np.zeros((len(chosen), 2, most), dtype=np.int64)
    for at, (example, positive, negative) in enumerate(chosen):
        tokens[at, : len(example.words)] = example.words
        valid[at, : len(positive)] = 1.0
        picks[at, 0, : len(positive)], picks[at, 1, : len(negative)] = positive, negative
    aspects: dict[str, Any] = {}
    for name in wanted:
        rows = [getattr(e, name)[picks[at].reshape(-1)] for at, (e, _, _) in enumerate(chosen)]
        aspects[name] = torch.from_numpy(np.stack(rows))
    words_ = torch.from_numpy(tokens)
    return Batch(words_, words_ != 0, aspects, torch.from_numpy(valid))


def whole_batch(example: Example, wanted: Sequence[str]) -> Batch:
    """All candidates of one question."""
    from osler.learn import needs

    torch = needs.torch("ask's embedding models")
    words_ = torch.from_numpy(example.words[None, :])
    aspects = {name: torch.from_numpy(getattr(example, name)[None]) for name in wanted}
    return Batch(words_, words_ != 0, aspects, None)
