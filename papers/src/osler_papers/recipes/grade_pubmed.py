"""Grading English papers: weak labels of PubMed 2021 with HPO, MiniLM, held-out pairs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from osler.fetch import fetch
from osler.grade.calibrate import grouped_folds
from osler.grade.grader import graders
from osler.grade.labels.weak import balanced, table6
from osler.grade.models import save_grader
from osler.grade.networks.hub import HubEncoder
from osler.grade.pair import Pair
from osler.grade.scale import GRADES
from osler.grade.train import measured, train_grader
from osler.library import Library
from osler.verbs.grade_training import weakly_labelled
from osler_papers.grade.kept import KeptEncoder
from osler_papers.recipes.hicapsrkl_tables import macro_f1, per_cent, table

Progress = Callable[[str], None]
SEEDS = 3
EACH = 120
"""Pairs of each grade."""
PAPERS = 1_500
LENGTHS = {"medl": 256, "rcor": 128, "kimp": 96}


def run(
    data: Path,
    out: Path,
    *,
    progress: Progress,
    library: Path | None = None,
    each: int = EACH,
    seeds: int = SEEDS,
) -> dict[str, float]:
    pairs = _pairs(library or out / "library", each, progress)
    told = table6(pairs)
    progress(f"{told.pairs} pairs of {told.papers} papers and {told.facts} facts: {told.grades}")
    encoder = KeptEncoder(HubEncoder("minilm"))
    train, test = next(iter(grouped_folds(pairs, folds=5, seed=0)))
    learned = [pairs[row] for row in train]
    held = [pairs[row] for row in test]
    gold = np.array([GRADES.index(str(pair.label)) for pair in held])
    got: dict[str, float] = {"pairs": float(len(pairs)), "held-out pairs": float(len(held))}
    shared = {"encoder": encoder, "lengths": LENGTHS}
    methods: dict[str, dict[str, Any]] = {
        "cross-encoder": shared,
        "lookup": shared,
        "hicapsrkl": shared,
        "evidence": {},
    }
    cells = []
    for name, options in methods.items():
        values, errors = [], []
        for seed in range(seeds):
            grader = graders.resolve(name, **options).fit(learned, seed=seed)
            found = grader.probabilities(held)
            values.append(macro_f1(gold, found.argmax(1), len(GRADES)))
            errors.append(measured(held, found, on="")[2].value or 0.0)
        got[f"{name} macro-F1"] = float(np.mean(values))
        got[f"{name} calibration error"] = float(np.mean(errors))
        cells.append([name, per_cent(float(np.mean(values))), f"{float(np.mean(errors)):.3f}"])
        progress(" ".join(cells[-1]))
    got["hicapsrkl over cross-encoder"] = got["hicapsrkl macro-F1"] - got["cross-encoder macro-F1"]
    lines = [f"## Held-out weak labels, {len(held)} pairs, mean of {seeds} seeds", ""]
    lines += table(("method", "macro-F1", "calibration error"), cells)
    (out / "tables.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    grader, card = train_grader(
        lambda: graders.resolve("evidence"),
        pairs,
        data="weak labels: PubMed 2021 with HPO's annotations",
        progress=progress,
    )
    save_grader(out / "model", grader, card)
    for line in lines:
        progress(line)
    return got


def _pairs(folder: Path, each: int, progress: Progress) -> list[Pair]:
    if (folder / "library.json").exists():
        library = Library.open(folder)
    else:
        progress("building the library")
        library = Library.create(folder)
        papers = fetch("pubmed-sample") / "pubmed21n1298.xml.gz"
        library.add([papers, fetch("hpo") / "hp.obo", fetch("hpo") / "phenotype.hpoa"])
    with library:
        progress("weak labels")
        labelled = weakly_labelled(library, limit=PAPERS, a_paper=4)
    rows = balanced([str(pair.label) for pair in labelled], each)
    return [labelled[row] for row in rows]
