"""FHIR files that others wrote, read beside an independent count of their entries.

    python benchmarks/reading_records.py DATA [--wrong]

DATA is the folder that holds ``fhir_r4`` with its ``files.tsv``: file, records (entries), those
that cannot be stored (unusable). Each file is added to a new library, as ``osler add`` does it:

    right    every entry is in the library or, being of a type that is no patient's record, passed
             over under a note that counts it; only what is unusable is rejected
    stored   ... and all of it is in the library
    refused  entries that hold records were rejected, each with a reason
    silent   entries are missing without a word
    crash    an exception that is none of ours

Exit code 1 where a loss was silent, something crashed, or under 98 % of the files are right.
"""

from __future__ import annotations

import argparse
import csv
import logging
import sys
import tempfile
from collections import Counter
from pathlib import Path

from osler.errors import OslerError
from osler.library import Library

BAR = 0.98


def judge(path: Path, records: int, unusable: int) -> tuple[str, Counter[str], list[str]]:
    """The verdict on one file, its counts, and the reasons of its rejects and notes."""
    with tempfile.TemporaryDirectory(prefix="osler-records-") as folder:
        try:
            with Library.create(Path(folder) / "lib") as library:
                summary = library.add([path], format="fhir")
        except OslerError as error:
            return ("refused" if records else "right"), Counter(), [str(error)]
        except Exception as error:
            return "crash", Counter(), [f"{type(error).__name__}: {str(error)[:120]}"]
    counts = summary.counts
    reasons = [reject.reason for reject in summary.rejects]
    # Notes on rows of the graph are about items of the stream, not about entries of the file.
    notes = [note for note in summary.remarks if not note.place.startswith("items ")]
    reasons += [f"note: {note.reason}" for note in notes]
    noted = sum(note.count for note in notes)
    told = counts["records"] + counts["rejected"] + noted
    if told < records + unusable:
        return "silent", counts, reasons
    if counts["rejected"] > unusable or summary.failed:
        return "refused", counts, [*reasons, *summary.failed.values()]
    return ("stored" if not noted else "right"), counts, reasons


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("data", type=Path)
    options.add_argument("--wrong", action="store_true", help="name each file that is not right")
    given = options.parse_args()
    logging.disable(logging.CRITICAL)
    verdicts: Counter[str] = Counter()
    entries: Counter[str] = Counter()
    folder = given.data / "fhir_r4"
    with (folder / "files.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        records, unusable = int(row["records"]), int(row["unusable"])
        verdict, counts, reasons = judge(folder / row["file"], records, unusable)
        verdicts[verdict] += 1
        entries["expected"] += records
        entries["in the library"] += counts["records"]
        entries["rejected"] += counts["rejected"]
        if given.wrong and verdict not in ("right", "stored"):
            told = "; ".join(f"{why} ({n})" for why, n in Counter(reasons).most_common(4))
            print(f"{verdict:8}{row['file']} {records}+{unusable}: {told[:200]}")
    right = verdicts["right"] + verdicts["stored"]
    print(
        f"{len(rows)} files: {right} right ({100 * right / len(rows):.1f} %), of them "
        f"{verdicts['stored']} wholly in the library; {verdicts['refused']} refused, "
        f"{verdicts['silent']} silent losses, {verdicts['crash']} crashes"
    )
    print(", ".join(f"{count:,} entries {what}" for what, count in entries.items()))
    return int(right < BAR * len(rows) or bool(verdicts["silent"] or verdicts["crash"]))


if __name__ == "__main__":
    sys.exit(main())
