"""HiCapsRKL on the released sample: labels, comparisons, ablations, retrieval, a model to predict.

Liu et al. 2022. Writes ``tables.md`` (Tables 2, 3, 4 and 6 beside the published numbers) and
``model`` (Osler's own grader, trained on all 250 rows). What each fold and seed gave is kept below
``kept``, so that a run that stops goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from osler.errors import InputError
from osler.grade.grader import graders
from osler.grade.models import save_grader
from osler.grade.pair import Pair
from osler.grade.scale import SAMPLE
from osler.grade.train import train_grader
from osler.measures.calibration import expected_calibration_error
from osler.text.word_vectors import WordVectors
from osler_papers.grade.kernels import words
from osler_papers.recipes.hicapsrkl_data import RELATIONS, sample, triples, weak_pairs
from osler_papers.recipes.hicapsrkl_kept import Kept, stamp
from osler_papers.recipes.hicapsrkl_labels import kappas, table_6
from osler_papers.recipes.hicapsrkl_methods import (
    PATIENCE,
    TUNE_EPOCHS,
    WEAK_EPOCHS,
    Method,
    Trainer,
    ablated,
    cheap,
    trained,
)
from osler_papers.recipes.hicapsrkl_retrieval import FITTED, Ranked, fitted_order, table_3
from osler_papers.recipes.hicapsrkl_tables import (
    TABLE_2,
    TABLE_4,
    Scored,
    drawn_p,
    paired_p,
    per_cent,
    published_p,
    retrieval_row,
    table,
)

Progress = Callable[[str], None]
SEEDS = 5
LABELS = len(SAMPLE.labels)


def run(
    data: Path,
    out: Path,
    *,
    progress: Progress,
    seeds: int = SEEDS,
    only: tuple[str, ...] = (),
    ablations: bool = True,
    layers: int = 3,
    iterations: int = 3,
    capsules: int = 12,
    quick: bool = False,
) -> dict[str, float]:
    """``only`` names the rows of Tables 2 to 4 that are wanted; the model is left out then."""
    rows, retrieval = sample(data)
    got: dict[str, float] = {}
    progress("weak pairs of kg_zh's entities in CSL's papers, apart from the sample")
    known = triples(data)
    weak = weak_pairs(data, [*rows, *retrieval])[:: 20 if quick else 1]
    tables = table_6(rows, retrieval, weak)
    progress("automatic labels")
    entities = sorted({name for head, _, tail in known for name in (head, tail)})
    tables += kappas(rows, entities, got)
    settings = (layers, iterations, capsules, quick, WEAK_EPOCHS, TUNE_EPOCHS, PATIENCE)
    kept = Kept(out / "kept" / stamp([*rows, *retrieval, *weak], settings))
    trainer = Trainer(rows, retrieval, weak, kept, progress)
    options = {"layers": layers, "iterations": iterations, "capsules": capsules}
    vectors = _graph_vectors(known, [*rows, *retrieval, *weak], quick=quick)
    compared = [*cheap(options), *trained(options, vectors, cache(partial(_word_vectors, weak)))]
    wanted = [*compared, *(ablated(options) if ablations else ())]
    wanted = chosen(wanted, only)
    # Seed by seed, so that a run that stops has the same seeds of every method.
    for seed in range(seeds):
        for method in wanted:
            if seed < (method.seeds or seeds):
                trainer.crossed(method, seed)
                trainer.ranked(method, seed)
    scored, ranked = {}, {}
    for method in wanted:
        count = min(seeds, method.seeds or seeds)
        held = [trainer.crossed(method, seed) for seed in range(count)]
        scores = [trainer.ranked(method, seed) for seed in range(count)]
        gold = np.array([int(str(pair.label)) for pair in rows])
        scored[method.name] = Scored(gold, [one[:, :LABELS] for one in held])
        ranked[method.name] = Ranked(retrieval, scores)
        ordered = [
            fitted_order(rows, seen[:, LABELS], retrieval, told)
            for seen, told in zip(held, scores, strict=True)
        ]
        ranked[method.name + FITTED] = Ranked(retrieval, ordered)
        progress(_told(method, scored, ranked))
    names = {method.name for method in compared}
    tables += _table_2({name: one for name, one in scored.items() if name in names}, got)
    tables += table_3({n: r for n, r in ranked.items() if n.removesuffix(FITTED) in names}, got)
    tables += _table_4(scored, ranked)
    (out / "tables.md").write_text("\n".join(tables) + "\n", encoding="utf-8")
    for line in tables:
        progress(line)
    if not only:
        _leave_model(out, rows)
    return got


def chosen(methods: Sequence[Method], only: Sequence[str]) -> list[Method]:
    """The methods that are wanted: all, or those that are named."""
    names = [method.name for method in methods]
    if unknown := sorted(set(only) - set(names)):
        raise InputError(
            f"no row is called {', '.join(unknown)}", cure=f"only takes {', '.join(names)}"
        )
    return [method for method in methods if not only or method.name in only]


def _told(method: Method, scored: Mapping[str, Scored], ranked: Mapping[str, Ranked]) -> str:
    one = scored[method.name]
    return (
        f"{method.name}: macro-F1 {one.macro():.3f}, raw {one.macro(raw=True):.3f}, "
        f"nDCG@10 {ranked[method.name].ndcg:.3f}, "
        f"with the fitted order {ranked[method.name + FITTED].ndcg:.3f}"
    )


def _leave_model(out: Path, rows: Sequence[Pair]) -> None:
    grader, card = train_grader(
        lambda: graders.resolve("evidence"), rows, data="250 rows of HiCapsRKL's released sample"
    )
    save_grader(out / "model", grader, card)


def _word_vectors(pairs: Sequence[Pair]) -> WordVectors:
    texts = dict.fromkeys(pair.text for pair in pairs)
    return WordVectors.train([words(text) for text in texts], dimension=64)


def _graph_vectors(
    known: Sequence[tuple[str, str, str]], pairs: Sequence[Pair], *, quick: bool
) -> Callable[[str], Mapping[str, Any]]:
    """Embeddings of kg_zh around the facts' entities, by method; made when asked for."""
    from osler.knowledge.embeddings import named_vectors

    wanted = {name for pair in pairs for name in (pair.fact.head, pair.fact.tail)}
    kept = [
        (head, RELATIONS[relation], tail)
        for head, relation, tail in known
        if relation in RELATIONS and (head in wanted or tail in wanted)
    ]
    near = [t for t in kept if t[0] in wanted and t[2] in wanted]
    order = np.random.default_rng(0).permutation(len(kept))[: 200 if quick else 20_000]
    chosen = list(dict.fromkeys([*near, *(kept[i] for i in order.tolist())]))
    options = {"dimension": 32, "epochs": 1 if quick else 10}
    return cache(lambda method: named_vectors(chosen, method=method, **options))


# -- tables ----------------------------------------------------------------------------------------

REFERENCE, RIVAL = "hicapsrkl", "cross-encoder"


def _table_2(scored: Mapping[str, Scored], got: dict[str, float]) -> list[str]:
    """Micro- and macro-F1 with intervals; p of the printed method against each row."""
    reference = scored.get(REFERENCE)
    cells = []
    for name, one in sorted(scored.items(), key=lambda item: -item[1].macro()):
        low, high = one.interval()
        published = TABLE_2.get(name)
        error = _calibration_error(one)
        row = [
            name,
            str(len(one.seeds)),
            per_cent(one.micro()),
            per_cent(one.macro()),
            f"{per_cent(low)} to {per_cent(high)}",
            " / ".join(map(str, published)) if published else "",
            f"{per_cent(one.micro(raw=True))} / {per_cent(one.macro(raw=True))}",
            " / ".join(per_cent(share) for share in one.sides()),
            f"{error:.3f}",
        ]
        if reference is not None and one is not reference:
            row += [
                f"{paired_p(reference, one):.3f}",
                f"{drawn_p(reference, one):.3f}",
                f"{published_p(reference, one):.3g}",
            ]
        cells.append(row + [""] * (12 - len(row)))
        got[f"{name} macro-F1"] = one.macro()
        got[f"{name} macro-F1, low"] = low
        got[f"{name} macro-F1, high"] = high
        got[f"{name} raw macro-F1"] = one.macro(raw=True)
        got[f"{name} calibration error"] = error
    if reference is not None and RIVAL in scored:
        got["hicapsrkl over cross-encoder"] = reference.macro() - scored[RIVAL].macro()
        got["hicapsrkl over cross-encoder p"] = paired_p(reference, scored[RIVAL])
        got["hicapsrkl over cross-encoder p, seeds drawn too"] = drawn_p(reference, scored[RIVAL])
    heads = (
        "method",
        "seeds",
        "micro-F1",
        "macro-F1",
        "95 %",
        "published micro / macro",
        "raw labels micro / macro",
        "RCor / KImp right",
        "calibration error",
        "p (bootstrap over pairs) against hicapsrkl",
        "p, seeds drawn too",
        "p as published",
    )
    title = "## Table 2: five-fold cross-validation, folds share no fact and no paper"
    return [title, "", *table(heads, cells), ""]


def _calibration_error(one: Scored) -> float:
    errors = [
        expected_calibration_error(
            np.clip(p.max(1), 0, 1), (p.argmax(1) == one.gold).astype(np.int64)
        )
        for p in one.seeds
    ]
    return float(np.mean(errors))


def _table_4(scored: Mapping[str, Scored], ranked: Mapping[str, Ranked]) -> list[str]:
    cells = []
    for shown, published in TABLE_4.items():
        name = REFERENCE if shown == "HiCapsRKL" else shown
        if name not in scored:
            continue
        one = scored[name]
        low, high = one.interval()
        cells.append(
            [
                shown,
                str(len(one.seeds)),
                per_cent(one.micro()),
                per_cent(one.macro()),
                f"{per_cent(low)} to {per_cent(high)}",
                *retrieval_row(ranked[name].means),
                " / ".join(map(str, published)),
            ]
        )
    heads = ["model", "seeds", "micro-F1", "macro-F1", "95 %", "MRR", "MAP", "P@10", "NDCG@10"]
    heads.append("published micro, macro, NDCG@10")
    return ["## Table 4: ablations (no hints)", "", *table(heads, cells), ""]
