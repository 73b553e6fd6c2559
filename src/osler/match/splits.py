"""Which pairs teach and which test, and which false answers stand beside a true one.

A text never stands on both sides: pairs that share an answer, or a question, go together. False
answers come from the question's department and the same side; never another answer to that
question, never a text that equals the true one. Everything is drawn with a seed, in the order of
ids, so that the same pairs give the same lists whatever order they come in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import msgspec

from osler.errors import FieldError, InputError
from osler.files.source import Source
from osler.kinds import Pair
from osler.match.matcher import Candidate


class CandidateList(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question with the answers to choose from; ``true`` is the right one's id, where known."""

    id: str
    question: str
    candidates: tuple[Candidate, ...]
    true: str = ""


def key(text: str) -> str:
    """What makes two texts the same: all but blanks and case."""
    return "".join(text.split()).casefold()


def split(pairs: Sequence[Pair], share: float, *, seed: int = 0) -> tuple[list[Pair], list[Pair]]:
    """About ``share`` of the pairs to learn from, the rest to test on."""
    if not 0 < share < 1:
        raise InputError("the share to train on lies between 0 and 1")
    ordered = sorted(pairs, key=lambda pair: pair.id)
    groups = _together(ordered)
    Random(seed).shuffle(groups)  # noqa: S311
    wanted = share * len(ordered)
    train: list[Pair] = []
    test: list[Pair] = []
    for group in groups:
        (train if len(train) < wanted else test).extend(group)
    return sorted(train, key=lambda p: p.id), sorted(test, key=lambda p: p.id)


def folds(pairs: Sequence[Pair], count: int, *, seed: int = 0) -> list[list[int]]:
    """Rows of ``pairs`` in ``count`` parts that share no text."""
    places = {id(pair): row for row, pair in enumerate(pairs)}
    groups = _together(pairs)
    Random(seed).shuffle(groups)  # noqa: S311
    parts: list[list[int]] = [[] for _ in range(count)]
    for group in groups:
        smallest = min(parts, key=len)
        smallest.extend(places[id(pair)] for pair in group)
    return [sorted(part) for part in parts]


def _together(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """Pairs joined through a common question or answer (disjoint sets)."""
    parent = list(range(len(pairs)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    first: dict[tuple[str, str], int] = {}
    for at, pair in enumerate(pairs):
        for side, text in (("q", pair.question), ("a", pair.answer)):
            other = first.setdefault((side, key(text)), at)
            parent[max(root(at), root(other))] = min(root(at), root(other))
    groups: dict[int, list[Pair]] = {}
    for at, pair in enumerate(pairs):
        groups.setdefault(root(at), []).append(pair)
    return list(groups.values())


def false_answers(
    pairs: Sequence[Pair], count: int, *, seed: int = 0, fewer: bool = False
) -> list[tuple[int, list[int]]]:
    """For each pair that has enough of them, the rows of ``count`` false answers.

    A department with fewer than ``count`` + 1 different answers gives no list, unless ``fewer``
    takes what there is.
    """
    rng = Random(seed)  # noqa: S311
    order = sorted(range(len(pairs)), key=lambda row: pairs[row].id)
    texts = [key(pair.answer) for pair in pairs]
    asked = [key(pair.question) for pair in pairs]
    pools: dict[str, dict[str, int]] = {}
    answers: dict[str, set[str]] = {}
    for row in order:
        pools.setdefault(pairs[row].department, {}).setdefault(texts[row], row)
        answers.setdefault(asked[row], set()).add(texts[row])
    listed = {department: list(pool.values()) for department, pool in pools.items()}
    lists = []
    for row in order:
        pool = listed[pairs[row].department]
        true = answers[asked[row]]
        if len(pool) < count + 1 and not fewer:
            continue
        drawn = rng.sample(pool, min(len(pool), count + len(true)))
        false = [other for other in drawn if texts[other] not in true][:count]
        if len(false) == count or (fewer and false):
            lists.append((row, false))
    return lists


def candidate_lists(pairs: Sequence[Pair], count: int, *, seed: int = 0) -> list[CandidateList]:
    """Each pair's question with its answer and ``count`` false ones, shuffled."""
    rng = Random(seed)  # noqa: S311
    lists = []
    for row, false in false_answers(pairs, count, seed=seed):
        rows = [row, *false]
        rng.shuffle(rows)
        candidates = tuple(Candidate(pairs[at].id, pairs[at].answer) for at in rows)
        lists.append(CandidateList(pairs[row].id, pairs[row].question, candidates, pairs[row].id))
    return lists


def write_lists(path: Path, lists: Iterable[CandidateList]) -> None:
    """As JSON lines, in the form that ``osler match LIB --questions`` takes."""
    lines = (msgspec.json.encode(one).decode() for one in lists)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


class _Given(msgspec.Struct):
    id: str | int
    question: str
    candidates: list[dict[str, str | int]]
    true: str = ""


def read_lists(path: Path) -> list[CandidateList]:
    """Questions with candidates: ``{"id", "question", "candidates": [{"id", "text"}]}`` a line."""
    source = Source(path)
    lists: list[CandidateList] = []
    seen: set[str] = set()
    for number, line in source.sure_lines():
        try:
            row = msgspec.json.decode(line, type=_Given)
            candidates = tuple(Candidate(str(c["id"]), str(c["text"])) for c in row.candidates)
        except (ValueError, KeyError, RecursionError):
            raise FieldError(
                f"{source.name} line {number} is no question with candidates",
                cure='write {"id": ..., "question": ..., "candidates": [{"id": ..., "text": ...}]}',
            ) from None
        id = str(row.id)
        if id in seen:
            raise FieldError(f"{source.name} line {number} repeats the id {id[:100]!r}")
        if len({candidate.id for candidate in candidates}) < len(candidates):
            raise FieldError(f"{source.name} line {number} names a candidate twice")
        seen.add(id)
        lists.append(CandidateList(id, row.question, candidates, row.true))
    if not lists:
        raise InputError(f"{source.name} holds no question")
    return lists
