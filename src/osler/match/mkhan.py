"""MKHAN (Zhang et al. 2019, seed 001): answers matched and explained by paths in the graph.

Paths of up to ``length`` entities join those of the question with those of the answer. Entities
are vectors of the multi-modal TransH, structural beside multi-modal (3.3.3). Algorithm 1: for each
batch the graph embeddings first take a step on triples of the batch's entities (eq. 9), then the
network on the batch's pairs (eq. 20), whose gradient reaches the structural vectors too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from osler.errors import ChoiceError, InputError
from osler.kinds import Reason
from osler.learn import needs
from osler.match.graph_vectors import (
    GraphVectors,
    check_graph,
    fingerprint,
    trainer_of,
    used_entities,
)
from osler.match.known import Known
from osler.match.matcher import Candidate, Progress, Sources, State, matchers, untrained
from osler.match.neural import NeuralMatcher, TextPair
from osler.match.reasons import pair_reasons, path_reasons
from osler.match.walks import PAIRS, PATHS, Walks, no_walks, stacked, walks_of

READ = {"ours": (PAIRS, PATHS), "printed": (32, 16)}
"""Pairs of entities, and paths of each, that a form reads at most."""
FORMS = tuple(READ)
LONGEST = 5
MODAL = "modal_"
"""How the names of the modal layer's weights begin in the network's state while it learns."""
TRIPLES = 256
"""Triples that the graph embeddings learn from at each batch (Algorithm 1, lines 4 to 6)."""


@matchers.register("mkhan")
class MKHAN(NeuralMatcher):
    """Options: ``length`` 3 to 5 entities a path; ``form`` ours or printed (see the network);
    ``pairs`` of entities and ``paths`` of each that are read at most, by default those of the form:
    the printed one, which reads all paths, is bounded for memory's sake alone."""

    name = "mkhan"
    help = "MKHAN: attention over paths, multi-modal graph embeddings"
    embedding: ClassVar[str] = "mm-transh"
    needs: ClassVar[frozenset[str]] = frozenset({"vectors", "images"})

    def __init__(
        self,
        sources: Sources | None = None,
        *,
        length: int = 3,
        form: str = "ours",
        alternate: bool = True,
        pairs: int | None = None,
        paths: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__(sources, **options)
        if form not in FORMS:
            raise ChoiceError("form of MKHAN", form, FORMS)
        if not 2 <= length <= LONGEST:
            raise InputError(f"a path has 2 to {LONGEST} entities, not {length}")
        self.length = length
        most_pairs, most_paths = READ[form]
        self.pairs, self.paths = pairs or most_pairs, paths or most_paths
        self.form = form
        self.alternate = alternate
        self.trainer: Any = None
        self.table: Any = None
        self.vectors = GraphVectors(np.zeros(0, np.int64), np.zeros((0, 1), np.float32))
        self.width = self.dimension
        self._walks: dict[TextPair, Walks] = {}

    def settings(self) -> dict[str, Any]:
        own = {"length": self.length, "form": self.form, "pairs": self.pairs, "paths": self.paths}
        return {**super().settings(), **own}

    # Training ---------------------------------------------------------------------------------

    def prepare(self, texts: Sequence[TextPair], progress: Progress | None) -> None:
        torch = needs.torch()
        known = self.sources.known
        self.trainer = trainer_of(
            self.sources,
            method=self.embedding,
            dimension=self.dimension,
            seed=self.seed,
            progress=progress,
        )
        if self.trainer is not None and known is not None:
            self.vectors = GraphVectors(used_entities(known), self.trainer.entity["entity"].numpy())
            # The parameter shares the trainer's memory: both kinds of update meet in one table.
            self.table = torch.nn.Parameter(self.trainer.entity["entity"])
            modal = self.trainer.method.modal and self.trainer.features is not None
            self.width = self.dimension * (2 if modal else 1)
            self._by_entity = _TriplesOf(self.trainer.triples.rows, len(self.vectors.used))
            self._rng = np.random.default_rng(self.seed)
            different = list(dict.fromkeys(texts))
            if progress:
                progress(f"{self.name}: paths of {len(different):,} pairs")
            self._walks = self._walked(known, different)

    def build(self, vectors: Any) -> Any:
        from osler.match.networks import mkhan

        known = self.sources.known
        relations = 2 * len(known.graph.relations) if known is not None else 1
        network = mkhan.MKHAN(vectors, self.width, relations, form=self.form)
        if self.table is not None:
            network.table = self.table
            # Part of the network's state, so that the best round brings back all that made its
            # score: the layer that makes the multi-modal vectors too.
            for name, weights in self.trainer.weights.items():
                network.register_buffer(f"{MODAL}{name}", weights)
        return network

    def before_step(self, texts: Sequence[TextPair]) -> None:
        if self.trainer is None or not self.alternate:
            return
        nodes = np.concatenate([self._walks[pair].nodes.ravel() for pair in texts])
        met = np.unique(nodes[nodes >= 0])
        rows = self.vectors.row_of(met.astype(np.int64))
        chosen = self._by_entity.draw(rows[rows >= 0], TRIPLES, self._rng)
        self.trainer.step(self.trainer.triples.rows[chosen])

    def optimiser(self) -> Any:
        torch = needs.torch()
        own = [p for name, p in self.network.named_parameters() if name != "table"]
        optimisers = [torch.optim.Adam(own, lr=self.lr, fused=True)]
        if self.table is not None:
            optimisers.append(torch.optim.SparseAdam([self.table], lr=self.lr))
        return _Together(optimisers)

    def fit(self, pairs: Any, *, progress: Progress | None = None) -> Self:
        super().fit(pairs, progress=progress)
        if self.trainer is not None:
            ready = self.trainer.ready()
            parts = [ready["entity"], ready["modal"]] if "modal" in ready else [ready["entity"]]
            rows = np.concatenate([part.detach().numpy() for part in parts], 1)
            self.vectors = GraphVectors(self.vectors.used, rows.astype(np.float32))
            del self.network.table
            for name in self.trainer.weights:
                delattr(self.network, f"{MODAL}{name}")
        self.trainer = self.table = None
        self._walks = {}
        return self

    # Reading ----------------------------------------------------------------------------------

    def walks(self, texts: Sequence[TextPair]) -> list[Walks]:
        """The paths that the network reads, for pairs of a question and an answer."""
        missing = [pair for pair in texts if pair not in self._walks]
        known = self.sources.known
        by_pair: dict[TextPair, Walks] = {}
        if missing and known is not None:
            by_pair = self._walked(known, missing)
        none = no_walks(self.length, pairs=1, paths=1)
        return [self._walks.get(pair) or by_pair.get(pair) or none for pair in texts]

    def _walked(self, known: Known, texts: Sequence[TextPair]) -> dict[TextPair, Walks]:
        tables = walks_of(
            known,
            texts,
            length=self.length,
            shared=self.form == "ours",
            pairs=self.pairs,
            paths=self.paths,
        )
        return {pair: table.trimmed() for pair, table in zip(texts, tables, strict=True)}

    def inputs(self, texts: Sequence[TextPair]) -> tuple[Any, ...]:
        torch = needs.torch()
        first, second = self.words(texts)
        tables = self.walks(texts)
        whole = stacked(tables, self.length)
        nodes, labels = whole.nodes.astype(np.int64), whole.labels.astype(np.int64) + 1
        rows = self.vectors.row_of(nodes)
        there = torch.from_numpy(rows >= 0)
        paths = self._vectors(torch.from_numpy(np.maximum(rows, 0)), there)
        return first, second, paths, there, torch.from_numpy(labels)

    def _vectors(self, rows: Any, there: Any) -> Any:
        torch = needs.torch()
        if self.table is None:
            if not len(self.vectors.rows):
                return torch.zeros(*rows.shape, self.width)
            return torch.from_numpy(self.vectors.rows)[rows] * there.unsqueeze(-1)
        vectors = torch.nn.functional.embedding(rows, self.table, sparse=True)
        if self.width > self.dimension:
            unique, places = torch.unique(rows, return_inverse=True)
            with torch.no_grad():
                modal = self.trainer.method.derive(
                    {"entity": self.table[unique], "features": self.trainer.features[unique]},
                    self.trainer.weights,
                )["modal"]
            vectors = torch.cat([vectors, modal[places]], -1)
        return vectors * there.unsqueeze(-1)

    def score(self, inputs: tuple[Any, ...]) -> Any:
        return self.network(*inputs)[0]

    def explain(self, question: str, candidate: Candidate) -> tuple[Reason, ...]:
        """Entity pairs by eq. 16, paths by their pair's weight times their column of eq. 13; each
        kind sums to one."""
        if self.network is None:
            raise untrained(self.name)
        known = self.sources.known
        if known is None:
            return ()
        torch = needs.torch()
        pair = (question, candidate.text)
        self.network.eval()
        with torch.no_grad():
            _, alpha, within = self.network(*self.inputs([pair]))
        return weighted_reasons(known, self.walks([pair])[0], alpha[0].numpy(), within[0].numpy())

    # On disk ----------------------------------------------------------------------------------

    def state(self) -> State:
        tensors, config = super().state()
        tensors["graph.used"] = self.vectors.used
        tensors["graph.rows"] = self.vectors.rows.astype(np.float16)
        config["width"] = self.width
        config["graph"] = fingerprint(self.sources.known)
        return tensors, config

    def restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        check_graph(self.name, self.sources.known, config["graph"])
        self.width = int(config["width"])
        rows = np.asarray(tensors["graph.rows"]).astype(np.float32)
        self.vectors = GraphVectors(np.asarray(tensors["graph.used"]), rows)
        return super().restore(tensors, config)


def weighted_reasons(known: Known, walks: Walks, alpha: Any, within: Any) -> tuple[Reason, ...]:
    """The entity pairs and paths of a table of walks with their weights."""
    pairs: dict[tuple[int, int], float] = {}
    paths = []
    for slot in range(len(walks.nodes)):
        ends: tuple[int, int] | None = None
        for place in range(walks.nodes.shape[1]):
            nodes = tuple(int(node) for node in walks.nodes[slot, place] if node >= 0)
            if not nodes:
                break
            labels = tuple(int(label) for label in walks.labels[slot, place] if label >= 0)
            ends = (nodes[0], nodes[-1])
            if labels:
                paths.append(((nodes, labels), float(alpha[slot] * within[slot, place])))
        if ends is not None:
            pairs[ends] = pairs.get(ends, 0.0) + float(alpha[slot])
    total = sum(weight for _, weight in paths)
    if total > 0:
        paths = [(walk, weight / total) for walk, weight in paths]
    whole = sum(pairs.values())
    weighed = [(ends, weight / whole) for ends, weight in pairs.items()] if whole > 0 else []
    return (*pair_reasons(known, weighed), *path_reasons(known, paths))


class _TriplesOf:
    """For each entity, the triples that it stands in."""

    def __init__(self, rows: Any, entities: int) -> None:
        ends = np.concatenate([rows[:, 0], rows[:, 2]])
        owners = np.concatenate([np.arange(len(rows)), np.arange(len(rows))])
        order = np.argsort(ends, kind="stable")
        self.triples = owners[order]
        self.offsets = np.searchsorted(ends[order], np.arange(entities + 1))

    def draw(self, entities: Any, count: int, rng: np.random.Generator) -> Any:
        """Triples of some entities, one or more each."""
        if not len(entities):
            return np.zeros(0, np.int64)
        chosen = entities[rng.integers(len(entities), size=count)]
        start, size = self.offsets[chosen], self.offsets[chosen + 1] - self.offsets[chosen]
        return self.triples[start + (rng.random(count) * size).astype(np.int64)]


class _Together:
    """Several optimisers as one: dense parameters and the sparse table."""

    def __init__(self, optimisers: list[Any]) -> None:
        self.optimisers = optimisers

    def zero_grad(self) -> None:
        for one in self.optimisers:
            one.zero_grad()

    def step(self) -> None:
        for one in self.optimisers:
            one.step()
