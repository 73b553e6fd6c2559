"""Making a library, putting into it, taking out of it, and caring for it."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from osler.errors import AwayError, DamageError, InputError, StorageError
from osler.kinds import Deletion, Document
from osler.settings import DEFAULT_ENCODER
from osler.shelf import Shelf

if TYPE_CHECKING:
    import sqlite3

    from osler.bulk.cluster import Cluster
    from osler.retrieve.view import View
    from osler.store.embedding import Coverage, Embedding
    from osler.store.erasure import Erased
    from osler.store.ingest import Progress, Summary
    from osler.store.removal import RecordsErased
    from osler.text.encoder import Encoder

log = logging.getLogger(__name__)


class Tended(Shelf):
    """A shelf that is written to, checked and made again."""

    @property
    def view(self) -> View:
        """What rankers see of the library: a new one for each question."""
        from osler.retrieve.view import View

        count = self.engine.vector_count
        return View(
            engine=self.engine,
            documents=self._documents,
            decisions=self.decisions,
            load_encoder=lambda: self.encoder,
            load_knowledge=self._knowing.load,
            keep=self.keep,
            choose_encoder=lambda text, total: self.team.answering(text, count, total),
            choose_quick=lambda text, encoder: self.team.quick(text, encoder, count),
            count_read=lambda: self.team.vectors(count),
            speak=lambda document: self.speaker(document),
        )

    # -- making one ------------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        path: str | Path,
        *,
        encoder: str | Encoder = DEFAULT_ENCODER,
        engine: str = "embedded",
        uri: str | None = None,
        collection: str | None = None,
    ) -> Self:
        """A new, empty library in a folder that is not there yet, or is empty.

        ``engine`` is "embedded", or "milvus" at ``uri``: a server's address, or a file of Milvus
        Lite (in the library's folder unless one is named). ``collection`` names its collections.
        """
        from osler.store.engines import new_card, reach
        from osler.store.layout import Layout
        from osler.store.truth import Truth

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
        dry_run: bool = False,
        **options: Any,
    ) -> Summary:
        """Read files: documents, terminologies, triples, records, question-answer pairs.

        A file that was read before is not read again (``again`` does); one that was cut off goes
        on where it stopped. What was deleted stays so, unless the file is newer or ``revive``.
        ``on`` is a cluster (``osler.bulk.cluster``) whose workers read and link. ``dry_run`` tells
        what would come of it, and changes nothing.
        """
        from osler.store.following import Following
        from osler.store.ingest import Ingest, Summary, rehearse, sources

        if isinstance(paths, str | Path):
            paths = [paths]
        summary = Summary()
        listed = list(sources(list(paths)))
        if dry_run:
            with self._writing():
                rehearse(self.truth, listed, summary, format=format, revive=revive, **options)
            return summary
        items, link = None, None
        if on is not None:
            from osler.bulk.giving import linking, reading

            items = reading(on, self.ledger, listed, format=format, again=again, options=options)
            link = linking(on)
        from osler.retrieve.known import with_record

        view = self.view
        following = Following(self.engine, self._catch_up)
        ingest = Ingest(
            self.truth,
            self._documents,
            self._graphs,
            self.ledger,
            on_changes=following.apply,
            progress=progress,
            revive=revive,
            items=lambda reader, source: with_record(
                items(reader, source) if items is not None else reader.read(source), view
            ),
        )
        with self._writing():
            following.start()
            try:
                ingest.read_all(listed, format=format, again=again, summary=summary, **options)
            finally:
                following.commit()
            self._knowing.catch_up(progress, link=link)
            self._read_at_once()
        summary.notes.extend(following.notes)
        return summary

    def add_documents(self, documents: Iterable[Document]) -> int:
        """Documents that a program made itself; how many were new or changed."""
        return self._write_documents(list(documents), revive=True)

    def remove(self, ids: Sequence[str]) -> int:
        """Take documents out and erase what is left of them. A tombstone keeps an old file from
        bringing them back."""
        return self.erase(ids).documents

    def erase(self, ids: Sequence[str] = ()) -> Erased:
        """``remove``, saying what was done. Without ids it clears away what earlier removals and
        replacements have left."""
        from osler.store.erasure import erase, intend
        from osler.store.forgetting import forget

        documents = {document.id: document for document in map(self._documents.get, ids)}
        rows = self._documents.rows_of(list(documents))
        removed = [(rows[id], document) for id, document in documents.items()]

        def beside(connection: sqlite3.Connection) -> None:
            intend(connection, removed, self.speaker.ever)
            forget(connection, documents)

        with self._making_vectors():
            if removed:
                self._write_documents(
                    [Deletion(id) for id in documents],
                    revive=False,
                    beside=beside,
                )
            with self._writing():
                return erase(self.layout, self.truth, self._documents, self.engine)

    def remove_patient(self, id: str) -> int:
        """Take a patient's records out for good; how many facts that were."""
        return self.erase_records(patient=id).facts

    def remove_source(self, name: str) -> int:
        """Take out for good what was read of patients under a source's name; how many facts."""
        return self.erase_records(source=name).facts

    def erase_records(self, *, patient: str = "", source: str = "") -> RecordsErased:
        """``remove_patient`` or ``remove_source``, saying what was done and what is left to do."""
        from osler.store import removal

        if bool(patient) == bool(source):
            raise InputError("name one: a patient or a source")
        copy = self.layout.derived / "records"
        with self._writing():
            if patient:
                return removal.remove_patient(self.truth, patient, copy)
            return removal.remove_source(self.truth, source, copy)

    def _write_documents(
        self,
        items: Sequence[Document | Deletion],
        *,
        revive: bool,
        beside: Callable[[sqlite3.Connection], None] | None = None,
    ) -> int:
        from osler.store.following import Following

        with self._writing():
            following = Following(self.engine, self._catch_up)
            following.start()
            with self.truth.transaction() as connection:
                changes, _ = self._documents.write(connection, items, revive=revive)
                if beside is not None:
                    beside(connection)
            if changes:
                following.apply(changes)
                following.commit()
                self._knowing.catch_up()
                self._read_at_once()
        return len(changes)

    def _read_at_once(self) -> None:
        """Vectors of the static table for what has none: no paper waits for the encoder."""
        static = self.team.static
        if static is None:
            return
        try:
            self._embedding(static.encoder).run()
        except (StorageError, AwayError) as error:
            log.warning("the static table's vectors wait for the next add: %s", error)

    def embed(
        self,
        *,
        limit: int | None = None,
        progress: Callable[[int, int], None] | None = None,
        on: Cluster | None = None,
    ) -> int:
        """Give vectors to documents that have none yet; how many were done. ``on`` is a cluster
        whose workers make them."""
        with self._making_vectors():
            done = 0
            for member, reads in self.team.readers():
                encode = None
                if on is not None:
                    from osler.bulk.giving import encoding

                    encode = encoding(on, member.given, member.fingerprint)
                embedding = self._embedding(member.encoder, reads)
                count = embedding.run(limit=limit, progress=progress, encode=encode)
                # One that reads what the first leaves looks at the same papers: they count once.
                done = max(done, count)
            return done

    def prefer(self, encoder: str) -> None:
        """Choose the library's encoder for good. What the former one read serves until ``embed``
        has given the new one's vectors."""
        from osler.text.team import Team

        team = Team.of(encoder)
        _ = team.preferred.encoder  # one that cannot be loaded is not chosen
        self.layout.choose_encoder(encoder)
        self.team = team

    def coverage(self) -> Coverage:
        """How many documents have a vector of the encoder that reads them."""
        whole = self._covered(self.encoder)
        for member in self.team.beside:
            if self.engine.vector_count(member.fingerprint):
                whole = whole.joined(self._covered(member.encoder))
        return whole

    def _covered(self, encoder: Encoder) -> Coverage:
        name, engine = encoder.fingerprint, self.engine
        reached = engine.vector_count(name), engine.vectors_applied(name, encoder.dimension)
        stamp = (self.truth.state(), *reached)
        return self.keep(f"coverage {name}", stamp, self._embedding(encoder).coverage)

    def stand_in(self) -> str:
        """Who has read the documents that the preferred encoder has not; empty if nobody."""
        static = self.team.static
        if static is None or not self.engine.vector_count(static.fingerprint):
            return ""
        return str(static.name)

    def speak_anew(self, save: Callable[[], object]) -> int:
        """Take a summariser in by ``save``, and give the papers that a summary stands for their
        vectors again; how many these are. Vectors of their former summaries are forgotten."""
        from osler.retrieve.summaries.sentences import needs_summary
        from osler.store.vector_cache import VectorCache, text_key

        with self._making_vectors():
            rows = self._documents.rows_of(
                [one.id for one in self._documents.all() if needs_summary(one)]
            )
            changes = self._documents.at_rows(sorted(rows.values()))
            documents = [each.document for each in changes if each.document is not None]
            keys = [text_key(text) for one in documents for text in self.speaker.ever(one)]
            save()
            if self.layout.vector_cache.exists():
                cache = VectorCache(self.layout.vector_cache)
                try:
                    cache.forget(keys)
                finally:
                    cache.close()
            static = self.team.static
            quick = [self._embedding(static.encoder)] if static is not None else []
            for embedding in (*self._embeddings(), *quick):
                embedding.again(changes)
        return len(changes)

    # -- care ----------------------------------------------------------------------------------

    def verify(self) -> list[str]:
        """Everything that is damaged, one line each; empty when all is well."""
        from osler.records.opening import check
        from osler.store.verify import verify

        records = check(self.layout.derived / "records")
        return [*verify(self.layout, self.truth, self.engine), *self._knowing.check(), *records]

    @classmethod
    def verify_folder(cls, path: str | Path) -> list[str]:
        """``verify`` for a library that may be too damaged to open."""
        from osler.store.engines import check_files, engine_of
        from osler.store.layout import Layout

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
        from osler.store.verify import digest

        return digest(self.truth)

    def snapshot(self, folder: str | Path) -> None:
        """Copy the graph, the linker and the documents' concepts into a folder, for replicas."""
        with self._writing():
            self._knowing.copy(Path(folder))

    @classmethod
    def rebuild_folder(cls, path: str | Path, progress: Progress | None = None) -> None:
        """``rebuild`` for a library whose derived files may be too damaged to open."""
        from osler.store.engines import engine_of
        from osler.store.layout import Layout
        from osler.store.lock import Lock
        from osler.store.upgrade import upgraded

        layout = Layout(Path(path))
        try:
            # Not opened as usual: what is astray would be made again twice.
            with cls(layout, engine_of(layout, upgraded(layout))) as library:
                library.rebuild(progress)
                return
        except DamageError as error:
            log.warning("%s: everything derived is dropped and made again", error)
        with Lock(layout.write_lock, what="writing to this library"):
            shutil.rmtree(layout.derived, ignore_errors=True)
        with cls.open(path) as library:
            library.rebuild(progress)

    def rebuild(self, progress: Progress | None = None) -> None:
        """Make everything derived again from the truth; cached vectors are kept. Readers see the
        old until the new is whole."""
        from osler.retrieve.upkeep import put_right, rebuild_vectors

        with self._writing(), self._making_vectors():
            put_right(self.layout, self.truth, self.engine, self._knowing)
            self._graphs.index_last_changes()
            self.engine.begin_anew()
            try:
                self._catch_up(progress)
            except BaseException:
                self.engine.abandon()
                raise
            self._knowing.catch_up(progress, anew=True)
            shutil.rmtree(self.layout.derived / "records", ignore_errors=True)
            self.layout.pairs.unlink(missing_ok=True)
            rebuild_vectors(self.layout, self.engine, self._embeddings)
            self._read_at_once()

    def _embeddings(self) -> list[Embedding]:
        """What gives vectors: one for each encoder that reads the library's papers."""
        return [self._embedding(member.encoder, reads) for member, reads in self.team.readers()]
