"""Abstracts that are relevant to no construct, for the recipe ``rdoc``: other sets' abstracts.

Half of them are drawn at random, half because they use a construct's words: "hearing loss" is not
the construct Loss, and only such abstracts teach a ranker that the word is not enough.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from osler.files.source import Source
from osler.kinds import Document, Section
from osler.rank.measure import average_precision
from osler.rank.papers.hybrid import Hybrid
from osler.rank.pool import Ints, Pool, joined
from osler.rank.splits import repeated
from osler.rank.topic import Topic
from osler.rank.word_features import TopicFeatures

EACH = 40
RANDOM = 200
READ = 4_000


def draw_background(data: Path, topics: list[Topic]) -> Pool:
    """Abstracts of PubMedQA and OHSUMED: up to EACH that use a construct's words, RANDOM others."""
    pool = Pool(_documents(data)).warm()
    chosen = sorted({row for rows in wordy(pool, topics).values() for row in rows})
    rest = np.setdiff1d(np.arange(len(pool)), chosen)
    drawn = np.random.default_rng(0).permutation(rest)[:RANDOM]
    return pool.take(sorted([*chosen, *(int(row) for row in drawn)]))


def wordy(pool: Pool, topics: list[Topic], *, each: int = EACH) -> dict[int, list[int]]:
    """For each topic the abstracts that use most of its words, in text, title and as a phrase."""
    features = TopicFeatures([topic.words for topic in topics])
    raw = features.raw(pool)
    found = {}
    for number in range(len(topics)):
        at = 3 * len(features.terms) + 3 * number
        use = raw[:, at : at + 3].sum(axis=1)
        order = np.argsort(-use, kind="stable")[:each]
        found[number] = [int(row) for row in order if use[row] > 0]
    return found


def proxy(
    pool: Pool, targets: Ints, topics: list[Topic], background: Pool
) -> tuple[int, float, float]:
    """Held-out abstracts among wordy ones of the background's other half: mAP with the first half
    in training and without, over the first three splits; and how many wordy ones there were."""
    words_only = Pool(pool.documents).warm()
    halves = [background.take(np.arange(part, len(background), 2)) for part in (0, 1)]
    near = wordy(halves[1], topics)
    values: dict[bool, list[float]] = {True: [], False: []}
    for train, test in list(repeated(targets))[:3]:
        for helped in (True, False):
            known, labels = words_only.take(train), targets[train]
            if helped:
                known = joined(known, halves[0])
                none = np.full(len(halves[0]), len(topics), dtype=np.int64)
                labels = np.concatenate([labels, none])
            ranker = Hybrid().fit(known, labels, topics)
            for number in range(len(topics)):
                own = words_only.take(test[targets[test] == number])
                cluster = joined(own, halves[1].take(near[number]))
                relevant = np.arange(len(cluster)) < len(own)
                scores = ranker.scores(cluster)[:, number]
                # Ties go against us: irrelevant abstracts first.
                values[helped].append(average_precision(scores[::-1], relevant[::-1]))
    wide = len({row for rows in near.values() for row in rows})
    return wide, float(np.mean(values[True])), float(np.mean(values[False]))


def _documents(data: Path) -> list[Document]:
    made = []
    for row in _rows(data / "pubmedqa" / "questions.jsonl.gz"):
        text = " ".join(row["contexts"])
        made.append(Document(id=f"q{row['_id']}", title=row["question"], sections=(Section(text),)))
    for row in _rows(data / "ohsumed_cat" / "docs.jsonl.gz"):
        made.append(
            Document(id=f"o{row['_id']}", title=row["title"], sections=(Section(row["text"]),))
        )
    return made


def _rows(path: Path) -> list[dict[str, Any]]:
    rows = []
    for _, line in Source(path).lines():
        if line:
            rows.append(msgspec.json.decode(line))
        if len(rows) == READ:
            break
    return rows
