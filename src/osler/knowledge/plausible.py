"""Facts that a graph does not hold and that look like those it holds.

Three witnesses for a pair: paths of two and three edges, each kind by itself, weighted by degree as
in Himmelstein et al. 2017 (DWPC: a path counts less through entities with many edges, here
count(label)**-w leaving an entity and degree**-w arriving at one, w = 0.4); a spectral embedding of
the graph (how near the pair is, and how near the head is to the nearest head that the tail already
has); and whatever a caller counts (papers that name both). What each is worth is learned from the
facts of the relation that stand in the graph: a part of them is taken out, looked for, and told
from pairs that are no facts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from osler.errors import InputError
from osler.knowledge.graph import Graph

DAMPING = 0.4
HUB = 1_000
"""Entities with more edges are not walked through."""
LEARNED = 300
"""So many facts of the relation are taken out to learn by, a third of them at most."""
NEGATIVES = 20
"""Pairs that are no facts, for each that is."""
LEAST = 10
"""With fewer facts there is nothing to learn by."""
DIMENSION = 32
ITERATIONS = 8
STRENGTH = 1.0
MOST_KINDS = 200
"""Kinds of paths that are looked at, the most frequent ones."""
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Counted = Callable[[int, int], float]


class Suggested(msgspec.Struct, frozen=True):
    """A pair of numbers, its probability among such pairs, and what each witness adds to it."""

    head: int
    tail: int
    score: float
    reasons: tuple[tuple[str, float], ...]


class _Edges(msgspec.Struct, frozen=True):
    """Edges as rows by entity: where each begins, neighbours, labels."""

    offsets: Ints
    others: Ints
    labels: Ints

    @property
    def degrees(self) -> Ints:
        return np.diff(self.offsets)


class TooFewFacts(InputError):
    """A relation that too few facts show: nothing can be said of others."""


class Plausible:
    """What is learned of one relation; ``counted`` adds a witness of the caller's."""

    def __init__(
        self, graph: Graph, relation: str, *, counted: Counted | None = None, seed: int = 0
    ) -> None:
        if relation not in graph.relations:
            raise InputError(f"the graph has no relation {relation!r}")
        self.graph, self.counted = graph, counted
        self.label = 2 * graph.relations.index(relation)
        whole = _Edges(*(np.asarray(part, dtype=np.int64) for part in graph.adjacency))
        heads = np.repeat(np.arange(len(graph)), whole.degrees)
        self.facts = np.stack([heads, whole.others], 1)[whole.labels == self.label]
        if len(self.facts) < LEAST:
            raise TooFewFacts(
                f"the graph has {len(self.facts)} facts of {relation!r}: too few to learn by",
                cure=f"{LEAST} at least",
            )
        self.tails = np.unique(self.facts[:, 1])
        self.known = {(int(h), int(t)) for h, t in self.facts}
        self._learn(whole, heads, np.random.default_rng(seed))
        self.edges, self.vectors = whole, _spectral(whole)
        self.held_by = _by_tail(self.facts)

    def _learn(self, whole: _Edges, heads: Ints, draw: np.random.Generator) -> None:
        count = min(LEARNED, max(1, len(self.facts) // 3))
        out = self.facts[draw.choice(len(self.facts), count, replace=False)]
        gone = {(int(h), int(t)) for h, t in out}
        self.edges = _without(whole, heads, out, self.label)
        self.vectors = _spectral(self.edges)
        kept = np.asarray([one for one in self.facts if (int(one[0]), int(one[1])) not in gone])
        self.held_by = _by_tail(kept.reshape(-1, 2))
        rows: list[dict[str, float]] = []
        labels: list[float] = []
        for head in np.unique(out[:, 0]).tolist():
            tails = [tail for h, tail in gone if h == head]
            others = [
                int(tail)
                for tail in draw.choice(self.tails, NEGATIVES * len(tails))
                if (head, int(tail)) not in self.known
            ]
            wanted = [*tails, *others]
            rows += self._features(head, wanted)
            labels += [1.0] * len(tails) + [0.0] * len(others)
        seen: dict[str, int] = {}
        for row in rows:
            for name in row:
                seen[name] = seen.get(name, 0) + 1
        self.names = sorted(seen, key=lambda name: (-seen[name], name))[:MOST_KINDS]
        matrix = self._matrix(rows)
        self.scale = 1.0 / np.maximum(np.abs(matrix).mean(0), 1e-12)
        self.weights = _regression(np.arcsinh(matrix * self.scale), np.asarray(labels))

    def _matrix(self, rows: Sequence[dict[str, float]]) -> Floats:
        return np.asarray([[row.get(name, 0.0) for name in self.names] for row in rows])

    def _features(self, head: int, tails: Sequence[int]) -> list[dict[str, float]]:
        rows: list[dict[str, float]] = [{} for _ in tails]
        at = {tail: number for number, tail in enumerate(tails)}
        for kind, reached in walks(self.edges, head, np.asarray(sorted(at))).items():
            for tail, weight in reached.items():
                rows[at[tail]][kind] = weight
        own = self.vectors[head]
        for tail, row in zip(tails, rows, strict=True):
            others = [one for one in self.held_by.get(tail, ()) if one != head]
            row["near"] = max(0.0, float(own @ self.vectors[tail]))
            row["popular"] = float(np.log1p(len(others)))
            if others:
                row["kin"] = max(0.0, float((self.vectors[others] @ own).max()))
            if self.counted is not None:
                row["papers"] = float(np.log1p(self.counted(head, tail)))
        return rows

    def suggest(self, head: int, *, most: int = 20) -> list[Suggested]:
        """The tails that look most like those of a fact, known ones left out."""
        tails = [int(t) for t in self.tails if (head, int(t)) not in self.known and t != head]
        rows = self._features(head, tails)
        shares = np.arcsinh(self._matrix(rows) * self.scale) * self.weights[:-1]
        scores = shares.sum(1) + self.weights[-1]
        order = np.argsort(-scores, kind="stable")[:most]
        return [
            Suggested(
                head,
                tails[at],
                round(float(1 / (1 + np.exp(-scores[at]))), 6),
                _heaviest(self.names, shares[at]),
            )
            for at in order.tolist()
        ]

    def example(self, kind: str, head: int, tail: int) -> list[int]:
        """The entities of one path of a kind, head and tail among them: the one through entities
        with the fewest edges. Empty for what is no path."""
        if not kind.startswith("path "):
            return []
        ways: list[list[int]] = [[head]]
        labels = [int(label) for label in kind.removeprefix("path ").split()]
        for place, label in enumerate(labels):
            last = place == len(labels) - 1
            ways = [
                [*way, other]
                for way in ways
                for other in self._next(way[-1], label)
                if (other == tail if last else other != head)
            ]
        degrees = self.edges.degrees
        return min(ways, key=lambda way: (int(degrees[way].sum()), way), default=[])

    def _next(self, number: int, label: int) -> list[int]:
        start, end = self.edges.offsets[number], self.edges.offsets[number + 1]
        if end - start > HUB:
            return []
        here = self.edges.labels[start:end] == label
        return [int(other) for other in self.edges.others[start:end][here]]

    def said(self, kind: str) -> str:
        """A kind of path in words: its relations, the ones walked backwards marked."""
        if not kind.startswith("path "):
            return kind
        steps = [int(label) for label in kind.removeprefix("path ").split()]
        relations = self.graph.relations
        return " > ".join(relations[n >> 1] + (" (inverse)" if n & 1 else "") for n in steps)


def walks(edges: _Edges, head: int, tails: Ints) -> dict[str, dict[int, float]]:
    """Weights of all walks of two and three edges from an entity to some others, by the labels
    along them. A walk does not come back to where it began."""
    degrees = edges.degrees
    nodes, weights = np.asarray([head]), np.asarray([1.0])
    kinds: list[tuple[int, ...]] = [()]
    of_kind = np.zeros(1, dtype=np.int64)
    found: dict[str, dict[int, float]] = {}
    for length in (1, 2, 3):
        open_ones = (degrees[nodes] <= HUB) | (nodes == head)
        nodes, weights, of_kind = nodes[open_ones], weights[open_ones], of_kind[open_ones]
        counts = degrees[nodes]
        came = np.repeat(np.arange(len(nodes)), counts)
        places = _ranges(edges.offsets[nodes], counts)
        others, labels = edges.others[places], edges.labels[places]
        if length == 3:
            ends = np.isin(others, tails)
            came, others, labels = came[ends], others[ends], labels[ends]
        away = others != head
        came, others, labels = came[away], others[away], labels[away]
        # How many edges of this label leave the same entity.
        _, group, leaving = np.unique(
            np.stack([nodes[came], labels, of_kind[came]]), axis=1, return_inverse=True,
            return_counts=True,
        )  # fmt: skip
        weight = weights[came] * leaving[group.ravel()] ** -DAMPING
        weight = weight * np.maximum(degrees[others], 1) ** -DAMPING
        keys, place = np.unique(
            np.stack([of_kind[came], labels, others]), axis=1, return_inverse=True
        )
        weights = np.bincount(place.ravel(), weight, minlength=keys.shape[1])
        pairs, of_kind = np.unique(keys[:2], axis=1, return_inverse=True)
        of_kind, nodes = of_kind.ravel(), keys[2]
        kinds = [(*kinds[int(a)], int(b)) for a, b in pairs.T]
        if length == 1:
            continue
        for at in np.flatnonzero(np.isin(nodes, tails)).tolist():
            name = "path " + " ".join(map(str, kinds[of_kind[at]]))
            found.setdefault(name, {})[int(nodes[at])] = float(weights[at])
    return found


def _ranges(starts: Ints, counts: Ints) -> Ints:
    """Places start, start + 1, ... of several rows, one behind the other."""
    if not len(starts):
        return np.zeros(0, dtype=np.int64)
    shift = np.repeat(starts - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
    return np.asarray(np.arange(int(counts.sum())) + shift, dtype=np.int64)


def _without(edges: _Edges, heads: Ints, out: Ints, label: int) -> _Edges:
    """The edges without some facts, in both directions."""
    size = len(edges.offsets) - 1
    forward = out[:, 0] * size + out[:, 1]
    backward = out[:, 1] * size + out[:, 0]
    keys = heads * size + edges.others
    gone = (edges.labels == label) & np.isin(keys, forward)
    gone |= (edges.labels == label + 1) & np.isin(keys, backward)
    counts = np.bincount(heads[~gone], minlength=size)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    return _Edges(offsets, edges.others[~gone], edges.labels[~gone])


def _spectral(edges: _Edges) -> Floats:
    """Unit vectors of the entities: the leading eigenvectors of D**-1/2 A D**-1/2, by subspace
    iteration from a fixed start (Halko, Martinsson and Tropp 2011, algorithm 4.4), so that the
    same graph gives the same vectors."""
    from scipy.sparse import csr_matrix, diags

    size = len(edges.offsets) - 1
    ones = np.ones(len(edges.others))
    root = diags(np.maximum(edges.degrees, 1) ** -0.5)
    matrix = root @ csr_matrix((ones, edges.others, edges.offsets), (size, size)) @ root
    rank = min(DIMENSION, size)
    start = np.random.default_rng(0).normal(size=(size, min(rank + 8, size)))
    basis, _ = np.linalg.qr(matrix @ start)
    for _ in range(ITERATIONS):
        basis, _ = np.linalg.qr(matrix @ (matrix @ basis))
    values, turned = np.linalg.eigh(basis.T @ (matrix @ basis))
    leading = np.argsort(-np.abs(values), kind="stable")[:rank]
    vectors = (basis @ turned[:, leading]) * np.sqrt(np.abs(values[leading]))
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, 1e-9), dtype=np.float64)


def _by_tail(facts: Ints) -> dict[int, list[int]]:
    held: dict[int, list[int]] = {}
    for head, tail in facts.tolist():
        held.setdefault(tail, []).append(head)
    return held


def _regression(matrix: Floats, labels: Floats) -> Floats:
    """Logistic regression with L2; the last weight is the constant."""
    from scipy.optimize import minimize

    def loss(w: Floats) -> tuple[float, Floats]:
        z = matrix @ w[:-1] + w[-1]
        value = np.logaddexp(0, z).sum() - labels @ z + (w[:-1] ** 2).sum() / (2 * STRENGTH)
        error = 1 / (1 + np.exp(-z)) - labels
        return float(value), np.append(matrix.T @ error + w[:-1] / STRENGTH, error.sum())

    start = np.zeros(matrix.shape[1] + 1)
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x, dtype=np.float64)


def _heaviest(names: Sequence[str], shares: Floats, most: int = 5) -> tuple[tuple[str, float], ...]:
    order = np.argsort(-shares, kind="stable")[:most]
    return tuple(
        (names[at], round(float(shares[at]), 4)) for at in order.tolist() if shares[at] > 0
    )
