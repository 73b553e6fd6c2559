"""Clusters on paper: a file that a person reads and marks, and marks read back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from osler.errors import FieldError
from osler.files.source import Source
from osler.grade.labels.rcor import Clusters

COLUMNS = ("relation", "cluster", "size", "describes", "guess", "fragment")


def write_clusters(path: str | Path, clusters: Clusters) -> int:
    """One sampled fragment a line, ``describes`` to be filled in with 1 or 0; how many lines."""
    lines = ["\t".join(COLUMNS)]
    for cluster in clusters.clusters:
        marks: Sequence[bool | None] = cluster.checked or [None] * len(cluster.samples)
        for text, guess, mark in zip(cluster.samples, cluster.guessed, marks, strict=True):
            checked = "" if mark is None else str(int(mark))
            cells = [cluster.relation, str(cluster.number), str(cluster.size), checked]
            lines.append("\t".join([*cells, str(int(guess)), " ".join(text.split())]))
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines) - 1


def read_checks(path: str | Path) -> dict[tuple[str, int], list[bool]]:
    """What a person marked, by cluster; fragments without a mark are left out."""
    checks: dict[tuple[str, int], list[bool]] = {}
    name = Path(path).name
    header: list[str] | None = None
    for number, line in Source(Path(path)).sure_lines():
        cells = line.rstrip("\r\n").split("\t")
        if header is None:
            header = cells
            missing = [column for column in COLUMNS[:4] if column not in header]
            if missing:
                raise FieldError(f"{name} has no column {', '.join(missing)}")
            continue
        if len(cells) != len(header):
            raise FieldError(
                f"{name} line {number} has {len(cells)} fields, expected {len(header)}"
            )
        row = dict(zip(header, cells, strict=True))
        mark = row["describes"].strip()
        if not mark:
            continue
        if mark not in ("0", "1") or not row["cluster"].isdecimal():
            raise FieldError(f"{name} line {number}: describes is 1 or 0, cluster a number")
        checks.setdefault((row["relation"], int(row["cluster"])), []).append(mark == "1")
    return checks
