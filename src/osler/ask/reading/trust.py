"""How far an answer may be trusted: a logistic function of what the reading left open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from osler.ask.reading.features import NAMES
from osler.ask.reading.question import Reading
from osler.ask.reading.scorer import TRUST, Scorer
from osler.ask.reading.search import Candidate
from osler.ask.reading.words import stem

_AT = {name: at for at, name in enumerate(NAMES)}


def facts_of(
    reading: Reading, items: Sequence[Candidate], scores: np.ndarray, best: int, scorer: Scorer
) -> np.ndarray:
    """The numbers that ``TRUST`` names, for the best candidate."""
    if best < 0 or not len(scores):
        return np.asarray([0.9, 1.0, 0.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 1.0, 0.0])
    chosen = items[best]
    share = np.exp(scores - scores.max())
    share /= share.sum()
    mine = chosen.nodes
    alike = np.asarray([len(i.nodes) == len(mine) and bool((i.nodes == mine).all()) for i in items])
    others = scores[~alike]
    lead = float(scores[best] - others.max()) if len(others) else 5.0
    row = chosen.features
    # A word that nothing reads is strange unless training has met it often.
    new = any(not c.known and stem(c.text) not in scorer.words for c in reading.clues)
    strange = float(row[_AT["uncovered_unknown"]]) if new else 0.0
    found = {
        "share": float(share[alike].sum()),
        "covered": row[_AT["covered"]],
        "unknown": strange,
        "part": row[_AT["part_used"]],
        "edges": row[_AT["edges"]],
        "lead": float(np.clip(lead, -2.0, 5.0)),
        "target": row[_AT["target_covered"]],
        "hole": float(reading.holes > 0 and strange > 0.3),
        "missed": row[_AT["uncovered_known"]] + strange,
        "precise": row[_AT["last_relation"]],
        "ending": max(row[_AT["target_type"]], row[_AT["target_last"]], row[_AT["answer_type"]]),
    }
    return np.asarray([found[name] for name in TRUST])


def invented(
    texts: Sequence[str], constraints: Sequence[Sequence[str]], *, seed: int = 0
) -> list[str]:
    """Questions with a word that nothing can know, so that confidence learns to fall at one.

    Every third question: its entity becomes an invented word, or one is put before what it asks
    for.
    """
    rng = np.random.default_rng(seed)
    parts = ("zor", "vex", "plim", "dra", "quil", "mab", "thor", "nep", "ulix", "car", "fen", "ost")
    result = []
    for text, names in list(zip(texts, constraints, strict=True))[::2]:
        named = next((n for n in names if n in text), "")
        if named:
            result.append(text.replace(named, "".join(rng.choice(parts, 3))))
    return result


def fit_trust(
    facts: np.ndarray, right: np.ndarray, answerable: np.ndarray
) -> tuple[np.ndarray, float]:
    """Logistic regression by Newton steps with a little ridge; and the floor for refusals.

    The floor is the highest that keeps 97 % of what is answerable and right.
    """
    x = np.concatenate([facts, np.ones((len(facts), 1))], axis=1)
    y = right.astype(np.float64)
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (p - y) + 0.05 * w
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 0.05 * np.eye(len(w))
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    p = 1.0 / (1.0 + np.exp(-np.clip(x @ w, -30, 30)))
    kept = np.sort(p[(right & answerable)])
    floor = float(kept[int(len(kept) * 0.03)]) if len(kept) else 0.5
    return w, float(np.clip(floor, 0.05, 0.6))
