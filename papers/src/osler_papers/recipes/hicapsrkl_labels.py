"""Labels of HiCapsRKL's sample: Table 6 over all rows, automatic labels against the sample's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from osler.grade.fragments import coverage_by_part
from osler.grade.labels.kimp import Way, subject_words
from osler.grade.labels.rcor import Clusters
from osler.grade.labels.weak import agreement, table6, weak_labels
from osler.grade.pair import Pair
from osler_papers.recipes.hicapsrkl_tables import table

RETRIEVAL_GRADES = {"2": "H", "1": "F", "0": "M or I"}
"""The retrieval rows' own scale: it does not tell M from I."""
PUBLISHED = ("14,792", "8,990", "9,249", "16,592", "49,623", "36,048", "97", "24,160")


def table_6(rows: Sequence[Pair], retrieval: Sequence[Pair], weak: Sequence[Pair]) -> list[str]:
    """Table 6: pairs by grade, papers, relations and facts of every set."""
    heads = ("set", "H", "F", "M", "I", "total", "MedL", "R", "K")
    cells = []
    for name, pairs in (("training rows", rows), ("weak pairs, made here", weak)):
        counted = table6(pairs)
        numbers = (*counted.grades.values(), counted.pairs, counted.papers)
        cells.append([name, *map(str, (*numbers, counted.relations, counted.facts))])
    by_grade = [sum(pair.label == label for pair in retrieval) for label in RETRIEVAL_GRADES]
    told = (
        f"{by_grade[0]}",
        f"{by_grade[1]}",
        f"{by_grade[2]} (M or I)",
        "",
        f"{len(retrieval)}",
        f"{len({pair.paper_id for pair in retrieval})}",
        f"{len({pair.fact.relation for pair in retrieval})}",
        f"{len({pair.fact.text for pair in retrieval})}",
    )
    cells.append(["retrieval rows", *told])
    cells.append(["published, training", *PUBLISHED])
    return ["## Table 6: the sets", "", *table(heads, cells), ""]


def kappas(rows: Sequence[Pair], entities: Sequence[str], got: dict[str, float]) -> list[str]:
    """Cohen's kappa of automatic labels with the sample's; ``entities`` are masked in clusters."""
    ways: list[tuple[str, Way, int]] = [
        ("one sentence and a cue", "coverage", 0),
        ("one sentence and a cue", "frequency", 0),
        ("one sentence and a cue", "lda", 0),
        ("clusters, about 8 fragments each, checked by the rule", "coverage", 8),
        ("clusters, about 3 fragments each, checked by the rule", "coverage", 3),
    ]
    cells = []
    for rcor, kimp, size in ways:
        clusters = Clusters.of(rows, a_cluster=size, entities=entities) if size else None
        agreed = agreement(rows, weak_labels(rows, clusters=clusters, kimp=kimp))
        if kimp == "coverage" and not size:
            got["kappa RCor"] = agreed.rcor or 0.0
            got["kappa KImp"] = agreed.kimp or 0.0
            got["kappa grade, 25 of each"] = agreed.sampled or 0.0
        got[f"kappa KImp by {kimp}"] = agreed.kimp or 0.0
        values = (agreed.rcor, agreed.kimp, agreed.grade, agreed.sampled)
        cells.append([rcor, kimp, *(f"{value or 0:.3f}" for value in values)])
    lines = ["## Automatic labels against the sample's (Cohen's kappa)", ""]
    lines += table(("RCor by", "KImp by", "RCor", "KImp", "grade", "25 of each (0.707)"), cells)
    lines += ["", "## Where a paper's ten likeliest words stand (appendix A.4)", ""]
    shares = [coverage_by_part(pair.places, subject_words(pair)) for pair in rows]
    parts = ("title", "keywords", "first", "tail", "other")
    means = [float(np.mean([one[part] for one in shares])) for part in parts]
    return [*lines, *table(parts, [[f"{mean:.2f}" for mean in means]]), ""]
