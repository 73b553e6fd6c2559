"""Learns which names say nothing by themselves (`src/osler/knowledge/unspecific.tsv`).

    python benchmarks/teach_unspecific.py --out unspecific.tsv

"Lead" is a metal and a verb, "association" a heading of psychology and a word of every abstract.
Indexers tell them apart: for each name that the linker takes for a MeSH heading, in PubMed
citations with an abstract and headings (osler fetch pubmed-sample mesh), two things are counted:

- in how many of the papers that have the name the heading, or one above or below it, was given;
- whether any heading goes with the name: given in a quarter of those papers, and four times as
  often as in all. "Hepatocyte" goes with Liver, though papers of the 1970s were not indexed with
  Hepatocytes; "lead" goes with nothing.

A name in ten papers or more, under a tenth of them so indexed and with no heading of its own, is
written down.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from osler.corpus.pubmed import PubMed
from osler.fetch import fetch
from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Document, Entity
from osler.knowledge.linker import Linker
from osler.knowledge.normalise import normal_name

FILES = ("pubmed21n1298.xml.gz", "pubmed20n0014.xml.gz")
PAPERS, RATE, WITH, TIMES = 10, 0.10, 0.25, 4.0
SHORTEST = 200
"""Characters of a text that has an abstract."""
Name = tuple[str, str]
"""A normal form, and the heading that the linker takes it for."""


def indexed_papers(folder: Path) -> Iterator[tuple[str, set[str]]]:
    """Text and headings of each citation that has both."""
    for file in FILES:
        for item in PubMed().read(Source(folder / file)):
            if isinstance(item, Document) and len(item.text) >= SHORTEST:
                headings = {heading.id for heading in item.headings if heading.id}
                if headings:
                    yield item.text, headings


def related(id: str, headings: set[str], places: dict[str, tuple[str, ...]]) -> bool:
    """Whether a heading was given, or one above or below it."""
    if id in headings:
        return True
    own = places.get(id, ())
    others = [place for heading in headings for place in places.get(heading, ())]
    return any(
        other.startswith(f"{place}.") or place.startswith(f"{other}.")
        for place in own
        for other in others
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    source = Source(fetch("mesh") / "mesh_id_label_mappings.tsv")
    entities = [item for item in recognise(source).read(source) if isinstance(item, Entity)]
    places = {entity.id: entity.places for entity in entities}
    linker = Linker.build(entities)
    linker.negation = False
    papers, total = 0, Counter[str]()
    seen, right = Counter[Name](), Counter[Name]()
    beside: defaultdict[Name, Counter[str]] = defaultdict(Counter)
    for text, headings in indexed_papers(fetch("pubmed-sample")):
        papers += 1
        total.update(headings)
        for name in {(" ".join(normal_name(m.text)), m.entity) for m in linker.link(text)}:
            seen[name] += 1
            right[name] += related(name[1], headings, places)
            beside[name].update(headings)
    rows = []
    for name, count in seen.items():
        if count < PAPERS or right[name] / count >= RATE:
            continue
        goes_with = max(
            (
                times / count
                for heading, times in beside[name].items()
                if times >= 3 and times / count >= TIMES * total[heading] / papers
            ),
            default=0.0,
        )
        if goes_with < WITH:
            rows.append((*name, count, right[name]))
    lines = ["# name, heading, papers that have the name, of those indexed with the heading\n"]
    lines += ["\t".join(map(str, row)) + "\n" for row in sorted(rows)]
    given.out.write_text("".join(lines), "utf-8")
    print(f"{papers:,} papers, {len(seen):,} names, {len(rows)} say nothing by themselves")


if __name__ == "__main__":
    main()
