"""RCor labels (appendix A.2.1): clusters of fragments whose entities are masked, checked by hand.

Fragments of one relation are masked (each entity becomes ``e``), clustered, and the clusters put
in order of size; of each of the 15 largest some fragments are read, and where 70 % of them
describe the relation, the cluster does. A new fragment belongs to the nearest cluster of its
relation. The paper says "KNN" for both; k-means and the nearest centre are meant. Until somebody
has read them, a fragment counts as describing where one sentence holds both entities and a word
of the relation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from osler.grade.cues import cue_count
from osler.grade.fragments import rcor_text
from osler.grade.pair import Pair
from osler.grade.places import Names, TextNames
from osler.grade.scale import DESCRIBED, NOT_DESCRIBED
from osler.learn import needs
from osler.text.tokens import terms

Floats = npt.NDArray[np.float64]
TOP_CLUSTERS = 15
CHECKED_SHARE = 0.7
SAMPLED = 10
WIDTH = 2_048
MASK = "e"


def masked(pair: Pair, entities: Names | None = None) -> str:
    """The RCor fragment with every entity replaced by ``e``: the fact's two, the others that the
    pair says its paper names, and all of ``entities`` (appendix A.2.1: "all the entities in the
    texts ... according to CMeKG entities")."""
    text = rcor_text(pair)
    others = {pair.text[start:end] for places in pair.others for start, end in places}
    if entities is not None:
        others |= entities.within(text)
    places = TextNames(text).find((*pair.fact.heads, *pair.fact.tails, *sorted(others)))
    parts, at = [], 0
    for start, end in places:
        parts += [text[at:start], f" {MASK} "]
        at = end
    return "".join([*parts, text[at:]]).strip()


def describes(pair: Pair) -> bool:
    """What stands in for a reader: one sentence holds both entities, and a cue of the relation."""
    places = pair.places
    together = bool(places.both)
    if pair.rcor_text:
        from osler.text.sentences import sentences

        text = pair.rcor_text
        looked = [TextNames(text[start:end]) for start, end in sentences(text)]
        together = any(one.find(pair.fact.heads) and one.find(pair.fact.tails) for one in looked)
    if not together:
        return False
    in_title = any(number in places.title_sentences for number in places.both)
    return in_title or cue_count(pair.fact.relation, rcor_text(pair)) > 0


@dataclass
class Cluster:
    """One cluster of a relation: its centre, size, some of its fragments, and whether they
    describe the relation (None: nobody has read them)."""

    relation: str
    number: int
    size: int
    centre: Floats
    samples: list[str] = field(default_factory=list)
    guessed: list[bool] = field(default_factory=list)
    checked: list[bool] = field(default_factory=list)

    @property
    def describes(self) -> bool:
        told = self.checked or self.guessed
        return bool(told) and sum(told) / len(told) >= CHECKED_SHARE


class Clusters:
    """The clusters of all relations."""

    def __init__(
        self, clusters: Sequence[Cluster], idf: Mapping[int, float], entities: Names | None = None
    ) -> None:
        self.clusters = list(clusters)
        self._entities = entities
        self._idf = dict(idf)
        self._by_relation: dict[str, list[Cluster]] = {}
        for cluster in self.clusters:
            self._by_relation.setdefault(cluster.relation, []).append(cluster)

    @classmethod
    def of(
        cls,
        pairs: Sequence[Pair],
        *,
        a_cluster: int = 12,
        entities: Sequence[str] = (),
        seed: int = 0,
    ) -> Clusters:
        """Cluster the fragments of each relation, about ``a_cluster`` fragments in each. Masked
        are the entities of all the pairs' facts and ``entities``, those of a graph, say."""
        kmeans = needs.sklearn("cluster", "clustering fragments").KMeans
        named = [name for pair in pairs for name in (*pair.fact.heads, *pair.fact.tails)]
        known = Names([*named, *entities])
        texts = [masked(pair, known) for pair in pairs]
        idf = _idf(texts)
        rng = np.random.default_rng(seed)
        groups: dict[str, list[int]] = {}
        for row, pair in enumerate(pairs):
            groups.setdefault(pair.fact.relation, []).append(row)
        clusters = []
        for relation in sorted(groups):
            rows = groups[relation]
            matrix = np.array([_vector(texts[row], idf) for row in rows])
            count = max(1, min(4 * TOP_CLUSTERS, len(rows) // a_cluster))
            if count == 1:
                member = np.zeros(len(rows), dtype=np.int64)
                centres = matrix.mean(0, keepdims=True)
            else:
                model = kmeans(count, n_init=1, random_state=seed).fit(matrix)
                member, centres = model.labels_, model.cluster_centers_
            sizes = np.bincount(member, minlength=count)
            for rank, number in enumerate(np.argsort(-sizes, kind="stable").tolist()):
                inside = [rows[i] for i in np.flatnonzero(member == number)]
                cluster = Cluster(relation, rank, int(sizes[number]), centres[number])
                if rank < TOP_CLUSTERS and inside:
                    picks = rng.permutation(len(inside))[:SAMPLED].tolist()
                    cluster.samples = [texts[inside[i]] for i in picks]
                    cluster.guessed = [describes(pairs[inside[i]]) for i in picks]
                clusters.append(cluster)
        return cls(clusters, idf, known)

    def label(self, pair: Pair) -> int:
        """RCor of a pair: 3 where the nearest cluster of its relation describes it, else 2. A
        relation without clusters is judged as a reader's stand-in would."""
        clusters = self._by_relation.get(pair.fact.relation)
        if not clusters:
            return DESCRIBED if describes(pair) else NOT_DESCRIBED
        vector = _vector(masked(pair, self._entities), self._idf)
        distances = [float(((cluster.centre - vector) ** 2).sum()) for cluster in clusters]
        nearest = clusters[int(np.argmin(distances))]
        return DESCRIBED if nearest.describes else NOT_DESCRIBED

    def check(self, checks: Mapping[tuple[str, int], Sequence[bool]]) -> None:
        """Take a reader's word: for each cluster whether each of its samples describes."""
        for cluster in self.clusters:
            given = checks.get((cluster.relation, cluster.number))
            if given:
                cluster.checked = list(given)


def _bucket(term: str) -> int:
    import zlib

    return zlib.crc32(term.encode()) % WIDTH


def _idf(texts: Sequence[str]) -> dict[int, float]:
    counts: dict[int, int] = {}
    for text in texts:
        for bucket in {_bucket(term) for term in terms(text)}:
            counts[bucket] = counts.get(bucket, 0) + 1
    return {b: float(np.log((1 + len(texts)) / (1 + n)) + 1) for b, n in counts.items()}


def _vector(text: str, idf: Mapping[int, float]) -> Floats:
    """Hashed tf-idf of a length of 1."""
    vector = np.zeros(WIDTH)
    for term in terms(text):
        bucket = _bucket(term)
        vector[bucket] += idf.get(bucket, 1.0)
    norm = float(np.linalg.norm(vector))
    return vector / norm if norm else vector
