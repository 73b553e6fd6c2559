"""The matchers on Huatuo's questions, which have no departments: false answers from everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from osler.recipes.match_experiment import (
    METHODS,
    Experiment,
    pictures,
    qa_pairs,
    read_graph,
    table_3,
    verdict,
)

Progress = Callable[[str], None]
SEEDS = {70: (0,)}


def experiment(data: Path, out: Path, progress: Progress) -> Experiment:
    known = read_graph([data / "kg_zh" / "triples.tsv.gz"], out / "cache", progress)
    return Experiment(
        "huatuo",
        qa_pairs(data / "qa_zh_huatuo" / "qa.jsonl.gz"),
        known,
        out,
        progress,
        images=pictures(known, data / "images", out / "cache", progress),
    )


def run(data: Path, out: Path, *, progress: Progress) -> dict[str, float]:
    made = experiment(data, out, progress)
    for method in METHODS:
        made.cell(method, 70, 0)
    numbers, told = verdict(made, METHODS, 70, SEEDS[70])
    lines = ["# The matchers on huatuo", "", *table_3(made, METHODS, SEEDS, published=False), ""]
    lines += told
    (out / "tables.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for line in lines:
        progress(line)
    return numbers
