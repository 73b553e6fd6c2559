"""Mentions linked to MeSH: precision, recall and F1 on the NCBI disease corpus and BC5CDR."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Entity
from osler.knowledge.linker import Linker

BRANCHES = ("C", "F03")
# What chemists call chemicals: no classes of drugs (D27), proteins and enzymes but amino acids.
CHEMICALS = ("D01", "D02", "D03", "D04", "D06", "D09", "D10", "D12.125", "D13", "D20")
# What annotators do not mark, seen where errors were read. Of diseases: processes and events
# ("tumorigenesis", a chromosome's deletion, a predisposition). Of chemicals: what a protein or a
# nucleic acid is, and names of whole classes ("lipid", "hormone"), the first two steps of the tree.
NO_DISEASES = ("C04.697.098", "C23.550.210", "C23.550.291.687")
MACROMOLECULES = ("D10.532", "D13.150", "D13.400", "D13.444")
CLASSES = 2


class _Mention(msgspec.Struct):
    start: int = 0
    end: int = 0
    type: str = ""
    ids: list[str] = []


class _Paper(msgspec.Struct):
    pmid: str
    title: str
    abstract: str
    mentions: list[_Mention] = []


def run(data: Path, out: Path, *, progress: Callable[[str], None]) -> dict[str, float]:
    """The figures of both dictionaries on both splits; errors go to ``OUT/errors.tsv``."""
    progress("reading terminologies")
    mesh = list(_entities(data / "mesh" / "descriptors.tsv.gz"))
    others = [
        entity
        for name in ("mondo", "doid", "hpo")
        for entity in _entities(data / name / "terms.tsv.gz")
    ]
    ids = {entity.id: entity.name for entity in mesh}
    results: dict[str, float] = {}
    errors: list[str] = []
    for label, entities in (("MeSH alone", mesh), ("joined", mesh + others)):
        progress(f"building the linker: {label}")
        whole = Linker.build(entities)
        linker = whole.within(branches=BRANCHES, terminologies=("MESH",), without=NO_DISEASES)
        for split in ("train", "devel"):
            progress(f"linking {split}: {label}")
            papers = list(_papers(data / "ncbi_disease" / f"{split}.jsonl.gz"))
            counted, found, gold = judged(linker, papers, "", ids)
            results |= {f"{split} {measure}, {label}": value for measure, value in counted.items()}
            errors += _errors(f"{split}\t{label}", found, gold, ids)
        if label == "joined":
            progress("linking BC5CDR")
            papers = list(_papers(data / "bc5cdr" / "abstracts.jsonl.gz"))
            for kind, branches, without, steps in (
                ("Disease", BRANCHES, NO_DISEASES, 0),
                ("Chemical", CHEMICALS, MACROMOLECULES, CLASSES),
            ):
                whole_kind = whole.within(branches=branches, terminologies=("MESH",))
                narrow = whole.within(
                    branches=branches, terminologies=("MESH",), without=without, steps=steps
                )
                for what, limited in (("", narrow), (", nothing left out", whole_kind)):
                    counted, _, _ = judged(limited, papers, kind, ids)
                    results |= {f"bc5cdr {kind} {m}{what}": v for m, v in counted.items()}
    out.mkdir(parents=True, exist_ok=True)
    header = "split\tdictionary\tkind\tid\tname\tpapers\n"
    (out / "errors.tsv").write_text(header + "".join(errors), encoding="utf-8")
    return results


def judged(
    linker: Linker, papers: list[_Paper], kind: str, names: dict[str, str]
) -> tuple[dict[str, float], list[set[str]], list[set[str]]]:
    """Measures, predictions and gold of one kind of mention (all for an empty one).

    "judgeable" leaves out what was linked where the gold id is no descriptor of the table: no
    answer there could be right.
    """
    predicted, judgeable, gold = [], [], []
    for paper in papers:
        wanted: set[str] = set()
        blind: list[_Mention] = []
        for mention in paper.mentions:
            if kind in ("", mention.type):
                known = {id for one in mention.ids if (id := f"MESH:{one}") in names}
                wanted |= known
                if not known:
                    blind.append(mention)
        mentions = linker.link(f"{paper.title} {paper.abstract}")
        predicted.append({m.entity for m in mentions})
        judgeable.append(
            {
                m.entity
                for m in mentions
                if m.entity in wanted or not any(b.start < m.end and m.start < b.end for b in blind)
            }
        )
        gold.append(wanted)
    precision, recall, f1 = micro(predicted, gold)
    measures = {"precision": precision, "recall": recall, "F1": f1}
    return measures | {"judgeable F1": micro(judgeable, gold)[2]}, predicted, gold


def micro(found: list[set[str]], gold: list[set[str]]) -> tuple[float, float, float]:
    """Precision, recall and F1 over all (paper, id) pairs at once."""
    both = sum(len(f & g) for f, g in zip(found, gold, strict=True))
    predicted, wanted = sum(map(len, found)), sum(map(len, gold))
    precision = both / predicted if predicted else 0.0
    recall = both / wanted if wanted else 0.0
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0


def _errors(
    label: str, found: list[set[str]], gold: list[set[str]], names: dict[str, str]
) -> Iterator[str]:
    for kind, more, less in (("false", found, gold), ("missed", gold, found)):
        counts = Counter(id for m, le in zip(more, less, strict=True) for id in m - le)
        for id, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:50]:
            yield f"{label}\t{kind}\t{id}\t{names[id]}\t{count}\n"


def _entities(path: Path) -> Iterator[Entity]:
    source = Source(path)
    format = "mesh" if "mesh" in path.parts else "terms"
    return (
        item for item in recognise(source, format=format).read(source) if isinstance(item, Entity)
    )


def _papers(path: Path) -> Iterator[_Paper]:
    with gzip.open(path, "rb") as stream:
        for line in stream:
            yield msgspec.json.decode(line, type=_Paper)
