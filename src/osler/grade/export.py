"""Graded facts for others: TSV, and KGX (nodes and edges), each fact with its sentence as
provenance.

KGX is the Translator consortium's exchange form for graphs: ``*_nodes.tsv`` with ``id``,
``category``, ``name``; ``*_edges.tsv`` with ``subject``, ``predicate``, ``object`` and, here,
``publications``, ``supporting_text``, the grade, the stance with its probability, and who decided.
Only facts that a person accepted, or that a paper supports well, leave as edges: that a paper is
about a fact does not say that the fact holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

from osler.errors import StorageError
from osler.grade.biolink import category, predicate
from osler.grade.job import ACCEPTED, GradedFact

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
    "stance",
    "supports",
    "refutes",
    "decided",
    "decided_by",
    "decided_on",
    "sentence",
    "start",
    "end",
)
NODE_COLUMNS = ("id", "category", "name", "typed")
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
    "stance",
    "probability",
    "decided_by",
    "decided_on",
    "knowledge_level",
    "agent_type",
)
SURE = 0.8
"""From which probability on a paper supports a fact well."""


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
            fact.stance,
            f"{fact.supports:.4f}",
            f"{fact.refutes:.4f}",
            fact.decided,
            fact.decided_by,
            fact.decided_on,
            fact.sentence.text if fact.sentence else "",
            str(fact.sentence.start) if fact.sentence else "",
            str(fact.sentence.end) if fact.sentence else "",
        )
        for fact in facts
    ]
    _write(Path(path), COLUMNS, rows)
    return len(rows)


def leaves(fact: GradedFact) -> bool:
    """Whether a fact may leave the house: a person accepted it, or the paper is about it and
    supports it well, and nobody rejected it."""
    if fact.decided:
        return fact.decided == ACCEPTED
    return fact.grade in ("H", "F") and fact.supports >= SURE


def write_kgx(
    prefix: str | Path,
    facts: Iterable[GradedFact],
    *,
    type_of: Callable[[str], str] = lambda id: "",
    name_of: Callable[[str], str] = lambda id: "",
) -> tuple[Path, Path, int]:
    """``PREFIX_nodes.tsv`` and ``PREFIX_edges.tsv``, and how many edges were written. ``type_of``
    and ``name_of`` give an entity's type and its terminology's name; what a person typed stands
    beside it."""
    nodes: dict[str, tuple[str, ...]] = {}
    edges = []
    for number, fact in enumerate((fact for fact in facts if leaves(fact)), 1):
        for id, typed in ((fact.triple.head, fact.head), (fact.triple.tail, fact.tail)):
            nodes.setdefault(id, (id, category(type_of(id)), name_of(id) or typed, typed))
        decided = fact.decided == ACCEPTED
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
                fact.stance,
                f"{fact.supports:.4f}",
                fact.decided_by,
                fact.decided_on,
                "knowledge_assertion" if decided else "prediction",
                "manual_agent" if decided else "text_mining_agent",
            )
        )
    node_file = Path(f"{prefix}_nodes.tsv")
    edge_file = Path(f"{prefix}_edges.tsv")
    _write(node_file, NODE_COLUMNS, list(nodes.values()))
    _write(edge_file, EDGE_COLUMNS, edges)
    return node_file, edge_file, len(edges)


def write_rdf(path: str | Path, facts: Iterable[GradedFact]) -> int:
    """The same facts as N-Triples with RDF's own reification: the statement, its paper, sentence,
    stance, probability, and who decided. How many statements were written."""
    lines = []
    count = 0
    for count, fact in enumerate((fact for fact in facts if leaves(fact)), 1):
        ends = [
            iri(fact.triple.head),
            iri(predicate(fact.triple.relation)),
            iri(fact.triple.tail),
        ]
        node = f"_:f{count}"
        lines += [
            f"{ends[0]} {ends[1]} {ends[2]} .",
            f"{node} <{_RDF}type> <{_RDF}Statement> .",
            *(
                f"{node} <{_RDF}{name}> {end} ."
                for name, end in zip(("subject", "predicate", "object"), ends, strict=True)
            ),
            f"{node} {iri('biolink:publications')} {literal(publication(fact.paper))} .",
        ]
        statements = {
            "sentence": fact.sentence.text if fact.sentence else "",
            "stance": fact.stance,
            "probability": f"{fact.supports:.4f}",
            "decided_by": fact.decided_by,
            "decided_on": fact.decided_on,
        }
        lines += [f"{node} <{_OWN}{key}> {literal(v)} ." for key, v in statements.items() if v]
    _save(Path(path), lines)
    return count


_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_OWN = "urn:osler:"
_PREFIXES = {
    "biolink": "https://w3id.org/biolink/vocab/",
    "MESH": "http://id.nlm.nih.gov/mesh/",
    "HP": "http://purl.obolibrary.org/obo/HP_",
    "MONDO": "http://purl.obolibrary.org/obo/MONDO_",
    "DOID": "http://purl.obolibrary.org/obo/DOID_",
}


def iri(id: str) -> str:
    """A CURIE as an address; what has no known prefix gets a URN of ours."""
    prefix, colon, rest = id.partition(":")
    base = _PREFIXES.get(prefix) if colon else None
    return f"<{base}{quote(rest)}>" if base else f"<{_OWN}entity:{quote(id, safe='')}>"


def literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r") + '"'


def publication(id: str) -> str:
    return f"PMID:{id}" if id.isdigit() else id


def _write(path: Path, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = ["\t".join(columns)]
    lines += ["\t".join(" ".join(cell.split()) for cell in row) for row in rows]
    _save(path, lines)


def _save(path: Path, lines: Sequence[str]) -> None:
    temporary = path.with_name(f".{path.name}.part")
    try:
        temporary.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StorageError(f"{path} cannot be written: {error.strerror}") from None
