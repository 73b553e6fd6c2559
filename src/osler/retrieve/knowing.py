"""A library's knowledge on disk: graph, linker and concept postings, derived from the truth.

They follow the truth by number: a change of the terminologies makes all three again, in a folder
of its own, and links every document; a change of documents links those alone. A small
state file, replaced as a whole, says which folder counts: until then the old one answers.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from osler.errors import DamageError, MissingModel, OslerError
from osler.files.removal import remove_folder
from osler.knowledge.dictionary import VERSION as DICTIONARY
from osler.knowledge.graph import Graph
from osler.knowledge.linker import VERSION as LINKER
from osler.knowledge.linker import Linker
from osler.retrieve.concepts import ConceptIndex, Knowledge
from osler.retrieve.mentions import Headings, Mentions, entries_of
from osler.store.documents import Change, Documents
from osler.store.graph_rows import KNOWLEDGE, GraphRows
from osler.store.layout import Count, write_json
from osler.store.truth import storage_errors
from osler.store.verify import ASTRAY

Progress = Callable[[str, int], None]
Link = Callable[[Path, Iterable[list[Change]]], Iterator[tuple[list[Change], Mentions]]]
_PAGE = 2_000
_SMALL = 250
"""Documents that are linked together where several link at a time."""
FORMAT = f"1.{LINKER}.{DICTIONARY}"
"""Of the arrays and of the linker's rules: what another one made is made again."""


class _State(msgspec.Struct, frozen=True):
    """Which folder counts, and up to which change of the documents it goes."""

    format: str
    terminology: Count
    documents: Count
    mark: str = ""
    """The truth's marks at these two changes (see ``osler.store.marks``)."""
    place: str = ""
    """The folder's name; the number of the terminology where none is given."""

    @property
    def folder(self) -> str:
        return self.place or str(self.terminology)

    @property
    def terms(self) -> tuple[str, int, str, str]:
        """What graph and linker were made from, and where they lie."""
        return self.format, self.terminology, self.mark.partition("/")[0], self.folder


_NOTHING = _State(FORMAT, 0, 0)
WHAT = "the index of concepts"


class Knowing:
    """Keeps ``graph``, ``linker`` and ``concepts`` in a folder of its own."""

    def __init__(self, folder: Path, documents: Documents, graphs: GraphRows) -> None:
        self.folder = folder
        self.documents = documents
        self.graphs = graphs
        self._held: Knowledge | None = None
        self._stamp: _State | None = None

    def terminology(self) -> int:
        """The number of the last change to the library's terminologies; 0 where there are none."""
        return self.graphs.last_seq(KNOWLEDGE)

    def load(self) -> Knowledge | None:
        """What is on disk; None where the library has no terminology, or was not linked yet."""
        while True:
            stamp = self._noted()
            if not stamp.terminology:
                return None
            if self._held is not None and stamp == self._stamp:
                return self._held
            try:
                self._held, self._stamp = self._load(stamp), stamp
            except DamageError:
                # A writer that took a newer terminology in has just cleared the old folder away.
                if self._noted() == stamp:
                    raise

    def _load(self, stamp: _State) -> Knowledge:
        place = self.folder / stamp.folder
        if self._held is not None and self._stamp is not None and stamp.terms == self._stamp.terms:
            # Documents came or went: graph and linker, which take longest, are the same.
            graph, linker = self._held.graph, self._held.linker
        else:
            graph = Graph.load(place / "graph", check=False)
            linker = Linker.load(place / "linker")
        return Knowledge(graph, linker, ConceptIndex.load(place / "concepts", graph, check=False))

    def _new_place(self, terminology: int) -> Path:
        """An empty folder for arrays that are made beside those in force."""
        name = str(terminology)
        if self._noted().folder == name:
            name += "-anew"
        remove_folder(self.folder / name)
        return self.folder / name

    @property
    def _state(self) -> Path:
        return self.folder / "state.json"

    def _noted(self) -> _State:
        try:
            state = msgspec.json.decode(self._state.read_bytes(), type=_State)
        except (OSError, ValueError):
            return _NOTHING
        return state if state.format == FORMAT else _NOTHING

    def _applied(self) -> tuple[int, int]:
        """Up to which changes of terminologies and of documents the postings go."""
        state = self._noted()
        return state.terminology, state.documents

    def _mark(self, terminology: int, documents: int) -> str | None:
        """The truth's marks at two changes; None where it does not know one of them."""
        marks = [self.documents.truth.mark(seq) for seq in (terminology, documents) if seq]
        return None if None in marks else "/".join(mark or "" for mark in marks).strip("/")

    def astray(self) -> dict[str, int]:
        """As of an engine: whether this was derived from another state of the truth."""
        state = self._noted()
        if not state.terminology:
            return {}
        held = self._mark(state.terminology, state.documents)
        return {} if held == state.mark else {WHAT: max(state.terminology, state.documents)}

    def stamp(self) -> tuple[int, int]:
        """Changes when ``load`` would give something else."""
        return self._applied()

    def linked_up_to(self) -> int:
        """The last change of documents that the postings hold; 0 where nothing is linked."""
        return self._applied()[1]

    def erase(self) -> None:
        """Drop everything derived; ``catch_up`` makes it again."""
        remove_folder(self.folder)
        self._held = None

    def copy(self, folder: Path) -> None:
        """A copy of what is on disk, for somebody who only reads. The state file comes last: until
        then the folder holds nothing."""
        state = self._noted()
        if not state.terminology:
            raise MissingModel(
                "the library is not linked to a terminology yet", cure="osler add one, such as MeSH"
            )
        shutil.copytree(self.folder / state.folder, folder / state.folder, dirs_exist_ok=True)
        shutil.copy(self._state, folder / self._state.name)

    def check(self) -> Iterator[str]:
        """What is damaged, one line each."""
        state = self._noted()
        if not state.terminology:
            return
        place = self.folder / state.folder
        try:
            graph = Graph.load(place / "graph", check=True)
            Linker.load(place / "linker")
            ConceptIndex.load(place / "concepts", graph, check=True)
        except OslerError as error:
            yield f"knowledge: {error.message}"
        except (OSError, ValueError, KeyError) as error:
            yield f"knowledge: it cannot be read ({type(error).__name__})"
        for what in self.astray():
            yield f"{what}: {ASTRAY}"

    def behind(self, last_document: int) -> bool:
        terminology = self.terminology()
        return bool(terminology) and self._applied() != (terminology, last_document)

    def catch_up(
        self, progress: Progress | None = None, *, link: Link | None = None, anew: bool = False
    ) -> int:
        """Bring everything up to the truth; how many documents were linked. The caller holds the
        writer's lock. ``anew`` makes everything again, beside what is there. ``link`` links pages
        in their order: somewhere else, perhaps several at a time, by the graph and the linker that
        it finds in a folder."""
        terminology = self.terminology()
        if not terminology:
            if anew:
                self.erase()
            return 0
        known, after = self._applied()
        before = self.folder / self._noted().folder
        fresh = anew or known != terminology
        place = self._new_place(terminology) if fresh else before
        if fresh:
            graph = Graph.build(self.graphs.entities(), self.graphs.triples())
            linker = Linker.build(graph.entities())
            after = 0
            # Not in force before the state file says so: whoever links may need them on disk.
            with storage_errors("the library's knowledge"):
                place.mkdir(parents=True, exist_ok=True)
            graph.save(place / "graph")
            linker.save(place / "linker")
        else:
            held = self.load()
            if held is None:
                return 0
            graph, linker = held.graph, held.linker
        headings = Headings(graph)
        parts: list[Mentions] = []
        gone: list[int] = []
        last, done = after, 0
        linked = (
            link(place, self._pages(after, _SMALL))
            if link is not None
            else (
                (page, self._link(page, graph, linker, headings))
                for page in self._pages(after, _PAGE)
            )
        )
        for changes, mentions in linked:
            parts.append(mentions)
            gone.extend(change.row for change in changes if change.document is None)
            last = changes[-1].seq
            done += len(changes)
            if progress:
                progress("concepts", done)
        if not fresh and last == after:
            return 0
        newer = Mentions.joined(parts)
        old = None if fresh else ConceptIndex.load(place / "concepts", graph, check=False)
        if old is not None:
            newer = old.mentions.updated(newer, gone)
        index = ConceptIndex.build(newer, graph, version=linker.version, former=old)
        index.save(place / "concepts")
        mark = self._mark(terminology, last) or ""
        state = _State(FORMAT, terminology, last, mark, place.name)
        write_json(self._state, msgspec.to_builtins(state))
        if known and fresh:
            remove_folder(before)
        if fresh:
            self._held = None
        return done

    def _pages(self, after: int, size: int) -> Iterator[list[Change]]:
        while changes := self.documents.changes(after, limit=size):
            yield changes
            after = changes[-1].seq

    @staticmethod
    def _link(
        changes: Sequence[Change], graph: Graph, linker: Linker, headings: Headings
    ) -> Mentions:
        """The mentions of one page of changes, packed: as tuples they would fill the memory."""
        return Mentions.of(
            (change.row, change.seq, entries_of(change.document, graph, linker, headings))
            for change in changes
            if change.document is not None
        )
