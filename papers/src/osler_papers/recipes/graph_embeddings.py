"""Graph embeddings: a graph of our own, the Chinese graph with pictures, Hetionet's subset."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from osler.errors import NeedsError
from osler.knowledge.embeddings import NumberedTriples, models, train_embeddings
from osler.knowledge.embeddings.classifying import Classification, classify_triples
from osler.knowledge.embeddings.modal_features import name_features
from osler.knowledge.embeddings.predicting import link_prediction
from osler.knowledge.images import Images, image_features, load_image_encoder
from osler.measures.intervals import bootstrap_interval
from osler.text.word_vectors import WordVectors
from osler_papers.recipes.pictured_graph import pictured_graph
from osler_papers.recipes.rdoc_tables import corrected_t, table

Progress = Callable[[str], None]
Rows = list[tuple[str, str, str]]

PAPER = {
    "transh": "0.7418 ± 0.11, best 0.9155",
    "mm-transe": "0.6449 ± 0.07, best 0.7915",
    "mm-transh": "0.7685 ± 0.13, best 0.9459",
}
"""Table 5 of seed 001."""
OURS: dict[str, Any] = {"dimension": 50, "epochs": 60, "batch": 256, "lr": 0.1, "typed": True}
CHINESE: dict[str, Any] = {"dimension": 150, "epochs": 20, "batch": 512, "lr": 0.1, "typed": True}
FEW: dict[str, Any] = {"dimension": 150, "epochs": 60, "batch": 32, "lr": 0.1, "typed": True}
HETIONET: dict[str, Any] = {"dimension": 64, "epochs": 40, "batch": 512, "lr": 0.1}
TEXTS = 20_000
"""Free texts that word vectors are trained on; each is cut at CUT characters."""
CUT = 200


def run(data: Path, out: Path, *, progress: Progress) -> dict[str, float]:
    """The numbers of all three; tables go to ``OUT/tables.md``."""
    lines: list[str] = []
    results = of_our_own(out, lines, progress)
    results |= chinese(data, lines, progress)
    results |= hetionet(data, lines, progress)
    (out / "tables.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return results


# A graph of our own -----------------------------------------------------------------------------


def of_our_own(
    out: Path, lines: list[str], progress: Progress, *, findings: int = 300, seeds: int = 5
) -> dict[str, float]:
    """Pictures decide two of the four relations."""
    told, images = pictured_graph(out / "pictures", findings=findings)
    features = image_features(images, "plain")
    triples: NumberedTriples = NumberedTriples.of(told)
    names = ("transh", "mm-transe", "mm-transh")
    found = {
        name: classified(triples, name, range(seeds), OURS, progress, images=features)
        for name in names
    }
    lines += ["## A graph whose pictures decide two of four relations", ""]
    relations = sorted(found["transh"][0].relations)
    rows = [
        [name, _spread(found[name])]
        + [f"{np.mean([one.relations[r] for one in found[name]]):.3f}" for r in relations]
        for name in names
    ]
    lines += [*table(["method", "accuracy", *relations], rows), ""]
    means = {name: np.array([one.mean for one in found[name]]) for name in names}
    gap = means["mm-transh"] - means["transh"]
    results = {f"pictured graph, {name}": float(values.mean()) for name, values in means.items()}
    results["pictured graph, mm-transh over transh"] = float(gap.mean())
    results["pictured graph, p of mm-transh over transh"] = corrected_t(
        means["mm-transh"], means["transh"], share=0.2 / 0.7
    )
    return results


def classified(
    triples: NumberedTriples,
    method: str,
    seeds: Sequence[int],
    setting: Mapping[str, Any],
    progress: Progress,
    *,
    least: int = 5,
    **features: Any,
) -> list[Classification]:
    """Triple classification of one method under several seeds (split, fakes and training)."""
    found = []
    for seed in seeds:
        train, valid, test = triples.split(valid=0.1, test=0.2, seed=seed)
        made = train_embeddings(train, method=method, seed=seed, **setting, **features)
        said = classify_triples(
            made, valid.rows, test.rows, known=[train.rows], seed=seed, least=least
        )
        progress(f"{method}, seed {seed}: accuracy {said.mean:.4f} over {len(said.relations)}")
        found.append(said)
    return found


# The Chinese graph ------------------------------------------------------------------------------


def pictured_chinese(data: Path, progress: Progress) -> tuple[Rows, Rows, dict[str, Any], str]:
    """The triples that touch an entity with pictures, those with pictures at both ends, the
    features of their entities, and the encoder that saw the pictures."""
    pictures = Images.read(data / "images" / "entity_images.csv")
    read = list(chinese_triples(data))
    near = [row for row in read if _name(row[0]) in pictures or _name(row[2]) in pictures]
    both = [row for row in near if _name(row[0]) in pictures and _name(row[2]) in pictures]
    ids = sorted({end for head, _, tail in near for end in (head, tail)})
    encoder = image_encoder()
    progress(f"encoding {pictures.count} pictures with {encoder}")
    by_name = image_features(pictures, encoder)
    images = {id: by_name[_name(id)] for id in ids if _name(id) in by_name}
    progress("training word vectors on the graph's free texts")
    texts = name_features(
        {id: _name(id) for id in ids}, word_vectors(data, [_name(id) for id in ids]), cut=words
    )
    return near, both, {"images": images, "texts": texts}, encoder


def chinese(data: Path, lines: list[str], progress: Progress) -> dict[str, float]:
    """Table 5 on the triples that touch an entity with pictures."""
    near, both, features, encoder = pictured_chinese(data, progress)
    results: dict[str, float] = {}
    for title, key, rows, seeds, setting, least in (
        ("a picture at one end or both", "kg_zh", near, range(5), CHINESE, 5),
        ("pictures at both ends", "kg_zh both ends", both, range(10), FEW, 1),
    ):
        triples: NumberedTriples = NumberedTriples.of(rows)
        lines += [f"## Table 5 on kg_zh: {len(triples):,} triples, {title}", ""]
        listed = []
        overall: dict[str, list[float]] = {}
        for name in models.names():
            given = features if models.get(name).modal else {}
            found = classified(triples, name, seeds, setting, progress, least=least, **given)
            listed.append(
                [
                    name,
                    _spread(found),
                    f"{np.mean([one.deviation for one in found]):.2f}",
                    f"{np.mean([one.best for one in found]):.4f}",
                    f"{np.mean([one.overall for one in found]):.4f}",
                    PAPER.get(name, ""),
                ]
            )
            results[f"{key} {name}"] = float(np.mean([one.mean for one in found]))
            overall[name] = [one.overall for one in found]
            results[f"{key} {name}, all triples"] = float(np.mean(overall[name]))
        heads = ["method", "mean of relations", "deviation", "best", "all triples", "the paper's"]
        lines += [*table(heads, listed), ""]
        gap = np.subtract(overall["mm-transh"], overall["transh"])
        interval = bootstrap_interval(gap.tolist())
        lines += [
            f"mm-transh over transh, all triples, by seed: {interval.value:+.4f} "
            f"[{interval.low:+.4f}, {interval.high:+.4f}].",
            "",
        ]
    images, texts = features["images"], features["texts"]
    lines += [f"{len(images)} entities with pictures ({encoder}), {len(texts)} with words.", ""]
    return results


def chinese_triples(data: Path) -> Iterator[tuple[str, str, str]]:
    with gzip.open(data / "kg_zh" / "triples.tsv.gz", "rt", encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            head, tail = f"{row['head_type']}:{row['head']}", f"{row['tail_type']}:{row['tail']}"
            yield head, row["relation"], tail


def _name(id: str) -> str:
    return id.partition(":")[2]


def image_encoder() -> str:
    """The trained encoder where it is installed, the plain one otherwise."""
    try:
        load_image_encoder("efficientnet-lite0")
    except NeedsError:
        return "plain"
    return "efficientnet-lite0"


def word_vectors(data: Path, names: Sequence[str]) -> WordVectors:
    """Word2vec on texts about causes and prevention, and on the names: no triple enters."""
    sentences: list[list[str]] = [words(name) for name in names]
    with gzip.open(data / "kg_zh" / "attributes.tsv.gz", "rt", encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["attribute"] in ("生病原因", "预防措施"):
                sentences.append(words(row["value"][:CUT]))
            if len(sentences) >= TEXTS + len(names):
                break
    return WordVectors.train(sentences, dimension=150, epochs=3, least=2)


def words(text: str) -> list[str]:
    """Words of a Chinese text, and its characters: a name of a rare word is still read."""
    from osler.text.chinese import segment

    found = [token.text for token in segment(text) if token.text.strip()]
    return found + [sign for sign in text if "\u4e00" <= sign <= "\u9fff"]


# Hetionet ---------------------------------------------------------------------------------------


def hetionet(
    data: Path, lines: list[str], progress: Progress, *, tested: int = 2_000
) -> dict[str, float]:
    """Link prediction on a seeded split: 85 % to train, 10 % to test."""
    with gzip.open(data / "hetionet_subset" / "triples.tsv.gz", "rt", encoding="utf-8") as stream:
        next(stream)
        read: Rows = [
            (cells[0], cells[1], cells[2])
            for cells in (line.rstrip("\n").split("\t") for line in stream)
        ]
    triples: NumberedTriples = NumberedTriples.of(read)
    train, valid, test = triples.split(valid=0.05, test=0.1, seed=0)
    picked = np.sort(np.random.default_rng(0).permutation(len(test))[:tested])
    known = [train.rows, valid.rows, test.rows]
    results: dict[str, float] = {}
    rows = []
    for name in ("transe", "transh", "transd", "rotate"):
        made = train_embeddings(train, method=name, seed=0, **HETIONET)
        found = link_prediction(made, test.rows[picked], known=known)
        progress(f"hetionet, {name}: MRR {found.mrr:.4f}")
        results[f"hetionet {name} MRR"] = found.mrr
        results[f"hetionet {name} Hits@10"] = found.hits[10]
        hits = [f"{found.hits[k]:.3f}" for k in (1, 3, 10)]
        rows.append([name, f"{found.mrr:.4f}", *hits, f"{found.heads:.3f}", f"{found.tails:.3f}"])
    lines += [f"## Link prediction on hetionet_subset: {len(triples):,} triples", ""]
    heads = ["method", "MRR", "Hits@1", "Hits@3", "Hits@10", "MRR of heads", "MRR of tails"]
    lines += [*table(heads, rows), ""]
    return results


def _spread(found: Sequence[Classification]) -> str:
    values = [one.mean for one in found]
    if len(values) < 2:
        return f"{values[0]:.4f}"
    interval = bootstrap_interval(values)
    return f"{interval.value:.4f} [{interval.low:.4f}, {interval.high:.4f}]"
