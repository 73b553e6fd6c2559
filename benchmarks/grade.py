"""Capsule routing against the loop that the equations spell out, and one fact over PubMed.

python benchmarks/grade.py [--library DIR]

The library is one with the 2021 PubMed file, MeSH and HPO with its annotations (``osler demo``,
then ``osler add`` of phenotype.hpoa); without it one is built, which takes minutes.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import torch

from osler import Library
from osler.fetch import fetch
from osler.grade.networks.capsules import CapsuleRouting, direct_route
from osler.verbs.grade import GradeRequest, as_facts, grade

# Epilepsy and seizure, asthma and budesonide, COVID-19 and fever, diabetes mellitus and
# hypertension, breast cancer and tamoxifen, stroke and atrial fibrillation, obesity and
# hypertension, schizophrenia and hallucinations: by ids, since many of these names have several.
FACTS = (
    ("MESH:D004827", "has phenotype", "HP:0001250"),
    ("MESH:D001249", "treated by", "MESH:D019819"),
    ("MESH:D000086382", "has phenotype", "HP:0001945"),
    ("MESH:D003920", "complication", "MESH:D006973"),
    ("MESH:D001943", "treated by", "MESH:D013629"),
    ("MESH:D020521", "risk factor", "MESH:D001281"),
    ("MESH:D009765", "complication", "MESH:D006973"),
    ("MESH:D012559", "has phenotype", "HP:0000738"),
)


def routing() -> None:
    """A batch of 32 representations of width 768: 12 capsules of 64, 3 layers, 3 iterations."""
    torch.manual_seed(0)
    # Both on one thread: on a busy machine a second one mostly waits.
    torch.set_num_threads(1)
    module = CapsuleRouting(768)
    given = torch.randn(32, 768) / 8
    with torch.no_grad():
        quick = module(given)
        module(given)
        turns = []
        for _ in range(20):
            started = time.perf_counter()
            module(given)
            turns.append(time.perf_counter() - started)
        started = time.perf_counter()
        slow = given.view(32, module.capsules, module.width)
        for weights in module.weights:
            slow = direct_route(slow, weights, module.iterations)
        loop = time.perf_counter() - started
    gap = float((quick - slow.reshape(32, 768)).abs().max())
    batched = statistics.median(turns)
    print(
        f"capsule routing, batch 32: {1000 * batched:.1f} ms, capsule by capsule {loop:.2f} s: "
        f"{loop / batched:.0f} times (bar: at least 20); largest difference {gap:.1e} (bar: 1e-5)"
    )


def one_fact(library: Library) -> None:
    for fact in FACTS[:2]:
        library.grade(*fact, k=50)
    grading, searching = [], []
    for fact in FACTS * 2:
        started = time.perf_counter()
        found = library.grade(*fact, k=50)
        grading.append(time.perf_counter() - started)
        started = time.perf_counter()
        library.search(found.query, k=50, method="words", plain=True)
        searching.append(time.perf_counter() - started)
        print(f"  {found.query}: {found.total} candidates, {grading[-1]:.2f} s")
    p50 = statistics.median(grading)
    print(
        f"one fact over {len(library):,} papers, top 50 graded: p50 {p50:.2f} s (bar: under 3), "
        f"{p50 / statistics.median(searching):.0f} times a word search of the same text"
    )
    judging = []
    for fact in FACTS:
        # One candidate fewer than above: another request, whose ranking is not kept.
        request = GradeRequest(head=fact[0], relation=fact[1], tail=fact[2], k=50, candidates=999)
        started = time.process_time()
        as_facts(library, request, grade(library, request))
        judging.append(time.process_time() - started)
    print(
        f"one fact over {len(library):,} papers, top 50 with stance: processor time p50 "
        f"{statistics.median(judging):.2f} s (bar: under 1.5)"
    )
    ids = [hit.id for hit in library.search("phenotype of a rare syndrome", k=10).hits]
    turns = []
    for id in ids:
        started = time.perf_counter()
        library.facts(id)
        turns.append(time.perf_counter() - started)
    print(f"facts of one paper: p50 {1000 * statistics.median(turns):.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", type=Path)
    given = parser.parse_args()
    routing()
    if given.library:
        with Library.open(given.library) as library:
            one_fact(library)
        return
    with tempfile.TemporaryDirectory() as folder, Library.create(Path(folder) / "lib") as library:
        library.add(
            [
                fetch("pubmed-sample") / "pubmed21n1298.xml.gz",
                fetch("mesh") / "mesh_id_label_mappings.tsv",
                fetch("hpo") / "hp.obo",
                fetch("hpo") / "phenotype.hpoa",
            ]
        )
        one_fact(library)


if __name__ == "__main__":
    main()
