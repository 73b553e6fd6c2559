"""Graded facts for others: TSV, and KGX (nodes and edges), each fact with its sentence as
provenance.

KGX is the Translator consortium's exchange form for graphs: ``*_nodes.tsv`` with ``id``,
``category``, ``name``; ``*_edges.tsv`` with ``subject``, ``predicate``, ``object`` and, here,
``publications``, ``supporting_text``, ``grade``, ``confidence``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from osler.errors import StorageError
from osler.grade.job import GradedFact

COLUMNS = (
    "head",
    "relation",
    "tail",
    "head_id",
    "tail_id",
    "paper",
    "grade",
    "confidence",
    "plain",
    "sentence",
    "start",
    "end",
)
NODE_COLUMNS = ("id", "category", "name")
EDGE_COLUMNS = (
    "id",
    "subject",
    "predicate",
    "object",
    "relation",
    "category",
    "publications",
    "supporting_text",
    "grade",
    "confidence",
    "knowledge_level",
    "agent_type",
)
_NOT_WORD = re.compile(r"[^\w]+")


def write_tsv(path: str | Path, facts: Iterable[GradedFact]) -> int:
    """One graded fact a line; how many were written."""
    rows = [
        (
            fact.head,
            fact.triple.relation,
            fact.tail,
            fact.triple.head,
            fact.triple.tail,
            fact.paper,
            fact.grade,
            f"{fact.confidence:.4f}",
            fact.plain,
            fact.sentence.text if fact.sentence else "",
            str(fact.sentence.start) if fact.sentence else "",
            str(fact.sentence.end) if fact.sentence else "",
        )
        for fact in facts
    ]
    _write(Path(path), COLUMNS, rows)
    return len(rows)


def write_kgx(
    prefix: str | Path,
    facts: Iterable[GradedFact],
    *,
    type_of: Callable[[str], str] = lambda id: "",
) -> tuple[Path, Path]:
    """``PREFIX_nodes.tsv`` and ``PREFIX_edges.tsv``; ``type_of`` gives an entity's type."""
    nodes: dict[str, tuple[str, ...]] = {}
    edges = []
    for number, fact in enumerate(facts, 1):
        for id, name in ((fact.triple.head, fact.head), (fact.triple.tail, fact.tail)):
            nodes.setdefault(id, (id, category(type_of(id)), name))
        edges.append(
            (
                f"osler:{number}",
                fact.triple.head,
                predicate(fact.triple.relation),
                fact.triple.tail,
                fact.triple.relation,
                "biolink:Association",
                publication(fact.paper),
                fact.sentence.text if fact.sentence else "",
                fact.grade,
                f"{fact.confidence:.4f}",
                "prediction",
                "text_mining_agent",
            )
        )
    node_file = Path(f"{prefix}_nodes.tsv")
    edge_file = Path(f"{prefix}_edges.tsv")
    _write(node_file, NODE_COLUMNS, list(nodes.values()))
    _write(edge_file, EDGE_COLUMNS, edges)
    return node_file, edge_file


def predicate(relation: str) -> str:
    """A relation as a CURIE in snake case; Biolink's own name where ours says the same."""
    name = _NOT_WORD.sub("_", relation.strip().lower()).strip("_")
    return f"biolink:{name or 'related_to'}"


def category(type: str) -> str:
    words = [word for word in _NOT_WORD.split(type) if word]
    return "biolink:" + ("".join(word[:1].upper() + word[1:] for word in words) or "NamedThing")


def publication(id: str) -> str:
    return f"PMID:{id}" if id.isdigit() else id


def _write(path: Path, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = ["\t".join(columns)]
    lines += ["\t".join(" ".join(cell.split()) for cell in row) for row in rows]
    temporary = path.with_name(f".{path.name}.part")
    try:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StorageError(f"{path} cannot be written: {error.strerror}") from None
