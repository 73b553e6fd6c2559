"""FHIR R4: bundles, single resources and NDJSON (one resource a line), a file or a folder of them.

Read twice, entry by entry: first who and what the references point at (``fhir_ward``), then the
facts (``fhir_resources``) with the graph of those that are true (``records.derive``). A folder is
one source: a drug in one file is found by a prescription in another. A patient whom no resource
describes is known by reference only and never taken for somebody else. Types that are not read are
counted and named.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Fact, FactSource, Note, Reject, Triple
from osler.records.building import referred
from osler.records.derive import of_fact, of_person
from osler.records.ids import key_of, node_id
from osler.records.naming import source_name
from osler.records.readers.fhir_case import Case
from osler.records.readers.fhir_more import DIRECTORY, MORE, called, in_words, other
from osler.records.readers.fhir_person import person
from osler.records.readers.fhir_resources import WRITERS
from osler.records.readers.fhir_stream import INNER, Entry, entries
from osler.records.readers.fhir_values import Malformed
from osler.records.readers.fhir_ward import Owner, Ward, digest
from osler.settings import MAX_NAME

READ = WRITERS | MORE
MAX_TEXT = 2_000
"""Characters of a resource that are kept beside its fact, to be shown."""
_ASIDE = ("text", "meta", "contained", "resourceType", "id")


@readers.register("fhir")
class Fhir(Reader):
    name = "fhir"
    help = "FHIR R4 bundle or resource (JSON), or NDJSON, one resource a line; a file or a folder"
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        if head.is_folder:
            plain = [n.removesuffix(".gz") for n in head.names]
            return any(n.endswith(".ndjson") for n in plain) or all(
                n.endswith(".json") for n in plain
            )
        start = head.text.lstrip()
        return start.startswith(("{", "[")) and '"resourceType"' in start

    def read(self, source: Source) -> Iterator[Item]:
        ward = Ward(source_name(self.options, source))
        files = [source]
        if source.is_folder:
            paths = [p for p in sorted(source.path.rglob("*")) if _is_json(p.name)]
            files = [Source(p, name=p.relative_to(source.path).as_posix()) for p in paths]
        broken: dict[str, FormatError] = {}
        order = 0
        for file in files:
            try:
                for entry in entries(file):
                    order += 1
                    ward.learn(entry, order)
            except FormatError as error:
                # What stands before the break is read; the break is told where it is met.
                broken[file.name] = error
        ward.learned()
        round = Round(ward)
        for file in files:
            try:
                for entry in entries(file):
                    yield from round.items(entry)
            except FormatError as error:
                if not source.is_folder:
                    yield from round.rest()
                    raise
                yield Reject(file.name, "the file", error.message)
        yield from round.rest()


class Round:
    """The second reading: each entry gives its facts and their graph, a note, or a reject."""

    def __init__(self, ward: Ward) -> None:
        self.ward = ward
        self._order = 0
        self._referred: set[str] = set()
        self._unread: Counter[tuple[str, str]] = Counter()
        self._names: Counter[tuple[str, str]] = Counter()
        self._sent: set[str] = set()

    def items(self, entry: Entry) -> Iterator[Item]:
        self._order += 1
        resource = entry.resource
        if resource is None:
            if entry.method:
                reason = f"{entry.why}: {entry.method} is a request, not a record"
                yield Note(entry.file, entry.place, "skipped", reason)
            elif entry.why.startswith("a response"):
                yield Note(entry.file, entry.place, "skipped", entry.why)
            elif entry.bundle == INNER:
                yield Note(entry.file, entry.place, "merged", entry.why)
            else:
                yield Reject(entry.file, entry.place, entry.why)
            return
        kind = resource["resourceType"]
        if not self.ward.is_last(entry, self._order):
            reason = "another version of this resource is the latest in the source"
            yield Note(entry.file, entry.place, "replaced", reason, entry.id)
            return
        try:
            items = list(self._read(entry, kind))
        except (Malformed, AttributeError, TypeError, ValueError, KeyError, IndexError):
            reason = f"a {kind} whose fields are not as FHIR R4 has them"
            yield Reject(entry.file, entry.place, reason, entry.id)
            return
        if not items:
            self._unread[entry.file, kind] += 1
        yield from items

    def _read(self, entry: Entry, kind: str) -> Iterator[Item]:
        resource = entry.resource or {}
        if kind in DIRECTORY:
            name = called(resource) or in_words(kind)
            id = f"source:{key_of(self.ward.source)}/{kind}/{key_of(self.ward.key(entry))}"
            yield Entity(id=id, name=name[: MAX_NAME.get()], type=in_words(kind))
            self._names[entry.file, kind] += 1
        elif kind == "Patient" or kind in READ or self._is_somebodys(entry):
            yield from self._facts(entry, kind)

    def _is_somebodys(self, entry: Entry) -> bool:
        """Whether a resource of another type is a patient's."""
        return not self.ward.whose(entry).nobody

    def rest(self) -> Iterator[Item]:
        """What was passed over, by type."""
        for (file, kind), count in self._unread.items():
            reason = f"resources of type {kind} are not read"
            yield Note(file, "the file", "skipped", reason, count=count)
        for (file, kind), count in self._names.items():
            reason = f"resources of type {kind} are kept as names that records refer to"
            yield Note(file, "the file", "merged", reason, count=count)
        self._unread.clear()
        self._names.clear()

    def _facts(self, entry: Entry, kind: str) -> Iterator[Fact | Entity | Triple]:
        resource = entry.resource or {}
        content = digest(resource)
        source = FactSource(file=entry.file, place=entry.place, text=_text(resource))
        if kind == "Patient":
            key = self.ward.key(entry)
            owner = Owner(self.ward.patient(key), key)
            facts = person(owner, resource, source=source, content=content)
            yield from facts
            yield from of_person(facts)
            return
        owner = self.ward.whose(entry)
        yield from self._introduced(owner, entry)
        case = Case(
            ward=self.ward,
            entry=entry,
            owner=owner,
            id=node_id(owner.id, kind, self.ward.key(entry)),
            content=content,
            source=source,
        )
        facts = list(READ.get(kind, other)(case))
        yield from facts
        for fact in facts:
            yield from self._once(of_fact(fact))

    def _introduced(self, owner: Owner, entry: Entry) -> Iterator[Fact | Entity | Triple]:
        """A patient without a resource of its own in the source, the first time it is met."""
        if owner.id in self._referred or not (owner.referred or owner.contained):
            return
        self._referred.add(owner.id)
        source = FactSource(file=entry.file, place=entry.place)
        if owner.contained is not None:
            content = digest(owner.contained)
            facts = person(owner, owner.contained, source=source, content=content)
            yield from facts
            yield from of_person(facts)
            return
        fact = referred(owner.id, owner.own, source=source, name=owner.name)
        yield fact
        yield from of_person([fact])

    def _once(self, items: Iterator[Entity | Triple]) -> Iterator[Entity | Triple]:
        """Dates, codes and values stand beside many facts: each is given once, as far back as is
        remembered."""
        for item in items:
            if isinstance(item, Entity):
                if item.id in self._sent:
                    continue
                if len(self._sent) > 50_000:
                    self._sent.clear()
                self._sent.add(item.id)
            yield item


def _text(resource: dict[str, Any]) -> str:
    said = {key: value for key, value in resource.items() if key not in _ASIDE}
    return json.dumps(said, ensure_ascii=False, default=str)[:MAX_TEXT]


def _is_json(name: str) -> bool:
    return name.removesuffix(".gz").endswith((".json", ".ndjson"))
