"""What a collection itself says that its things are called.

A pair may tell what it is about (``focus``) and what else that goes by (``synonyms``, between
bars), as MedQuAD does. These are a terminology of the collection's own: rare diseases, of which no
other need know.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from osler.kinds import Entity, Pair
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.match.known import Known
from osler.match.splits import key

FOCUS, SYNONYMS = "focus", "synonyms"
BETWEEN = "|"
_ASIDE = re.compile(r"\s*\((?:also known as |also called )?([^()]+)\)", re.IGNORECASE)
SHARED = 2
"""Things that may go by one name: what more of them are called is what kind they are of."""
Names = dict[str, list[str]]


def names_in(pairs: Iterable[Pair], known: Mapping[str, list[str]] | None = None) -> Names:
    """The other names of each focus, with those that are known."""
    names = {focus: list(others) for focus, others in (known or {}).items()}
    for pair in pairs:
        focus = pair.metadata.get(FOCUS, "").strip()
        others = [one.strip() for one in pair.metadata.get(SYNONYMS, "").split(BETWEEN)]
        others += asides(focus)
        if focus and any(others):
            held = names.setdefault(focus, [])
            held += [one for one in dict.fromkeys(others) if one and one not in held]
    return names


def asides(focus: str) -> list[str]:
    """The names that a heading holds: of "Parasites - Ascariasis (also known as Roundworm)" its
    last part without what is in brackets, and what is in brackets."""
    bare = _ASIDE.sub("", focus).split(" - ")[-1].strip()
    return [name for name in (bare, *_ASIDE.findall(focus)) if name and name != focus]


def terminology_of(names: Mapping[str, list[str]]) -> Known | None:
    """The names as a graph with its linker; None where there are none."""
    things: dict[str, tuple[str, list[str]]] = {}
    for focus, others in names.items():
        # One thing may be written in two ways.
        things.setdefault(key(focus), (focus, []))[1].extend(others)
    shared = Counter(one for _, others in things.values() for one in {key(name) for name in others})
    entities = [
        Entity(
            id=f"own:{at}",
            name=focus,
            synonyms=tuple(
                name
                for name in dict.fromkeys(others)
                if shared[key(name)] <= SHARED and key(name) != at
            ),
        )
        for at, (focus, others) in things.items()
    ]
    if not entities:
        return None
    graph = Graph.build(entities)
    return Known(graph, Linker.build(graph))
