"""Files that others wrote, read beside an independent count.

    python benchmarks/reading_world.py DATA [--set references] [--wrong] [--json FILE]

DATA is the folder that holds the sets ``references``, ``jats`` and ``pubmed_xml``, each with a
``files.tsv``: file, kind, records that can be stored, those that cannot (unusable).
Each file is added to a new library of its own, as ``osler add`` does it, and what came of it is
held beside the count:

    right     every record is in (stored, merged with a note, replaced with a note, unchanged), and
              what cannot be stored is rejected; or a file without a record is refused
    refused   the whole file is refused, with its reason, though it holds records
    fewer     records are missing; "silent" where no reject or note speaks of them
    more      there are more records than there should be
    unnamed   the right records, but fewer rejects than there are unusable ones
    crash     an exception that is none of ours

FHIR files have a count of their own, entry by entry: ``reading_records.py``.
Exit code 1 when a loss was silent or something crashed, or when under 98 % of a set is right.
"""

from __future__ import annotations

import argparse
import csv
import json
import logging
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from osler.errors import OslerError
from osler.library import Library

SETS = ("references", "jats", "pubmed_xml")
BAR = 0.98
IN = ("stored", "merged", "replaced", "unchanged")


@dataclass(frozen=True)
class Expected:
    set: str
    file: str
    kind: str
    records: int
    unusable: int
    note: str


@dataclass(frozen=True)
class Outcome:
    verdict: str
    records: int = 0
    rejected: int = 0
    silent: bool = False
    why: str = ""


def expected(data: Path, name: str) -> list[Expected]:
    with (data / name / "files.tsv").open(encoding="utf-8", newline="") as stream:
        return [
            Expected(
                name,
                row["file"],
                row["kind"],
                int(row["records"]),
                int(row["unusable"]),
                row["note"] or "",
            )
            for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]


def judge(path: Path, wanted: Expected) -> Outcome:
    """One file in a new library, and what came of it."""
    with tempfile.TemporaryDirectory(prefix="osler-world-") as folder:
        try:
            with Library.create(Path(folder) / "lib") as library:
                summary = library.add([path])
                held = len(library)
        except OslerError as error:
            return _refused(wanted, str(error))
        except Exception as error:
            return Outcome("crash", why=f"{type(error).__name__}: {str(error)[:120]}")
    counts = summary.counts
    rejected = counts["rejected"]
    failure = next(iter(summary.failed.values()), "")
    if wanted.kind.startswith("FHIR"):
        records = wanted.records + wanted.unusable - rejected - counts["skipped"]
        if failure and not sum(counts[word] for word in ("read", *IN)):
            return _refused(wanted, failure)
    else:
        records = sum(counts[word] for word in (*IN, "added", "joined", "older"))
        if failure and not records and not rejected:
            return _refused(wanted, failure)
        said = sum(counts[word] for word in ("merged", "replaced", "unchanged", "duplicates"))
        if held + said < records:
            return Outcome("fewer", held, rejected, True, "records became one without a word")
    if "book" in wanted.note:
        # Counted as unusable there; PubMed's books are read here, and the count gives way to that.
        wanted = replace(wanted, records=wanted.records + wanted.unusable, unusable=0)
    reasons = Counter(reject.reason for reject in summary.rejects)
    why = failure or "; ".join(f"{reason} ({n})" for reason, n in reasons.most_common(3))
    if records == wanted.records:
        # More rejects than that are no loss: pieces that the count did not take for records. A
        # file that ends in a break is told as a whole.
        named = rejected >= wanted.unusable or bool(failure)
        return Outcome("right" if named else "unnamed", records, rejected, False, why)
    if records > wanted.records:
        return Outcome("more", records, rejected, False, why)
    return Outcome("fewer", records, rejected, records + rejected < wanted.records, why)


def _refused(wanted: Expected, reason: str) -> Outcome:
    return Outcome("refused" if wanted.records else "right", why=reason)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("data", type=Path)
    options.add_argument("--set", action="append", choices=SETS, dest="sets")
    options.add_argument("--wrong", action="store_true", help="name each file that is not right")
    options.add_argument("--json", type=Path)
    given = options.parse_args()
    logging.disable(logging.CRITICAL)
    rows: list[tuple[Expected, Outcome]] = []
    for name in given.sets or SETS:
        for wanted in expected(given.data, name):
            rows.append((wanted, judge(given.data / name / wanted.file, wanted)))
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    for wanted, outcome in rows:
        for key in (wanted.set, "all"):
            verdicts[key][outcome.verdict] += 1
            verdicts[key]["silent"] += outcome.silent
    columns = ("right", "unnamed", "refused", "fewer", "more", "crash", "silent")
    print(f"{'set':12}{'files':>6}" + "".join(f"{c:>9}" for c in columns) + f"{'right %':>9}")
    failed = False
    for key, counts in verdicts.items():
        total = sum(n for c, n in counts.items() if c != "silent")
        share = counts["right"] / total
        failed = failed or share < BAR or bool(counts["silent"] or counts["crash"])
        print(
            f"{key:12}{total:>6}"
            + "".join(f"{counts[c]:>9}" for c in columns)
            + f"{100 * share:>9.1f}"
        )
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for wanted, outcome in rows:
        kinds[wanted.kind][outcome.verdict] += 1
    print("\nby kind")
    for kind, counts in sorted(kinds.items()):
        print(f"  {kind:16}" + ", ".join(f"{n} {v}" for v, n in counts.most_common()))
    if given.wrong:
        print()
        for wanted, outcome in rows:
            if outcome.verdict != "right":
                print(
                    f"{outcome.verdict:8}{'silent ' if outcome.silent else ''}{wanted.set}/"
                    f"{wanted.file} [{wanted.kind}] {wanted.records}+{wanted.unusable} expected, "
                    f"{outcome.records}+{outcome.rejected} read: {outcome.why[:160]}"
                )
    if given.json:
        given.json.write_text(
            json.dumps({key: dict(counts) for key, counts in verdicts.items()}, indent=1) + "\n"
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
