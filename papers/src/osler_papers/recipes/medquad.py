"""The matchers in English: MedQuAD's questions with the graph of HPO and MeSH.

A question is made from a template and its focus ("What causes X ?"), so that false answers are
drawn among those to questions of the same type: about another disease, in the same words.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from osler.errors import NeedsError
from osler.fetch import fetched
from osler_papers.recipes.match_experiment import Experiment, one_split, qa_pairs, read_graph

Progress = Callable[[str], None]
METHODS = (
    "bow",
    "doc2vec",
    "knrm",
    "mkhan-nm",
    "shared-entities",
    "bm25",
    "bm25-bigrams",
    "default",
)


def experiment(data: Path, out: Path, progress: Progress) -> Experiment:
    hpo, mesh = fetched("hpo"), fetched("mesh")
    if hpo is None or mesh is None:
        raise NeedsError("the recipe needs HPO and MeSH", cure="osler fetch hpo mesh")
    files = [hpo / "hp.obo", hpo / "phenotype.hpoa", mesh / "mesh_id_label_mappings.tsv"]
    known = read_graph(files, out / "cache", progress)
    return Experiment(
        "medquad",
        qa_pairs(data / "medquad" / "qa.jsonl.gz", department="type"),
        known,
        out,
        progress,
        load_encoder=_encoder(progress),
    )


def _encoder(progress: Progress) -> Callable[[], Any]:
    held: list[Any] = []

    def load() -> Any:
        if not held:
            from osler.text.encoder import load_encoder

            try:
                held.append(load_encoder())
            except NeedsError as error:
                progress(f"without an encoder: {error}")
                held.append(None)
        return held[0]

    return load


def run(data: Path, out: Path, *, progress: Progress) -> dict[str, float]:
    return one_split(experiment(data, out, progress), METHODS)
