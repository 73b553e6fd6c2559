"""Known items: 20 PMIDs, 20 DOIs and 20 titles with a typo, each to be found first.

    python benchmarks/known_items.py LIB --method hybrid

Papers are drawn by a seed; the typo swaps two letters of the title's longest word.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable

from osler import Document, Library
from osler.kinds import KnownItem

EACH = 20
SEED = 24


def typo(title: str) -> str:
    """The title with two letters in the middle of its longest word changed about."""
    word = max(title.split(), key=len)
    at = len(word) // 2
    return title.replace(word, word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :], 1)


def main(place: str, method: str | None) -> int:
    kinds: dict[str, tuple[Callable[[Document], bool], Callable[[Document], str]]] = {
        "PMID": (lambda paper: "pmid" in paper.ids, lambda paper: paper.ids["pmid"]),
        "DOI": (lambda paper: "doi" in paper.ids, lambda paper: paper.ids["doi"]),
        "title with a typo": (lambda p: len(p.title.split()) >= 5, lambda p: typo(p.title)),
    }
    missed = 0
    with Library.open(place) as library:
        papers = list(library.documents())
        drawn = random.Random(SEED)
        for kind, (has, asked) in kinds.items():
            chosen = drawn.sample([paper for paper in papers if has(paper)], EACH)
            first = 0
            for paper in chosen:
                hits = library.search(asked(paper), k=3, evidence=False, method=method).hits
                best = hits[0] if hits else None
                known = best is not None and any(isinstance(r, KnownItem) for r in best.reasons)
                if best is not None and best.id == paper.id and known:
                    first += 1
                else:
                    print(f"  missed: {asked(paper)} ({paper.id})")
            missed += EACH - first
            print(f"{kind:<20} {first} of {EACH} first, and said to be it")
    return 1 if missed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("--method", help="words, hybrid, concepts; the best that is ready")
    given = parser.parse_args()
    sys.exit(main(given.library, given.method))
