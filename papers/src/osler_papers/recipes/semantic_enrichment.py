"""The semantic enrichment paper on the collections at hand, and what Osler's own search makes of
them: plain and enriched cosine by encoder, threshold sweep, then hybrid against ``concepts`` with
each part switched off in turn, with learned weights and with the judgements of other questions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from osler.errors import MissingExtra, NeedsError
from osler.kinds import Run
from osler.measures.comparison import compare
from osler.measures.retrieval import evaluate
from osler.measures.trec import read_qrels, read_queries, read_run, write_run
from osler.text.model_folder import Pooling
from osler_papers.recipes.retrieval import flat, open_library, write_tables

Progress = Callable[[str], None]
log = logging.getLogger(__name__)

DEPTH = 1_000
POOLINGS: dict[str, Pooling] = {"minilm": "mean", "minilm last-but-one": "last-but-one"}
"""Encoders at hand: MiniLM as it was trained, and pooled as bert-as-service pools (the mean over
the last layer but one), which is what the paper did with BERT, BioBERT and BlueBERT."""
MEASURES = ("nDCG@10", "P@10", "R@100", "AP")
OHSUMED_FILES = {
    "queries": ("queries.jsonl",),
    "qrels": ("qrels.tsv",),
}


def run(data: Path, out: Path, *, progress: Progress) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for name in ("cystic_fibrosis", "nfcorpus"):
        folder = data / name
        numbers |= _collection(
            name,
            data,
            out / name,
            corpus=[folder / "corpus.jsonl.gz"],
            queries=folder / "queries.jsonl",
            qrels=folder / "qrels.tsv",
            progress=progress,
        )
    numbers |= _judged(data / "nfcorpus", out / "nfcorpus", progress)
    numbers |= _ohsumed(data, out, progress)
    return numbers


def _collection(
    name: str,
    data: Path,
    out: Path,
    *,
    corpus: Sequence[Path],
    queries: Path,
    qrels: Path,
    progress: Progress,
) -> dict[str, float]:
    out.mkdir(parents=True, exist_ok=True)
    with open_library(out / "library", corpus, progress=progress) as library:
        progress(f"{name}: linking with MeSH")
        library.add([data / "mesh" / "descriptors.tsv.gz"], format="mesh")
        asked, judged = read_queries(queries), read_qrels(qrels)
        paper = _paper(name, library, asked, judged, out, progress)
        ours = _ours(name, library, asked, judged, out, progress)
    return {f"{name} {key}": value for key, value in {**paper, **ours}.items()}


# -- the paper's table -------------------------------------------------------------------------


def _paper(
    name: str,
    library: Any,
    asked: Mapping[str, str],
    judged: Mapping[str, Mapping[str, int]],
    out: Path,
    progress: Progress,
) -> dict[str, float]:
    from osler.text.encoder import load_encoder
    from osler_papers import sweep

    sweeps: dict[str, sweep.Sweep] = {}
    subsets: dict[str, Any] = {}
    for encoder, pooling in POOLINGS.items():
        progress(f"{name}: {encoder}, cosine and thresholds 1 to 10")
        library.encoder = load_encoder("minilm", pooling=pooling)
        library.embed()
        found = sweep.runs(library.searcher, asked, depth=DEPTH)
        sweeps[encoder] = whole = sweep.measured(found, judged)
        for threshold in (0, whole.best):
            tag = f"{encoder.replace(' ', '-')}-{threshold or 'plain'}"
            write_run(out / f"paper-{tag}.trec", found[threshold], tag=tag)
        subsets[encoder] = {
            label: sweep.measured({t: found[t] for t in (0, whole.best)}, part)
            for label, part in sweep.by_relevant(judged).items()
        }
    library.encoder = load_encoder("minilm")
    (out / "paper.json").write_bytes(
        msgspec.json.format(msgspec.json.encode({"sweeps": sweeps, "subsets": subsets}), indent=1)
    )
    _write_paper_table(sweeps, out / "paper.md")
    thresholds = {encoder: one.best for encoder, one in sweeps.items()}
    lines = sweep.subset_tables(judged, subsets, thresholds)
    (out / "subsets.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        sweep.plot(sweeps, out)
    except MissingExtra as missing:
        progress(f"{name}: no curves drawn: {missing}")
    numbers = {}
    for encoder, one in sweeps.items():
        for measure in ("nDCG@10", "nDCG@100", "nDCG-paper@100", "P@5", "P@10", "R@200"):
            if measure in one.plain:
                numbers[f"{encoder} plain {measure}"] = one.plain[measure]
                numbers[f"{encoder} enriched {measure}"] = one.enriched[one.best][measure]
        numbers[f"{encoder} best threshold"] = float(one.best)
        numbers[f"{encoder} gain nDCG@100 %"] = one.gain(one.best)
    return numbers


def _write_paper_table(sweeps: Mapping[str, Any], path: Path) -> None:
    measures = ("nDCG@10", "nDCG@100", "nDCG-paper@10", "nDCG-paper@100", "P@5", "P@10", "R@200")
    lines = ["| encoder | threshold | " + " | ".join(measures) + " | gain nDCG@100 |"]
    lines.append("| --- " * (len(measures) + 3) + "|")
    for encoder, one in sweeps.items():
        for threshold in (0, *sorted(one.enriched)):
            row = one.enriched[threshold] if threshold else one.plain
            gain = f"{one.gain(threshold):+.1f} %" if threshold else ""
            cells = " | ".join(f"{row[m]:.4f}" for m in measures)
            lines.append(f"| {encoder} | {threshold or 'plain'} | {cells} | {gain} |")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# -- Osler's own search ------------------------------------------------------------------------


def _ours(
    name: str,
    library: Any,
    asked: Mapping[str, str],
    judged: Mapping[str, Mapping[str, int]],
    out: Path,
    progress: Progress,
) -> dict[str, float]:
    from osler.search.concepts import PARTS, Concepts

    # A second run of the recipe finds judgements in the library: here they play no part.
    plain = ["judgements"]
    variants: dict[str, Any] = {"hybrid": "hybrid", "concepts": Concepts(off=plain)}
    headed = any(document.headings for document in library.documents())
    for part in PARTS:
        if part != "judgements" and (part != "headings" or headed):
            variants[f"concepts without {part}"] = Concepts(off=[*plain, part])
    variants["concepts learned"] = Concepts(off=plain, learned="shipped")
    runs: dict[str, Run] = {}
    for label, method in variants.items():
        progress(f"{name}: {label}")
        path = out / f"{label.replace(' ', '-')}.trec"
        write_run(path, library.search_many(asked, k=DEPTH, method=method), tag=label.split()[-1])
        runs[label] = read_run(path)
    table = compare(judged, runs, MEASURES, base="hybrid")
    write_tables(table, out)
    numbers = flat(compare(judged, {k: runs[k] for k in ("hybrid", "concepts")}, ("nDCG@10",)))
    gain = {
        "concepts over hybrid nDCG@10": -numbers["hybrid over concepts nDCG@10"],
        "concepts over hybrid nDCG@10 p": numbers["hybrid over concepts nDCG@10 p"],
    }
    means = {label: evaluate(judged, one, ["nDCG@10"])["nDCG@10"] for label, one in runs.items()}
    return {**gain, **{f"{label} nDCG@10": value for label, value in means.items()}}


def _judged(folder: Path, out: Path, progress: Progress) -> dict[str, float]:
    """The dev queries again, with the train queries' judgements kept in the library."""
    from osler.library import Library

    train = folder / "queries.train.jsonl"
    if not train.exists():
        progress("nfcorpus: no train queries here, so no judgements to keep")
        return {}
    progress("nfcorpus: keeping the train queries' judgements")
    asked, judged = read_queries(folder / "queries.jsonl"), read_qrels(folder / "qrels.tsv")
    with Library.open(out / "library") as library:
        library.judge(read_qrels(folder / "qrels.train.tsv.gz"), read_queries(train))
        found = library.search_many(asked, k=DEPTH, method="concepts")
        write_run(out / "concepts-judged.trec", found, tag="judged")
    value = evaluate(judged, read_run(out / "concepts-judged.trec"), ["nDCG@10"])["nDCG@10"]
    return {"nfcorpus concepts with judgements nDCG@10": value}


def _ohsumed(data: Path, out: Path, progress: Progress) -> dict[str, float]:
    """The paper's own collection, where a user has it."""
    folder = data / "ohsumed"
    if not folder.is_dir():
        progress("OHSUMED: its judged documents are not here; a folder ohsumed/ would be read")
        return {}
    corpus = sorted(p for p in folder.iterdir() if p.name.startswith("ohsumed."))
    found = {
        what: next((folder / name for name in names if (folder / name).exists()), None)
        for what, names in OHSUMED_FILES.items()
    }
    queries, qrels = found["queries"], found["qrels"]
    if not corpus or queries is None or qrels is None:
        raise NeedsError(
            "ohsumed/ needs documents (ohsumed.*), queries.jsonl and qrels.tsv",
            cure="see the recipe's notes",
        )
    return _collection(
        "ohsumed",
        data,
        out / "ohsumed",
        corpus=corpus,
        queries=queries,
        qrels=qrels,
        progress=progress,
    )
