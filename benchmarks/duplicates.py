"""Duplicates on the labelled set of ASySD: precision and recall of records taken for duplicates.

    python benchmarks/duplicates.py labelled_test_set.csv

The set marks each record as kept or as a duplicate, without groups. In a group of n records n - 1
are one too many: they are right as far as the group holds marked ones. Two columns mark: ``label``
(a librarian's bin) leaves hundreds of records with equal titles and DOIs unmarked that ``source``
marks. ``same title`` is
the dumb row: groups of equal folded titles.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from pathlib import Path

from osler.duplicates.compare import Record, first_page, folded, plain_doi
from osler.duplicates.groups import groups


def value(text: str) -> str:
    return "" if text == "NA" else text


def read(path: Path, column: str, mark: str) -> tuple[list[Record], set[str]]:
    records, marked = [], set()
    with path.open(encoding="latin-1") as stream:
        for row in csv.DictReader(stream):
            year = value(row["year"])
            records.append(
                Record(
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


def told(name: str, members: list[list[str]], marked: set[str]) -> None:
    surplus = sum(len(group) - 1 for group in members)
    right = sum(min(len(group) - 1, sum(id in marked for id in group)) for group in members)
    precision, recall = right / max(1, surplus), right / len(marked)
    print(
        f"{name:12} precision {precision:.4f} recall {recall:.4f} ({surplus} told, {right} right)"
    )


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
        told("same title", [group for group in titles.values() if len(group) > 1], marked)
        matched = defaultdict(list)
        for one in groups(records):
            matched[one.group].append(one.id)
        told("matched", list(matched.values()), marked)


if __name__ == "__main__":
    main()
