"""Question templates: YAML files of our own wording, and the reader of their graph queries.

A template's query is a walk, ``patient{P} >prescribed with> medication{M} >has reason> disease?``:
``type{SLOT}`` is filled from the records, ``type?`` is the answer, ``>relation>`` goes along an
edge,
``<relation<`` against it, ``~relation~`` either way, ``*`` is any type, ``value[>N]`` and
``date[in Y]`` test a name. Clauses after `` ; `` constrain the answer further. Each wording is
one template.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

from osler.errors import FormatError

_NODE = re.compile(
    r"^(?P<type>[^{}\[\]?]*?)(?:\{(?P<slot>\w+)\})?(?P<answer>\?)?(?:\[(?P<test>[^\]]+)\])?$"
)
_STEP = re.compile(r"\s+(?:>([^<>~]+)>|<([^<>~]+)<|~([^<>~]+)~)\s+")


@dataclass(frozen=True)
class Slot:
    """One node of a walk."""

    type: str
    slot: str = ""
    answer: bool = False
    test: tuple[str, str] | None = None


@dataclass(frozen=True)
class Walk:
    """Nodes, and between them (relation, direction): 1 along, -1 against, 0 either way."""

    nodes: tuple[Slot, ...]
    steps: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Template:
    id: str
    topic: str
    wording: str
    walks: tuple[Walk, ...]
    query: str
    aggregate: str = ""
    group: str = ""

    @property
    def answer_type(self) -> str:
        return next(node.type for node in self.walks[0].nodes if node.answer)

    @property
    def topic_slot(self) -> str:
        """The slot of the topic entity: the first one of the walk (section 4.1)."""
        return next(node.slot for node in self.walks[0].nodes if node.slot)


def read_walk(text: str) -> Walk:
    pieces = _STEP.split(text.strip())
    nodes: list[Slot] = []
    steps: list[tuple[str, int]] = []
    for at in range(0, len(pieces), 4):
        match = _NODE.match(pieces[at].strip())
        if match is None or not match.group("type"):
            raise FormatError(f"a template's query cannot be read at {pieces[at]!r}")
        test = None
        if match.group("test"):
            operator, slot = re.match(r"(>=|<=|[<>=]|\w+ )\s*(\w+)", match.group("test")).groups()  # type: ignore[union-attr]
            test = (operator.strip(), slot)
        nodes.append(
            Slot(
                match.group("type").strip(),
                match.group("slot") or "",
                bool(match.group("answer")),
                test,
            )
        )
        if at + 3 < len(pieces):
            along, against, either = pieces[at + 1 : at + 4]
            relation = along or against or either
            steps.append((relation, 1 if along else -1 if against else 0))
    return Walk(tuple(nodes), tuple(steps))


def read_templates(topic: str) -> list[Template]:
    """The templates of one topic, in the order of its file."""
    import yaml

    text = (files(__package__) / f"{topic}.yaml").read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    result: list[Template] = []
    for number, group in enumerate(data["templates"], 1):
        walks = tuple(read_walk(part) for part in group["query"].split(";"))
        for wording in group["wordings"]:
            result.append(
                Template(
                    id=f"{topic}-{len(result) + 1:03d}",
                    topic=topic,
                    wording=wording,
                    walks=walks,
                    query=group["query"],
                    aggregate=group.get("aggregate", ""),
                    group=f"{topic}/{number}",
                )
            )
    return result
