"""Grading English papers: weak labels of PubMed 2021 with HPO, encoders trained end to end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from osler.fetch import fetch
from osler.grade.calibrate import grouped_folds
from osler.grade.grader import Floats, Grader, graders
from osler.grade.labels.weak import balanced, table6
from osler.grade.models import save_grader
from osler.grade.pair import Pair
from osler.grade.scale import GRADES
from osler.grade.train import measured, train_grader
from osler.library import Library
from osler.measures.intervals import resampled_interval
from osler.verbs.grade_training import weakly_labelled
from osler_papers.recipes.hicapsrkl_dumb import Constant, HintsAlone
from osler_papers.recipes.hicapsrkl_kept import Kept, stamp
from osler_papers.recipes.hicapsrkl_tables import macro_f1, per_cent, table

Progress = Callable[[str], None]
EACH = 200
"""Pairs of each grade at most."""
PAPERS = 20_000
A_PAPER = 20
REFERENCE, RIVAL = "hicapsrkl", "cross-encoder"


def run(
    data: Path,
    out: Path,
    *,
    progress: Progress,
    library: Path | None = None,
    encoder: str = "",
    tune_layers: int = 2,
    each: int = EACH,
    epochs: int = 8,
    seeds: int = 1,
) -> dict[str, float]:
    """``encoder`` takes a given one (``minilm``) and trains its upper ``tune_layers`` along;
    without it a small one is trained from scratch."""
    pairs = _pairs(Path(library) if library else out / "library", each, progress)
    told = table6(pairs)
    progress(f"{told.pairs} pairs of {told.papers} papers and {told.facts} facts: {told.grades}")
    gold = np.array([GRADES.index(str(pair.label)) for pair in pairs])
    got: dict[str, float] = {"pairs": float(len(pairs))}
    shared: dict[str, Any] = {"epochs": epochs, "patience": epochs}
    if encoder:
        shared |= {"encoder": encoder, "tune_layers": tune_layers}
    kept = Kept(out / "kept" / stamp(pairs, (encoder, tune_layers, epochs)))
    cells = []
    for name, make in _methods(shared).items():
        held = [
            _crossed(kept, name, make, pairs, seed)
            for seed in range(1 if name == "constant" else seeds)
        ]
        called = [one.argmax(1) for one in held]
        value = resampled_interval(
            len(pairs),
            lambda i: float(np.mean([macro_f1(gold[i], c[i], len(GRADES)) for c in called])),  # noqa: B023
            samples=1_000,
        )
        error = float(np.mean([measured(pairs, one, on="")[2].value or 0.0 for one in held]))
        got[f"{name} macro-F1"] = value.value
        got[f"{name} macro-F1, low"] = value.low
        got[f"{name} calibration error"] = error
        interval = f"{per_cent(value.low)} to {per_cent(value.high)}"
        cells.append([name, str(len(held)), per_cent(value.value), interval, f"{error:.3f}"])
        progress(" ".join(cells[-1]))
    got["hicapsrkl over cross-encoder"] = got[f"{REFERENCE} macro-F1"] - got[f"{RIVAL} macro-F1"]
    lines = [f"## Weak labels, {len(pairs)} pairs, five folds that share no fact and no paper", ""]
    lines += table(("method", "seeds", "macro-F1", "95 %", "calibration error"), cells)
    (out / "tables.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for line in lines:
        progress(line)
    grader, card = train_grader(
        lambda: graders.resolve("evidence"),
        pairs,
        data="weak labels: PubMed 2021 with HPO's annotations",
        progress=progress,
    )
    save_grader(out / "model", grader, card)
    return got


def _methods(shared: dict[str, Any]) -> dict[str, Callable[[], Grader]]:
    return {
        "constant": Constant,
        "logistic regression on hints": HintsAlone,
        "evidence": lambda: graders.resolve("evidence"),
        REFERENCE: lambda: graders.resolve("hicapsrkl", **shared),
        RIVAL: lambda: graders.resolve("cross-encoder", **shared),
    }


def _crossed(
    kept: Kept, name: str, make: Callable[[], Grader], pairs: list[Pair], seed: int
) -> Floats:
    held = np.zeros((len(pairs), len(GRADES)))
    for fold, (train, test) in enumerate(grouped_folds(pairs, folds=5, seed=seed)):
        learned, asked = [pairs[row] for row in train], [pairs[row] for row in test]
        held[test] = kept.get(
            f"{name} seed {seed} fold {fold}",
            lambda: make().fit(learned, seed=seed).probabilities(asked),  # noqa: B023
        )
    return held


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
        labelled = weakly_labelled(library, limit=PAPERS, a_paper=A_PAPER)
    rows = balanced([str(pair.label) for pair in labelled], each)
    return [labelled[row] for row in rows]
