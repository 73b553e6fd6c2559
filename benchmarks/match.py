"""Matching: path features of a whole data set, and one question against a thousand answers.

    python benchmarks/match.py --data DIR [--train 800] [--questions 50]

Paths: all questions of DIR/qa_zh_toyhom with six candidates each, entities linked and the paths of
up to three entities chosen, as MKHAN reads them; beside networkx's all_simple_paths on some of the
same pairs, as a ratio. Answers: the trained default orders 1,000 answers, first those that it never
met (cold), then again for other questions (warm, as a service that keeps its answers has it);
beside scikit-learn's tf-idf over character bigrams with its answers ready, as a ratio.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import networkx
from sklearn.feature_extraction.text import TfidfVectorizer

from osler.match.default import Default
from osler.match.known import Known
from osler.match.matcher import Candidate, Sources
from osler.match.splits import candidate_lists
from osler.match.texts import Texts
from osler.match.walks import walks_of
from osler_papers.recipes.match_experiment import qa_pairs, read_graph

SAMPLE = 200


def path_features(known: Known, pairs: list) -> None:
    lists = candidate_lists(pairs, 5)
    texts = [(one.question, c.text) for one in lists for c in one.candidates]
    begun, used = time.perf_counter(), time.process_time()
    tables = walks_of(known, texts)
    took, spent = time.perf_counter() - begun, time.process_time() - used
    some = sum(not table.empty for table in tables)
    print(
        f"paths of {len(texts):,} pairs, {some / len(texts):.0%} joined: {took:.0f} s "
        f"({spent:.0f} s of one core), the bar is 180 s"
    )
    peer = networkx.Graph()
    offsets, adjacent, _ = known.graph.adjacency
    for number in range(len(known)):
        if known.degrees[number] <= known.hub:
            for other in adjacent[offsets[number] : offsets[number + 1]].tolist():
                peer.add_edge(number, other)
    chosen = texts[:: len(texts) // SAMPLE][:SAMPLE]
    begun = time.process_time()
    for question, answer in chosen:
        targets = [e for e in known.link(answer).entities if e in peer]
        for source in known.link(question).entities:
            if source in peer and targets:
                for _ in networkx.all_simple_paths(peer, source, set(targets), cutoff=2):
                    pass
    slow = (time.process_time() - begun) / len(chosen)
    quick = spent / len(texts)
    print(
        f"a pair: {quick * 1e3:.2f} ms, networkx {slow * 1e3:.2f} ms "
        f"(paths alone, entities linked before): x {slow / quick:.1f}"
    )


def thousand_answers(known: Known, pairs: list, train: int, questions: int) -> None:
    sources = Sources(texts=Texts(known.names), known=known)
    begun = time.perf_counter()
    matcher = Default(sources).fit(pairs[:train])
    print(f"trained on {train:,} pairs in {time.perf_counter() - begun:.0f} s")
    answers = [Candidate(pair.id, pair.answer) for pair in pairs[train : train + 1000]]
    asked = [pair.question for pair in pairs[train + 1000 : train + 1001 + questions]]
    begun = time.perf_counter()
    matcher.scores(asked[0], answers)
    print(f"one question against {len(answers):,} new answers: {_ms(begun):.0f} ms (cold)")
    ours = []
    for question in asked[1:]:
        begun = time.perf_counter()
        matcher.scores(question, answers)
        ours.append(_ms(begun))
    peer = TfidfVectorizer(analyzer="char", ngram_range=(2, 2), sublinear_tf=True)
    matrix = peer.fit_transform([answer.text for answer in answers])
    theirs = []
    for question in asked[1:]:
        begun = time.perf_counter()
        matrix @ peer.transform([question]).T
        theirs.append(_ms(begun))
    p50, p95 = statistics.median(ours), sorted(ours)[int(0.95 * len(ours))]
    beside = statistics.median(theirs)
    print(f"the same answers, other questions: p50 {p50:.0f} ms, p95 {p95:.0f} ms; the bar is 300")
    print(f"tf-idf of bigrams alone (scikit-learn): p50 {beside:.1f} ms, ratio {p50 / beside:.1f}")


def _ms(begun: float) -> float:
    return (time.perf_counter() - begun) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--train", type=int, default=800)
    parser.add_argument("--questions", type=int, default=50)
    given = parser.parse_args()
    pairs = qa_pairs(given.data / "qa_zh_toyhom" / "qa.jsonl.gz")
    with tempfile.TemporaryDirectory() as cache:
        files = [given.data / "kg_zh" / "triples.tsv.gz"]
        known = read_graph(files, Path(cache), print)
        path_features(known, pairs)
        thousand_answers(known, pairs, given.train, given.questions)


if __name__ == "__main__":
    main()
