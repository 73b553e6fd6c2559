"""brat standoff: ``.ann`` beside ``.txt``. T spans, E events, R relations, A attributes, *
equivalences.

Each document is one patient's case; offsets count characters. A fragment span (``10 15;20 25``) is
one phrase. Notes (``#``) say nothing of the patient and are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import FactSource, Reject
from osler.knowledge.negation import negated
from osler.records.chart import Chart
from osler.records.naming import source_name
from osler.records.readers.note_files import (
    MAX_LINE,
    any_ends,
    notes_of,
    read_text,
    stems,
    unpaired,
)

_SPAN = re.compile(r"^(\S+) (\d+ \d+(?:;\d+ \d+)*)$")


@readers.register("brat")
class Brat(Reader):
    name = "brat"
    help = "brat standoff annotations: .ann with .txt (folder or file)"
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        if head.is_folder:
            return any_ends(head, (".ann",))
        return head.name.endswith(".ann") or bool(re.match(r"T\d+\t\S+ \d+ \d+", head.text))

    def read(self, source: Source) -> Iterator[Item]:
        dataset = source_name(self.options, source, "brat")
        annotations = stems(source, (".ann",))
        notes = notes_of(source, (".ann",))
        for name in sorted(annotations):
            yield from _document(dataset, name, annotations[name], notes.get(name))
        yield from unpaired(notes, set(annotations), "its annotation")


KINDS = (
    ("condition", ("disease", "disorder", "symptom", "sign", "problem", "diagnosis", "finding")),
    ("medication", ("medication", "drug", "chemical")),
    ("procedure", ("procedure", "treatment", "therapy", "intervention")),
    ("observation", ("test", "lab", "measurement", "examination")),
)
"""Words of a type's name by which its spans are a kind of fact; others say what belongs to one."""
_DENIED = ("negation", "negated", "absent")
_UNSURE = ("speculation", "uncertain", "possible", "hypothetical")


def kind_of(type: str) -> str:
    """The kind of fact that a type's spans are; empty for none."""
    words = set(type.split())
    if {"family", "history"} <= words:
        return ""
    return next((kind for kind, known in KINDS if words & set(known)), "")


class _Bad(ValueError):
    pass


def _document(dataset: str, name: str, path: Path, note: Path | None) -> Iterator[Item]:
    text = read_text(note) if note is not None else None
    if text is None:
        yield Reject(
            path.name, "file", "annotations without a readable text: offsets not checked", id=name
        )
    chart = Chart(dataset, name)
    nodes: dict[str, str] = {}
    spans: dict[str, _Spoken] = {}
    later: list[tuple[int, str, str]] = []
    for number, line in Source(path).lines():
        if line is not None and (not line.strip() or line.startswith("#")):
            continue
        try:
            if line is None:
                raise _Bad("not UTF-8")
            id, _, rest = line.partition("\t")
            if id.startswith("T"):
                spans[id] = _span(chart, id, rest, text, f"{path.name}:{number}")
                nodes[id] = spans[id].node
            elif id.startswith(tuple("ERAM*")):
                later.append((number, id, rest.strip()))
            else:
                raise _Bad("not an annotation that brat has")
        except _Bad as error:
            yield Reject(path.name, f"line {number}", str(error), id=name)
    # Events name spans that may follow, relations name events that may follow.
    for wanted in ("E", "RAM*"):
        for number, id, rest in later:
            if id[0] not in wanted:
                continue
            try:
                _linked(chart, id, rest, nodes, f"{path.name}:{number}")
            except _Bad as error:
                yield Reject(path.name, f"line {number}", str(error), id=name)
    _facts(chart, path.name, spans, later, text or "")
    yield from chart.items()


@dataclass(frozen=True)
class _Spoken:
    """A span: its node, type, words, and where it stands."""

    node: str
    type: str
    phrase: str
    start: int
    end: int
    place: str


def _facts(
    chart: Chart,
    file: str,
    spans: dict[str, _Spoken],
    later: list[tuple[int, str, str]],
    text: str,
) -> None:
    """Spans that are findings, drugs, procedures or tests as facts. One that an attribute denies,
    or the words around it (NegEx), is absent."""
    said: dict[str, set[str]] = {}
    triggers = {
        id: rest.split()[0].partition(":")[2] for _, id, rest in later if id[0] == "E" and rest
    }
    for _, id, rest in later:
        parts = rest.split()
        if id[0] in "AM" and len(parts) >= 2:
            target = triggers.get(parts[1], parts[1])
            said.setdefault(target, set()).update(p.lower() for p in (parts[0], *parts[2:]))
    placed = sorted(spans.items(), key=lambda span: (span[1].start, span[0]))
    denied = negated(text, [(s.start, s.end) for _, s in placed]) if text else [False] * len(placed)
    for (id, one), negative in zip(placed, denied, strict=True):
        kind = kind_of(one.type)
        if not kind:
            continue
        words = said.get(id, set())
        certainty = "confirmed"
        if negative or any(word.startswith(_DENIED) for word in words):
            certainty = "absent"
        elif any(word.startswith(_UNSURE) for word in words):
            certainty = "provisional"
        first = text.rfind("\n", 0, one.start) + 1
        last = text.find("\n", one.end)
        line = text[first : last if last >= 0 else len(text)][:MAX_LINE]
        chart.fact(
            *(kind, one.type, one.phrase),
            FactSource(file, one.place, one.start - first, one.end - first, line),
            key=id,
            entity=one.node,
            status="unknown",
            certainty=certainty,
        )


def _span(chart: Chart, id: str, rest: str, text: str | None, source: str) -> _Spoken:
    head, _, phrase = rest.partition("\t")
    match = _SPAN.match(head)
    if match is None:
        raise _Bad("a span without type and offsets")
    spans = [tuple(int(n) for n in part.split()) for part in match.group(2).split(";")]
    if text is not None:
        if any(not 0 <= start <= end <= len(text) for start, end in spans):
            raise _Bad("offsets past the text")
        covered = "".join("".join(text[a:b].split()) for a, b in spans)
        if covered != "".join(phrase.split()):
            raise _Bad("offsets that cover other words")
    type = match.group(1).replace("_", " ").lower()
    node = chart.add(type, phrase, key=id)
    chart.has("mentions", node, f"{source}:{spans[0][0]}-{spans[-1][1]}")
    line = f":{source.rpartition(':')[2]}"
    return _Spoken(node, type, phrase, spans[0][0], spans[-1][1], line)


def _linked(chart: Chart, id: str, rest: str, nodes: dict[str, str], source: str) -> None:
    parts = rest.split()
    if not parts:
        raise _Bad("an annotation without arguments")
    if id[0] == "E":
        _, _, trigger = parts[0].partition(":")
        nodes[id] = _known(nodes, trigger)
        arguments = parts[1:]
        for argument in arguments:
            role, _, target = argument.partition(":")
            chart.link(nodes[id], _relation(role), _known(nodes, target), source)
    elif id[0] == "R":
        ends = [part.partition(":")[2] for part in parts[1:3]]
        if len(ends) != 2:
            raise _Bad("a relation without two arguments")
        chart.link(_known(nodes, ends[0]), _relation(parts[0]), _known(nodes, ends[1]), source)
    elif id[0] == "*":
        members = [_known(nodes, part) for part in parts[1:]]
        for first, second in pairwise(members):
            chart.link(first, _relation(parts[0]), second, source)
    elif len(parts) >= 2:
        value = " ".join(parts[2:]) or parts[0].replace("_", " ").lower()
        quality = chart.add(parts[0].replace("_", " ").lower(), value)
        chart.link(_known(nodes, parts[1]), f"has {_relation(parts[0])}", quality, source)
    else:
        raise _Bad("an attribute without a target")


def _known(nodes: dict[str, str], id: str) -> str:
    if id not in nodes:
        raise _Bad("an argument that is not annotated")
    return nodes[id]


def _relation(name: str) -> str:
    return name.rstrip("0123456789").replace("_", " ").replace("-", " ").lower()
