"""Bends the log-odds of `match` beside stored questions to what people's own questions say.

The signs are weighed on questions that are filled in; people ask otherwise, and what answers them
looks less likely than it is. Two numbers (a slope and a shift) put that right; they are told for
questions that the others bent, and for collections that the others did. ``teach_match.py`` calls
this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from match_none import Collection, Held, questions, top
from osler.match.learned import Learned, Weighed
from osler.match.memory import VectorMemory
from osler.match.signs import head_name
from osler.measures.calibration import expected_calibration_error
from osler.text.encoder import Encoder
from osler.text.scripts import CJK_CHARACTER

LOOKED_AT = ("develop", "held", "fresh", "again", "spoken", "unseen", "own")
"""Parts of the questions by hand that bend: all but those that judge."""
BARS = (0.25, 0.3, 0.35, 0.4, 0.5)
"""Probabilities below which nothing might be said to answer: what each would do is told."""
Floats = NDArray[np.float64]


class ByHand(NamedTuple):
    """What is said to a question by hand before its log-odds are bent."""

    row: dict[str, str]
    odds: float
    right: bool


def asked_by_hand(
    table: Learned,
    held: dict[str, Held],
    encoder: Encoder | None,
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
                encoder=encoder,
                memory=memory,
            )
            for row in rows:
                ranking, right = top(asked, row)
                odds = ranking.hits[0].score if ranking.hits else -9.0
                answers.append(ByHand(row, odds, right))
    return answers


def left_out(answers: Sequence[ByHand], by: str) -> Floats:
    """The probability of each, bent by what others say: those of other ``by``."""
    column = np.array([one.odds for one in answers])[:, None]
    right = np.array([one.right for one in answers])
    groups = np.array([one.row[by] for one in answers])
    left = np.zeros(len(answers))
    for group in np.unique(groups):
        test = groups == group
        model = LogisticRegression(C=10.0).fit(column[~test], right[~test])
        left[test] = model.predict_proba(column[test])[:, 1]
    return left


def tell_left(name: str, answers: Sequence[ByHand], left: Floats) -> None:
    none = np.array([one.row["answered"] == "no" for one in answers])
    right = np.array([one.right for one in answers])
    for part, chosen in (("", none | True), *(
        (f" {one}", np.array([a.row["collection"] == one for a in answers]))
        for one in sorted({a.row["collection"] for a in answers})
    ), (" of own", np.array([a.row["part"] == "own" for a in answers]))):  # fmt: skip
        no, yes = chosen & none, chosen & ~none
        rates = "; ".join(
            f"below {bar}: none said {np.mean(left[no] < bar):.3f}, false alarms "
            f"{np.mean(left[yes] < bar):.3f}"
            for bar in BARS
        )
        error = expected_calibration_error(left[chosen].tolist(), right[chosen].tolist())
        print(f"{name}{part} ({chosen.sum()}): {rates}; first right {np.mean(right[yes]):.3f}, "
              f"calibration error {error:.3f}", flush=True)  # fmt: skip


def bent(
    table: Learned,
    held: dict[str, Held],
    encoder: Encoder | None,
    language: str,
    memory: VectorMemory | None,
) -> Weighed:
    """The head beside stored questions with its log-odds bent to what people's questions say."""
    name = head_name(stored=True, encoder=encoder is not None, chinese=language == "zh")
    answers = asked_by_hand(table, held, encoder, language, memory)
    for by in ("id", "collection"):
        tell_left(f"{name}, bent by those of another {by}", answers, left_out(answers, by))
    column = np.array([one.odds for one in answers])[:, None]
    model = LogisticRegression(C=10.0).fit(column, [one.right for one in answers])
    slope, shift = float(model.coef_[0, 0]), float(model.intercept_[0])
    print(f"  slope {slope:.3f}, shift {shift:.3f}", flush=True)
    head = table.heads[name]
    weights = {sign: round(slope * w, 4) for sign, w in head.weights.items()}
    return Weighed(weights, round(slope * head.bias + shift, 4))
