"""Study design: the model that ships, and what can be learned, against TF-IDF + LR.

    python benchmarks/design.py SET/labels.csv                 measure
    python benchmarks/design.py --teach FILE.xml.gz ... --out src/osler/text/design/weights.json

The labelled set (title, abstract, 0/1 columns) only measures: the shipped weights are taught by
PubMed's publication types and headings, and by titles that name their design.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import chi2
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from osler.text.design.features import features_of
from osler.text.design.judge import Weights, shipped
from osler.text.design.told import LABELS, told

COLUMNS = {
    "systematic_review": "systematic review",
    "meta_analysis": "meta-analysis",
    "rodent": "rodent",
    "human": "human",
    "trial": "trial",
    "randomized_trial": "randomised trial",
    "child": "child",
    "protocol": "protocol",
}
TITLES = {
    "systematic review": r"systematic review|scoping review|meta-?analys",
    "meta-analysis": r"meta-?analys",
    "protocol": r"\bprotocol\b.{0,60}$|protocol for|study protocol",
    "randomised trial": r"randomi[sz]ed",
    "trial": r"randomi[sz]ed|\btrial\b",
    "case report": r"case (report|series)|report of (a|one|two|three) case",
    "case-control": r"case[- ]control",
    "cross-sectional": r"cross[- ]sectional|survey",
    "cohort": r"\bcohort\b|retrospective|prospective|longitudinal|follow-up",
    "review": r"\breview\b",
}
SUBJECTS = ("rodent", "human", "child")
LEAST, PAIRS, NEGATIVES = 40, 500, 12_000


def matrix(rows, names):  # type: ignore[no-untyped-def]
    column = {name: at for at, name in enumerate(names)}
    ends, columns, values = [0], [], []
    for row in rows:
        for name, value in row.items():
            if name in column:
                columns.append(column[name])
                values.append(value)
        ends.append(len(columns))
    return csr_matrix((values, columns, ends), (len(rows), len(names)), dtype=np.float64)


def teach(paths: list[Path], out: Path) -> None:
    from osler.corpus.pubmed import PubMed
    from osler.files.source import Source
    from osler.kinds import Document

    papers = [d for p in paths for d in PubMed().read(Source(p)) if isinstance(d, Document)]
    rows = [features_of(d.title, d.abstract) for d in papers]
    counts = Counter(name for row in rows for name in row)
    names = sorted(n for n, c in counts.items() if c >= LEAST or n.startswith("c:"))
    features = matrix(rows, names)
    cue = np.array([name.startswith("c:") for name in names])
    named = [told(d.types, [h.name for h in d.headings]) for d in papers]
    indexed = np.array([bool(d.headings) for d in papers])
    abstracted = np.array([bool(d.abstract) for d in papers])
    protocol = np.array([bool(re.search(TITLES["protocol"], d.title, re.I)) for d in papers])
    bias, table = [], {}
    for at, label in enumerate(LABELS):
        y = np.array([label in one for one in named])
        if label in TITLES:
            says = np.array([bool(re.search(TITLES[label], d.title, re.I)) for d in papers])
            y |= says if label == "protocol" else says & ~protocol
        # Who has no headings may be about anybody.
        usable = indexed if label in SUBJECTS else abstracted | (label == "editorial")
        negative = np.random.default_rng(1).permutation(np.flatnonzero(usable & ~y))
        weight = max(1.0, len(negative) / NEGATIVES)
        chosen = np.sort(np.concatenate([np.flatnonzero(usable & y), negative[:NEGATIVES]]))
        x, target = features[chosen], y[chosen]
        worth = np.where(cue, -1.0, np.nan_to_num(chi2(x, target)[0]))
        columns = np.concatenate([np.flatnonzero(cue), np.argsort(-worth)[:PAIRS]])
        head = LogisticRegression(C=0.1, solver="liblinear", max_iter=200)
        head.fit(x[:, columns], target, sample_weight=np.where(target, 1.0, weight))
        bias.append(round(float(head.intercept_[0]), 3))
        for column, value in zip(columns, head.coef_[0], strict=True):
            if abs(value) >= 0.02:
                table.setdefault(names[column], []).append((at, round(float(value), 2)))
        print(f"{label:20} {int(target.sum()):6} of {len(target)}", flush=True)
    weights = Weights(
        labels=LABELS,
        bias=tuple(bias),
        weights={name: tuple(table[name]) for name in sorted(table)},
        taught_by=("PubMed publication types, headings and titles", *(p.name for p in paths)),
    )
    out.write_bytes(msgspec.json.encode(weights))


def measure(path: Path) -> None:
    with path.open(encoding="utf-8") as stream:
        papers = list(csv.DictReader(stream))
    texts = [f"{p['title']} {p['abstract']}" for p in papers]
    model = shipped()
    judged = [model.probabilities(p["title"], p["abstract"]) for p in papers]
    rows = [features_of(p["title"], p["abstract"]) for p in papers]
    counts = Counter(name for row in rows for name in row)
    names = sorted(n for n, c in counts.items() if c >= 10)
    cues = [n for n in names if n.startswith("c:")]
    words = matrix(rows, [n for n in names if not n.startswith("c:")])
    odds = np.array([[np.log(p / (1 - p)) for p in one.values()] for one in judged]) / 4
    rich = hstack([matrix(rows, cues), csr_matrix(odds), words * 0.15]).tocsr()
    print(
        f"{len(papers)} papers\n{'F1':20} {'all yes':>8} {'TF-IDF':>8} {'shipped':>8} {'5-fold':>8}"
    )
    table = []
    for column, label in COLUMNS.items():
        gold = np.array([p[column] == "1" for p in papers])
        tfidf, ours = np.zeros(len(gold), bool), np.zeros(len(gold), bool)
        for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(texts, gold):
            vectors = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
            x = vectors.fit_transform([texts[i] for i in train])
            plain = LogisticRegression(C=10, class_weight="balanced", max_iter=500)
            plain.fit(x, gold[train])
            tfidf[test] = plain.predict(vectors.transform([texts[i] for i in test]))
            head = LogisticRegression(C=1.0, solver="liblinear", max_iter=500)
            # Rare labels count for more, by the root of how rare they are.
            share = float(np.sqrt((~gold[train]).sum() / gold[train].sum()))
            head.fit(rich[train], gold[train], sample_weight=np.where(gold[train], share, 1.0))
            ours[test] = head.predict(rich[test])
        first = np.array([one[label] >= 0.5 for one in judged])
        guesses = (np.ones(len(gold), bool), tfidf, first, ours)
        table.append([f1_score(gold, guess) for guess in guesses])
        print(f"{column:20} " + " ".join(f"{value:8.3f}" for value in table[-1]), flush=True)
    print(f"{'macro-F1':20} " + " ".join(f"{value:8.3f}" for value in np.mean(table, axis=0)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--teach", action="store_true")
    parser.add_argument("--out", type=Path, default=Path("src/osler/text/design/weights.json"))
    given = parser.parse_args()
    if given.teach:
        teach(given.files, given.out)
    else:
        measure(given.files[0])
