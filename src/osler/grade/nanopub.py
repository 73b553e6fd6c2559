"""Accepted facts as nanopublications: TriG with the four graphs that nanopub.org asks for.

Each fact is a small publication of its own: the assertion (one triple), its provenance (the paper
and the sentence that it is quoted from), and who decided on it when (publication info). The guide
is at https://nanopub.net/guidelines/working_draft/.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from osler.grade.biolink import predicate
from osler.grade.export import iri, leaves, literal, publication
from osler.grade.job import GradedFact

PREFIXES = """@prefix np: <http://www.nanopub.org/nschema#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix osler: <urn:osler:> .
"""


def nanopublications(facts: Iterable[GradedFact]) -> str:
    """TriG of all facts that may leave the house."""
    return PREFIXES + "".join(_one(fact) for fact in facts if leaves(fact))


def _one(fact: GradedFact) -> str:
    parts = (fact.triple.head, fact.triple.relation, fact.triple.tail, fact.paper)
    name = hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:20]
    this = f"urn:osler:np:{name}"
    graphs = {key: f"<{this}#{key}>" for key in ("Head", "assertion", "provenance", "pubinfo")}
    subject, verb, target = iri(parts[0]), iri(predicate(parts[1])), iri(parts[2])
    source = f"osler:source {literal(publication(fact.paper))}"
    quoted = f" ; osler:sentence {literal(fact.sentence.text)}" if fact.sentence else ""
    decided = f"prov:wasAttributedTo {literal(fact.decided_by)}" if fact.decided_by else ""
    day = f'dct:created "{fact.decided_on}"^^xsd:date' if fact.decided_on else ""
    told = (decided, day, f"osler:stance {literal(fact.stance)}")
    info = " ; ".join(part for part in told if part)
    return f"""
{graphs["Head"]} {{
  <{this}> a np:Nanopublication ;
    np:hasAssertion {graphs["assertion"]} ;
    np:hasProvenance {graphs["provenance"]} ;
    np:hasPublicationInfo {graphs["pubinfo"]} .
}}
{graphs["assertion"]} {{ {subject} {verb} {target} . }}
{graphs["provenance"]} {{ {graphs["assertion"]} {source}{quoted} . }}
{graphs["pubinfo"]} {{ <{this}> {info} . }}
"""
