"""Labelled pairs as a file that ``read_pairs`` reads again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from osler.errors import StorageError
from osler.grade.fragments import kimp_text, rcor_text
from osler.grade.pair import Pair

COLUMNS = (
    "label",
    "head",
    "relation",
    "tail",
    "title",
    "abstract",
    "keywords",
    "rcor",
    "kimp",
    "rcor_text",
    "kimp_text",
    "id",
)


def write_pairs(path: str | Path, pairs: Sequence[Pair]) -> None:
    """A TSV with a header, a pair a line."""
    lines = ["\t".join(COLUMNS)]
    for pair in pairs:
        cells = (
            pair.label or "",
            pair.fact.head,
            pair.fact.relation,
            pair.fact.tail,
            pair.title,
            pair.abstract,
            ";".join(pair.keywords),
            "" if pair.rcor is None else str(pair.rcor),
            "" if pair.kimp is None else str(pair.kimp),
            rcor_text(pair),
            kimp_text(pair),
            pair.paper_id,
        )
        lines.append("\t".join(" ".join(cell.split()) for cell in cells))
    target = Path(path)
    temporary = target.with_name(f".{target.name}.part")
    try:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StorageError(f"{target} cannot be written: {error.strerror}") from None
