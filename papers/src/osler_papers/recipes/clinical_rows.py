"""Table 5 of the paper: every row of SGEmb and AAR, trained as published, beside the paper's.

A row that is done is kept in the output folder under a key of its questions and options, so that a
run that was stopped goes on with the next one.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from osler.ask import aar, aspects, candidates, embedding
from osler.ask.aar import AAR
from osler.ask.aspects import Aspects, Example
from osler.ask.embedding import EmbeddingAnswerer
from osler.records.kb import ClinicalKB
from osler.records.questions import Question
from osler_papers.ask import sgemb
from osler_papers.ask.measure import Scores, measure
from osler_papers.ask.sgemb import SGEmb

Say = Callable[[str], None]

# Answers, precision, recall, accuracy, micro-F1, macro-F1.
PAPER_TABLE_5 = {
    "SGEmb full": (2726, 0.7447, 0.1249, 0.5105, 0.2139, 0.6617),
    "SGEmb entity & sub-graph": (3153, 0.3866, 0.0750, 0.2370, 0.1256, 0.3807),
    "SGEmb path": (26597, 0.4870, 0.7966, 0.7260, 0.6045, 0.8583),
    "AAR full": (3492, 0.8072, 0.1735, 0.6525, 0.2856, 0.7973),
    "AAR entity & context": (3707, 0.5964, 0.1360, 0.4725, 0.2216, 0.6645),
    "AAR type": (120128, 0.1205, 0.8908, 0.3685, 0.2123, 0.6177),
    "AAR path": (26900, 0.4780, 0.7913, 0.7665, 0.5960, 0.9057),
    "AAR type & path": (16297, 0.6598, 0.6616, 0.7745, 0.6607, 0.8980),
}


def row_line(name: str, scores: Scores, paper: tuple[float, ...] | None) -> str:
    ours = (
        f"{scores.answers} {scores.precision:.4f} {scores.recall:.4f} {scores.accuracy:.4f} "
        f"{scores.micro_f1:.4f} {scores.macro_f1:.4f} Hits@1 {scores.hits_at_1:.4f}"
    )
    theirs = " ".join(str(v) for v in paper) if paper else "-"
    return f"{name} | {ours} | paper {theirs}"


class Rows:
    """Trains and tests rows over one split; candidates are made once and shared by all."""

    def __init__(
        self,
        kb: ClinicalKB,
        train: Sequence[Question],
        dev: Sequence[Question],
        test: Sequence[Question],
        *,
        epochs: int,
        seed: int,
        kept: Path,
        say: Say,
    ) -> None:
        self.kb, self.train, self.dev, self.test = kb, train, dev, test
        self.epochs, self.seed, self.kept, self.say = epochs, seed, kept, say
        self._made: tuple[Aspects, list[Example], list[Example], list[Example]] | None = None

    def _examples(self) -> tuple[Aspects, list[Example], list[Example], list[Example]]:
        if self._made is None:
            started = time.perf_counter()
            aspects = Aspects(self.kb)
            learned = [aspects.example(q, grow=True) for q in self.train]
            held = [aspects.example(q) for q in self.dev]
            tested = [aspects.example(q) for q in self.test]
            counts = [len(e.candidates) for e in (*learned, *held, *tested)]
            self.say(
                f"candidates: min/max/mean {min(counts)}/{max(counts)}/"
                f"{sum(counts) / len(counts):.0f} (paper: 2/8,686/402), "
                f"{time.perf_counter() - started:.0f} s"
            )
            self._made = aspects, learned, held, tested
        return self._made

    def _key(self, name: str) -> str:
        total = hashlib.sha256(f"{name} {self.epochs} {self.seed}".encode())
        for module in (aar, aspects, candidates, embedding, sgemb):
            # A row that other code trained is not this code's row.
            total.update(Path(str(module.__file__)).read_bytes())
        for part in (self.train, self.dev, self.test):
            for question in part:
                total.update(f"{question.question}\t{len(question.entities)}\n".encode())
        return total.hexdigest()[:16]

    def row(self, name: str) -> tuple[Scores, dict[str, float]]:
        """One row: its measures on the test split, and how long training took."""
        path = self.kept / f"{name.replace(' ', '-')}-{self._key(name)}.json"
        if path.is_file():
            found = json.loads(path.read_text("utf-8"))
            self.say(f"{name}: kept from an earlier run")
            return Scores(**found["scores"]), found["training"]
        aspects, learned, held, tested = self._examples()
        method, _, variant = name.partition(" ")
        kind: type[EmbeddingAnswerer] = AAR if method == "AAR" else SGEmb
        model = kind(self.kb, variant=variant, epochs=self.epochs)
        training = model.fit(
            self.train, prepared=(aspects, learned, held), seed=self.seed, progress=self.say
        )
        predicted = [model.predict(q, example=e) for q, e in zip(self.test, tested, strict=True)]
        scores = measure(predicted, [q.entities for q in self.test])
        self.kept.mkdir(parents=True, exist_ok=True)
        kept = {"scores": asdict(scores), "training": training}
        path.write_text(json.dumps(kept), encoding="utf-8")
        return scores, training


def table_5(rows: Rows, names: Sequence[str]) -> dict[str, float]:
    """All rows by name, printed as they are done, and whether the paper's orderings hold."""
    got: dict[str, float] = {}
    if not names:
        return got
    rows.say("Table 5: # answers, precision, recall, accuracy, micro-F1, macro-F1")
    for name in names:
        scores, training = rows.row(name)
        rows.say(row_line(name, scores, PAPER_TABLE_5[name]))
        rows.say(
            f"  trained in {training['seconds']:.0f} s, "
            f"{training['examples_a_second']:.0f} examples a second"
        )
        got[f"{name} accuracy"], got[f"{name} micro-F1"] = scores.accuracy, scores.micro_f1
        got[f"{name} seconds"] = training["seconds"]
    got["slowest training, seconds"] = max(got[f"{n} seconds"] for n in names)
    variants = [n for n in names if n.startswith("AAR")]
    if {"AAR type & path", "AAR path", "AAR type"} <= set(names):
        best = max(variants, key=lambda n: got[f"{n} micro-F1"])
        got["type & path is best of AAR"] = float(best == "AAR type & path")
        got["path above type"] = got["AAR path micro-F1"] - got["AAR type micro-F1"]
        got["type & path above path"] = got["AAR type & path micro-F1"] - got["AAR path micro-F1"]
    if {"AAR full", "SGEmb full"} <= set(names):
        got["AAR full above SGEmb full"] = got["AAR full micro-F1"] - got["SGEmb full micro-F1"]
    return got
