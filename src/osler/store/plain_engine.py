"""What an engine may leave out, done the plain way: everything is made again from the truth.

An engine of another package derives from ``PlainEngine`` and writes what only it can know: how to
apply, commit, search and count. What it does not write is right here, if not quick: nothing is made
beside the old, so that a rebuild answers with less until its commit; removed words stay in whatever
the engine keeps on disk until ``osler rebuild``, and whoever removes is told so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from osler.errors import InputError
from osler.kinds.query import Filter, Node
from osler.store.derived import Scored
from osler.store.document_rows import Change
from osler.store.engine import Purged


def _unknown(seq: int) -> str | None:
    return None


class PlainEngine:
    """The parts of ``Engine`` that can be built from ``applied`` and ``erase`` alone."""

    name = "plain"
    mark_of: Callable[[int], str | None] = staticmethod(_unknown)
    mends = True

    def applied(self) -> int:
        raise NotImplementedError

    def erase(self) -> None:
        raise NotImplementedError

    def noted_mark(self) -> str | None:
        """The truth's mark (``self.mark_of(applied)``) that was written down with the last commit;
        None where the engine writes none: then a truth that was rolled back and went on past the
        same number is not noticed."""
        return None

    def astray(self) -> dict[str, int]:
        """The whole engine, where it knows a change that this truth never made."""
        applied = self.applied()
        if not applied:
            return {}
        mark, noted = self.mark_of(applied), self.noted_mark()
        return {self.name: applied} if mark is None or (noted and noted != mark) else {}

    def put_right(self, astray: Iterable[str]) -> None:
        """Drop everything; it is made again from the truth."""
        self.erase()

    def begin_anew(self) -> None:
        """Drop everything: what is applied next is all there is."""
        self.erase()

    def begin_vectors(self, encoder: str, dimension: int) -> None:
        """Vectors stay where they are; those that are missing are added."""

    def end_vectors(self, encoder: str) -> bool:
        return True

    def settled(self) -> bool:
        return True

    def reload(self) -> None:
        """Nothing is held that a writer could change."""

    def purge(self, rows: Sequence[int], fetch: Callable[[list[int]], Iterable[Change]]) -> Purged:
        """Nothing is written again; that is said."""
        return Purged(0, 0, (f"the engine {self.name} keeps what was removed until osler rebuild",))

    def terms(self, beginning: str, most: int, lengths: range | None = None) -> list[str]:
        """No list of terms: the terminology alone suggests spellings."""
        return []

    def facets(
        self, node: Node, fields: Sequence[str], most: int, filter: Filter | None = None
    ) -> dict[str, list[tuple[str, int]]]:
        """Nothing is counted."""
        return {field: [] for field in fields}

    def ordered(self, node: Node, by: str, k: int, filter: Filter | None = None) -> list[Scored]:
        """No order but that of relevance; that is said."""
        raise InputError(f"the engine {self.name} does not sort by {by}", cure="sort by relevance")

    def check(self) -> Iterator[str]:
        """Nothing is known to be damaged."""
        return iter(())

    def close(self) -> None:
        """Nothing is open."""
