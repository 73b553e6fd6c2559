"""Facts that people decided on, with what the paper says: for a list, and for files that leave."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from osler.claims.paper import paper_stance
from osler.errors import ChoiceError, UnknownId
from osler.grade.export import write_kgx, write_rdf, write_tsv
from osler.grade.job import ACCEPTED, GradedFact
from osler.grade.nanopub import nanopublications
from osler.kinds import EvidenceSentence, Triple
from osler.verbs.curate import Decision, decisions

if TYPE_CHECKING:
    from osler.library import Library

FORMATS = {
    "tsv": "text/tab-separated-values; charset=utf-8",
    "kgx": "application/zip",
    "nt": "application/n-triples; charset=utf-8",
    "trig": "application/trig; charset=utf-8",
}
"""What accepted facts can be written as: a table, KGX (nodes and edges, zipped), RDF as N-Triples,
nanopublications."""


def decided_facts(library: Library, *, said: str = "") -> list[GradedFact]:
    """All decisions, or those of one kind, each with the paper's sentence and side."""
    return [
        fact
        for one in decisions(library)
        if said in ("", one.said) and (fact := _fact(library, one)) is not None
    ]


def _fact(library: Library, one: Decision) -> GradedFact | None:
    try:
        document = library.document(one.paper)
    except UnknownId:
        return None
    head, tail = (_name(library, end) for end in (one.head, one.tail))
    told = paper_stance(f"{head} {one.relation} {tail}", document)
    sentence = None
    if told.sentence:
        sentence = EvidenceSentence(told.sentence, told.start, told.end, told.probability)
    return GradedFact(
        triple=Triple(one.head, one.relation, one.tail),
        head=head,
        tail=tail,
        grade="",
        confidence=0.0,
        plain="",
        paper=document.id,
        sentence=sentence,
        stance=told.stance,
        supports=told.supports,
        refutes=told.refutes,
        decided=one.said,
        decided_by=one.by,
        decided_on=one.on,
    )


def _name(library: Library, id: str) -> str:
    known = library.knowledge
    return known.graph.name(id) if known is not None and id in known.graph else id


def _type(library: Library, id: str) -> str:
    known = library.knowledge
    return known.graph.type(id) if known is not None and id in known.graph else ""


def accepted_file(library: Library, format: str) -> bytes:
    """All facts that somebody accepted, as one file."""
    if format not in FORMATS:
        raise ChoiceError("format", format, FORMATS)
    facts = decided_facts(library, said=ACCEPTED)
    if format == "trig":
        return nanopublications(facts).encode()
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / f"facts.{format}"
        if format == "tsv":
            write_tsv(target, facts)
        elif format == "nt":
            write_rdf(target, facts)
        else:
            parts = write_kgx(
                Path(place) / "facts",
                facts,
                type_of=lambda id: _type(library, id),
                name_of=lambda id: _name(library, id),
            )[:2]
            return _zipped(parts)
        return target.read_bytes()


def _zipped(paths: tuple[Path, Path]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in paths:
            archive.write(path, path.name)
    return out.getvalue()
