"""What a library holds: opened, read, kept ready. ``Library`` is built on it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from osler.errors import AwayError, InputError, LockedError, MissingModel, NeedsError, StorageError
from osler.settings import DEFAULT_ENCODER

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from osler.kinds import Document, Entity, Mention, Pair, Reject, Triple
    from osler.knowledge.graph import Graph
    from osler.knowledge.linker import Linker
    from osler.knowledge.paths import PathResult
    from osler.retrieve.concepts import Knowledge
    from osler.retrieve.knowing import Knowing
    from osler.retrieve.summaries.speaking import Speaker
    from osler.store.decisions import Decisions
    from osler.store.embedding import Embedding
    from osler.store.engine import Engine
    from osler.store.ingest import Progress
    from osler.store.layout import Layout
    from osler.store.ledger import Ledger
    from osler.store.lock import Lock
    from osler.store.models import Models
    from osler.text.encoder import Encoder
    from osler.text.team import Team

log = logging.getLogger(__name__)

T = TypeVar("T")

QUICKLY_LINKED = 2_000
"""Documents that may be linked while a library opens."""


class Shelf:
    """A folder on disk, open: its documents, graphs, vectors and models, and what is made of
    them."""

    def __init__(
        self, layout: Layout, engine: Engine, *, encoder: str | Encoder = DEFAULT_ENCODER
    ) -> None:
        from osler.store.documents import Documents
        from osler.store.engines import is_replica, stored
        from osler.store.graph_rows import GraphRows
        from osler.store.keeping import Kept
        from osler.store.truth import Truth

        self.layout = layout
        self.engine = engine
        self.kept = Kept()
        self.truth = Truth(layout.truth)
        self._documents = Documents(self.truth)
        self._graphs = GraphRows(self.truth)
        self._encoder = encoder
        engine.mark_of = self.truth.mark
        if is_replica(engine):
            self._documents, self._graphs = stored(engine, self.truth, self._snapshot_graph)

    @cached_property
    def ledger(self) -> Ledger:
        """Which files were read, and what came of them."""
        from osler.store.ledger import Ledger

        return Ledger(self.truth)

    @cached_property
    def decisions(self) -> Decisions:
        """What people decided: judgements, saved searches."""
        from osler.store.decisions import Decisions

        return Decisions(self.truth)

    @cached_property
    def _knowing(self) -> Knowing:
        from osler.retrieve.knowing import Knowing

        return Knowing(self.layout.knowledge, self._documents, self._graphs)

    def _snapshot_graph(self) -> Graph | None:
        knowledge = self._knowing.load()
        return knowledge.graph if knowledge is not None else None

    # -- what is kept ----------------------------------------------------------------------------

    @cached_property
    def models(self) -> Models:
        """The models that were trained into the library."""
        from osler.store.models import Models

        return Models(self.layout.models)

    @property
    def speaker(self) -> Speaker:
        """What gives each document the text that its vector stands for."""
        from osler.retrieve.summaries.speaking import MODEL, Speaker

        return self.keep("speaker", self.models.stamp(MODEL), lambda: Speaker(self.models))

    def keep(self, name: str, stamp: object, make: Callable[[], T]) -> T:
        """What is dear to make, made once for each ``stamp``: the state of what it is made of."""
        return self.kept.keep(name, stamp, make)

    def stamp(self, *tables: str) -> tuple[int, ...]:
        """The last change of each of some tables: ``documents``, ``pairs``, ``decisions``, or a
        graph (``knowledge``, ``records``). A stamp of what a thing is made of outlives changes of
        everything else: a mark of relevance throws no graph away."""
        return tuple(self._last(table) for table in tables)

    def _last(self, table: str) -> int:
        match table:
            case "documents":
                return self._documents.last_seq()
            case "pairs":
                return self._graphs.last_pair()
            case "decisions":
                return self.decisions.last_seq()
            case "records":
                from osler.store.facts import FactRows

                # Patients who are taken out leave no number behind: the facts count removals.
                return max(self._graphs.last_seq(table), FactRows(self.truth).last_seq())
        return self._graphs.last_seq(table)

    def knowledge_stamp(self) -> tuple[int, int]:
        """Up to which changes of terminologies and documents the knowledge on disk goes."""
        return self._knowing.stamp()

    def graph_stamp(self) -> int:
        """The same for graph and linker alone, which documents do not change."""
        return self._knowing.stamp()[0]

    def vector_stamp(self) -> int:
        """How many vectors there are to search by."""
        try:
            return self.engine.vector_count(self.encoder.fingerprint)
        except NeedsError:
            return 0

    # -- opening -------------------------------------------------------------------------------

    @classmethod
    def open(cls, path: str | Path, *, encoder: str | Encoder = DEFAULT_ENCODER) -> Self:
        """An existing library. What a kill left unfinished in derived indexes is caught up."""
        from osler.store.engines import engine_of
        from osler.store.layout import FORMAT, Layout

        layout = Layout(Path(path))
        card = layout.read_card()
        if int(card["format"]) != FORMAT:
            from osler.store.upgrade import upgraded

            card = upgraded(layout)
        library = cls(layout, engine_of(layout, card), encoder=encoder)
        library.catch_up()
        return library

    @property
    def path(self) -> Path:
        return self.layout.root

    def close(self) -> None:
        self.engine.close()
        self.truth.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _writing(self) -> Lock:
        from osler.store.engines import is_replica
        from osler.store.lock import Lock

        if is_replica(self.engine):
            raise InputError("a replica only reads", cure="write to the library that it is of")
        return Lock(self.layout.write_lock, what="writing to this library")

    def _making_vectors(self) -> Lock:
        from osler.store.lock import Lock

        return Lock(self.layout.embed_lock, what="making vectors for this library")

    def catch_up(self, progress: Progress | None = None) -> None:
        """Bring what is derived up to the truth, unless a writer is at it.

        Words are quick. Linking many documents is not: without somebody who watches the progress
        it is left to the next ``add``, and search says so.
        """
        from osler.retrieve.upkeep import astray, put_right, refusal
        from osler.store.engines import is_replica
        from osler.store.erasure import erase, pending

        names: dict[str, int] = {}
        try:
            names = {} if is_replica(self.engine) else astray(self.engine, self._knowing)
            unerased = not is_replica(self.engine) and pending(self.truth) is not None
            if not names and not unerased and not self._behind():
                return
            if names and not self.engine.mends:
                raise refusal(names)
            with self._writing():
                put_right(self.layout, self.truth, self.engine, self._knowing)
                self._catch_up(progress)
                if progress or self.unlinked() <= QUICKLY_LINKED:
                    self._knowing.catch_up(progress)
                if unerased:
                    # A removal was cut off before it had cleared everything away.
                    with self._making_vectors():
                        erase(self.layout, self.truth, self._documents, self.engine)
        except (LockedError, StorageError, AwayError) as error:
            if names:
                # Better no answer than one from indexes of another truth.
                raise refusal(names) from error
            away = isinstance(error, AwayError)
            log.log(
                logging.WARNING if away else logging.INFO,
                "the indexes stay as they are for now: %s",
                error,
            )

    def _behind(self) -> bool:
        last = self._documents.last_seq()
        return (
            not self.engine.settled() or self.engine.applied() < last or self._knowing.behind(last)
        )

    def linked(self) -> bool:
        """Whether documents are linked to a terminology."""
        return bool(self._knowing.linked_up_to())

    def awaits_linking(self) -> bool:
        """Whether there is a terminology to which no document is linked: it came when nobody was
        there to wait, or another version of the linker made the index, which is no longer read."""
        return not self.linked() and bool(self._knowing.terminology())

    def unlinked(self) -> int:
        """How many documents wait to be linked to the library's terminologies."""
        return self._documents.waiting(self._knowing.linked_up_to())

    def _catch_up(self, progress: Progress | None = None) -> None:
        after = self.engine.applied()
        done = 0
        while changes := self._documents.changes(after, limit=2_000):
            self.engine.apply(changes)
            after = changes[-1].seq
            done += len(changes)
            if progress:
                progress("words", done)
        if done or not self.engine.settled():
            self.engine.commit(after)

    # -- reading -------------------------------------------------------------------------------

    def document(self, id: str) -> Document:
        """By id, PMID, DOI or PMCID."""
        return self._documents.get(id)

    def page(self, *, offset: int = 0, limit: int, after: str = "") -> list[str]:
        """Ids of documents in their order, a page of them; ``after`` an id where one is given."""
        return self._documents.page(offset=offset, limit=limit, after=after)

    def by_rows(self, rows: Sequence[int]) -> dict[int, Document]:
        """Documents that are there, by the row that a hit has."""
        return self._documents.by_rows(rows)

    def documents(self, ids: Iterable[str] | None = None) -> Iterator[Document]:
        return self._documents.all(ids)

    def entities(self, graph: str = "knowledge") -> Iterator[Entity]:
        return self._graphs.entities(graph)

    def entity(self, id: str, graph: str = "knowledge") -> Entity:
        return self._graphs.entity(id, graph)

    def triples(self, graph: str = "knowledge") -> Iterator[Triple]:
        return self._graphs.triples(graph)

    def pairs(self, after: int = 0) -> Iterator[Pair]:
        """All question-answer pairs, or those that were added or changed after a number."""
        return self._graphs.pairs(after)

    def pairs_of(self, ids: Sequence[str]) -> dict[str, Pair]:
        """Some question-answer pairs, by id."""
        return self._graphs.pairs_of(ids)

    def rejects(self) -> Iterator[Reject]:
        return self.ledger.rejects()

    def __len__(self) -> int:
        return self._documents.count()

    # -- knowledge -----------------------------------------------------------------------------

    @property
    def knowledge(self) -> Knowledge | None:
        """Graph, linker and concept postings; None in a library without a terminology."""
        return self._knowing.load()

    def _known(self) -> Knowledge:
        knowledge = self.knowledge
        if knowledge is None:
            raise MissingModel(
                "the library holds no terminology or graph", cure="osler add one, such as MeSH"
            )
        return knowledge

    @property
    def graph(self) -> Graph:
        return self._known().graph

    @property
    def linker(self) -> Linker:
        return self._known().linker

    def mentions(self, id: str) -> list[Mention]:
        """The mentions of entities in a document's title and abstract."""
        return self.linker.link(self.document(id).text)

    def concepts(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """The entities that documents name or are indexed under, by document; not denied ones."""
        known = self._known()
        held = known.index.mentions.concepts_of(self._documents.rows_of(ids))
        names = {number: known.graph.id(number) for numbers in held.values() for number in numbers}
        return {id: [names[number] for number in numbers] for id, numbers in held.items()}

    def paths(
        self, sources: Sequence[str], targets: Sequence[str], *, max_length: int = 3, **caps: Any
    ) -> PathResult:
        """All simple paths between two sets of entities, up to a number of entities."""
        from osler.knowledge.paths import paths

        return paths(self.graph, sources, targets, max_length, **caps)

    # -- vectors -------------------------------------------------------------------------------

    @cached_property
    def team(self) -> Team:
        """The encoders: the preferred one, those of other languages, those that stand in."""
        from osler.text.team import Team

        given = self._encoder
        if isinstance(given, str) and given == DEFAULT_ENCODER:
            given = self.layout.chosen_encoder() or DEFAULT_ENCODER
        return Team.of(given)

    @property
    def encoder(self) -> Encoder:
        """The preferred encoder, loaded when it is first needed."""
        return self.team.preferred.encoder

    @encoder.setter
    def encoder(self, encoder: str | Encoder) -> None:
        from osler.text.team import Team

        self.team = Team.of(encoder)

    def _embedding(
        self, encoder: Encoder | None = None, reads: Callable[[str], bool] | None = None
    ) -> Embedding:
        from osler.store.embedding import Embedding

        speaker = cache(lambda: self.speaker)  # who only counts what waits asks for no text
        return Embedding(
            self.layout,
            self._documents,
            self.engine,
            encoder or self.encoder,
            text_of=lambda document: speaker()(document),
            reads=reads,
        )

    def vectors(self, ids: Sequence[str]) -> tuple[list[str], npt.NDArray[np.float32]]:
        """Vectors of some documents: those that have one, in the order asked for."""
        rows = self._documents.rows_of(ids)
        wanted = [rows[id] for id in ids if id in rows]
        names = {row: id for id, row in rows.items()}
        kept, matrix = self.engine.vectors_of(self.encoder.fingerprint, wanted)
        return [names[row] for row in kept], matrix

    def counts(self) -> dict[str, int]:
        """Entities, triples, pairs and so on, where there are any."""
        counts = self.keep("counts", self.truth.state(), self._graphs.counts)
        return {what: n for what, n in counts.items() if n}
