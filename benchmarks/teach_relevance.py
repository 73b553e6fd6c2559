"""Makes the weights of `grade`'s relevance again (`src/osler/grade/about.json`) from a library.

    python benchmarks/teach_relevance.py LIB --out about.json

A library with PubMed papers and MeSH, such as the demo's with the older PubMed file beside it.
Indexers wrote the labels: "Lactic Acidosis / chemically induced" with "Phenformin / adverse
effects" is a fact of that paper; every other drug and disease that the same paper names is the
negative. Needs nothing but the library.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import msgspec

from osler import Library
from osler.claims.heads import fit
from osler.grade.about import Named, fact_features
from osler.grade.qualifiers import qualified_facts
from osler.kinds import Document

RELATIONS = ("causes", "treats")
DRUGS, DISEASES = ("D",), ("C", "F03")


def of_mesh(id: str) -> str:
    return id if id.startswith("MESH:") else f"MESH:{id}"


def rows(library: Library, document: Document, relation: str) -> Iterator[tuple[object, str]]:
    """Pairs of a drug and a disease that a paper names, and whether its headings join them."""
    facts = {
        (of_mesh(fact.head), of_mesh(fact.tail))
        for fact in qualified_facts(document)
        if fact.relation == relation
    }
    if not facts:
        return
    places: dict[str, list[tuple[int, int]]] = {}
    for mention in library.linker.link(document.text):
        places.setdefault(mention.entity, []).append((mention.start, mention.end))
    trees = {id: library.entity(id).places for id in places}
    drugs = [id for id in places if any(at.startswith(DRUGS) for at in trees[id])]
    diseases = [
        id for id in places if id not in drugs and any(at.startswith(DISEASES) for at in trees[id])
    ]
    named = Named(document.text, places, title_end=len(document.title))
    for drug in drugs:
        for disease in diseases:
            label = "yes" if (drug, disease) in facts else "no"
            yield fact_features(named, drug, disease), label


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    heads = {}
    with Library.open(given.library) as library:
        for relation in RELATIONS:
            pairs = [
                pair
                for document in library.documents()
                if document.abstract
                for pair in rows(library, document, relation)
            ]
            features, labels = zip(*pairs, strict=True)
            print(f"{relation}: {len(pairs):,} pairs, {labels.count('yes'):,} facts")
            heads[relation] = fit(features, labels, ("yes", "no"), strength=0.1, most=1200)
    given.out.write_bytes(msgspec.json.encode(heads))
    print(f"{given.out}: {given.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
