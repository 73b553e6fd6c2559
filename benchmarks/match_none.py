"""Does `match` say "none of these answers that" where nothing does, and only there?

    python benchmarks/match_none.py --data DIR [--part develop|held|fresh|again] [--library LIB]

The questions of ``match_none.tsv``, written by hand before the code: 60 that a collection answers
(MedQuAD's sample in DIR/medquad, or the demo's own pairs) and 60 that it does not. They
were looked at while the weights were made, and so were the 40 of ``fresh``, the 40 of ``again``,
the 20 of ``spoken`` and the 20 of ``unseen``. The second collection of these is a library's pairs
(that of ``osler demo``). The 160 of ``own`` (``match_own.tsv``, half of them with an answer) ask
these and two Chinese collections (DIR/qa_zh_toyhom, DIR/qa_zh_huatuo) in other words, and the 96 of
``chinese`` (``match_chinese.tsv``) the Chinese ones. All of them teach in the end
(``teach_match.py``). The 120 of ``locked`` (``match_locked.tsv``) were
written before all that they judge, and teach nothing; nor do the 120 of ``sealed``
(``match_sealed.tsv``), written later and looked at once. Of the Chinese collections nobody says
which pairs answer a question: there an answer is right if it, or its question, has one of the words
of each of two columns.
Beside it the dumb row: the share of the question's words in the nearest answer, under the bar that
would part these very questions best; and beside the calibration error the one that chance alone
gives to so few questions.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import osler
import osler.demo
from match_lists import as_pair
from osler.kinds import GradeReason, Pair, Ranking
from osler.match.answering import ANSWERS, Answering
from osler.match.concepts import Concepts
from osler.match.default import Default
from osler.match.job import match
from osler.match.known import Known
from osler.match.learned import Learned
from osler.match.matcher import Sources
from osler.match.memory import VectorMemory
from osler.match.own_names import names_in, terminology_of
from osler.match.pool import FEW, PairPool
from osler.match.signs import SignReader
from osler.match.texts import Texts
from osler.measures.calibration import expected_calibration_error
from osler.text.encoder import Encoder, load_encoder
from osler.verbs.match import sources_of

FILES = ("none", "own", "chinese", "locked", "sealed")
QUESTIONS = [Path(__file__).with_name(f"match_{name}.tsv") for name in FILES]
CHINESE = ("toyhom", "huatuo")
CHINESE_ENCODER = "bge-small-zh"


class Held(NamedTuple):
    """A collection's pairs, what each is about, and what the library knows of medicine."""

    pairs: list[Pair]
    about: dict[str, tuple[str, str]]
    known: Known | None = None


def medquad(data: Path) -> Held:
    """Their foci and types."""
    pairs, about = [], {}
    with gzip.open(data / "medquad" / "qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            pairs.append(as_pair(row))
            about[row["_id"]] = (row["focus"].lower(), row["type"])
    return Held(pairs, about)


def chinese(data: Path, name: str) -> Held:
    """A Chinese set; what a pair is about is all that it says."""
    pairs, about = [], {}
    with gzip.open(data / f"qa_zh_{name}" / "qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            question = "\n".join(filter(None, [row.get("title"), row["question"]]))
            pairs.append(Pair(id=row["_id"], question=question, answer=row["answer"]))
            about[row["_id"]] = (f"{question}\n{row['answer']}", "")
    return Held(pairs, about)


def demo() -> Held:
    with (Path(osler.demo.__file__).parent / "answers.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    pairs = [Pair(id=r["id"], question=r["question"], answer=r["answer"]) for r in rows]
    return Held(pairs, {pair.id: (pair.id, "") for pair in pairs})


def library(place: Path) -> Held:
    """All pairs of a library, such as the demo's, with its terminologies."""
    with osler.Library.open(place) as held:
        pairs = list(held.pairs())
        known = sources_of(held).known
    return Held(pairs, {pair.id: (pair.id.lower(), "") for pair in pairs}, known)


def collections(data: Path, place: Path) -> dict[str, Callable[[], Held]]:
    """All that can be asked, each read when it is."""
    made: dict[str, Callable[[], Held]] = {name: partial(chinese, data, name) for name in CHINESE}
    return made | {"medquad": lambda: medquad(data), "demo": demo,
                   "library": lambda: library(place)}  # fmt: skip


class Collection:
    """Pairs that can be asked; ``table`` in the place of the one that ships, ``memory`` for the
    vectors of pairs."""

    def __init__(
        self,
        held: Held,
        *,
        encoders: Sequence[Encoder],
        table: Learned | None = None,
        memory: VectorMemory | None = None,
    ) -> None:
        texts = Texts()
        self.about = held.about
        self.texts = texts
        self.pool = PairPool.of(
            held.pairs,
            texts,
            encoder=load_encoder("osler-static"),
            concepts=Concepts.beside(held.known, terminology_of(names_in(held.pairs))),
        )
        self.matcher = Default(Sources(texts=texts, known=held.known))
        reader = SignReader(
            texts, encoders=encoders, memory=memory, table=table, concepts=self.pool.concepts
        )
        self.answering = Answering(reader)

    def ask(self, question: str) -> Ranking:
        near = self.pool.candidates(question, most=FEW)
        return match(self.matcher, question, near, k=5, explain=False, reorder=True,
                     answering=self.answering)  # fmt: skip


def readers(*, words_alone: bool = False) -> list[Encoder]:
    """The encoder that ships, and the Chinese one (osler fetch bge-small-zh)."""
    return [] if words_alone else [load_encoder(), load_encoder(CHINESE_ENCODER)]


def questions(part: str) -> list[dict[str, str]]:
    rows = []
    for place in QUESTIONS:
        with place.open(encoding="utf-8") as lines:
            rows += [r for r in csv.DictReader(lines, delimiter="\t") if r["part"] == part]
    return rows


def is_right(row: dict[str, str], about: tuple[str, str]) -> bool:
    """Whether a pair answers a question, by what it is about."""
    if row["answered"] != "yes":
        return False
    focus, kind = about
    foci, kinds = row["focus"].lower().split("|"), row["type"].split("|")
    if row["collection"] in CHINESE:
        return any(word in focus for word in foci) and any(word in focus for word in kinds)
    return focus in foci and (not row["type"] or kind in kinds)


def top(collection: Collection, row: dict[str, str]) -> tuple[Ranking, bool]:
    """What is said to a question, and whether what comes first answers it."""
    ranking = collection.ask(row["question"])
    about = collection.about[ranking.hits[0].id] if ranking.hits else ("", "")
    return ranking, is_right(row, about)


def words_alone(collection: Collection, question: str) -> float:
    """The dumb row: the share of a question's words that the nearest pair holds."""
    words = set(collection.texts.words(question))
    near = collection.pool.candidates(question, most=1)
    held = {word for one in near for text in (one.question, one.text)
            for word in collection.texts.words(text)}  # fmt: skip
    return len(words & held) / max(len(words), 1)


def parted(shares: list[float], none: list[bool]) -> tuple[float, float]:
    """None said and false alarms under the bar that parts these questions best."""
    rates = []
    for bar in sorted({*shares, 2.0}):
        said = [share < bar for share in shares]
        right = float(np.mean([one for one, is_none in zip(said, none, strict=True) if is_none]))
        wrong = float(
            np.mean([one for one, is_none in zip(said, none, strict=True) if not is_none])
        )
        rates.append((right - wrong, right, wrong))
    _, right, wrong = max(rates)
    return right, wrong


def probability(ranking: Ranking) -> float:
    for hit in ranking.hits[:1]:
        for reason in hit.reasons:
            if isinstance(reason, GradeReason):
                return reason.probabilities[ANSWERS]
    return 0.0


def by_chance(sure: list[float], samples: int = 2_000) -> tuple[float, float, float]:
    """The calibration error that so few questions show where every probability is right: its mean,
    and the bounds of nine in ten."""
    rng = np.random.default_rng(0)
    errors = [
        expected_calibration_error(sure, (rng.random(len(sure)) < sure).tolist())
        for _ in range(samples)
    ]
    low, high = np.quantile(errors, [0.05, 0.95])
    return float(np.mean(errors)), float(low), float(high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", default="develop")
    parser.add_argument("--library", type=Path, default=Path("demo/library"))
    parser.add_argument("--words", action="store_true", help="Words alone, without encoders.")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    rows = questions(given.part)
    encoders = readers(words_alone=given.words)
    made = collections(given.data, given.library)
    asked = {
        name: Collection(made[name](), encoders=encoders)
        for name in sorted({row["collection"] for row in rows})
    }
    sure, right, shares = [], [], []
    said: dict[tuple[str, str], list[bool]] = {}
    plain: dict[str, list[bool]] = {"yes": [], "no": []}
    first: dict[str, list[bool]] = {}
    for row in rows:
        collection = asked[row["collection"]]
        ranking, answers = top(collection, row)
        chance = probability(ranking)
        nearest = collection.about[ranking.hits[0].id] if ranking.hits else ("", "")
        sure.append(chance)
        shares.append(words_alone(collection, row["question"]))
        right.append(answers)
        said.setdefault((row["collection"], row["answered"]), []).append(not ranking.answered)
        plain[row["answered"]].append(chance < collection.answering.perhaps)
        if row["answered"] == "yes":
            first.setdefault(row["collection"], []).append(answers)
        if given.verbose:
            print(f"{row['answered']:3} {chance:.2f} {'' if answers else 'x'} {row['question']} "
                  f"-> {nearest} {ranking.notes[:1]}")  # fmt: skip
    for (name, answered), values in sorted(said.items()):
        print(f"{name}, answered {answered}: none said {np.mean(values):.3f} of {len(values)}")
    none = [v for (_, answered), values in said.items() if answered == "no" for v in values]
    alarms = [v for (_, answered), values in said.items() if answered == "yes" for v in values]
    print(f"none said where nothing answers: {np.mean(none):.3f} (bar 0.90)")
    print(f"false alarms: {np.mean(alarms):.3f} (bar 0.10)")
    print(f"  of both, said plainly (not that the nearest may answer): "
          f"{np.mean(plain['no']):.3f} and {np.mean(plain['yes']):.3f}")  # fmt: skip
    print({name: f"first right {np.mean(values):.3f}" for name, values in first.items()})
    print(f"calibration error of the first: {expected_calibration_error(sure, right):.3f} "
          f"(5 bins {expected_calibration_error(sure, right, bins=5):.3f}; bar 0.05)")  # fmt: skip
    chance, low, high = by_chance(sure)
    print(f"  were every probability right: {chance:.3f} at the mean, {low:.3f} to {high:.3f}")
    dumb = parted(shares, [row["answered"] == "no" for row in rows])
    print(f"share of words alone, under its best bar: none said {dumb[0]:.3f}, "
          f"false alarms {dumb[1]:.3f}")  # fmt: skip


if __name__ == "__main__":
    main()
