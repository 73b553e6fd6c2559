"""Names that begin alike: how many of different things count as one name, how many of one thing do.

    python benchmarks/near_names.py --data DIR

DIR holds mesh. Names of one word, two of which have five letters or more in common from their
beginning on and different stems: of two descriptors they should be two names (word forms among them
are none: "laparoscope", "laparoscopy"), of one descriptor they may be one. Beside our rule stands
the dumb one: six tenths of the longer stem in common.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import re
from collections import defaultdict
from pathlib import Path

from osler.claims.forms import LEAST_SHARED, SHARE, forms_of_one_word
from osler.claims.words import stem

_ONE_WORD = re.compile(r"[A-Za-z]{5,}")


def names(folder: Path) -> dict[str, set[str]]:
    """Descriptors of each name of one word."""
    holders: dict[str, set[str]] = defaultdict(set)
    with gzip.open(folder / "mesh" / "descriptors.tsv.gz", "rt", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            id, name, _, *entries = line.rstrip("\n").split("\t")
            for one in (name, *(entries[0].split("|") if entries else ())):
                if _ONE_WORD.fullmatch(one):
                    holders[one.lower()].add(id)
    return holders


def begin_alike(one: str, other: str) -> bool:
    """The dumb row."""
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return shared >= LEAST_SHARED and shared >= SHARE * max(len(one), len(other))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    holders = names(parser.parse_args().data)
    groups = defaultdict(list)
    for name in sorted(holders):
        groups[name[:LEAST_SHARED]].append(name)
    pairs = [
        (stem(one), stem(other), bool(holders[one] & holders[other]))
        for group in groups.values()
        for one, other in itertools.combinations(group, 2)
        if stem(one) != stem(other)
    ]
    print(f"{len(holders):,} names of one word, {len(pairs):,} pairs that begin alike")
    for title, rule in (("beginnings", begin_alike), ("endings", forms_of_one_word)):
        counts = {
            same: sum(rule(one, other) for one, other, kept in pairs if kept is same)
            for same in (False, True)
        }
        totals = {same: sum(kept is same for *_, kept in pairs) for same in (False, True)}
        print(
            f"by their {title}: one name in {counts[False]:,} of {totals[False]:,} pairs of two "
            f"descriptors, in {counts[True]:,} of {totals[True]:,} of one"
        )


if __name__ == "__main__":
    main()
