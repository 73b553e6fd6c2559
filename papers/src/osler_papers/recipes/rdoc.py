"""The RDoC tasks of BioNLP-OST 2019: rank abstracts for eight constructs, find the best sentence.

Chaudhary, Gupta, Schütze 2019. Writes ``tables.md`` (the paper's Tables 2 to 7, ours beside the
published numbers), ``task1.trec`` and ``task2.jsonl`` (predictions for the unlabelled abstracts).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import osler.rank
from osler.errors import NeedsError
from osler.files.source import Source
from osler.kinds import Document, Section
from osler.measures.trec import write_run
from osler.rank.job import best_first
from osler.rank.papers.about import About
from osler.rank.pool import Ints, Pool, joined
from osler.rank.sentence_ranker import Abstract
from osler.rank.sentences.hybrid import HybridSentences
from osler.rank.splits import repeated
from osler.rank.topic import Topic
from osler_papers.recipes.kept import Kept, stamp_of
from osler_papers.recipes.rdoc_clusters import measure_clusters
from osler_papers.recipes.rdoc_papers import measure_papers
from osler_papers.recipes.rdoc_retrieved import (
    background_of,
    measure_retrieved,
    queries,
    retrieved,
)
from osler_papers.recipes.rdoc_sentences import measure_sentences
from osler_papers.recipes.rdoc_tables import counts_table
from osler_papers.recipes.rdoc_words import first_vectors, second_vectors

Progress = Callable[[str], None]
# The data set's sentences were cut after "e.g.", "i.e." and "et al.", and not after a lone letter.
_CUT = re.compile(
    r"(?<![\s(][A-Za-z])(?<!\bvs)[.!?]\s+(?=[A-Z0-9(\[\"'])"
    r"|[?!]\)\s+"
    r"|(?:e\.g|i\.e|et al)\.\s+"
)


def run(data: Path, out: Path, *, progress: Progress, encoder: str = "") -> dict[str, float]:
    """``encoder`` names the one whose vectors the rankers see, or several joined by +, then their
    vectors stand side by side; left open it is the default."""
    folder = data / "rdoc"
    constructs = read_constructs(folder / "constructs.tsv")
    train, task1, task2 = (
        read_rows(folder / f"{name}.jsonl.gz") for name in ("train", "task1_test", "task2_test")
    )
    topics = [Topic(id) for id in constructs]
    targets = numbers_of(train, constructs)
    encode = cached_encoder(out / "vectors.safetensors", progress, encoder)
    progress("vectors of the abstracts and their sentences")
    pool = make_pool(train, encode)
    abstracts = make_abstracts(train, topics, encode)
    # Word vectors may see the test abstracts' words; nothing that writes the predictions does.
    texts = list(
        dict.fromkeys(f"{row['title']}\n{row['abstract']}" for row in train + task1 + task2)
    )
    fast, first = first_vectors([*texts, *(t.words for t in topics)], progress=progress)
    stamp = stamp_of([*folder.iterdir(), *_code()], "" if encode is None else encode.fingerprint)
    kept = Kept(out / "splits.jsonl", stamp)
    word2vec, second = second_vectors(
        texts, folder=out / "word2vec", stamp=stamp_of(folder.iterdir()), progress=progress
    )
    about = f'"FastText" is {first}, "word2vec" {second}'
    papers, tables = measure_papers(
        pool, targets, topics, [fast, word2vec], about=about, kept=kept, progress=progress
    )
    sentences, more = measure_sentences(
        abstracts, targets, fast, about=first, kept=kept, progress=progress
    )
    first_train, first_test = next(iter(repeated(targets)))
    tables = [
        *counts_table(
            [topic.words for topic in topics],
            {
                "all": targets.tolist(),
                "training": targets[first_train].tolist(),
                "held out": targets[first_test].tolist(),
                "test, task 1": numbers_of(task1, constructs).tolist(),
                "test, task 2": numbers_of(task2, constructs).tolist(),
            },
        ),
        *tables,
        *more,
    ]
    among: dict[str, float] = {}
    progress("abstracts that use the constructs' words and are about none")
    sources = retrieved(data, queries(pool, targets, topics), encode)
    if encode is not None:
        among, more = measure_retrieved(pool, targets, topics, sources, encode, progress=progress)
        tables += more
        of_task = [
            (make_pool(rows, encode), numbers_of(rows, constructs)) for rows in (task1, task2)
        ]
        clusters, more = measure_clusters(
            pool, targets, topics, background_of(sources), of_task[0], of_task[1], encode
        )
        among |= clusters
        tables += more
    (out / "tables.md").write_text("\n".join(tables) + "\n", encoding="utf-8")
    for line in tables:
        progress(line)
    none = background_of(sources)
    predict_papers(out / "task1.trec", pool, targets, topics, none, task1, encode)
    predict_sentences(out / "task2.jsonl", abstracts, topics, task2, encode)
    return {
        **papers,
        **sentences,
        **among,
        "task 1 abstracts ranked": float(len(task1)),
        "task 2 sentences found": float(len(task2)),
    }


def _code() -> list[Path]:
    """The files whose rankers the splits measure."""
    rank, papers = Path(osler.rank.__file__).parent, Path(__file__).parent
    unused = {"about.py", "elas.py", "two_step.py"}
    parts = [
        rank,
        *(rank / name for name in ("papers", "networks", "representations", "sentences")),
    ]
    own = [path for part in parts for path in part.glob("*.py") if path.name not in unused]
    names = ("rdoc_papers", "rdoc_sentences", "rdoc_nested")
    return [*own, papers.parent / "rank" / "svm.py", *(papers / f"{name}.py" for name in names)]


def read_constructs(path: Path) -> list[str]:
    lines = [line.split("\t") for _, line in Source(path).lines() if line]
    return [fields[0] for fields in lines[1:]]


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for _, line in Source(path).lines() if line]


def numbers_of(rows: list[dict[str, Any]], constructs: list[str]) -> Ints:
    """The number of each row's construct."""
    return np.array([constructs.index(row["construct"]) for row in rows], dtype=np.int64)


def cut(text: str) -> list[tuple[int, int]]:
    """Sentences as the data set has them, so that a choice of ours can equal one of its."""
    spans, start = [], 0
    for end in [match.end() for match in _CUT.finditer(text)] + [len(text)]:
        piece = text[start:end]
        bare = piece.strip()
        if bare:
            first = start + len(piece) - len(piece.lstrip())
            spans.append((first, first + len(bare)))
        start = end
    return spans


def document(row: dict[str, Any]) -> Document:
    return Document(id=row["pmid"], title=row["title"], sections=(Section(row["abstract"]),))


def make_pool(rows: list[dict[str, Any]], encode: Any) -> Pool:
    documents = [document(row) for row in rows]
    vectors = None if encode is None else encode([d.text for d in documents])
    return Pool(documents, vectors=vectors).warm()


def make_abstracts(rows: list[dict[str, Any]], topics: list[Topic], encode: Any) -> list[Abstract]:
    from osler.rank.job import give_vectors

    by_id = {topic.id: topic for topic in topics}
    made = [
        Abstract(
            document(row),
            by_id[row["construct"]],
            relevant=row.get("relevant_sentences", ()),
            split=cut,
        )
        for row in rows
    ]
    return give_vectors(made, encode)


def cached_encoder(path: Path, progress: Progress, name: str = "") -> Any:
    """An encoder, its vectors kept in a file by text; None where the default one is absent. Of
    several, joined by +, each has a file of its own."""
    from osler.text.encoder import DEFAULT, load_encoder

    if "+" in name:
        return beside(
            [
                cached_encoder(path.with_stem(f"{path.stem}-{one}"), progress, one)
                for one in name.split("+")
            ]
        )
    try:
        encoder = load_encoder(name or DEFAULT)
    except NeedsError as error:
        if name:
            raise
        progress(f"without vectors: {error}")
        return None
    from hashlib import sha256

    from safetensors.numpy import load_file, save_file

    known: dict[str, Any] = {}
    if path.exists():
        table = load_file(str(path))
        keys = bytes(table["keys"]).decode().split()
        if keys[:1] == [encoder.fingerprint]:
            known = dict(zip(keys[1:], table["vectors"], strict=True))

    def encode(texts: list[str]) -> Any:
        keys = [sha256(text.encode()).hexdigest() for text in texts]
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if fresh:
            known.update(zip(fresh, encoder.encode(list(fresh.values())), strict=True))
            names = " ".join([encoder.fingerprint, *known]).encode()
            save_file(
                {
                    "keys": np.frombuffer(names, dtype=np.uint8),
                    "vectors": np.stack(list(known.values())),
                },
                str(path),
            )
        return np.stack([known[key] for key in keys])

    return KeptEncoder(encoder.fingerprint, encode)


class KeptEncoder:
    """Texts to vectors, and which encoder's they are."""

    def __init__(self, fingerprint: str, encode: Callable[[list[str]], Any]) -> None:
        self.fingerprint = fingerprint
        self._encode = encode

    def __call__(self, texts: list[str]) -> Any:
        return self._encode(texts)


def beside(encoders: Sequence[KeptEncoder]) -> KeptEncoder:
    """Several encoders as one: their vectors, each of length one, side by side."""

    def encode(texts: list[str]) -> Any:
        parts = [np.asarray(encoder(texts), dtype=np.float64) for encoder in encoders]
        units = [p / np.maximum(np.linalg.norm(p, axis=1, keepdims=True), 1e-12) for p in parts]
        return np.concatenate(units, axis=1) / np.sqrt(len(units))

    return KeptEncoder(" ".join(encoder.fingerprint for encoder in encoders), encode)


def predict_papers(
    path: Path,
    pool: Pool,
    targets: Ints,
    topics: list[Topic],
    background: Pool,
    rows: list[dict[str, Any]],
    encode: Any,
) -> None:
    """Rank each construct's cluster. Nothing of the clusters, their sizes included, is used."""
    none = np.full(len(background), len(topics), dtype=np.int64)
    ranker = About().fit(joined(pool, background), np.concatenate([targets, none]), topics)
    result: dict[str, dict[str, float]] = {}
    for number, topic in enumerate(topics):
        own = make_pool([row for row in rows if row["construct"] == topic.id], encode)
        scores = ranker.scores(own)[:, number]
        result[topic.id] = {own.ids[row]: float(scores[row]) for row in best_first(own.ids, scores)}
    write_run(path, result, tag="osler-about")


def predict_sentences(
    path: Path,
    abstracts: list[Abstract],
    topics: list[Topic],
    rows: list[dict[str, Any]],
    encode: Any,
) -> None:
    ranker = HybridSentences(calibrate=False).fit(abstracts)
    lines = []
    for row, abstract in zip(rows, make_abstracts(rows, topics, encode), strict=True):
        best = ranker.best(abstract)
        sentence = row["abstract"] if best is None else abstract.sentences[best]
        found = {"pmid": row["pmid"], "construct": row["construct"], "sentence": sentence}
        lines.append(msgspec.json.encode(found).decode())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
