"""Section 4.2 of the semantic enrichment paper: questions on an outbreak, asked of literature that
nothing was tuned on. For each question the concepts that were found with their first parents, the
concept of the context added where it is missing, and the papers before and after (Figure 7).

The paper used an early CORD-19; here it is a file of PubMed with 1,134 papers on COVID-19 among
20,788, MeSH in place of SNOMED CT, and questions of our own in the manner of the challenge's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from osler.fetch import fetch
from osler.library import Library
from osler.search.concepts_paper import ConceptsPaper

Progress = Callable[[str], None]

CONTEXT = "COVID-19"
BEST = 10
SHOWN = 3
QUESTIONS = (
    "What is known about transmission, incubation and environmental stability?",
    "Which risk factors make the disease severe?",
    "What do we know about vaccines and therapeutics?",
    "How well do masks and distancing work?",
    "Which effects has the pandemic on mental health?",
    "Does the virus harm the heart?",
)


def run(data: Path, out: Path, *, progress: Progress) -> dict[str, float]:
    out.mkdir(parents=True, exist_ok=True)
    place = out / "library"
    with Library.open(place) if place.exists() else Library.create(place) as library:
        progress("adding papers, linking with MeSH")
        library.add([fetch("pubmed-sample") / "pubmed21n1298.xml.gz"])
        library.add([data / "mesh" / "descriptors.tsv.gz"], format="mesh")
        progress("embedding: some minutes")
        library.embed()
        lines, numbers = figure7(library, QUESTIONS, CONTEXT)
    (out / "figure7.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return numbers


def figure7(
    library: Any, questions: Sequence[str], context: str, *, threshold: int = 1
) -> tuple[list[str], dict[str, float]]:
    """What the paper's Figure 7 shows, as lines, and how many of the best papers name the context:
    by cosine alone, by shared concepts, and by these with the context's concept added."""
    ways = {
        "cosine": "vectors",
        "concepts": ConceptsPaper(threshold=threshold),
        "with context": ConceptsPaper(threshold=threshold, context=[context]),
    }
    about = set(library.graph.lookup(context))
    lines: list[str] = []
    named = dict.fromkeys(ways, 0)
    listed = dict.fromkeys(ways, 0)
    for question in questions:
        lines += [f"## {question}", "", f"concepts: {_concepts(library, question, context)}", ""]
        for way, method in ways.items():
            hits = list(library.search(question, k=BEST, method=method, plain=True))
            held = library.concepts([hit.id for hit in hits])
            listed[way] += len(hits)
            named[way] += sum(bool(about & set(held.get(hit.id, ()))) for hit in hits)
            lines += [f"{way}:", ""]
            lines += [f"- {hit.id} {hit.title} | {_quote(hit)}" for hit in hits[:SHOWN]]
            lines.append("")
    shares = {
        f"share of the best {BEST} that name {context}, {way}": named[way] / max(1, listed[way])
        for way in ways
    }
    return lines, shares


def _quote(hit: Any) -> str:
    return hit.evidence.text if hit.evidence is not None else ""


def _concepts(library: Any, question: str, context: str) -> str:
    """The concepts of a question with their first parents; the context's is marked as added."""
    graph = library.graph
    ids = {one.entities[0][0]: "" for one in library.linker.link(question) if one.entities}
    for id in library.graph.lookup(context)[:1]:
        ids.setdefault(id, " (added)")
    parts = []
    for id, note in ids.items():
        parents = graph.parents(id)[:1]
        above = f" < {graph.name(parents[0])}" if parents else ""
        parts.append(f"{graph.name(id)}{above}{note}")
    return "; ".join(parts) or "none"
