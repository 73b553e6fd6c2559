"""What the two ends of a fact stand for in the library's graph. A name of several things is asked
back, with the things that it may be: to give the id of one says which is meant."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from osler.errors import AmbiguousName, Namesake
from osler.grade.pair import Fact
from osler.knowledge.namesakes import namesakes

if TYPE_CHECKING:
    from osler.library import Library
    from osler.retrieve.concepts import Knowledge

MOST_NAMES = 20
END = "end"


def resolved(library: Library, head: str, relation: str, tail: str, notes: list[str]) -> Fact:
    """The fact with all names that the graph has for its entities; ``notes`` says what is unknown
    and which ids were taken as one thing. An end that names different things is asked back."""
    known = library.knowledge
    ends = []
    for part, given in (("head", head), ("tail", tail)):
        ids, names = _entity(library, given, part)
        if known is not None and not ids:
            notes.append(f"{given!r} is no entity of the graph: it is looked for by its words")
        elif known is not None and (several := unmapped(library, given)):
            listed = ", ".join(one.id for one in several)
            notes.append(f"{given!r} is {listed}, taken as one thing by their names")
        ends.append((ids, names))
    if known is None:
        notes.append("the library has no graph: entities are looked for by their words")
    elif relation not in known.graph.relations:
        near = difflib.get_close_matches(relation, known.graph.relations, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        notes.append(f"the graph has no relation {relation!r}{hint}")
    (head_ids, head_names), (tail_ids, tail_names) = ends
    return Fact(
        head=head_names[0],
        relation=relation,
        tail=tail_names[0],
        head_names=head_names[1:],
        tail_names=tail_names[1:],
        head_ids=head_ids,
        tail_ids=tail_ids,
    )


def _entity(library: Library, given: str, part: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ids and names of an entity that is given by its id or a name; the given one comes first."""
    known = library.knowledge
    if known is None:
        return (), (given,)
    graph = known.graph
    first = one_thing(library, given, part=part)
    ids = dict.fromkeys(id for one in first for id in (one, *graph.same(one)))
    names = [name for id in ids for name in graph.names(id)]
    if given not in graph:
        names.insert(0, given)
    unique = dict.fromkeys(name for name in names if name)
    return tuple(ids), tuple(unique)[:MOST_NAMES] or (given,)


def shown_name(library: Library, given: str) -> str:
    """What a person is shown for an end: an id's preferred name, a name as it was typed."""
    known = library.knowledge
    return known.graph.name(given) if known is not None and given in known.graph else given


def one_thing(library: Library, given: str, *, part: str = END) -> list[str]:
    """The ids of the thing that a name or id stands for, none where the graph has no such thing.
    A name of different things is asked back."""
    known = library.knowledge
    if known is None:
        return []
    things = namesakes(known.graph, given)
    if len(things) > 1:
        raise _asked(known, given, part, things)
    return things[0] if things else []


def one_entity(library: Library, given: str, *, part: str = END) -> str | None:
    """The one id of what a name or id stands for, to be kept or handed on; None where the graph
    has no such thing. A name of several ids that no xref joins is asked back."""
    known = library.knowledge
    if known is None:
        return None
    things = namesakes(known.graph, given, mapped_only=True)
    if len(things) > 1:
        raise _asked(known, given, part, things)
    return things[0][0] if things else None


def unmapped(library: Library, given: str) -> list[Namesake]:
    """The ids of a name that no xref joins, where there are several: one of them must be chosen
    before an id is kept or leaves."""
    known = library.knowledge
    if known is None:
        return []
    things = namesakes(known.graph, given, mapped_only=True)
    return _listed(known, things) if len(things) > 1 else []


def _asked(known: Knowledge, given: str, part: str, things: list[list[str]]) -> AmbiguousName:
    return AmbiguousName(given, part, _listed(known, things))


def _listed(known: Knowledge, things: list[list[str]]) -> list[Namesake]:
    graph = known.graph
    return [Namesake(ids[0], graph.name(ids[0]), graph.type(ids[0])) for ids in things]
