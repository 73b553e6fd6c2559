"""Files of pairs: the released sample's 11 columns, or head, relation, tail and a paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from osler.errors import FieldError, FormatError
from osler.files.source import Source
from osler.grade.pair import Fact, Pair

COLUMNS = ("head", "relation", "tail", "title")
"""What a file of our own must have; ``abstract``, ``keywords``, ``label``, ``rcor``, ``kimp``,
``id`` are taken where they are there."""
SEPARATORS = "%;；|"
KIMP_LEVELS = (0, 1, 2, 3)


def read_pairs(path: str | Path, *, labels: bool = True) -> list[Pair]:
    """The pairs of a TSV file with a header, in its order.

    ``labels`` False leaves labels aside even where the file has them: nothing that predicts may
    see them.
    """
    rows = _rows(Path(path))
    try:
        header = next(rows)[1]
    except StopIteration:
        raise FormatError(f"{Path(path).name} is empty", cure="give a TSV with a header") from None
    ours = set(COLUMNS) <= set(header)
    sample = {"MedL", "K_str"} <= set(header)
    if not ours and not sample:
        missing = [name for name in COLUMNS if name not in header]
        raise FieldError(
            f"{Path(path).name} has no column {', '.join(missing)}",
            cure=f"give {', '.join(COLUMNS)} (and abstract, keywords), or the sample's columns",
        )
    pairs = []
    for number, fields in rows:
        if len(fields) != len(header):
            raise FieldError(
                f"{Path(path).name} line {number} has {len(fields)} fields, expected {len(header)}"
            )
        cells = dict(zip(header, fields, strict=True))
        try:
            pair = _sample(cells) if sample else _own(cells)
        except FieldError as error:
            raise FieldError(
                f"{Path(path).name} line {number}: {error.message}", cure=error.cure
            ) from None
        pairs.append(pair if labels else pair.labelled(label=None, rcor=None, kimp=None))
    return pairs


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    for number, line in Source(path).sure_lines():
        yield number, [cell.strip() for cell in line.split("\t")]


def _sample(cells: Mapping[str, str]) -> Pair:
    # The sample's own title ends at the first full stop, as its README says.
    title, _, abstract = cells["MedL"].partition(".")
    return Pair(
        fact=Fact.parse(cells["K_str"]),
        title=title.strip(),
        abstract=abstract.strip(),
        keywords=keywords(cells.get("keywords", "")),
        paper_id=cells.get("MedL_id", ""),
        rcor_text=cells.get("RCor_text_fragment", ""),
        kimp_text=cells.get("KImp_text_fragment", ""),
        label=cells.get("label") or None,
        rcor=_level(cells, "RCor_score", (2, 3)),
        kimp=_level(cells, "KImp_score", KIMP_LEVELS),
    )


def _own(cells: Mapping[str, str]) -> Pair:
    for name in ("head", "tail"):
        if not cells[name]:
            raise FieldError(f"the {name} is empty")
    return Pair(
        fact=Fact(cells["head"], cells["relation"], cells["tail"]),
        title=cells["title"],
        abstract=cells.get("abstract", ""),
        keywords=keywords(cells.get("keywords", "")),
        paper_id=cells.get("id", ""),
        rcor_text=cells.get("rcor_text", ""),
        kimp_text=cells.get("kimp_text", ""),
        label=cells.get("label") or None,
        rcor=_level(cells, "rcor", (2, 3)),
        kimp=_level(cells, "kimp", KIMP_LEVELS),
    )


def _level(cells: Mapping[str, str], column: str, levels: tuple[int, ...]) -> int | None:
    given = cells.get(column, "")
    if not given:
        return None
    if given not in {str(level) for level in levels}:
        listed = ", ".join(map(str, levels))
        raise FieldError(f"{column} is {given[:20]!r}", cure=f"its scale is {listed}")
    return int(given)


def keywords(text: str) -> tuple[str, ...]:
    """Keywords out of one cell: the sample parts them by %, others by a semicolon or a bar."""
    for mark in SEPARATORS:
        text = text.replace(mark, "\t")
    parts = (part.strip() for part in text.split("\t"))
    return tuple(part for part in parts if part and part != "NULL")
