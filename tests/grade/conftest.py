"""Pairs of our own making, in both languages, and a library with a small graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grade_samples import labelled_pairs
from osler import Document, Library
from osler.grade.pair import Pair
from samples import TrigramEncoder, paper

TRIPLES = """head\trelation\ttail\thead_type\ttail_type
metformin\ttreats\tdiabetes mellitus\tdrug\tdisease
warfarin\ttreats\tthrombosis\tdrug\tdisease
warfarin\tcauses\tbleeding\tdrug\tsymptom
二甲双胍\t适应症\t糖尿病\t药品\t疾病
肺炎\t临床症状\t发热\t疾病\t症状
"""

PAPERS = (
    paper(
        "p1",
        "Metformin treats diabetes mellitus in adults",
        "We studied metformin in diabetes mellitus. Patients received metformin daily. "
        "Metformin was an effective treatment of diabetes mellitus.",
        keywords=("metformin", "diabetes mellitus"),
    ),
    paper(
        "p2",
        "Heart failure in old age",
        "We counted heart failure in a town. Some had diabetes mellitus and were treated with "
        "metformin. Walking helped.",
        keywords=("heart failure",),
    ),
    paper(
        "p3",
        "Warfarin and the kidney",
        "Warfarin was stopped in ten patients. Their kidneys were healthy. The streets were "
        "quiet. Later one had bleeding.",
        keywords=("warfarin",),
    ),
    paper(
        "p4",
        "二甲双胍治疗糖尿病的疗效观察",
        "目的 观察二甲双胍治疗糖尿病的疗效.方法 选取糖尿病患者80例,给予二甲双胍治疗."
        "结论 二甲双胍治疗糖尿病疗效显著.",
        keywords=("二甲双胍", "糖尿病"),
        language="chi",
    ),
    paper("p5", "Diabetes mellitus without an abstract"),
    paper("p6", "Gardens in spring", "Flowers were counted. Bees were many."),
)


@pytest.fixture(scope="session")
def pairs() -> list[Pair]:
    return labelled_pairs()


@pytest.fixture(scope="module")
def graph_library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Papers with a graph of drugs, diseases and symptoms."""
    folder = tmp_path_factory.mktemp("grade")
    (folder / "triples.tsv").write_text(TRIPLES, encoding="utf-8")
    library = Library.create(folder / "library", encoder=TrigramEncoder())  # type: ignore[arg-type]
    library.add_documents(PAPERS)
    library.add([folder / "triples.tsv"])
    yield library
    library.close()


MakeLibrary = Callable[..., Library]
__all__ = ["Document", "MakeLibrary", "Path"]
