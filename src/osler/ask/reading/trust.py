"""How far an answer may be trusted: a logistic function of what the reading left open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from osler.ask.reading.answering import Executed
from osler.ask.reading.mentions import Mention
from osler.ask.reading.question import Reading
from osler.ask.reading.relevance import Relevance
from osler.ask.reading.scorer import TRUST, Scorer, corrected
from osler.ask.reading.search import Candidate
from osler.ask.reading.tests import unread_comparison
from osler.ask.reading.walk_evidence import AT
from osler.ask.reading.words import stem
from osler.records.query import turned

DOUBTED = 0.89
"""The most that is left of a confidence where something of the question stays open."""
_UNMET = 0.5

_WHOLE = {
    "share": 0.9,
    "covered": 1.0,
    "edges": 1.0,
    "lead": 2.0,
    "target": 1.0,
    "precise": 1.0,
    "ending": 1.0,
}


def facts_of(
    reading: Reading,
    relevance: Relevance,
    items: Sequence[Candidate],
    scores: np.ndarray,
    done: Executed,
    scorer: Scorer,
) -> np.ndarray:
    """The numbers that ``TRUST`` names, for the best candidate as it was executed."""
    best = done.best
    if best < 0 or not len(scores):
        # A whole type was asked for, and every word of content was read.
        return np.asarray([_WHOLE.get(name, 0.0) for name in TRUST])
    chosen = items[best]
    row = chosen.features
    cover = _met(relevance, chosen, done)
    weights = relevance.weights
    missing = weights * (1.0 - cover)
    known = np.asarray([c.known for c in reading.clues], dtype=bool)
    # Where records hold little, the only walk is the best one. So it is also held against one that
    # would meet nothing of the question.
    nothing = (
        scorer.weights[AT["edges"]]
        + scorer.weights[AT["uncovered_known"]] * float(weights[known].sum())
        + scorer.weights[AT["uncovered_unknown"]] * float(weights[~known].sum())
    )
    top = max(float(scores.max()), nothing)
    share = np.exp(scores - top)
    share /= share.sum() + np.exp(nothing - top)
    mine = chosen.nodes
    alike = np.asarray([len(i.nodes) == len(mine) and bool((i.nodes == mine).all()) for i in items])
    lead = float(scores[best]) - max([nothing, *scores[~alike].tolist()])
    # A word that nothing reads is strange unless training has met it often.
    new = np.asarray([stem(c.text) not in scorer.words for c in reading.clues], dtype=bool)
    strange = float(missing[~known & new].sum())
    firm = {at for m in reading.mentions if not m.weak for at in m.words}
    loud = np.asarray([c.weight >= 1.0 and c.place not in firm for c in reading.clues], dtype=bool)
    gaps, asked = (1.0 - cover)[loud], relevance.target[loud]
    numbers = {
        "share": float(share[alike].sum()),
        "covered": float(weights @ cover) / max(float(weights.sum()), 1.0),
        "unknown": strange,
        "part": row[AT["part_used"]],
        "edges": row[AT["edges"]],
        "lead": float(np.clip(lead, -2.0, 5.0)),
        "target": row[AT["target_covered"]],
        "hole": float(reading.holes > 0 and strange > 0.3),
        "missed": float(missing[known].sum()) + strange,
        "precise": row[AT["last_relation"]],
        "unmet": float(gaps.max()) if len(gaps) else 0.0,
        "strange_target": float(missing[~known & new & relevance.target].sum()),
        "unread": float(gaps.min()) if len(gaps) else 0.0,
        "unmet_target": float(gaps[asked].max()) if asked.any() else 0.0,
        "value_unused": row[AT["value_unused"]],
        "constraints": float(len(chosen.walk.used) + len(reading.tests)),
        "ending": max(row[AT["target_type"]], row[AT["target_last"]], row[AT["answer_type"]]),
    }
    return np.asarray([numbers[name] for name in TRUST])


def doubts(
    reading: Reading,
    facts: np.ndarray,
    items: Sequence[Candidate],
    done: Executed,
) -> list[str]:
    """What of the question the answer leaves open, in words: such an answer stays under 0.9.

    A logistic function adds up; but one word of content that nothing met, a comparison that was not
    read, or two values for one place of the walk is enough for another answer.
    """
    left = []
    item = items[done.best] if done.best >= 0 else None
    if facts[TRUST.index("unmet")] >= _UNMET:
        left.append("a word of the question is met by nothing on the way to the answer")
    elif item is not None and _elsewhere(reading, items, item):
        left.append("a word of the question stands in these records elsewhere than in the answer")
    firm = [m for m in reading.mentions if not m.weak or (item and m in _used(reading, item))]
    spans = [(reading.words[m.first].start, reading.words[m.last - 1].end) for m in firm]
    spans += [(f.start, f.end) for f in reading.tests]
    if unread_comparison(reading.text, spans):
        left.append("a comparison was not read")
    if done.fell_back:
        left.append("nothing meets a test where its words belong, so that it was held elsewhere")
    if done.tied:
        left.append("a test may as well belong elsewhere")
    if _one_place(reading, item, done):
        left.append("two tests that stand apart were held against one value")
    if item is not None and _twice(reading, item):
        left.append("two values are named for one place, and no word says how they belong together")
    return left


_RANGE = frozenset(
    [
        "and",
        "or",
        "but",
        "also",
        "yet",
        "is",
        "are",
        "of",
        "age",
        "years",
        "old",
        "days",
        "和",
        "且",
    ]
)
"""Words between the ends of a range: "above 5 days and below 9"."""


def _one_place(reading: Reading, item: Candidate | None, done: Executed) -> bool:
    """ "Under the age of 27 ... for more than 16 days", both held against the days."""
    walk = item.walk if item is not None else None
    walked = len(walk.codes) + sum(len(h.codes) for h in walk.hanging) if walk is not None else 0
    hung = [(here, code) for here, _, code in done.query.edges[walked:]]
    if len(set(hung)) == len(hung) or len(reading.tests) < 2:
        return False
    first, second = sorted(reading.tests, key=lambda test: test.start)[:2]
    between = reading.text[first.end : second.start].casefold().replace(",", " ").split()
    return any(word not in _RANGE for word in between)


def _elsewhere(reading: Reading, items: Sequence[Candidate], item: Candidate) -> bool:
    """A word that the answer meets by its meaning alone, another walk to the letter ("icd9 code"
    answered with a drug's code)."""
    best = np.max([other.cover for other in items], axis=0)
    return any(
        clue.weight >= 1.0 and best[at] == 1.0 and item.cover[at] < 1.0
        for at, clue in enumerate(reading.clues)
    )


def _used(reading: Reading, item: Candidate) -> list[Mention]:
    return [reading.mentions[i] for i in item.walk.used]


def _twice(reading: Reading, item: Candidate) -> bool:
    """Two values that lead over the same steps, and no word that joins them between ("a delta
    abnormal status", "whose abnormal status is delta")."""
    steps: dict[tuple[int, ...], list[int]] = {}
    walk = item.walk
    for hang in walk.hanging:
        steps.setdefault(hang.codes, []).append(hang.mention)
    if walk.root >= 0:
        way_back = tuple(turned(code) for code in reversed(walk.codes))
        steps.setdefault(way_back, []).append(walk.root)
    for mentions in steps.values():
        spans = sorted((reading.mentions[i].first, reading.mentions[i].last) for i in mentions)
        if any(_unjoined(reading, before[1], after[0]) for before, after in pairwise(spans)):
            return True
    return False


_JOINING = frozenset(["and", "or", "both", "with", "but", "not", "nor", "as", "also"])
_JOINING_CHINESE = "和或与及又也且并还、，"
"""Chinese joins by one character, alone or in a longer word (以及, 同时也, 合并)."""


def _unjoined(reading: Reading, end: int, start: int) -> bool:
    between = reading.words[end:start]
    if any(word.text.casefold() in _JOINING for word in between):
        return False
    written = reading.text[reading.words[end - 1].end : reading.words[start].start]
    return "," not in written and not any(mark in written for mark in _JOINING_CHINESE)


def _met(relevance: Relevance, chosen: Candidate, done: Executed) -> np.ndarray:
    """How far each clue is met by the walk and by the steps that tests were hung on."""
    elements = relevance.elements
    if not len(relevance.weights):
        return chosen.cover
    walked = len(chosen.walk.codes) + sum(len(h.codes) for h in chosen.walk.hanging)
    rows = []
    for _, there, code in done.query.edges[walked:]:
        rows += [elements.code_row(code), elements.type_row(done.query.variables[there].type)]
    if not rows:
        return chosen.cover
    return np.asarray(np.maximum(chosen.cover, relevance.strength[rows].max(axis=0)))


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


# Questions without an answer are this many to one with, when confidence is fitted: what people ask
# of records mostly stands in them.
ABSENT = 0.25
# Of what can be answered so much may be held back.
HELD_BACK = 0.035
KNOTS = 10
# What more of each fact says of an answer, whatever a set of questions seems to show.
_SIGNS = {
    "share": 1,
    "covered": 1,
    "unknown": -1,
    "part": -1,
    "edges": -1,
    "lead": 1,
    "target": 1,
    "missed": -1,
    "precise": 1,
    "ending": 1,
    "hole": -1,
    "unmet": -1,
    "unmet_target": -1,
    "unread": -1,
    "strange_target": -1,
    "value_unused": -1,
    "constraints": 1,
}


@dataclass(frozen=True)
class Trust:
    """Coefficients (the last is the bias), the curve that corrects them, the floor of refusals."""

    weights: np.ndarray
    curve: np.ndarray
    floor: float


def fit_trust(facts: np.ndarray, right: np.ndarray, answerable: np.ndarray) -> Trust:
    """Confidence as the share of right answers, and the floor under which none is given.

    Logistic regression by Newton steps with a little ridge, then a monotone curve over bins of
    equal mass (pooled until it rises). The floor is the highest that holds back no more than
    ``HELD_BACK`` of what is answerable.
    """
    x = np.concatenate([facts, np.ones((len(facts), 1))], axis=1)
    y = right.astype(np.float64)
    absent = max(int((~answerable).sum()), 1)
    most = ABSENT * max(int(answerable.sum()), 1) / absent
    weight = np.where(answerable, 1.0, min(1.0, most))
    w = _newton(x, y, weight)
    for _ in range(len(TRUST)):
        # What speaks against an answer must not come out as speaking for it: drop it instead.
        wrong = np.append([w[i] * _SIGNS[name] < 0 for i, name in enumerate(TRUST)], False)
        if not wrong.any():
            break
        x = np.where(wrong, 0.0, x)
        w = np.where(wrong, 0.0, _newton(x, y, weight))
    p = _logistic(x @ w)
    curve = fit_curve(p, y, weight)
    sure = np.sort(corrected(p[answerable], curve))
    floor = float(sure[int(len(sure) * HELD_BACK)]) if len(sure) else 0.5
    return Trust(w, curve, float(np.clip(floor, 0.05, 0.6)))


def _newton(x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weighted logistic regression with a little ridge."""
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = _logistic(x @ w)
        gradient = x.T @ (weight * (p - y)) + 0.05 * w
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + 0.05 * np.eye(len(w))
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    return w


def fit_curve(p: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Two rows, confidence before and after: bins of equal mass, pooled until the second rises."""
    order = np.argsort(p, kind="stable")
    if not len(order):
        return np.asarray([[0.0, 1.0], [0.0, 1.0]])
    mass = np.cumsum(weight[order])
    cut = np.searchsorted(mass, np.linspace(0, mass[-1], KNOTS + 1)[1:-1])
    pools: list[list[float]] = []
    for part in np.split(order, cut):
        if not len(part):
            continue
        total = float(weight[part].sum())
        pools.append([float((weight * p)[part].sum()), float((weight * y)[part].sum()), total])
        while len(pools) > 1 and pools[-2][1] * pools[-1][2] >= pools[-1][1] * pools[-2][2]:
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last, strict=True)]
    # A little towards the uncorrected value, so that no bin is ever wholly sure.
    knots = [(a / n, (b + 2.0 * a / n) / (n + 2.0)) for a, b, n in pools]
    before = [0.0, *(k[0] for k in knots), 1.0]
    after = [0.0, *(k[1] for k in knots), max(knots[-1][1], 0.99) if knots else 1.0]
    return np.asarray([before, np.maximum.accumulate(after)])


def _logistic(z: np.ndarray) -> np.ndarray:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(z, -30, 30))))
