"""What the recipe ``hicapsrkl`` compares, and how each is trained.

Every neural method is trained end to end on its own input form: first on weak pairs that share no
paper and no two entities with the sample, then, for each fold, on the fold's training rows.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from osler.grade.calibrate import grouped_folds
from osler.grade.grader import Floats, Grader, graders
from osler.grade.methods.neural import NeuralGrader
from osler.grade.networks.hicaps import ABLATIONS
from osler.grade.pair import Pair
from osler.grade.scale import SAMPLE
from osler_papers.recipes.hicapsrkl_dumb import Constant, HintsAlone, ZeroEncoder
from osler_papers.recipes.hicapsrkl_kept import Kept

WEAK_EPOCHS, TUNE_EPOCHS, PATIENCE = 3, 5, 2
"""Chosen for what they cost; no row of the sample was looked at for them."""
TRANS = ("transe", "transh", "transd", "rotate")
FEWER = 2
"""Seeds of rows that are there for completeness."""


@dataclass(frozen=True)
class Method:
    """``make`` gives an untrained grader, ``options`` are what it was made with. ``weak`` says that
    it learns from weak pairs first, ``seeds`` at most how many seeds it is worth: one where
    nothing is drawn."""

    name: str
    make: Callable[..., Grader]
    weak: bool = False
    seeds: int | None = None
    options: str = ""

    def kept(self, seed: int, what: str) -> str:
        """The name of a kept array."""
        return f"{self.name} {zlib.crc32(self.options.encode()):08x} seed {seed} {what}"


def cheap(capsules: Mapping[str, Any]) -> list[Method]:
    """What trains in seconds: dumb rows, rules, scores, trees."""
    zero: dict[str, Any] = {"encoder": ZeroEncoder(), "joint": False}
    return [
        Method("constant", Constant, seeds=1),
        Method("logistic regression on hints", HintsAlone),
        _named("hicapsrkl-ours (zero encoder)", "hicapsrkl-ours", **capsules, **zero),
        _named("rule", "rule", seeds=1),
        _named("evidence", "evidence"),
        _named("tfidf", "tfidf"),
        _named("tfidf (published thresholds)", "tfidf", published=True),
        _named("bm25", "bm25"),
        _named("bm25 (published thresholds)", "bm25", published=True),
    ]


def trained(
    capsules: Mapping[str, Any],
    vectors: Callable[[str], Mapping[str, Any]],
    word2vec: Callable[[], Any],
) -> list[Method]:
    """The networks, what matters most first; graph and word vectors are made when one asks."""
    weak: dict[str, Any] = {"weak": True, "epochs": WEAK_EPOCHS, "patience": PATIENCE}
    found = [
        _named("hicapsrkl", "hicapsrkl", **capsules, **weak),
        _named("cross-encoder", "cross-encoder", **weak),
        _named("siamese", "siamese", **weak),
        _graph("transe", vectors, weak),
        _named("hicapsrkl-ours", "hicapsrkl-ours", **capsules, **weak),
    ]
    weak["seeds"] = FEWER
    found += [
        _named("hicapsrkl-ours (no hints)", "hicapsrkl-ours", hints=False, **capsules, **weak),
        _named("lookup", "lookup", **weak),
        _named("cross-encoder (hints)", "cross-encoder", hints=True, **weak),
    ]
    found += [_graph(method, vectors, weak) for method in TRANS[1:]]
    found += [_kernels("knrm", word2vec, 15), _kernels("conv-knrm", word2vec, 8)]
    return found


def _graph(
    method: str, vectors: Callable[[str], Mapping[str, Any]], options: Mapping[str, Any]
) -> Method:
    name = f"medl-{method}"
    bare = _named(name, name, **options)
    return replace(bare, make=lambda: bare.make(vectors=vectors(method)))


def _kernels(name: str, word2vec: Callable[[], Any], epochs: int) -> Method:
    bare = _named(name, name, seeds=FEWER, rate=5e-3, epochs=epochs)
    return replace(bare, make=lambda: bare.make(vectors=word2vec()))


def ablated(capsules: Mapping[str, Any]) -> list[Method]:
    """The seven of Table 4; the whole is ``hicapsrkl`` itself."""
    weak: dict[str, Any] = {"weak": True, "epochs": WEAK_EPOCHS, "patience": PATIENCE}
    return [
        _named(name, "hicapsrkl", seeds=1, ablation=name, **capsules, **weak) for name in ABLATIONS
    ]


def _named(
    name: str, grader: str, *, weak: bool = False, seeds: int | None = None, **options: Any
) -> Method:
    plain = {key: value for key, value in options.items() if key != "encoder"}
    make = partial(graders.resolve, grader, **options)
    return Method(name, make, weak, seeds, f"{grader} {sorted(plain.items())}")


class Trainer:
    """Trains methods on weak pairs and rows, and keeps what each fold and seed gave."""

    def __init__(
        self,
        rows: Sequence[Pair],
        retrieval: Sequence[Pair],
        weak: Sequence[Pair],
        kept: Kept,
        progress: Callable[[str], None],
    ) -> None:
        self.rows = list(rows)
        self.retrieval = [p.labelled(label=None, rcor=None, kimp=None) for p in retrieval]
        self.weak = list(weak)
        self.kept = kept
        self.progress = progress
        self._pretrained: tuple[str, int, Grader] | None = None

    def crossed(self, method: Method, seed: int) -> Floats:
        """Probabilities of each row, and in a last column its score, from a grader that saw neither
        its fact nor its paper."""
        held = np.zeros((len(self.rows), len(SAMPLE.labels) + 1))
        for fold, (train, test) in enumerate(grouped_folds(self.rows, seed=seed)):
            held[test] = self.kept.get(
                method.kept(seed, f"fold {fold}"),
                partial(self._held, method, train.tolist(), test.tolist(), seed),
            )
        return held

    def _held(self, method: Method, train: list[int], test: list[int], seed: int) -> Floats:
        grader = self._learned(method, [self.rows[row] for row in train], seed)
        pairs = [self.rows[row] for row in test]
        return np.column_stack([grader.probabilities(pairs), grader.scores(pairs)])

    def ranked(self, method: Method, seed: int) -> Floats:
        """Scores of the retrieval rows from a grader that learned from all rows."""
        return self.kept.get(
            method.kept(seed, "retrieval"),
            lambda: self._learned(method, self.rows, seed).scores(self.retrieval),
        )

    def _learned(self, method: Method, rows: Sequence[Pair], seed: int) -> Grader:
        if not method.weak:
            return method.make().fit(rows, seed=seed)
        if self._pretrained is None or self._pretrained[:2] != (method.name, seed):
            self.progress(f"{method.name}, seed {seed}: weak pairs")
            self._pretrained = (method.name, seed, method.make().fit(self.weak, seed=seed))
        grader = self._pretrained[2]
        if not isinstance(grader, NeuralGrader):
            raise TypeError(f"{method.name} cannot go on learning")
        grader.epochs = TUNE_EPOCHS
        return grader.tuned(rows, seed=seed)
