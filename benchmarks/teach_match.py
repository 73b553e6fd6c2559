"""Makes the tables of `match` again (`src/osler/match/answering.json`) from MedQuAD.

    python benchmarks/teach_match.py --data DIR --out answering.json

MedQuAD (CC BY 4.0) says of each answer what it is about (its focus) and what was asked (its type).
Questions are its own and other wordings of ours with the focus or one of its synonyms filled in.
Each is asked three times in turn: of the whole collection, of the collection without its focus, and
without its answers of that type. What answers is a pair of the same focus and type; nothing else.
Weights are measured on foci that they did not see.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from osler.kinds import Pair
from osler.match.learned import RAREST, Learned, Weighed
from osler.match.matcher import Candidate
from osler.match.pool import PairPool
from osler.match.signs import SignReader, Signs, head_name, names_of
from osler.match.texts import Texts
from osler.measures.calibration import expected_calibration_error
from osler.text.encoder import load_encoder

KIND_OF = {
    "information": "about",
    "symptoms": "symptom",
    "treatment": "treat",
    "considerations": "treat",
    "inheritance": "inherit",
    "genetic changes": "cause",
    "causes": "cause",
    "frequency": "frequency",
    "exams and tests": "test",
    "outlook": "outlook",
    "susceptibility": "risk",
    "prevention": "prevent",
    "complications": "complication",
}
WORDINGS = {
    "about": ("What is {}?", "Tell me about {}", "I was told that I have {}. What is it?"),
    "symptom": (
        "What are the signs of {}?",
        "How does {} feel like?",
        "Which symptoms does {} have?",
        "I think I may have {}, what are the warning signs?",
    ),
    "treat": (
        "How is {} treated?",
        "What helps against {}?",
        "Best treatment for {}?",
        "Which medicine is there for {}?",
        "What can I do about {}?",
    ),
    "inherit": ("Is {} hereditary?", "Does {} run in families?"),
    "cause": ("Why do people get {}?", "What causes {}?", "What is the reason for {}?"),
    "frequency": ("How common is {}?", "How many people have {}?"),
    "test": ("How is {} diagnosed?", "Which tests find {}?", "How do I know whether I have {}?"),
    "outlook": ("What is the prognosis of {}?", "Can {} be cured?", "How long does {} last?"),
    "risk": ("Who is at risk of {}?", "Who gets {}?"),
    "prevent": ("How can I prevent {}?", "How do I avoid {}?", "What protects against {}?"),
    "complication": ("What can {} lead to?", "Which complications does {} have?"),
}
SEEN = 12
"""Candidates of a question that are described."""
ASKED = 900
SHIFT = 2.5
"""Added to the log-odds beside stored questions in the end. People word a question less like a
stored one than the wordings above do, and what answers looks less likely than it is: the developing
half of ``match_none.tsv`` says by how much (no question without an answer came above 0.02, of those
with one a quarter stood between 0.05 and 0.3). Half of the odds, 0.5, is then where 0.08 was."""


def read(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path / "medquad" / "qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def names(row: dict[str, Any]) -> set[str]:
    """What a row's focus goes by."""
    given = [row["focus"], *(row["synonyms"] or [])]
    return {re.sub(r"\W+", " ", name.lower()).strip() for name in given if name}


def tables(rows: Sequence[dict[str, Any]], texts: Texts) -> Learned:
    """How rare words are, and which speak for which kind; no weights of signs yet."""
    seen: Counter[str] = Counter()
    documents = []
    for row in rows:
        words = set(texts.words(row["answer"]))
        seen.update(words | set(texts.words(row["question"])))
        if row["type"] in KIND_OF:
            about = set(texts.words(" ".join(names(row))))
            documents.append((words - about, KIND_OF[row["type"]]))
    rarity = {
        word: round(min(RAREST, math.log(len(rows) / count)), 2)
        for word, count in sorted(seen.items())
        if count >= 4
    }
    vocabulary = sorted(word for word, count in seen.items() if count >= 25)
    number = {word: at for at, word in enumerate(vocabulary)}
    owner, column, value = [], [], []
    for at, (words, _) in enumerate(documents):
        known = [number[word] for word in sorted(words) if word in number]
        owner += [at] * len(known)
        column += known
        value += [1 / math.sqrt(max(len(known), 1))] * len(known)
    matrix = sparse.csr_matrix((value, (owner, column)), (len(documents), len(vocabulary)))
    model = LogisticRegression(C=1.0, max_iter=500, class_weight="balanced")
    model.fit(matrix, [kind for _, kind in documents])
    kinds = {
        word: tuple(round(float(w), 2) for w in model.coef_[:, number[word]]) for word in vocabulary
    }
    return Learned(
        source="MedQuAD (CC BY 4.0), 4,000 pairs",
        rarity=rarity,
        kind_names=tuple(str(name) for name in model.classes_),
        kind_bias=tuple(round(float(b), 3) for b in model.intercept_),
        kinds=kinds,
        heads={},
        least=0.5,
    )


class Asked(msgspec.Struct):
    """A question with candidates, which of them answer, and the focus it is grouped by."""

    question: str
    candidates: list[Candidate]
    right: list[bool]
    group: str
    way: str


def lists(rows: Sequence[dict[str, Any]], texts: Texts, seed: int) -> list[Asked]:
    """Questions asked of the collection, whole or with something taken out."""
    rng = np.random.default_rng(seed)
    held = [Pair(id=r["_id"], question=r["question"], answer=r["answer"]) for r in rows]
    pool = PairPool.of(held, texts)
    by_id = {row["_id"]: row for row in rows}
    known = {row["_id"]: names(row) for row in rows}
    concepts = {row["_id"]: set(row["cuis"] or []) for row in rows}
    usable = [row for row in rows if row["type"] in KIND_OF and row["focus"]]
    # Kinds weigh alike: most rows only define something.
    share = Counter(KIND_OF[row["type"]] for row in usable)
    weights = np.array([1 / math.sqrt(share[KIND_OF[row["type"]]]) for row in usable])
    order = rng.choice(len(usable), size=ASKED, replace=False, p=weights / weights.sum())
    made = []
    for turn, at in enumerate(order.tolist()):
        row = usable[at]
        kind = KIND_OF[row["type"]]
        name = row["focus"]
        if rng.random() < 0.15 and row["synonyms"]:
            name = row["synonyms"][int(rng.integers(len(row["synonyms"])))]
        wordings = WORDINGS[kind]
        question = wordings[int(rng.integers(len(wordings)))].format(name)
        if rng.random() < 0.2:
            question = row["question"]
        way = ("whole", "without focus", "without type")[turn % 3]
        candidates, right = [], []
        for one in pool.candidates(question, most=40):
            other = by_id[one.id]
            same = bool(known[one.id] & known[row["_id"]]) or bool(
                concepts[one.id] & concepts[row["_id"]]
            )
            answers = same and KIND_OF.get(other["type"]) == kind
            if (way == "without focus" and same) or (way == "without type" and answers):
                continue
            candidates.append(one)
            right.append(answers)
            if len(candidates) == SEEN:
                break
        if candidates:
            made.append(Asked(question, candidates, right, sorted(known[row["_id"]])[0], way))
    return made


def weighed(signs: list[Signs], right: Sequence[bool], names: Sequence[str], c: float) -> Weighed:
    matrix = np.array([[row[name] for name in names] for row in signs])
    mean, spread = matrix.mean(0), np.maximum(matrix.std(0), 1e-6)
    model = LogisticRegression(C=c, max_iter=2000)
    model.fit((matrix - mean) / spread, right)
    weights = model.coef_[0] / spread
    bias = float(model.intercept_[0] - weights @ mean)
    return Weighed({n: round(float(w), 4) for n, w in zip(names, weights, strict=True)},
                   round(bias, 4))  # fmt: skip


def report(asked: Sequence[Asked], tops: Sequence[tuple[float, bool]], least: float) -> str:
    """What would have been said: none where nothing answers, and false alarms."""
    none = [p < least for a, (p, _) in zip(asked, tops, strict=True) if not any(a.right)]
    there = [(p, ok) for a, (p, ok) in zip(asked, tops, strict=True) if any(a.right)]
    alarm = [p < least for p, _ in there]
    first = [ok for _, ok in there]
    error = expected_calibration_error([p for p, _ in tops], [ok for _, ok in tops])
    return (
        f"none said {np.mean(none):.3f} of {len(none)}, false alarms {np.mean(alarm):.3f} of "
        f"{len(there)}, first right {np.mean(first):.3f}, calibration error {error:.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    rows, texts = read(given.data), Texts()
    table = tables(rows, texts)
    print(f"{len(table.rarity):,} words by rarity, {len(table.kinds):,} by kind")
    asked = lists(rows, texts, 0)
    print(Counter((a.way, any(a.right)) for a in asked))
    encoder = load_encoder()
    table = msgspec.structs.replace(table, encoder=encoder.fingerprint)
    reader = SignReader(texts, encoder=encoder, table=table)
    heads = {}
    for stored in (True, False):
        signs = [
            reader.read(a.question, a.candidates if stored
                        else [Candidate(c.id, c.text) for c in a.candidates])
            for a in asked
        ]  # fmt: skip
        for encoded in (True, False):
            named = names_of(stored=stored, encoder=encoded)
            tops: list[tuple[float, bool]] = [(0.0, False)] * len(asked)
            groups = [a.group for a in asked]
            for train, test in GroupKFold(5).split(asked, groups=groups):
                flat = [s for at in train for s in signs[at]]
                right = [r for at in train for r in asked[at].right]
                head = weighed(flat, right, named, 1.0)
                for at in test:
                    values = [head.probability(s) for s in signs[at]]
                    best = int(np.argmax(values))
                    tops[at] = (values[best], asked[at].right[best])
            name = head_name(stored=stored, encoder=encoded)
            heads[name] = weighed(
                [s for one in signs for s in one], [r for a in asked for r in a.right], named, 1.0
            )
            for least in (0.05, 0.08, 0.1, 0.2, 0.3, 0.5):
                print(f"{name}, below {least}: {report(asked, tops, least)}", flush=True)
            for way in ("whole", "without focus", "without type"):
                own = [i for i, a in enumerate(asked) if a.way == way]
                print(f"    {way}: mean {np.mean([tops[i][0] for i in own]):.3f}, "
                      f"none {np.mean([tops[i][0] < 0.5 for i in own]):.3f}")  # fmt: skip
            print("   ", heads[name].weights, heads[name].bias)
    shifted = {
        name: msgspec.structs.replace(
            head, bias=round(head.bias + SHIFT * name.startswith("stored"), 4)
        )
        for name, head in heads.items()
    }
    made = msgspec.structs.replace(table, heads=shifted)
    given.out.write_bytes(msgspec.json.encode(made))


if __name__ == "__main__":
    main()
