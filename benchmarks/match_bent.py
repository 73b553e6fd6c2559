"""Weighs the signs of `match` beside stored questions, with what people's own questions say.

The signs are weighed on questions that are filled in, together with those that were written by hand
for whole collections; people ask otherwise than templates, and what answers them looks less likely
than it is: two numbers (a slope and a shift) put that right. Where a Chinese encoder reads, the
questions by hand are all that teaches. What each set of weights does is told for questions that the
others taught, and for collections that the others did. ``teach_match.py`` calls this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from match_none import Collection, Held, is_right, questions
from osler.match.answering import SEEN
from osler.match.learned import Learned, Weighed
from osler.match.memory import VectorMemory
from osler.match.pool import FEW
from osler.match.signs import Signs, head_name, names_of
from osler.measures.calibration import expected_calibration_error
from osler.text.encoder import Encoder
from osler.text.scripts import CJK_CHARACTER

LOOKED_AT = ("develop", "held", "fresh", "again", "spoken", "unseen", "own", "chinese")
"""Parts of the questions by hand that teach: all but those that judge."""
BARS = (0.15, 0.25, 0.3, 0.35, 0.4, 0.5)
"""Probabilities below which nothing might be said to answer: what each would do is told."""
RIDGE, RIDGE_ALONE = 0.03, 0.1
"""Of the weights; the second where questions by hand teach alone. Taken by
the log-likelihood of questions by hand that the others taught."""
ALONE = "chinese"
"""The part that teaches the Chinese encoder's weights alone: where words decide on Chinese, it
brought nothing (0.73 and 0.48 on itself after teaching with it, 0.73 and 0.50 without)."""
PARTS = 10
Floats = NDArray[np.float64]


class WithSigns(Protocol):
    """A question's candidates by their signs, and which of them answer."""

    @property
    def signs(self) -> list[Signs]: ...

    @property
    def right(self) -> list[bool]: ...


class ByHand(NamedTuple):
    """A question by hand with its candidates."""

    row: dict[str, str]
    signs: list[Signs]
    right: list[bool]


def weighed(asked: Sequence[WithSigns], names: Sequence[str], c: float) -> Weighed:
    """A logistic score over named signs."""
    matrix = np.array([[row[name] for name in names] for one in asked for row in one.signs])
    right = [value for one in asked for value in one.right]
    mean, spread = matrix.mean(0), np.maximum(matrix.std(0), 1e-6)
    model = LogisticRegression(C=c, max_iter=3000)
    model.fit((matrix - mean) / spread, right)
    weights = model.coef_[0] / spread
    bias = float(model.intercept_[0] - weights @ mean)
    return Weighed({n: round(float(w), 4) for n, w in zip(names, weights, strict=True)},
                   round(bias, 4))  # fmt: skip


def asked_by_hand(
    table: Learned,
    held: dict[str, Held],
    encoders: Sequence[Encoder],
    language: str,
    memory: VectorMemory | None,
) -> list[ByHand]:
    """Each question is asked twice: with the package's other names alone, and with those that the
    pairs tell and the terminologies of a library beside them; those of the library itself with its
    own alone."""
    known = held["library"].known
    answers = []
    for name, own in held.items():
        rows = [row for part in LOOKED_AT for row in questions(part)
                if row["collection"] == name
                and bool(CJK_CHARACTER.search(row["question"])) == (language == "zh")]  # fmt: skip
        for beside in ((known,) if name == "library" else (None, known)) if rows else ():
            pairs = own.pairs
            if beside is None:
                pairs = [msgspec.structs.replace(pair, metadata={}) for pair in pairs]
            asked = Collection(
                own._replace(known=beside, pairs=pairs),
                table=table,
                encoders=encoders,
                memory=memory,
            )
            answers += [_read(asked, row) for row in rows]
    return answers


def _read(asked: Collection, row: dict[str, str]) -> ByHand:
    near = asked.pool.candidates(row["question"], most=FEW)
    places = asked.answering.nearest(row["question"], near)[:SEEN]
    some = [near[at] for at in places]
    signs = asked.answering.reader.read(row["question"], some)
    return ByHand(row, signs, [is_right(row, asked.about[one.id]) for one in some])


def first(head: Weighed, one: WithSigns) -> tuple[float, bool]:
    """The log-odds of what comes first, and whether it answers; far below where nothing comes."""
    odds = [head.log_odds(signs) for signs in one.signs]
    best = int(np.argmax(odds)) if odds else -1
    return (odds[best], one.right[best]) if odds else (-9.0, False)


def taught(
    lists: Sequence[WithSigns], hand: Sequence[ByHand], names: Sequence[str], language: str
) -> Weighed:
    """Weights of both, bent to what the questions by hand say; of these alone where there are no
    lists: what they teach needs no bending."""
    hand = [one for one in hand if one.signs]
    if not lists:
        return weighed(hand, names, RIDGE_ALONE)
    # Words of English are weighed by English questions: Chinese ones only bend them.
    head = weighed([*lists, *(hand if language == "en" else ())], names, RIDGE)
    tops = [first(head, one) for one in hand]
    model = LogisticRegression(C=10.0).fit([[odds] for odds, _ in tops], [ok for _, ok in tops])
    slope, shift = float(model.coef_[0, 0]), float(model.intercept_[0])
    weights = {sign: round(slope * w, 4) for sign, w in head.weights.items()}
    return Weighed(weights, round(slope * head.bias + shift, 4))


def left_out(
    lists: Sequence[WithSigns],
    hand: Sequence[ByHand],
    names: Sequence[str],
    language: str,
    by: str,
) -> list[tuple[float, bool]]:
    """What comes first for each, and how sure, taught by what others say: those of other ``by``."""
    groups = [one.row[by] for one in hand]
    tops: list[tuple[float, bool]] = [(0.0, False)] * len(hand)
    folds = GroupKFold(min(PARTS, len(set(groups)))).split(hand, groups=groups)
    for train, test in folds:
        head = taught(lists, [hand[at] for at in train], names, language)
        for at in test:
            odds, right = first(head, hand[at])
            tops[at] = (1.0 / (1.0 + np.exp(-odds)), right)
    return tops


def tell_left(name: str, hand: Sequence[ByHand], tops: Sequence[tuple[float, bool]]) -> None:
    none = np.array([one.row["answered"] == "no" for one in hand])
    sure, right = (np.array(column) for column in zip(*tops, strict=True))
    every = np.ones(len(hand), bool)
    parts = [("", every)]
    for one in sorted({a.row["collection"] for a in hand}):
        parts.append((f" {one}", np.array([a.row["collection"] == one for a in hand])))
    parts.append((" of own", np.array([a.row["part"] == "own" for a in hand])))
    for part, chosen in parts:
        no, yes = chosen & none, chosen & ~none
        rates = "; ".join(
            f"below {bar}: none said {np.mean(sure[no] < bar):.3f}, false alarms "
            f"{np.mean(sure[yes] < bar):.3f}"
            for bar in BARS
        )
        error = expected_calibration_error(sure[chosen].tolist(), right[chosen].tolist())
        print(f"{name}{part} ({chosen.sum()}): {rates}; first right {np.mean(right[yes]):.3f}, "
              f"calibration error {error:.3f}", flush=True)  # fmt: skip
    likely = np.log(np.clip(np.where(right, sure, 1 - sure), 1e-9, 1))
    print(f"{name}: log-likelihood {likely.mean():.4f}", flush=True)


def by_people(
    table: Learned,
    lists: Sequence[WithSigns],
    held: dict[str, Held],
    encoders: Sequence[Encoder],
    language: str,
    memory: VectorMemory | None,
) -> tuple[str, Weighed]:
    """A head beside stored questions by its name, taught by both; what it does is told."""
    encoded, chinese = bool(encoders), language == "zh"
    name = head_name(stored=True, encoder=encoded, chinese=chinese)
    hand = asked_by_hand(table, held, encoders, language, memory)
    if not encoded:
        hand = [one for one in hand if one.row["part"] != ALONE]
    names = names_of(stored=True, encoder=encoded)
    for by in ("id", "collection"):
        tops = left_out(lists, hand, names, language, by)
        tell_left(f"{name}, taught by those of another {by}", hand, tops)
    return name, taught(lists, hand, names, language)
