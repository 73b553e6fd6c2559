"""The task as it is, for the recipe ``rdoc``: which of the abstracts that were retrieved for a
construct are about it?

All training abstracts are relevant to some construct, so cross-validation over them only asks which
one. The task's clusters were retrieved for a construct, and four of five of their abstracts are
relevant. So here clusters are made like these: held-out relevant abstracts, and for four of them
one near miss. Near misses are what BM25 finds in another set for the construct's words (those of
its name, and the eight that tell the titles of its abstracts from others') and whose title has none
of them; or held-out abstracts of other constructs that use the construct's name. For each source
the background that a ranker may learn from is of the other sources alone. Draws are repeated; mAP
is told beside a random order's, which has 0.8 and more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from osler.files.source import Source
from osler.kinds import Document, Section
from osler.rank.measure import average_precision
from osler.rank.papers.about import About
from osler.rank.pool import Floats, Ints, Pool, joined
from osler.rank.preprocess import words
from osler.rank.splits import repeated
from osler.rank.topic import Topic
from osler.rank.word_features import STOP_TERMS
from osler.text import bm25
from osler.text.tokens import terms
from osler_papers.rank.svm import SvmRanker
from osler_papers.recipes.rdoc_tables import corrected_t, table

Progress = Callable[[str], None]
Scored = dict[str, Floats]

SETS = {
    "pubmedqa": "questions.jsonl.gz",
    "ohsumed_cat": "docs.jsonl.gz",
    "nfcorpus": "corpus.jsonl.gz",
    "cystic_fibrosis": "corpus.jsonl.gz",
}
OTHERS = "other constructs"
EACH, RANDOM, FEWEST = 40, 60, 3
DRAWS, RELEVANT_TO_ONE = 10, 4
NEIGHBOURS = 5
PUBMED = "pubmed-sample"
TELLING = 8
LEVEL = 0.05
OURS = "about"
DUMB = ("centroid", "neighbours", "SVM")
DEFINITIONS = {
    "Acute_Threat_Fear": "Fear of an immediate danger: conditioning, freezing, startle.",
    "Arousal": "How alert and sensitive to stimuli an organism is: activation, vigilance.",
    "Circadian_Rhythms": "Daily oscillations of the body's clock, entrained by light.",
    "Frustrative_Nonreward": "Reactions when an expected reward does not come.",
    "Loss": "Being deprived of a loved one or of something valued: grief, bereavement.",
    "Potential_Threat_Anxiety": "Anxiety about a harm that is distant, unlikely or unclear.",
    "Sleep_Wakefulness": "Sleep and being awake: stages of sleep, deprivation, insomnia.",
    "Sustained_Threat": "A long exposure to aversive conditions: chronic stress, early adversity.",
}
"""The constructs in a line each, in our words."""


def read_set(path: Path, name: str) -> list[Document]:
    """The abstracts of a set of :data:`SETS`."""
    documents = []
    for _, line in Source(path).lines():
        if not line:
            continue
        row = msgspec.json.decode(line)
        text = " ".join(row["contexts"]) if "contexts" in row else row["text"]
        title = row.get("question") or row.get("title", "")
        documents.append(
            Document(id=f"{name} {row['_id']}", title=title, sections=(Section(text),))
        )
    return documents


def pubmed_sample() -> list[Document]:
    """The abstracts of the newest file of the PubMed sample; none where it is not fetched."""
    from osler.corpus.pubmed import PubMed
    from osler.fetch import fetched

    folder = fetched(PUBMED)
    paths = [] if folder is None else sorted(folder.glob("*.xml.gz"))[-1:]
    items = (item for path in paths for item in PubMed().read(Source(path)))
    return [item for item in items if isinstance(item, Document) and item.abstract]


def words_of(topic: Topic) -> set[str]:
    """The terms of a topic's name."""
    return {term for word in words(topic.words) for term in terms(word)}


def queries(pool: Pool, targets: Ints, topics: list[Topic]) -> list[set[str]]:
    """For each topic the terms of its name and those that tell its titles from the others'."""
    counts = [
        Counter(
            term
            for row in np.flatnonzero(targets == number).tolist()
            for term in set(_title(pool, row))
        )
        for number in range(len(topics))
    ]
    every = sum(counts, Counter[str]())
    asked = []
    for own, topic in zip(counts, topics, strict=True):
        telling = sorted(own, key=lambda term: (-(own[term] ** 2) / every[term], term))[:TELLING]
        asked.append(words_of(topic) | set(telling))
    return asked


def _title(pool: Pool, row: int) -> list[str]:
    return [term for term in pool.title_terms[row] if term not in STOP_TERMS]


class Words:
    """The terms of a source's documents, and how they are found by some."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.titles = [set(terms(document.title)) for document in documents]
        self.counts = [Counter(terms(document.abstract)) for document in documents]
        self.lengths = [count.total() for count in self.counts]
        self.average = max(1.0, float(np.mean(self.lengths))) if documents else 1.0
        self.documents: dict[str, list[int]] = {}
        for row, count in enumerate(self.counts):
            for term in count:
                self.documents.setdefault(term, []).append(row)

    def near_misses(self, query: set[str], *, most: int = EACH) -> list[int]:
        """The best documents by BM25 whose title has no term of the query: they use its words and
        are about something else."""
        scores: dict[int, float] = {}
        for term in sorted(query):
            rows = self.documents.get(term, [])
            rarity = float(bm25.idf(len(rows), len(self.counts)))
            for row in rows:
                if query.isdisjoint(self.titles[row]):
                    gain = bm25.saturated(self.counts[row][term], self.lengths[row], self.average)
                    scores[row] = scores.get(row, 0.0) + rarity * float(gain)
        return sorted(scores, key=lambda row: (-scores[row], row))[:most]


class Retrieved(msgspec.Struct):
    """Abstracts of a source that are about no construct: ``pool`` with vectors, and the rows that
    use each construct's words; the other rows were drawn at random."""

    pool: Pool
    rows: dict[int, list[int]]


def retrieved(data: Path, asked: list[set[str]], encode: Any) -> dict[str, Retrieved]:
    """Sources by name; ``asked`` are the terms that each topic is retrieved by."""
    sources = {}
    found = {name: read_set(data / name / file, name) for name, file in SETS.items()}
    if sample := pubmed_sample():
        found[PUBMED] = sample
    for name, documents in found.items():
        by_words = Words(documents)
        near = {number: by_words.near_misses(query) for number, query in enumerate(asked)}
        drawn = np.random.default_rng(0).permutation(len(documents))[:RANDOM].tolist()
        kept = sorted({*drawn, *(row for rows in near.values() for row in rows)})
        place = {row: at for at, row in enumerate(kept)}
        chosen = [documents[row] for row in kept]
        vectors = None if encode is None else encode([document.text for document in chosen])
        pool = Pool(chosen, vectors=vectors).warm()
        sources[name] = Retrieved(
            pool, {number: [place[row] for row in rows] for number, rows in near.items()}
        )
    return sources


def background_of(sources: Mapping[str, Retrieved], without: str = "") -> Pool:
    """All abstracts of the sources but one, as papers of no construct."""
    pools = [source.pool for name, source in sources.items() if name != without]
    whole = pools[0]
    for pool in pools[1:]:
        whole = joined(whole, pool)
    return whole


def measure_retrieved(
    pool: Pool,
    targets: Ints,
    topics: list[Topic],
    sources: Mapping[str, Retrieved],
    encode: Any,
    *,
    progress: Progress,
    splits: int = 15,
    first: int = 0,
) -> tuple[dict[str, float], list[str]]:
    """mAP by method and source over the splits, and the p of ours over the dumb rows; ``first`` is
    the first seed of the splits."""
    described = encode([DEFINITIONS.get(topic.id, topic.words) for topic in topics])
    found: dict[tuple[str, str], list[float]] = {}
    for number, (train, test) in enumerate(list(repeated(targets, first=first))[:splits], 1):
        progress(f"abstracts among retrieved ones: split {number} of {splits}")
        known, held = pool.take(train), pool.take(test)
        svm = SvmRanker().fit(known, targets[train], topics)
        for source in [*sources, OTHERS]:
            whole = background_of(sources, without=source)
            none = np.full(len(whole), len(topics), dtype=np.int64)
            ours = About().fit(joined(known, whole), np.concatenate([targets[train], none]), topics)
            values: dict[str, list[float]] = {}
            for topic in range(len(topics)):
                others = _others(held, targets[test], topic, topics, sources.get(source))
                if len(others) < FEWEST:
                    continue
                own = held.take(np.flatnonzero(targets[test] == topic))
                by_method = scored(
                    joined(own, others), known, targets[train], topic, described, svm, ours
                )
                rng = np.random.default_rng([number, topic, len(others)])
                for name, value in _drawn(by_method, len(own), len(others), rng).items():
                    values.setdefault(name, []).append(value)
            for name, row in values.items():
                found.setdefault((name, source), []).append(float(np.mean(row)))
    return _told({key: np.array(row) for key, row in found.items()}, [*sources, OTHERS])


def _others(
    held: Pool, gold: Ints, topic: int, topics: list[Topic], source: Retrieved | None
) -> Pool:
    """What the topic's abstracts are ranked among."""
    if source is not None:
        return source.pool.take(source.rows[topic])
    name = words_of(topics[topic])
    rows = [
        row
        for row in np.flatnonzero(gold != topic).tolist()
        if not name.isdisjoint(held.title_terms[row] + held.body_terms[row])
    ]
    return held.take(rows)


def scored(
    cluster: Pool,
    known: Pool,
    gold: Ints,
    topic: int,
    described: Any,
    svm: SvmRanker,
    ours: About,
) -> Scored:
    """The cluster's abstracts by method, for one topic; the dumb rows among them."""
    vectors, own = _units(cluster.vectors), _units(known.vectors)[gold == topic]
    near = np.sort(vectors @ own.T, axis=1)[:, -NEIGHBOURS:].mean(axis=1)
    return {
        "centroid": vectors @ own.mean(axis=0),
        "neighbours": near,
        "cosine to the definition": vectors @ _units(described)[topic],
        "SVM": svm.scores(cluster)[:, topic],
        OURS: ours.scores(cluster)[:, topic],
    }


def _drawn(scored: Scored, relevant: int, others: int, rng: Any) -> dict[str, float]:
    """The mean average precision over draws of the others; ties go against the relevant ones."""
    values: dict[str, list[float]] = {}
    count = min(max(1, round(relevant / RELEVANT_TO_ONE)), others)
    for _ in range(DRAWS):
        drawn = relevant + rng.choice(others, count, replace=False)
        rows = np.concatenate([drawn, np.arange(relevant)])
        is_relevant = rows < relevant
        for name, scores in scored.items():
            values.setdefault(name, []).append(average_precision(scores[rows], is_relevant))
        values.setdefault("random", []).append(
            average_precision(rng.random(len(rows)), is_relevant)
        )
    return {name: float(np.mean(row)) for name, row in values.items()}


def _told(
    found: dict[tuple[str, str], Floats], sources: list[str]
) -> tuple[dict[str, float], list[str]]:
    names = list(dict.fromkeys(name for name, _ in found))
    mean = {name: np.mean([found[name, source] for source in sources], axis=0) for name in names}
    rows = []
    for name in sorted(names, key=lambda name: -float(mean[name].mean())):
        above = float(mean[name].mean() - mean["random"].mean())
        cells = [f"{found[name, source].mean():.3f}" for source in sources]
        rows.append((name, *cells, f"{mean[name].mean():.3f}", f"{above:+.3f}"))
    p = {name: corrected_t(mean[OURS], mean[name]) for name in DUMB}
    by_source = [
        (
            source,
            *(
                f"{(found[OURS, source] - found[name, source]).mean():+.4f} "
                f"(p = {corrected_t(found[OURS, source], found[name, source]):.4f})"
                for name in DUMB
            ),
        )
        for source in sources
    ]
    lines = [
        "## Retrieved abstracts: mAP of held-out relevant ones among near misses",
        "",
        *table(("method", *sources, "mean", "above random"), rows),
        "",
        f"{OURS} over " + ", ".join(f"{name} p = {value:.4f}" for name, value in p.items())
        + f" (t test over {len(mean[OURS])} splits corrected for their overlap, mean of sources).",
        "",
        *table((f"{OURS} less", *DUMB), by_source),
        "",
    ]  # fmt: skip
    results = {f"retrieved mAP, {name}": float(mean[name].mean()) for name in names}
    results |= {f"retrieved mAP over {name} p": value for name, value in p.items()}
    results["sources surely above all three"] = float(
        sum(
            all(
                found[OURS, source].mean() > found[name, source].mean()
                and corrected_t(found[OURS, source], found[name, source]) < LEVEL
                for name in DUMB
            )
            for source in sources
        )
    )
    results["retrieved mAP above random"] = float((mean[OURS] - mean["random"]).mean())
    return results, lines


def _units(vectors: Any) -> Floats:
    wide = np.asarray(vectors, dtype=np.float64)
    return np.asarray(wide / np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1e-12))
