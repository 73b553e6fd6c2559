"""Questions with answers and without, out of MedQuAD and PubMedQA, that teach `match`.

MedQuAD (CC BY 4.0) says of each answer what it is about (its focus) and what was asked (its type).
A question is one of our wordings (``match_wordings.tsv``) with a focus, or one of its synonyms,
filled in, now and then with a name that is cut short and a sentence before it, as people write.
It is asked of the whole collection, of the collection without its focus, and without the focus's
answers of that type. What answers is a pair of the same focus and type; nothing else. Wordings of
kinds that MedQuAD does not hold (a dose, the price, what one thing does to another) have no answer
there.

PubMedQA (MIT) gives questions that papers ask in their titles, with what they conclude: a title,
some of its words dropped, is asked of the others with and without its own.

Beside these stand questions as people would ask them (``match_asked.tsv``), written by hand for
pairs of both sets that were drawn at random, none of them about what ``match_none.tsv`` asks. Each
is asked of the whole collection and of what is left without its answer.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from osler.kinds import Pair
from osler.match.matcher import Candidate
from osler.match.pool import PairPool
from osler.match.texts import Texts
from osler.text.encoder import Encoder

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
UNLISTED = ("considerations", "research", "stages", "support groups")
"""Types that may answer what the wordings of other kinds ask: their foci are not asked those."""
BEFORE = (
    "My mother is sixty. ",
    "I am worried. ",
    "Good evening doctor, ",
    "My son is four years old. ",
    "Since last week I have not been well. ",
    "A friend asked me: ",
)
SEEN = 12
"""Candidates of a question that are described."""
KEPT = 40
"""Candidates of a question that the encoder chooses these from."""
ASKED, TITLES = 600, 120
PEOPLE = 10_000
"""The number of the first question by hand; wordings have lower ones."""
Row = dict[str, Any]


class Asked(msgspec.Struct):
    """A question with candidates, which of them answer, the focus it is grouped by, its kind, the
    wording it came from (its own number), what was taken out of the collection, and where it comes
    from."""

    question: str
    candidates: list[Candidate]
    right: list[bool]
    group: str
    kind: str
    wording: int
    way: str
    source: str = "wordings"


def read(data: Path) -> list[Row]:
    """MedQuAD's rows."""
    with gzip.open(data / "medquad" / "qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def as_pair(row: Row) -> Pair:
    """A row as MedQuAD's reader gives it."""
    told = {"focus": row["focus"] or "", "synonyms": "|".join(row["synonyms"] or ())}
    return Pair(id=row["_id"], question=row["question"], answer=row["answer"], metadata=told)


def wordings() -> list[tuple[str, str]]:
    """Kinds with wordings, in the order of the file."""
    with Path(__file__).with_name("match_wordings.tsv").open(encoding="utf-8") as lines:
        return [(row["kind"], row["wording"]) for row in csv.DictReader(lines, delimiter="\t")]


def titles(data: Path) -> list[Pair]:
    """What papers ask in their titles, and what they conclude."""
    with gzip.open(data / "pubmedqa" / "questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Pair(id=r["_id"], question=r["question"], answer=r["long_answer"]) for r in rows]


def names(row: Row) -> set[str]:
    """What a row's focus goes by."""
    given = [row["focus"], *(row["synonyms"] or [])]
    return {re.sub(r"\W+", " ", name.lower()).strip() for name in given if name}


def said(row: Row, rng: np.random.Generator) -> str:
    """The focus as somebody might write it."""
    name = str(row["focus"])
    if rng.random() < 0.15 and row["synonyms"]:
        name = str(row["synonyms"][int(rng.integers(len(row["synonyms"])))])
    name = re.sub(r"\s*\(.*?\)|^.* - ", "", name)
    if rng.random() < 0.5:
        name = name.lower()
    words = name.split()
    if len(words) > 2 and rng.random() < 0.15:
        del words[int(rng.integers(len(words)))]
    return " ".join(words)


class Collection:
    """MedQuAD's pairs, by their foci."""

    def __init__(self, rows: Sequence[Row], texts: Texts, encoder: Encoder | None) -> None:
        held = [as_pair(row) for row in rows]
        self.pool = PairPool.of(held, texts, encoder=encoder)
        self.rows = {row["_id"]: row for row in rows}
        self.names = {row["_id"]: names(row) for row in rows}
        self.concepts = {row["_id"]: set(row["cuis"] or []) for row in rows}

    def same(self, one: str, other: str) -> bool:
        """Whether two pairs are about the same."""
        return bool(self.names[one] & self.names[other]) or bool(
            self.concepts[one] & self.concepts[other]
        )

    def asked(
        self, question: str, own: str, kind: str, way: str
    ) -> tuple[list[Candidate], list[bool]]:
        """The nearest that are left, and which of them answer."""
        candidates, right = [], []
        for one in self.pool.candidates(question, most=2 * KEPT):
            same = self.same(one.id, own)
            answers = same and KIND_OF.get(self.rows[one.id]["type"]) == kind
            if (way == "without focus" and same) or (way == "without type" and answers):
                continue
            candidates.append(one)
            right.append(answers)
            if len(candidates) == KEPT:
                break
        return candidates, right


def medquad_lists(
    rows: Sequence[Row], texts: Texts, encoder: Encoder | None, seed: int
) -> list[Asked]:
    """Questions asked of the collection, whole or with something taken out; kinds weigh alike."""
    rng = np.random.default_rng(seed)
    held = Collection(rows, texts, encoder)
    worded = wordings()
    by_kind: dict[str, list[Row]] = defaultdict(list)
    apart = {name for row in rows if row["type"] in UNLISTED for name in names(row)}
    for row in rows:
        if row["focus"] and row["type"] in KIND_OF:
            by_kind[KIND_OF[row["type"]]].append(row)
    unlisted = [row for row in rows if row["focus"] and not names(row) & apart]
    lists = []
    # In every order of the wordings each is used before one is used again.
    numbers = np.concatenate(
        [rng.permutation(len(worded)) for _ in range(1 + ASKED // len(worded))]
    )
    for turn, number in enumerate(numbers[:ASKED].tolist()):
        kind, wording = worded[number]
        choice = by_kind.get(kind, unlisted)
        row = choice[int(rng.integers(len(choice)))]
        other = unlisted[int(rng.integers(len(unlisted)))]
        fills = [said(row, rng), said(other, rng)][: wording.count("{}")]
        question = wording.format(*fills)
        if rng.random() < 0.2:
            question = BEFORE[int(rng.integers(len(BEFORE)))] + question
        way = ("whole", "without focus", "whole", "without type")[turn % 4]
        candidates, right = held.asked(question, row["_id"], kind, way)
        if candidates:
            group = sorted(held.names[row["_id"]])[0]
            lists.append(Asked(question, candidates, right, group, kind, number, way))
    return lists


def title_lists(
    pairs: Sequence[Pair], texts: Texts, encoder: Encoder | None, seed: int
) -> list[Asked]:
    """Titles with a third of their words dropped, asked with and without their own paper."""
    rng = np.random.default_rng(seed)
    pool = PairPool.of(pairs, texts, encoder=encoder)
    lists = []
    for turn, at in enumerate(rng.permutation(len(pairs))[:TITLES].tolist()):
        own = pairs[at]
        words = own.question.rstrip("?").split()
        kept = [word for word in words if rng.random() > 0.35] or words
        question = " ".join(kept) + "?"
        near = pool.candidates(question, most=KEPT + 1)
        left = [one for one in near if turn % 2 or one.id != own.id][:KEPT]
        right = [one.id == own.id for one in left]
        way = "whole" if turn % 2 else "without focus"
        # No wording of ours: numbers below zero are titles.
        lists.append(Asked(question, left, right, own.id, "effect", -1 - at, way, "titles"))
    return lists


def by_people() -> list[tuple[int, str, str]]:
    """Numbers above those of the wordings, ids of the pairs that answer, and questions."""
    with Path(__file__).with_name("match_asked.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return [(PEOPLE + at, row["id"], row["question"]) for at, row in enumerate(rows)]


def people_lists(
    rows: Sequence[Row], pairs: Sequence[Pair], texts: Texts, encoder: Encoder | None
) -> list[Asked]:
    """What people would ask, of the whole collections and of what is left without the answer."""
    held = Collection(rows, texts, encoder)
    papers = PairPool.of(pairs, texts, encoder=encoder)
    lists = []
    for number, id, question in by_people():
        if id in held.rows:
            kind = KIND_OF[held.rows[id]["type"]]
            group = sorted(held.names[id])[0]
            for way in ("whole", "without focus", "without type"):
                left, right = held.asked(question, id, kind, way)
                lists.append(Asked(question, left, right, group, kind, number, way, "people"))
            continue
        near = papers.candidates(question, most=KEPT + 1)
        for way in ("whole", "without focus"):
            left = [one for one in near if way == "whole" or one.id != id][:KEPT]
            right = [one.id == id for one in left]
            lists.append(Asked(question, left, right, id, "effect", number, way, "people"))
    return lists
