"""Data of the recipe ``hicapsrkl``: the sample, and weak pairs out of a graph and other papers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from osler.files.source import Source
from osler.grade.labels.weak import balanced, weak_labels
from osler.grade.pair import Fact, Pair
from osler.grade.scale import SAMPLE
from osler.grade.table import read_pairs

LONGEST_NAME = 12
A_PAPER = 14
HUBS = 300
"""A name in more triples than this joins nearly everything: it is left out."""
# What the sample's graph calls relations to these kinds of things.
RELATIONS = {
    "症状": "临床症状及体征",
    "检查项目": "检查",
    "治疗方法": "治疗方案",
    "并发症": "并发症",
    "常用药品": "药物治疗",
    "发病部位": "发病部位",
}


def sample(data: Path) -> tuple[list[Pair], list[Pair]]:
    """The training rows and the retrieval rows."""
    folder = data / "hicapsrkl_sample"
    return read_pairs(folder / "train.tsv"), read_pairs(folder / "retrieval_test.tsv")


def triples(data: Path) -> list[tuple[str, str, str]]:
    """(head, relation, tail) of kg_zh, by name."""
    lines = Source(data / "kg_zh" / "triples.tsv.gz").lines()
    header: list[str] = []
    found = []
    for _, line in lines:
        cells = (line or "").rstrip("\n").split("\t")
        if not header:
            header = cells
            continue
        row = dict(zip(header, cells, strict=False))
        found.append((row["head"], row["relation"], row["tail"]))
    return found


def papers(data: Path, apart_from: Sequence[Pair]) -> list[Pair]:
    """CSL's medicine as pairs without a fact, less what the sample holds too."""
    nothing = Fact("", "", "")
    known = {_bare(pair.title) for pair in apart_from}
    found: dict[str, Pair] = {}
    for _, line in Source(data / "csl_medicine" / "corpus.jsonl").lines():
        row: dict[str, Any] = msgspec.json.decode(line or "{}")
        if row:
            one = Pair(
                nothing,
                row["title"],
                row["text"],
                tuple(row.get("keywords") or ()),
                f"csl {row['_id']}",
            )
            if _bare(one.title) not in known:
                found.setdefault(one.text, one)
    return list(found.values())


def _bare(title: str) -> str:
    """A title's letters: full stops and blanks differ from one collection to the other."""
    return "".join(filter(str.isalnum, title)).casefold()


def weak_pairs(data: Path, apart_from: Sequence[Pair], *, seed: int = 0) -> list[Pair]:
    """Weakly labelled pairs: a disease of kg_zh with another entity of the graph that the same
    paper names. The relation is the graph's, or the one that such an entity has elsewhere.

    No paper and no two entities of the pairs ``apart_from`` are among them: what learns from weak
    labels has then seen nothing of any fold, and need not be made anew for each.
    """
    seen = {frozenset((pair.fact.head, pair.fact.tail)) for pair in apart_from}
    known = triples(data)
    kind: dict[str, str] = {}
    degree: dict[str, int] = {}
    joined: dict[tuple[str, str], str] = {}
    heads = set()
    for head, relation, tail in known:
        degree[head] = degree.get(head, 0) + 1
        degree[tail] = degree.get(tail, 0) + 1
        if relation in RELATIONS:
            heads.add(head)
            kind.setdefault(tail, relation)
            joined[head, tail] = relation
    names = {name for name in (*heads, *kind) if 1 < len(name) <= LONGEST_NAME}
    names = {name for name in names if degree.get(name, 0) <= 20 * HUBS}
    rng = np.random.default_rng(seed)
    found = []
    for paper in papers(data, apart_from):
        text = f"{paper.text}\n{' '.join(paper.keywords)}"
        here = sorted(
            {
                text[start : start + size]
                for start in range(len(text))
                for size in range(2, LONGEST_NAME + 1)
                if text[start : start + size] in names
            }
        )
        options = [
            (head, tail, joined.get((head, tail)) or kind[tail])
            for head in here
            if head in heads
            for tail in here
            if tail in kind
            and head != tail
            and head not in tail
            and tail not in head
            and frozenset((head, tail)) not in seen
        ]
        for place in rng.permutation(len(options))[:A_PAPER].tolist():
            head, tail, relation = options[place]
            fact = Fact(head, RELATIONS[relation], tail)
            found.append(Pair(fact, paper.title, paper.abstract, paper.keywords, paper.paper_id))
    return balanced_raw(weak_labels(found), seed=seed)


def balanced_raw(labelled: Sequence[Pair], *, each: int = 400, seed: int = 0) -> list[Pair]:
    """The pairs under the sample's raw labels, at most ``each`` of a label."""
    raw: dict[tuple[int | None, int | None], str] = {
        (rcor, kimp): label
        for label, rcor, kimp in zip(SAMPLE.labels, SAMPLE.rcor, SAMPLE.kimp, strict=True)
    }
    marked = [
        pair.labelled(label=raw[pair.rcor, pair.kimp], rcor=pair.rcor, kimp=pair.kimp)
        for pair in labelled
        if (pair.rcor, pair.kimp) in raw
    ]
    rows = balanced([str(pair.label) for pair in marked], each, seed=seed)
    return [marked[row] for row in rows]
