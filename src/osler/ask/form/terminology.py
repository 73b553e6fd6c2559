"""What a library's terminologies know of a phrase: narrower concepts, the members of a class.

A phrase is looked up by any of its names, in whichever language a terminology has. Taken in are the
concept, everything below it (by tree numbers or is-a), the same in other terminologies, and for a
class of drugs those that an action or class leads to. They meet the facts' names by code, by a
whole name, or, for drugs, by the ingredient. Nothing is cut off.
"""

from __future__ import annotations

from collections.abc import Iterable

from osler.ask.form.tokens import name_words
from osler.ask.form.vocabulary import SMALL, Match, Name, only_about
from osler.knowledge.graph import Graph

# Relations by which a drug belongs to a class, as terminologies and graphs call them.
_MEMBERS = (
    "pharmacological action",
    "has pharmacological action",
    "has class",
    "member of",
    "action",
)
_SYSTEMS = {
    "snomed": ("sctid", "snomed", "snomedct", "snomedct_us", "sct"),
    "rxnorm": ("rxnorm", "rxcui"),
    "loinc": ("loinc", "lnc"),
    "mesh": ("mesh", "msh"),
    "icd": ("icd10", "icd10cm", "icd9", "icd9cm"),
}
KINDS = ("condition", "medication", "procedure", "allergy")
"""Kinds whose narrower names are asked for; a result must be named itself."""


class Below:
    """A concept of a terminology with all that belongs to it, as words and codes."""

    def __init__(self, graph: Graph, ids: Iterable[str], name: str) -> None:
        self.name = name
        self.words: set[frozenset[str]] = set()
        self.parts: dict[str, list[frozenset[str]]] = {}
        self.ingredients: set[str] = set()
        self.codes: set[tuple[str, str]] = set()
        for id in ids:
            entity = graph.entity(id)
            for one in (entity.name, *entity.synonyms):
                words = name_words(one)
                whole = frozenset(words) - SMALL
                if whole:
                    self.words.add(whole)
                    if all(len(word) > 3 for word in whole):
                        self.parts.setdefault(min(whole), []).append(whole)
                if len(words) == 1 and len(words[0]) > 4:
                    self.ingredients.add(words[0])
            for code in (id, *entity.xrefs):
                prefix, _, rest = code.partition(":")
                if rest:
                    self.codes.add((_system(prefix), rest))

    def holds(self, name: Name) -> bool:
        """Whether a name of the facts belongs here."""
        if any((_system(system), code) in self.codes for system, code in name.codes):
            return True
        if frozenset(name_words(name.text)) - SMALL in self.words:
            return True
        if name.kind == "medication":
            return not self.ingredients.isdisjoint(name.words)
        # A narrower name that holds a whole name from below: viral sinusitis is sinusitis.
        return not only_about(name.text) and any(
            part <= name.words for word in name.words for part in self.parts.get(word, ())
        )


class Terminology:
    """Looks phrases up in a graph; what was found is kept."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._kept: dict[str, Below | None] = {}

    def below(self, text: str) -> Below | None:
        """Everything under the concepts that bear a name; None where nobody bears it."""
        if text not in self._kept:
            self._kept[text] = self._below(text)
        return self._kept[text]

    def _below(self, text: str) -> Below | None:
        own = self.graph.lookup(text)
        if not own:
            return None
        narrower: dict[str, None] = {}
        for id in own:
            for same in (id, *self.graph.same(id)):
                narrower.update(dict.fromkeys(self.graph.branch(same)))
        for id in list(narrower):
            for relation in _MEMBERS:
                steps = self.graph.neighbours(id, relation=relation, direction="in")
                narrower.update(dict.fromkeys(step.entity for step in steps))
        return Below(self.graph, narrower, self.graph.name(own[0]))

    def knows(self, text: str) -> bool:
        return bool(self.graph.lookup(text))

    def matches(self, text: str, names: Iterable[Name]) -> list[Match]:
        """The facts' names that a phrase takes in, by kind."""
        below = self.below(text)
        if below is None:
            return []
        by_kind: dict[str, Match] = {}
        for name in names:
            if name.kind in KINDS and below.holds(name):
                match = by_kind.setdefault(name.kind, Match(name.kind, how=f"below {below.name}"))
                match.names.append(name.key)
        return list(by_kind.values())


def _system(name: str) -> str:
    """One word for a code system, however a file or a terminology spells it."""
    plain = name.casefold()
    for system, spellings in _SYSTEMS.items():
        if plain in spellings or system in plain:
            return system
    return plain
