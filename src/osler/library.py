"""A library: the one object that a person works with.

from osler import Library
library = Library.create("papers")
library.add(["pubmed21n1298.xml.gz"])
for hit in library.search("statins and muscle pain"):
    print(hit.id, hit.title, hit.evidence.text)
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from osler.errors import (
    AwayError,
    DamageError,
    InputError,
    LockedError,
    MissingModel,
    NeedsError,
    StorageError,
)
from osler.kinds import (
    Deletion,
    Document,
    Entity,
    Filter,
    Mention,
    Pair,
    Ranking,
    Reject,
    Run,
    Triple,
)
from osler.retrieve.knowing import Knowing
from osler.retrieve.view import View
from osler.search import Ranker, rankers
from osler.search.searcher import DEPTH, Searcher
from osler.store.decisions import Decisions, SavedSearch
from osler.store.documents import Documents
from osler.store.embedding import Embedding, embedded_text
from osler.store.engine import Engine
from osler.store.engines import (
    check_files,
    engine_of,
    is_replica,
    new_card,
    reach,
    stored,
)
from osler.store.following import Following
from osler.store.graph_rows import KNOWLEDGE, GraphRows
from osler.store.ingest import Ingest, Progress, Summary, sources
from osler.store.layout import Layout
from osler.store.ledger import Ledger
from osler.store.lock import Lock
from osler.store.truth import Truth
from osler.store.upgrade import upgraded
from osler.store.verify import digest, verify

if TYPE_CHECKING:
    from osler.ask.answer import Answer
    from osler.bulk.cluster import Cluster
    from osler.grade.job import GradedFact
    from osler.knowledge.graph import Graph
    from osler.knowledge.linker import Linker
    from osler.knowledge.paths import PathResult
    from osler.match.matcher import Candidate
    from osler.rank.labels import Label
    from osler.rank.topic import Topic
    from osler.records.kb import ClinicalKB
    from osler.retrieve.concepts import Knowledge
    from osler.store.embedding import Coverage
    from osler.text.encoder import Encoder

log = logging.getLogger(__name__)

QUICKLY_LINKED = 2_000
"""Documents that may be linked while a library opens."""


class Library:
    """A folder on disk that holds documents, knowledge, records and what people decided."""

    def __init__(
        self, layout: Layout, engine: Engine, *, encoder: str | Encoder = "minilm"
    ) -> None:
        self.layout = layout
        self.engine = engine
        self.truth = Truth(layout.truth)
        self._documents = Documents(self.truth)
        self._graphs = GraphRows(self.truth)
        self.ledger = Ledger(self.truth)
        self.decisions = Decisions(self.truth)
        self._knowing = Knowing(layout.knowledge, self._documents, self._graphs)
        self._encoder = encoder
        if is_replica(engine):
            self._documents, self._graphs = stored(engine, self.truth, self._snapshot_graph)

    def _snapshot_graph(self) -> Graph | None:
        found = self._knowing.load()
        return found.graph if found is not None else None

    # -- opening -------------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        path: str | Path,
        *,
        encoder: str | Encoder = "minilm",
        engine: str = "embedded",
        uri: str | None = None,
        collection: str | None = None,
    ) -> Library:
        """A new, empty library in a folder that is not there yet, or is empty.

        ``engine`` is "embedded", or "milvus" at ``uri``: a server's address, or a file of Milvus
        Lite (in the library's folder unless one is named). ``collection`` names its collections.
        """
        layout = Layout(Path(path))
        chosen = new_card(layout, engine, uri=uri, collection=collection)
        layout.create(engine=chosen)
        Truth.create(layout.truth)
        try:
            reach(layout, chosen)
        except BaseException:
            shutil.rmtree(layout.root, ignore_errors=True)
            raise
        layout.write_card(engine=chosen)
        return cls.open(path, encoder=encoder)

    @classmethod
    def open(cls, path: str | Path, *, encoder: str | Encoder = "minilm") -> Library:
        """An existing library. What a kill left unfinished in derived indexes is caught up."""
        layout = Layout(Path(path))
        library = cls(layout, engine_of(layout, upgraded(layout)), encoder=encoder)
        library.catch_up()
        return library

    @property
    def path(self) -> Path:
        return self.layout.root

    def close(self) -> None:
        self.engine.close()
        self.truth.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _writing(self) -> Lock:
        if is_replica(self.engine):
            raise InputError("a replica only reads", cure="write to the library that it is of")
        return Lock(self.layout.write_lock, what="writing to this library")

    def catch_up(self, progress: Progress | None = None) -> None:
        """Bring what is derived up to the truth, unless a writer is at it.

        Words are quick. Linking many documents is not: without somebody who watches the progress
        it is left to the next ``add``, and search says so.
        """
        try:
            if not self._behind():
                return
            with self._writing():
                self._catch_up(progress)
                if progress or self._unlinked() <= QUICKLY_LINKED:
                    self._knowing.catch_up(progress)
        except (LockedError, StorageError, AwayError) as error:
            away = isinstance(error, AwayError)
            log.log(
                logging.WARNING if away else logging.INFO,
                "the indexes stay as they are for now: %s",
                error,
            )

    def _last_document_change(self) -> int:
        with self.truth.snapshot() as connection:
            (last,) = connection.execute("SELECT coalesce(max(seq), 0) FROM documents").fetchone()
        return int(last)

    def _behind(self) -> bool:
        last = self._last_document_change()
        return (
            not self.engine.settled() or self.engine.applied() < last or self._knowing.behind(last)
        )

    def _unlinked(self) -> int:
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

    # -- putting in and taking out ---------------------------------------------------------------

    def add(
        self,
        paths: str | Path | Sequence[Any],
        *,
        format: str | None = None,
        again: bool = False,
        revive: bool = False,
        progress: Progress | None = None,
        on: Cluster | None = None,
        **options: Any,
    ) -> Summary:
        """Read files: documents, terminologies, triples, records, question-answer pairs.

        A file that was read before is not read again (``again`` does); one that was cut off goes
        on where it stopped. What was deleted stays so, unless the file is newer or ``revive``.
        ``on`` is a cluster (``osler.bulk.cluster``) whose workers read and link.
        """
        if isinstance(paths, str | Path):
            paths = [paths]
        summary = Summary()
        listed = list(sources(list(paths)))
        items, link = None, None
        if on is not None:
            from osler.wiring.bulk import linking, reading

            items = reading(on, self.ledger, listed, format=format, again=again, options=options)
            link = linking(on)
        following = Following(self.engine, self._catch_up)
        ingest = Ingest(
            self.truth,
            self._documents,
            self._graphs,
            self.ledger,
            on_changes=following.apply,
            progress=progress,
            revive=revive,
            items=items,
        )
        with self._writing():
            following.start()
            try:
                for source in listed:
                    ingest.read(source, format=format, again=again, summary=summary, **options)
            finally:
                following.commit()
            self._knowing.catch_up(progress, link=link)
        summary.notes.extend(following.notes)
        return summary

    def add_documents(self, documents: Iterable[Document]) -> int:
        """Documents that a program made itself; how many were new or changed."""
        return self._write_documents(list(documents), revive=True)

    def remove(self, ids: Sequence[str]) -> int:
        """Take documents out. A tombstone keeps an old file from bringing them back."""
        known = [self._documents.get(id).id for id in ids]
        return self._write_documents([Deletion(id) for id in known], revive=False)

    def _write_documents(self, items: Sequence[Document | Deletion], *, revive: bool) -> int:
        with self._writing():
            following = Following(self.engine, self._catch_up)
            following.start()
            with self.truth.transaction() as connection:
                changes, _ = self._documents.write(connection, items, revive=revive)
            if changes:
                following.apply(changes)
                following.commit()
                self._knowing.catch_up()
        return len(changes)

    # -- reading -------------------------------------------------------------------------------

    def document(self, id: str) -> Document:
        """By id, PMID, DOI or PMCID."""
        return self._documents.get(id)

    def documents(self, ids: Iterable[str] | None = None) -> Iterator[Document]:
        return self._documents.all(ids)

    def entities(self, graph: str = KNOWLEDGE) -> Iterator[Entity]:
        return self._graphs.entities(graph)

    def entity(self, id: str, graph: str = KNOWLEDGE) -> Entity:
        return self._graphs.entity(id, graph)

    def triples(self, graph: str = KNOWLEDGE) -> Iterator[Triple]:
        return self._graphs.triples(graph)

    def pairs(self) -> Iterator[Pair]:
        return self._graphs.pairs()

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
        found = self.knowledge
        if found is None:
            raise MissingModel(
                "the library holds no terminology or graph", cure="osler add one, such as MeSH"
            )
        return found

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
        names = {number: known.graph.id(number) for found in held.values() for number in found}
        return {id: [names[number] for number in found] for id, found in held.items()}

    def paths(
        self, sources: Sequence[str], targets: Sequence[str], *, max_length: int = 3, **caps: Any
    ) -> PathResult:
        """All simple paths between two sets of entities, up to a number of entities."""
        from osler.knowledge.paths import paths

        return paths(self.graph, sources, targets, max_length, **caps)

    # -- vectors -------------------------------------------------------------------------------

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder, loaded when it is first needed."""
        if not isinstance(self._encoder, str):
            return self._encoder
        from osler.text.encoder import load_encoder

        return load_encoder(self._encoder)

    def _embedding(self) -> Embedding:
        def text_of(document: Document) -> str:
            # Seed 002, section 3.2: without a valid abstract a summary of the full text speaks.
            from osler.retrieve.summaries.sentences import needs_summary
            from osler.retrieve.summaries.summarise import represent

            return represent(document) if needs_summary(document) else embedded_text(document)

        return Embedding(self.layout, self._documents, self.engine, self.encoder, text_of=text_of)

    def embed(
        self,
        *,
        limit: int | None = None,
        progress: Callable[[int, int], None] | None = None,
        on: Cluster | None = None,
    ) -> int:
        """Give vectors to documents that have none yet; how many were done. ``on`` is a cluster
        whose workers make them."""
        encode = None
        if on is not None:
            from osler.wiring.bulk import encoding

            encode = encoding(on, self._encoder, self.encoder.fingerprint)
        with Lock(self.layout.embed_lock, what="making vectors for this library"):
            return self._embedding().run(limit=limit, progress=progress, encode=encode)

    def coverage(self) -> Coverage:
        """How many documents have a vector."""
        return self._embedding().coverage()

    def vectors(self, ids: Sequence[str]) -> tuple[list[str], npt.NDArray[np.float32]]:
        """Vectors of some documents: those that have one, in the order asked for."""
        rows = self._documents.rows_of(ids)
        wanted = [rows[id] for id in ids if id in rows]
        names = {row: id for id, row in rows.items()}
        kept, matrix = self.engine.vectors_of(self.encoder.fingerprint, wanted)
        return [names[row] for row in kept], matrix

    # -- search --------------------------------------------------------------------------------

    def _view(self) -> View:
        return View(
            engine=self.engine,
            documents=self._documents,
            decisions=self.decisions,
            load_encoder=lambda: self.encoder,
            load_knowledge=self._knowing.load,
        )

    def default_method(self) -> str:
        """The best method that the library is ready for."""
        if self._knowing.linked_up_to():
            return "concepts"
        try:
            if self.engine.vector_count(self.encoder.fingerprint) > 0:
                return "hybrid"
        except NeedsError:
            pass
        return "words"

    @property
    def searcher(self) -> Searcher:
        """For programs that rank themselves: parses, makes requests, holds hits to the truth."""
        return Searcher(self.truth, self._view())

    def search(
        self,
        text: str,
        *,
        k: int = 10,
        method: str | Ranker | None = None,
        filter: Filter | None = None,
        evidence: bool = True,
        plain: bool = False,
        skip: int = 0,
    ) -> Ranking:
        """The best k documents for a question, each with its evidence and its reasons.

        ``plain`` takes the text as words even where it looks like the query language; ``skip``
        leaves out the first ones: a later page.
        """
        ranker = rankers.resolve(method or self.default_method())
        searcher = self.searcher
        ranking = searcher.search(
            text, ranker, k=k, filter=filter, evidence=evidence, plain=plain, skip=skip
        )
        if ranker.name != "words":
            self._note_coverage(searcher.view)
            if ranker.name.startswith("concepts") and (waiting := self._unlinked()):
                searcher.view.note(
                    f"{waiting:,} documents are not linked yet: the next add does it"
                )
            ranking.notes = searcher.view.notes
        return ranking

    def _note_coverage(self, view: View) -> None:
        try:
            coverage = self.coverage()
        except NeedsError:
            return  # the encoder is missing, which the ranker has said
        if coverage.waiting and coverage.done:
            view.note(
                f"vectors cover {coverage.share:.0%} of the documents "
                f"({coverage.done:,} of {coverage.readable:,}); osler embed makes the rest"
            )

    def search_many(
        self,
        queries: Mapping[str, str],
        *,
        k: int = DEPTH,
        method: str | Ranker | None = None,
        filter: Filter | None = None,
        plain: bool = True,
        progress: Callable[[int, int], None] | None = None,
    ) -> Run:
        """A run over many queries, as a TREC run file holds it. Texts are taken as plain words."""
        ranker = rankers.resolve(method or self.default_method())
        searcher = self.searcher
        run: Run = {}
        for number, (id, text) in enumerate(queries.items(), 1):
            run[id] = searcher.scores(text, ranker, k=k, filter=filter, plain=plain)
            if progress:
                progress(number, len(queries))
        return run

    def count(self, text: str, *, filter: Filter | None = None) -> int:
        """How many documents a query matches."""
        return self.engine.count(self.searcher.parse(text, plain=False), filter or None)

    # -- the other jobs ------------------------------------------------------------------------

    def rank(
        self,
        topic: str | Topic,
        examples: Sequence[Label] = (),
        *,
        k: int = 20,
        concepts: bool = False,
        **options: Any,
    ) -> Ranking:
        """Papers by relevance to a topic, learned from a few marked ones, each with its best
        sentence. Further options are those of ``osler.rank.job.rank_topic``."""
        from osler.rank.job import rank_topic
        from osler.rank.topic import Topic
        from osler.wiring.rank import encode_of, pool_of

        asked = Topic(topic) if isinstance(topic, str) else topic
        pool = pool_of(self, concepts=concepts)
        return rank_topic(pool, asked, examples, encode=encode_of(self), k=k, **options)

    def records(self) -> ClinicalKB:
        """The clinical knowledge base of the library's patient records."""
        from osler.wiring.ask import records_of

        return records_of(self)

    def ask(self, question: str, *, explain: bool = False) -> Answer:
        """Entities of the patients' records that answer a question, with path and source; an
        answer without entities is a refusal. For many questions keep an answerer:
        ``osler.ask.answerer.answerers.resolve("reader", kb=library.records())``."""
        from osler.ask.answerer import answerers

        return answerers.get("reader")(self.records()).ask(question, explain=explain)

    def match(
        self,
        question: str,
        answers: Sequence[Candidate] | None = None,
        *,
        k: int = 10,
        method: str | None = None,
        explain: bool = True,
    ) -> Ranking:
        """Answers to a health question in order, each explained by weighted paths in the graph;
        without ``answers`` the library's own question-answer pairs are the candidates."""
        from osler.wiring.match import match

        return match(self, question, answers, k=k, method=method, explain=explain)

    def grade(
        self,
        head: str,
        relation: str,
        tail: str,
        *,
        k: int = 50,
        candidates: int = 1000,
        method: str | None = None,
        explain: bool = True,
    ) -> Ranking:
        """Papers graded H, F, M or I for a fact, with the words that carried the grade."""
        from osler.wiring.grade import grade

        return grade(
            self, head, relation, tail, k=k, candidates=candidates, method=method, explain=explain
        )

    def facts(self, id: str, *, k: int = 20, method: str | None = None) -> list[GradedFact]:
        """The facts of the graph that a paper supports, graded."""
        from osler.wiring.grade import facts

        return facts(self, id, k=k, method=method)

    # -- decisions -----------------------------------------------------------------------------

    def judge(
        self,
        judgements: Mapping[str, Mapping[str, int | None]],
        queries: Mapping[str, str] | None = None,
    ) -> None:
        """Keep judgements of relevance (qrels) and the queries that they are about; a grade of
        None takes a judgement back."""
        with self._writing():
            self.decisions.judge(queries or {}, judgements)

    def save_search(self, name: str, text: str, *, filter: Filter | None = None) -> SavedSearch:
        """Run a query for a review and keep what it found, with what earlier ones had found."""
        from osler.wiring.review import run_search

        search = run_search(self, name, text, filter=filter)
        with self._writing():
            self.decisions.save(search)
        return search

    def prisma(self) -> dict[str, Any]:
        """The numbers of a PRISMA flow diagram over all saved searches and judgements."""
        from osler.wiring.review import prisma

        return prisma(self.decisions)

    # -- care ----------------------------------------------------------------------------------

    def verify(self) -> list[str]:
        """Everything that is damaged, one line each; empty when all is well."""
        from osler.records.opening import check

        records = check(self.layout.derived / "records")
        return [*verify(self.layout, self.truth, self.engine), *self._knowing.check(), *records]

    @classmethod
    def verify_folder(cls, path: str | Path) -> list[str]:
        """``verify`` for a library that may be too damaged to open."""
        layout = Layout(Path(path))
        card = layout.read_card()
        try:
            engine = engine_of(layout, card)
        except DamageError as error:
            return [error.message, *check_files(layout)]
        library = cls(layout, engine)
        try:
            return library.verify()
        finally:
            library.close()

    def digest(self) -> str:
        """A digest of the content: two libraries with the same one hold the same."""
        return digest(self.truth)

    def counts(self) -> dict[str, int]:
        """Entities, triples, pairs and so on, where there are any."""
        return {what: n for what, n in self._graphs.counts().items() if n}

    def status(self) -> dict[str, Any]:
        """What is in the library, as plain values."""
        from osler.wiring.status import status

        return status(self)

    def snapshot(self, folder: str | Path) -> None:
        """Copy the graph, the linker and the documents' concepts into a folder, for replicas."""
        with self._writing():
            self._knowing.copy(Path(folder))

    @classmethod
    def rebuild_folder(cls, path: str | Path, progress: Progress | None = None) -> None:
        """``rebuild`` for a library whose derived files may be too damaged to open."""
        layout = Layout(Path(path))
        layout.read_card()
        with Lock(layout.write_lock, what="writing to this library"):
            shutil.rmtree(layout.derived, ignore_errors=True)
        with cls.open(path) as library:
            library.rebuild(progress)

    def rebuild(self, progress: Progress | None = None) -> None:
        """Make everything derived again from the truth; cached vectors are kept."""
        with self._writing():
            self.engine.erase()
            self._knowing.erase()
            shutil.rmtree(self.layout.derived / "records", ignore_errors=True)
            self._catch_up(progress)
            self._knowing.catch_up(progress)
            if self.layout.vector_cache.exists():
                try:
                    self._embedding().from_cache()
                except NeedsError as error:
                    log.warning("vectors were not rebuilt: %s", error)
