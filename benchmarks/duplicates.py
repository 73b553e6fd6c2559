"""Duplicates on the labelled set of ASySD: precision and recall of records taken for duplicates.

    python benchmarks/duplicates.py labelled_test_set.csv

The set marks each record as kept or as a duplicate, without groups. In a group of n records n - 1
are one too many: they are right as far as the group holds marked ones. Two columns mark: ``label``
(a librarian's bin) leaves hundreds of records with equal titles and DOIs unmarked that ``source``
marks. ``same title`` is the dumb row: groups of equal folded titles. ``held out`` chooses the least
probability on four fifths of the papers and tells of the fifth.
"""

from __future__ import annotations

import argparse
import csv
import zlib
from collections import defaultdict
from pathlib import Path

from osler.review.duplicates import FoldedRecord, first_page, folded, groups, plain_doi

FOLDS = 5
PRECISION = 0.995
LEAST = (0.9, 0.95, 0.98, 0.99, 0.995, 0.999)


def value(text: str) -> str:
    return "" if text == "NA" else text


def read(path: Path, column: str, mark: str) -> tuple[list[FoldedRecord], set[str]]:
    records, marked = [], set()
    with path.open(encoding="latin-1") as stream:
        for row in csv.DictReader(stream):
            year = value(row["year"])
            records.append(
                FoldedRecord(
                    id=row["record_id"],
                    title=folded(value(row["title"])),
                    authors=folded(value(row["author"])),
                    year=int(year) if year.isdigit() else None,
                    journal=folded(value(row["journal"])),
                    page=first_page(value(row["pages"])),
                    volume=folded(value(row["volume"])),
                    doi=plain_doi(value(row["doi"])),
                    abstract=folded(value(row["abstract"])[:400]),
                )
            )
            if row[column] == mark:
                marked.add(row["record_id"])
    return records, marked


def counts(members: list[list[str]], marked: set[str]) -> tuple[int, int]:
    """Records told to be one too many, and how many of them are."""
    surplus = sum(len(group) - 1 for group in members)
    right = sum(min(len(group) - 1, sum(id in marked for id in group)) for group in members)
    return surplus, right


def told(name: str, surplus: int, right: int, marked: int) -> None:
    precision, recall = right / max(1, surplus), right / marked
    print(
        f"{name:12} precision {precision:.4f} recall {recall:.4f} ({surplus} told, {right} right)"
    )


def grouped(records: list[FoldedRecord], least: float = 0.0) -> list[list[str]]:
    members: dict[int, list[str]] = defaultdict(list)
    for one in groups(records):
        if one.probability >= least:
            members[one.group].append(one.id)
    return [group for group in members.values() if len(group) > 1]


def held_out(records: list[FoldedRecord], marked: set[str]) -> tuple[int, int]:
    """Five folds of papers: the least probability that reaches the bars' precision on four of them
    is taken on the fifth. A paper's records stay together, by the beginning of their titles."""
    fold = {record.id: zlib.crc32(record.title[:20].encode()) % FOLDS for record in records}
    surplus = right = 0
    for held in range(FOLDS):
        others = [record for record in records if fold[record.id] != held]
        least = LEAST[-1]
        for level in LEAST:
            many, fine = counts(grouped(others, level), marked)
            if fine >= PRECISION * many:
                least = level
                break
        mine = [record for record in records if fold[record.id] == held]
        many, fine = counts(grouped(mine, least), marked)
        surplus, right = surplus + many, right + fine
        print(f"  fold {held + 1}: least probability {least}, {many} told, {fine} right")
    return surplus, right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    path = parser.parse_args().file
    for column, mark in (("label", "Duplicate_in_trash"), ("source", "duplicate")):
        records, marked = read(path, column, mark)
        print(f"{len(records)} records, {len(marked)} marked as duplicates by {column}")
        titles = defaultdict(list)
        for record in records:
            titles[record.title].append(record.id)
        same = [group for group in titles.values() if len(group) > 1]
        told("same title", *counts(same, marked), len(marked))
        told("matched", *counts(grouped(records), marked), len(marked))
        told("held out", *held_out(records, marked), len(marked))


if __name__ == "__main__":
    main()
