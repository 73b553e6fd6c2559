"""What the two tantivy indexes have in common: opening, applying changes, committing, checking.

An index records the last sequence number that it has applied. After a kill the number inside the
index itself decides, so a change is never applied twice and never missed.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import tempfile
import weakref
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, overload

import msgspec
import tantivy
import xxhash

from osler.errors import DamageError, StorageError
from osler.files.removal import remove_folder
from osler.settings import threads
from osler.store import analyser
from osler.store.documents import Change
from osler.store.layout import Count, write_json
from osler.store.truth import storage_errors

_HEAP = 120_000_000
_MANIFEST = "manifest.json"
NO_LOCK = "Lockfile: IoError"
OTHER_SCHEMA = "schema does not match"
_PURGED = 2_000
"""Documents that are written again together."""
_DELETIONS = re.compile(r"[0-9a-f]{32}\.[0-9]+\.del")


class Manifest:
    """Which files a derived index consists of, with sizes and checksums, and how far it has got.
    Written after each commit of an index; checked by ``verify``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def path(self) -> Path:
        return self.folder / _MANIFEST

    @property
    def state(self) -> dict[str, Any]:
        try:
            state = json.loads(self.path.read_text("utf-8"))["state"]
            # How far an index has got is a number, or it is not known.
            msgspec.convert(state.get("applied", 0), Count)
            return dict(state)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            # Without it an index is caught up from what it holds itself.
            return {}

    def write(self, state: dict[str, Any]) -> None:
        files = {
            path.name: [path.stat().st_size, file_hash(path)]
            for path in sorted(self.folder.iterdir())
            if path.is_file() and _counts(path.name)
        }
        write_json(self.path, {"state": state, "files": files})

    def check(self, what: str) -> Iterator[str]:
        """One line for each file that is missing, cut or changed."""
        try:
            listed = json.loads(self.path.read_text("utf-8"))["files"]
            files = [(str(name), int(size), digest) for name, (size, digest) in listed.items()]
        except FileNotFoundError:
            if self.folder.exists() and any(_counts(p.name) for p in self.folder.iterdir()):
                yield f"{what}: its manifest is missing"
            return
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError):
            yield f"{what}: {_MANIFEST} is damaged"
            return
        for name, size, digest in files:
            path = self.folder / name
            if not path.exists():
                yield f"{what}: {name} is missing"
            elif path.stat().st_size != size:
                yield f"{what}: {name} has {path.stat().st_size} bytes, expected {size}"
            elif file_hash(path) != digest:
                yield f"{what}: {name} is damaged: its checksum does not hold"


def _counts(name: str) -> bool:
    return name != _MANIFEST and not name.startswith(".") and not name.endswith(".lock")


def file_hash(path: Path) -> str:
    digest = xxhash.xxh3_64()
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 22):
            digest.update(chunk)
    return digest.hexdigest()


class Scored(NamedTuple):
    """A candidate: the document's row in the truth, the change it was indexed at, its score."""

    row: int
    seq: int
    score: float


class ScoredRows(Sequence[Scored]):
    """Candidates as columns. A ranker takes a thousand of them as arrays; whoever wants a few gets
    each as ``Scored`` when it is asked for."""

    def __init__(self, rows: list[int], seqs: list[int], scores: list[float]) -> None:
        self.rows = rows
        self.seqs = seqs
        self.scores = scores

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Scored]:
        return map(Scored._make, zip(self.rows, self.seqs, self.scores, strict=True))

    @overload
    def __getitem__(self, at: int) -> Scored: ...
    @overload
    def __getitem__(self, at: slice) -> ScoredRows: ...
    def __getitem__(self, at: int | slice) -> Scored | ScoredRows:
        if isinstance(at, slice):
            return ScoredRows(self.rows[at], self.seqs[at], self.scores[at])
        return Scored(self.rows[at], self.seqs[at], self.scores[at])


@contextlib.contextmanager
def sound(what: str) -> Iterator[None]:
    """tantivy panics, or raises ValueError, on files that were tampered with: that is damage.

    A lock that cannot be made, or that a writer which the disk failed still holds, is no damage.
    """
    try:
        yield
    except ValueError as error:
        if "Failed to acquire Lockfile" in str(error):
            raise StorageError(f"{what} cannot be written: its lock cannot be taken") from None
        raise DamageError(f"{what} is damaged: {error}", cure="osler rebuild") from None
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise DamageError(f"{what} is damaged", cure="osler rebuild") from None
        raise


class TantivyIndex(ABC):
    """A derived index over documents, kept by tantivy in a folder."""

    what: ClassVar[str]

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest = Manifest(path)
        self._writer: Any = None
        self._links: Path | None = None
        with storage_errors(self.what):
            path.mkdir(parents=True, exist_ok=True)
        with sound(self.what):
            self._index = self._open()
            self._index.register_tokenizer(analyser.NAME, analyser.analyser())
            self._index.config_reader("manual")
            self._index.reload()
            self.schema = self._index.schema
            self._floor = self.applied()

    def _open(self) -> Any:
        try:
            return tantivy.Index(self.build_schema(), path=str(self.path))
        except ValueError as error:
            if OTHER_SCHEMA in str(error):
                # Made by a version that indexed other fields: it is made anew from the truth.
                remove_folder(self.path)
                self.path.mkdir(parents=True, exist_ok=True)
                return tantivy.Index(self.build_schema(), path=str(self.path))
            if NO_LOCK not in str(error):
                raise
        # tantivy wants to make a lock where nothing may be written: it gets a folder of links.
        with storage_errors(self.what):
            self._links = Path(tempfile.mkdtemp(prefix="osler-"))
            weakref.finalize(self, shutil.rmtree, self._links, ignore_errors=True)
            self._link()
        return tantivy.Index(self.build_schema(), path=str(self._links))

    def _link(self) -> None:
        """A link for each file of the index that has none yet: a writer elsewhere may add some."""
        if self._links is not None:
            for file in self.path.iterdir():
                link = self._links / file.name
                if not file.name.endswith(".lock") and not link.is_symlink():
                    link.symlink_to(file.resolve())

    @staticmethod
    @abstractmethod
    def build_schema() -> Any:
        """Fields; ``row`` (indexed, fast) and ``seq`` (fast) among them."""

    @abstractmethod
    def entries(self, change: Change) -> Iterable[dict[str, Any]]:
        """What is indexed of a changed document, which is there."""

    def applied(self) -> int:
        """The last change that the index holds."""
        searcher = self._index.searcher()
        newest = searcher.search(
            tantivy.Query.all_query(), limit=1, count=False, order_by_field="seq"
        )
        inside = int(newest.hits[0][0]) if newest.hits else 0
        return max(inside, int(self.manifest.state.get("applied", 0)))

    def noted(self) -> list[tuple[int, str | None]]:
        """How far the index has got by each of its accounts, with the mark that the truth had
        there: its manifest's, that of a commit that was cut off, and the newest of its entries
        (whose mark nobody noted)."""
        state = self.manifest.state
        accounts: list[tuple[int, str | None]] = [
            (int(state.get("applied", 0)), state.get("mark", ""))
        ]
        try:
            begun = json.loads(self._mark.read_text("utf-8"))
            accounts.append((int(begun["applied"]), str(begun["mark"])))
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return [*accounts, (self.applied(), None)]

    def begin_anew(self) -> None:
        """From here on changes make a new index; the old one answers until the next commit."""
        self._open_writer().delete_all_documents()
        self._floor = 0

    def apply(self, changes: Iterable[Change]) -> None:
        """Take changes in; they are searchable after ``commit``. Known ones are passed over: after
        a kill one index may have got further than another."""
        writer = self._open_writer()
        with storage_errors(self.what):
            try:
                self._take_in(writer, changes)
            except ValueError as error:
                # A thread of tantivy's that met a failing disk is told of at the next call.
                raise OSError(5, f"{error}") from None

    def _take_in(self, writer: Any, changes: Iterable[Change]) -> None:
        for change in changes:
            if change.seq <= self._floor:
                continue
            if not change.fresh:
                # By query: a deletion by term takes the number for a signed one and finds nothing.
                writer.delete_documents_by_query(
                    tantivy.Query.term_query(self.schema, "row", change.row)
                )
            if change.document is not None:
                for fields in self.entries(change):
                    writer.add_document(tantivy.Document.from_dict(fields, self.schema))

    def _open_writer(self) -> Any:
        if self._links is not None:
            raise StorageError(f"{self.what} cannot be written: its folder is read-only")
        if self._writer is None:
            self._clear()
            with sound(self.what):
                self._writer = self._index.writer(_HEAP, num_threads=max(1, threads() - 1))
        return self._writer

    def _clear(self) -> None:
        """Remove lists of deletions that no commit came to name.

        A kill inside a commit leaves them behind. tantivy gives the next commit the same number,
        finds its file there already and refuses: the index could never be written again.
        """
        deletions = [path for path in self.path.iterdir() if _DELETIONS.fullmatch(path.name)]
        if not deletions:
            return
        with storage_errors(self.what), sound(self.what):
            meta = json.loads((self.path / "meta.json").read_text("utf-8"))
            try:
                named = {
                    f"{part['segment_id'].replace('-', '')}.{part['deletes']['opstamp']}.del"
                    for part in meta["segments"]
                    if part.get("deletes")
                }
            except (KeyError, TypeError, AttributeError):
                raise DamageError(f"{self.what} is damaged", cure="osler rebuild") from None
            for path in deletions:
                if path.name not in named:
                    path.unlink()

    def commit(self, applied: int, mark: str = "") -> None:
        """Make what was applied durable and searchable, and note how far it goes and the truth's
        mark there.

        The mark stands while files and manifest may differ: a kill in between is told from damage.
        """
        with storage_errors(self.what):
            self._mark.write_text(json.dumps({"applied": applied, "mark": mark}), "utf-8")
            if self._writer is not None:
                try:
                    self._writer.commit()
                    # Merges change files: the manifest is of the files as they are after them.
                    self._writer.wait_merging_threads()
                except ValueError as error:
                    raise OSError(28, f"{error}") from None
                finally:
                    self._writer = None
            for left in self.path.glob(".tmp??????"):
                # What a killed writer was about to rename; tantivy itself never takes it away.
                left.unlink(missing_ok=True)
            self.manifest.write({"applied": applied, "mark": mark})
            self._mark.unlink(missing_ok=True)
            self._index.reload()
            self._floor = self.applied()

    def purge(self, fetch: Callable[[list[int]], Iterable[Change]]) -> int:
        """Write those parts of the index again that hold something of deleted or replaced
        documents: tantivy only marks them, their words stay. ``fetch`` gives the documents of
        rows. How many parts there were."""
        self.reload()
        rows, parts = self._beside_deleted()
        if not parts:
            return 0
        writer = self._open_writer()
        with storage_errors(self.what):
            for start in range(0, len(rows), _PURGED):
                for change in fetch(rows[start : start + _PURGED]):
                    writer.delete_documents_by_query(
                        tantivy.Query.term_query(self.schema, "row", change.row)
                    )
                    for fields in self.entries(change):
                        writer.add_document(tantivy.Document.from_dict(fields, self.schema))
        state = self.manifest.state
        # A part all of whose documents are deleted goes with the commit.
        self.commit(int(state.get("applied", 0)), str(state.get("mark", "")))
        return parts

    def _beside_deleted(self) -> tuple[list[int], int]:
        """The rows that stand in one part of the index with something deleted, and how many such
        parts there are."""
        with storage_errors(self.what), sound(self.what):
            meta = json.loads((self.path / "meta.json").read_text("utf-8"))
            touched = [bool(part.get("deletes")) for part in meta["segments"]]
            searcher = self._index.searcher()
            living = [part["max_doc"] for part in meta["segments"]]
            for place, part in enumerate(meta["segments"]):
                if part.get("deletes"):
                    living[place] -= part["deletes"]["num_deleted_docs"]
            everything = searcher.search(
                tantivy.Query.all_query(), limit=max(1, searcher.num_docs), count=False
            ).hits
            held = Counter(address.segment_ord for _, address in everything)
            if [held[place] for place in range(len(living))] != living:
                touched = [True] * len(living)  # not told apart: then all of them
            addresses = [address for _, address in everything if touched[address.segment_ord]]
            rows = searcher.fast_field_values("row", addresses) if addresses else []
        return sorted(set(rows)), sum(touched)

    @property
    def _mark(self) -> Path:
        return self.path / ".committing"

    @property
    def settled(self) -> bool:
        """Whether the last commit came to its end."""
        return self.manifest.path.exists() and not self._mark.exists()

    def abandon(self) -> None:
        """Drop what was applied and not committed."""
        if self._writer is not None:
            with contextlib.suppress(ValueError):
                self._writer.rollback()
            self._writer = None
            self._floor = self.applied()

    @staticmethod
    def erase(path: Path) -> None:
        remove_folder(path)

    def reload(self) -> None:
        self._link()
        self._index.reload()

    @property
    def size(self) -> int:
        return int(self._index.searcher().num_docs)

    def top(self, query: Any, k: int) -> tuple[Any, list[Any]]:
        """The searcher and the best k hits, with all that tie with the last of them."""
        with sound(self.what):
            searcher = self._index.searcher()
            limit = k + 8
            while True:
                hits = searcher.search(query, limit=limit, count=False).hits
                # A tie across the cut would be decided by the order of insertion: fetch it whole.
                if len(hits) < limit or hits[-1][0] < hits[k - 1][0]:
                    break
                limit *= 2
        if len(hits) > k:
            least = hits[k - 1][0]
            end = len(hits)
            while hits[end - 1][0] < least:
                end -= 1
            hits = hits[:end]
        return searcher, hits

    def check(self) -> Iterator[str]:
        """What is damaged, one line each."""
        yield from self.manifest.check(self.what)
