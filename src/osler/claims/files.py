"""Pairs in files: ``{id, claim, text}`` a line in, ``{id, supports, refutes, neutral, ...}`` out.

A line may name ``intervention``, ``outcome`` and ``comparator`` in place of a claim: then what
comes out says ``increased``, ``decreased`` and ``no_difference`` as well, and the claim is
"intervention increases outcome compared with comparator". A line that cannot be judged stands, with
its number and the reason, in the file of rejects, and never stops the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from osler.claims.judge import check, stance, trial_result
from osler.claims.own import Labelled, OwnHead
from osler.claims.weights import Weights, shipped
from osler.errors import InputError, OslerError, StorageError
from osler.kinds import Reject
from osler.text.encoding import Encoder

MAX_LINE = 1_000_000
Own = tuple[OwnHead, Encoder]


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """How many lines were judged, and which were not."""

    judged: int
    rejects: tuple[Reject, ...]


def judge_file(
    claims: Path, out: Path, *, weights: Weights | None = None, own: Own | None = None
) -> Judged:
    """Judges each line of a file, in order. ``own`` is a head of one's own with its encoder: it
    tells the side, and what ships the sentence."""
    if not claims.is_file():
        raise InputError(f"there is no file {claims}", cure="JSON lines with id, claim, text")
    rejects: list[Reject] = []
    count = 0
    temporary = out.with_name(f".{out.name}.part")
    try:
        with temporary.open("w", encoding="utf-8") as to:
            for answer in _answers(claims, rejects, weights or shipped(), own):
                to.write(json.dumps(answer, ensure_ascii=False) + "\n")
                count += 1
        temporary.replace(out)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StorageError(f"{out} cannot be written: {error.strerror}") from None
    return Judged(judged=count, rejects=tuple(rejects))


def _answers(
    path: Path, rejects: list[Reject], heads: Weights, own: Own | None
) -> Iterator[dict[str, Any]]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            id = ""
            try:
                row = _row(line)
                id = str(row.get("id", row.get("_id", number)))
                yield {"id": row.get("id", row.get("_id", number)), **_judged(row, heads, own)}
            except OslerError as error:
                rejects.append(Reject(path.name, f"line {number}", error.message, id))


def labelled(path: Path) -> tuple[list[Labelled], list[Reject]]:
    """Lines with ``claim``, ``text`` and ``label`` to teach by, and those that cannot be used."""
    if not path.is_file():
        raise InputError(f"there is no file {path}", cure="JSON lines with claim, text, label")
    rows: list[Labelled] = []
    rejects: list[Reject] = []
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = _row(line)
                given = [row.get(name) for name in ("claim", "text", "label")]
                if not all(isinstance(value, str) for value in given):
                    raise InputError("the line lacks claim, text or label")
                claim, text, label = map(str, given)
                check(claim, text)
                rows.append(Labelled(claim.strip(), text, label.strip().lower()))
            except OslerError as error:
                rejects.append(Reject(path.name, f"line {number}", error.message, ""))
    return rows, rejects


def _row(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise InputError(f"the line has more than {MAX_LINE:,} bytes")
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError):
        raise InputError("the line is no JSON in UTF-8") from None
    if not isinstance(row, dict):
        raise InputError("the line is no JSON object")
    return row


def _judged(row: dict[str, Any], heads: Weights, own: Own | None) -> dict[str, Any]:
    given = {
        name: row.get(name, "")
        for name in ("claim", "text", "intervention", "comparator", "outcome")
    }
    for name, value in given.items():
        if not isinstance(value, str):
            raise InputError(f"{name} is no text")
    asked, extra = given["claim"], {}
    if not asked and given["intervention"] and given["outcome"]:
        against = f" compared with {given['comparator']}" if given["comparator"] else ""
        asked = f"{given['intervention']} increases {given['outcome']}{against}."
        result = trial_result(
            given["intervention"],
            given["comparator"],
            given["outcome"],
            given["text"],
            weights=heads,
        )
        extra = {name.replace(" ", "_"): round(p, 4) for name, p in result.items()}
    judged = stance(asked, given["text"], weights=heads)
    if own is not None:
        head, encoder = own
        side = head.judge([(asked, given["text"])], encoder)[0]
        judged = msgspec.structs.replace(
            side, sentence=judged.sentence, start=judged.start, end=judged.end
        )
    return {
        "supports": judged.supports,
        "refutes": judged.refutes,
        "neutral": judged.neutral,
        "sentence": judged.sentence,
        "stance": judged.stance,
        "no_effect": judged.no_effect,
        "why": list(judged.why),
        **extra,
    }
