"""Benchmarks of `rank`: DocNADE against a plain loop, and a topic of 200 papers over 20,000.

    python benchmarks/rank.py [docnade|topic]

Both sides of a ratio run in turns in one process, so that a busy machine slows both. Synthetic
papers, so nothing is downloaded.
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np


def docnade(*, documents: int = 24, length: int = 100, vocabulary: int = 1500) -> None:
    """One training step over a batch: cumulative sums against a loop over positions."""
    import torch

    from osler.rank.networks.docnade import DocNade

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    ids = torch.from_numpy(rng.integers(0, vocabulary, (documents, length)))
    mask = torch.ones(ids.shape, dtype=torch.bool)
    torch.manual_seed(0)
    network = DocNade(vocabulary, 50)

    def ours() -> float:
        network.zero_grad()
        loss = -network.log_likelihood(ids, mask).mean()
        loss.backward()
        return loss.item()

    def plain() -> float:
        """As eq. 2 is written: for each document and position, the sum over all before it."""
        network.zero_grad()
        loss = torch.zeros(())
        for row in ids:
            for i, word in enumerate(row):
                hidden = torch.tanh(network.c + network.w[row[:i]].sum(0))
                logits = network.b + network.u @ hidden
                loss = loss - torch.log_softmax(logits, dim=0)[word]
        loss = loss / len(ids)
        loss.backward()
        return loss.item()

    first, second = ours(), plain()
    relative = abs(first - second) / abs(second)
    quick, slow = [], []
    for _ in range(3):
        slow.append(_timed(plain))
        quick.append(min(_timed(ours) for _ in range(3)))
    ratio = statistics.median(s / q for s, q in zip(slow, quick, strict=True))
    print(f"loss {first:.6f} and {second:.6f}, relative difference {relative:.1e} (bar 1e-5)")
    print(f"documents a second: {documents / min(quick):.0f} and {documents / min(slow):.1f}")
    print(f"DocNADE training is {ratio:.1f} times a plain loop (bar 10)")


def topic(*, labelled: int = 200, total: int = 20_000) -> None:
    """Learn a topic from 200 papers and rank 20,000, vectors at hand."""
    from osler.kinds import Document, Section
    from osler.rank.job import rank_topic
    from osler.rank.labels import Label
    from osler.rank.pool import Pool
    from osler.rank.topic import Topic

    rng = np.random.default_rng(0)
    known = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in _ENDINGS]
    weights = 1 / np.arange(1, len(known) + 1)
    weights /= weights.sum()
    documents = []
    for number in range(total):
        words = rng.choice(known, 200, p=weights)
        if number % 20 == 0:
            words[rng.integers(0, 200, 12)] = "melatonin"
            words[rng.integers(0, 200, 6)] = "sleep"
        text = ". ".join(" ".join(words[i : i + 20]).capitalize() for i in range(10, 200, 20))
        documents.append(
            Document(id=f"{number:05d}", title=" ".join(words[:10]), sections=(Section(text),))
        )
    vectors = rng.normal(size=(total, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    marked = list(range(0, 2000, 20)) + list(range(1, 2000, 20))
    labels = [Label(documents[row].id, row % 20 == 0) for row in marked[:labelled]]
    started, cpu = time.perf_counter(), time.process_time()
    found = rank_topic(Pool(documents, vectors=vectors), Topic("sleep"), labels, k=100)
    wall, used = time.perf_counter() - started, time.process_time() - cpu
    right = sum(int(hit.id) % 20 == 0 for hit in found)
    print(f"{labelled} labelled, {total} ranked: {wall:.1f} s, {used:.1f} s of processor (bar 10)")
    print(f"{right} of the first {len(found)} are relevant")


_ENDINGS = ("ra", "lin", "to", "mex", "sul", "dan", "phor", "gen", "tic", "vox", "nal", "cose")


def _timed(work: object) -> float:
    started = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - started


if __name__ == "__main__":
    asked = sys.argv[1:] or ["docnade", "topic"]
    for name in asked:
        {"docnade": docnade, "topic": topic}[name]()
