"""What stands around a concept, opened in place: neighbours of neighbours, what was hidden or
pinned, and where each edge comes from. All of it stands in the address, so that a picture can be
linked and every step taken back."""

from __future__ import annotations

from typing import NamedTuple

from osler.explain.marks_html import kind_of
from osler.explain.tree_svg import Act, Branch, Leaf, few, tree
from osler.serve.page import entity_link, link
from osler.serve.reader import Reader
from osler.store.graph_rows import GraphRows
from osler.verbs.graph import Concept, EntityRequest, WholeEntity, entity

AROUND = 12
"""Entities that are drawn for one relation."""
OPENED = 8
"""Entities that are opened in place, at most."""
INSIDE = 6
"""Entities that are drawn for one relation of one that was opened."""
BELOW = "below it"


class Drawn(NamedTuple):
    """The state of a picture, as it stands in the address."""

    entity: str
    opened: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()

    @property
    def href(self) -> str:
        return link(
            "/graph",
            entity=self.entity,
            open_=list(self.opened),
            hide=list(self.hidden),
            pin=list(self.pinned),
        )

    def without(self, name: str, id: str) -> Drawn:
        return self._with(name, tuple(one for one in getattr(self, name) if one != id))

    def with_(self, name: str, id: str) -> Drawn:
        return self._with(name, (*(one for one in getattr(self, name) if one != id), id))

    def _with(self, name: str, ids: tuple[str, ...]) -> Drawn:
        return Drawn(**{**self._asdict(), name: ids})


class Origin(NamedTuple):
    """An edge in words, and where it comes from."""

    edge: str
    files: str


class Around:
    """Draws the state."""

    def __init__(self, reader: Reader, drawn: Drawn) -> None:
        self.reader = reader
        self.drawn = drawn
        self.rows = GraphRows(reader.truth)
        self.origins: list[Origin] = []
        self._seen: set[str] = set()

    def picture(self, found: WholeEntity) -> str:
        """The entity, its relations, what they lead to, and what was opened of that."""
        id = found.entity.id
        self._seen = {id}
        acts = (self._pin(id, found.entity.name),)
        root = Leaf(found.entity.name, kind_of(found.entity.type), acts=acts)
        branches = self._branches(found, AROUND)
        return tree(root, branches, about=f"What stands around {found.entity.name}")

    def _branches(self, found: WholeEntity, most: int) -> list[Branch]:
        edges: dict[str, list[tuple[Concept, str]]] = {}
        file = self.rows.entity_file(found.entity.id)
        for parent in found.parents:
            edges.setdefault("is a", []).append((parent, file))
        me = found.entity
        triples = [
            (e.entity.id, e.relation, me.id) if e.inverse else (me.id, e.relation, e.entity.id)
            for e in found.neighbours[: 10 * most]
        ]
        origins = self.rows.origins(triples)
        for edge, triple in zip(found.neighbours, triples, strict=False):
            name = f"{edge.relation} (of)" if edge.inverse else edge.relation
            edges.setdefault(name, []).append((edge.entity, "; ".join(origins[triple])))
        for child in found.children:
            edges.setdefault(BELOW, []).append((child, ""))
        branches = []
        for relation, ends in edges.items():
            shown = [(one, files) for one, files in ends if one.id not in self.drawn.hidden]
            leaves = few([self._leaf(one) for one, _ in shown[: most + 1]], most)
            if len(shown) > most:
                leaves[-1] = Leaf(f"and {len(shown) - most + 1:,} more")
            files = dict.fromkeys(file for _, file in shown[:most] if file)
            branches.append(Branch(relation, leaves, "; ".join(files)))
            self.origins += [
                Origin(f"{me.name} {relation} {one.name}", files)
                for one, files in shown[:most]
                if files
            ]
        return branches

    def _leaf(self, one: Concept) -> Leaf:
        opened = one.id in self.drawn.opened and one.id not in self._seen
        branches: tuple[Branch, ...] = ()
        if opened:
            self._seen.add(one.id)
            inside = entity(self.reader, EntityRequest(entity=one.id, k=60))
            branches = tuple(self._branches(inside, INSIDE))
        return Leaf(
            one.name,
            kind_of(one.type),
            entity_link(one.id),
            acts=self._acts(one, opened),
            branches=branches,
        )

    def _acts(self, one: Concept, opened: bool) -> tuple[Act, ...]:
        if opened:
            turn = Act("−", f"Close {one.name}", self.drawn.without("opened", one.id).href)
        else:
            turn = Act("+", f"Open {one.name} here", self.drawn.with_("opened", one.id).href)
        hide = Act("×", f"Hide {one.name}", self.drawn.with_("hidden", one.id).href)
        return turn, hide, self._pin(one.id, one.name)

    def _pin(self, id: str, name: str) -> Act:
        if id in self.drawn.pinned:
            return Act("★", f"Unpin {name}", self.drawn.without("pinned", id).href)
        return Act("☆", f"Pin {name}", self.drawn.with_("pinned", id).href)


def drawn_of(entity: str, opened: list[str], hidden: list[str], pinned: list[str]) -> Drawn:
    """The state of an address, within limits."""
    return Drawn(entity, tuple(opened[-OPENED:]), tuple(hidden[-50:]), tuple(pinned[-10:]))
