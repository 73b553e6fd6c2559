"""The sentence that answers: right sentence first on Evidence Inference, by article.

    python benchmarks/evidence.py SET                    measure (random, BM25, sum, learned)
    python benchmarks/evidence.py SET --encoder minilm   and an encoder's cosine, alone and summed
    python benchmarks/evidence.py SET --teach            and write the weights that ship

A sentence is right when it overlaps the marked one. The question is outcome, intervention and
comparator. ``sum`` adds BM25, words of finding and the place, each as z-scores within the abstract;
``sum, ENCODER`` the encoder's cosine too.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from osler.retrieve.finding import features, shipped
from osler.store.analyser import analyse, terms_of_sentence
from osler.text.encoder import load_encoder
from osler.text.sentences import sentences
from osler.text.stopwords import STOPWORDS

WORDS = ("significant", "compared", "percent", "p", "ratio")


def lines(path: Path):  # type: ignore[no-untyped-def]
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def right(sentence: str, gold: list[str]) -> bool:
    """Whether a sentence holds a marked one or stands within it."""
    a = " ".join(sentence.lower().split())
    for one in gold:
        b = " ".join(one.lower().split())
        if a in b or b in a:
            return True
    return False


def bm25(texts: list[str], weights: dict[str, float]) -> list[float]:
    cut = [terms_of_sentence(text) for text in texts]
    mean = sum(map(len, cut)) / max(1, len(cut))
    scores = []
    for terms in cut:
        counts = Counter(terms)
        norm = 1.2 * (0.25 + 0.75 * len(terms) / mean)
        scores.append(
            sum(w * counts[t] * 2.2 / (counts[t] + norm) for t, w in weights.items() if counts[t])
        )
    return scores


def standard(values: list[float]) -> np.ndarray:
    array = np.asarray(values, float)
    return (array - array.mean()) / (array.std() or 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--encoder", help="an encoder to compare with, such as minilm")
    parser.add_argument("--teach", action="store_true")
    parser.add_argument("--out", type=Path, default=Path("src/osler/retrieve/finding.json"))
    given = parser.parse_args()
    papers = {one["_id"]: one for one in lines(given.folder / "corpus.jsonl.gz")}
    frequency: Counter[str] = Counter()
    for one in papers.values():
        frequency.update(set(analyse(f"{one['title']} {one['text']}")))
    prompts = [one for one in lines(given.folder / "prompts.jsonl.gz") if one.get("evidence")]
    groups, rows, targets = [], [], []
    rivals: dict[str, list[float]] = {"random": [], "BM25": [], "sum": []}
    encoder = load_encoder(given.encoder) if given.encoder else None
    for prompt in prompts:
        text = papers[prompt["doc"]]["text"]
        asked = f"{prompt['outcome']} {prompt['intervention']} {prompt['comparator']}"
        words = " ".join(word for word in asked.split() if word.lower() not in STOPWORDS)
        weights = {
            term: math.log(1 + (len(papers) - frequency[term] + 0.5) / (frequency[term] + 0.5))
            for term in analyse(words)
        }
        texts = [text[low:high] for low, high in sentences(text)]
        marked = [one["text"] for one in prompt["evidence"]]
        gold = [right(one, marked) for one in texts]
        found = features(texts, weights)
        kept = [at for at, row in enumerate(found) if row is not None]
        if not any(gold[at] for at in kept):
            continue
        groups.append(prompt["doc"])
        rows.append([found[at] for at in kept])
        targets.append(np.array([gold[at] for at in kept]))
        words_score = bm25([texts[at] for at in kept], weights)
        cues = [sum(row.get(word, 0.0) for word in WORDS) for row in rows[-1]]
        place = [row["place"] for row in rows[-1]]
        rivals["random"].append(float(targets[-1].mean()))
        rivals["BM25"].append(float(targets[-1][int(np.argmax(words_score))]))
        whole = standard(words_score) + standard(cues) + standard(place)
        rivals["sum"].append(float(targets[-1][int(np.argmax(whole))]))
        if encoder is not None:
            vectors = np.asarray(encoder.encode([asked, *(texts[at] for at in kept)]), float)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            cosines = (vectors[1:] @ vectors[0]).tolist()
            for name, scores in (
                (given.encoder, np.asarray(cosines)),
                (f"sum, {given.encoder}", whole + standard(cosines)),
            ):
                rivals.setdefault(name, []).append(float(targets[-1][int(np.argmax(scores))]))
    print(
        f"{len(rows)} prompts of {len(set(groups))} articles; {len(prompts) - len(rows)} left out:"
        " the marked sentence is not in the abstract"
    )
    names = sorted({name for one in rows for row in one for name in row})
    tables = [np.array([[row.get(n, 0.0) for n in names] for row in one]) for one in rows]

    def fit(chosen) -> LogisticRegression:  # type: ignore[no-untyped-def]
        # Each prompt counts the same, however long its abstract is.
        x = np.concatenate([tables[i] - tables[i].mean(0) for i in chosen])
        y = np.concatenate([targets[i] for i in chosen])
        share = np.concatenate([np.full(len(targets[i]), 10 / len(targets[i])) for i in chosen])
        return LogisticRegression(C=1.0, max_iter=1000).fit(x, y, sample_weight=share)

    learned = np.zeros(len(rows))
    for train, test in GroupKFold(10).split(rows, groups=groups):
        head = fit(train)
        for at in test:
            best = int(np.argmax(tables[at] @ head.coef_[0]))
            learned[at] = targets[at][best]
    for name, values in rivals.items():
        print(f"{name:11} {np.mean(values):.3f}")
    print(f"{'learned':11} {learned.mean():.3f}  (ten-fold by article)")
    # Articles are drawn anew, not prompts: those of one article are not independent.
    articles = sorted(set(groups))
    of = {doc: [at for at, one in enumerate(groups) if one == doc] for doc in articles}
    for name in [name for name in rivals if name != "random"]:
        gain = learned - np.asarray(rivals[name])
        per = np.array([[gain[of[doc]].sum(), len(of[doc])] for doc in articles])
        draws = np.random.default_rng(0).integers(len(articles), size=(5000, len(articles)))
        gains = per[draws].sum(1)
        gains = gains[:, 0] / gains[:, 1]
        low, high = np.quantile(gains, [0.025, 0.975])
        p = max(1 / 5000, 2 * min((gains <= 0).mean(), (gains >= 0).mean()))
        told = f"{gain.mean():+.3f} [{low:+.3f}, {high:+.3f}], p = {p:.4f} (bootstrap)"
        print(f"over {name}: {told}")
    if given.teach:
        head = fit(range(len(rows)))
        worth = {n: round(float(w), 3) for n, w in zip(names, head.coef_[0], strict=True)}
        taught = f"Evidence Inference (MIT), {len(rows)} prompts of {len(articles)} articles"
        data = msgspec.json.encode(
            msgspec.structs.replace(shipped(), weights=worth, taught_by=taught)
        )
        given.out.write_bytes(msgspec.json.format(data, indent=1) + b"\n")


if __name__ == "__main__":
    main()
