"""OBO, the flat format of ontologies (OBO Flat File Format 1.2/1.4): HPO, MONDO, DOID, GO."""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Note, Reject, Triple
from osler.knowledge.ids import canonical
from osler.knowledge.readers._common import settle

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(.)")
_STANZA = re.compile(r"\[(?:Term|Typedef)\]\s*\nid: ?\S+:\S+")
_COMMENT = re.compile(r"\s!\s.*$|\s*\{[^{}]*\}\s*$")

Tags = dict[str, list[str]]


@readers.register("obo")
class OBO(Reader):
    """Terms with name, synonyms, is_a, xrefs, alternative ids and definition.

    Obsolete terms are left out, and a note counts them: they are no fault. An
    alternative id becomes an xref, so that annotations made with it still find the term.
    ``relationship`` lines become triples.
    """

    name = "obo"
    help = "an ontology in OBO format, such as HPO's hp.obo"
    gives = "terminology"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        start = head.text
        if "format-version:" in start[:2000] and "\n[" in start:
            return True
        # Some tools write the stanzas alone.
        return bool(_STANZA.match(start.lstrip()))

    def read(self, source: Source) -> Iterator[Item]:
        self.obsolete = 0
        self.triples: list[Triple] = []
        self.rejects: list[Reject] = []
        ids: set[str] = set()
        for item in settle(self._terms(source), source.name):
            if isinstance(item, Entity):
                ids.add(item.id)
            yield item
        yield from self.rejects
        for triple in self.triples:
            if triple.tail in ids and triple.head in ids:
                yield triple
            else:
                # Logical definitions reach into other ontologies; the graph holds this one only.
                reason = "a relationship leads out of the file"
                yield Reject(source.name, f"term {triple.head}", reason)
        if self.obsolete:
            reason = "terms that are obsolete are not read"
            yield Note(source.name, "the whole file", "skipped", reason, count=self.obsolete)

    def _terms(self, source: Source) -> Iterator[tuple[str, Entity]]:
        for number, stanza, tags in _stanzas(source, self.rejects):
            if stanza != "Term":
                continue
            if tags.get("is_obsolete", [""])[0].lower().startswith("true"):
                self.obsolete += 1
                continue
            id = canonical(_bare(tags.get("id", [""])[0]))
            for line in tags.get("relationship", []):
                parts = _bare(line).split()
                if len(parts) >= 2:
                    self.triples.append(Triple(id, parts[0], canonical(parts[1]), source.name))
            yield f"line {number}", _entity(id, tags)


def _entity(id: str, tags: Tags) -> Entity:
    name = tags.get("name", [""])[0].strip()
    synonyms = dict.fromkeys(text for line in tags.get("synonym", []) if (text := _quoted(line)))
    synonyms.pop(name, None)
    xrefs = [canonical(_bare(line).split(" ")[0]) for line in tags.get("xref", []) if line.strip()]
    xrefs += [canonical(_bare(line)) for line in tags.get("alt_id", [])]
    return Entity(
        id=id,
        name=name,
        type=tags.get("namespace", [""])[0].strip() or _type(id),
        synonyms=tuple(synonyms),
        definition=_quoted(tags.get("def", [""])[0]),
        parents=tuple(canonical(_bare(line)) for line in tags.get("is_a", [])),
        xrefs=tuple(dict.fromkeys(x for x in xrefs if ":" in x)),
        language="en",
    )


def _type(id: str) -> str:
    known = {"HP": "Phenotype", "MONDO": "Disease", "DOID": "Disease"}
    return known.get(id.partition(":")[0], "")


def _bare(value: str) -> str:
    """A value without its trailing comment and modifiers."""
    return _COMMENT.sub("", _COMMENT.sub("", value)).strip()


def _quoted(value: str) -> str:
    match = _QUOTED.search(value)
    return _ESCAPE.sub(r"\1", match.group(1)).strip() if match else ""


def _stanzas(source: Source, rejects: list[Reject]) -> Iterator[tuple[int, str, Tags]]:
    stanza, begun = "", 0
    tags: Tags = {}
    for number, line in source.lines():
        if line is None:
            rejects.append(Reject(source.name, f"line {number}", "not UTF-8"))
            continue
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            if stanza:
                yield begun, stanza, tags
            stanza, begun, tags = line[1:-1], number, {}
        elif stanza and ": " in line and not line.startswith("!"):
            tag, _, value = line.partition(": ")
            tags.setdefault(tag, []).append(value)
    if stanza:
        yield begun, stanza, tags
