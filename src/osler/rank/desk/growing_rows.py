"""A sparse matrix that rows are added to, one at a time, without copying what it holds."""

from __future__ import annotations

from typing import Any

import numpy as np

ROOM = 1_024


class GrowingRows:
    """Rows of sparse numbers in the order in which they came. Arrays have room for twice as much
    as they held when they were last full."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self._values = np.zeros(ROOM)
        self._places = np.zeros(ROOM, dtype=np.int32)
        self._ends = np.zeros(ROOM, dtype=np.int64)
        self._rows = 0

    def add(self, rows: Any) -> None:
        """Put the rows of a csr matrix at the end."""
        begin = int(self._ends[self._rows])
        end, count = begin + rows.nnz, self._rows + rows.shape[0]
        self._values = _with_room(self._values, end)
        self._places = _with_room(self._places, end)
        self._ends = _with_room(self._ends, count + 1)
        self._values[begin:end] = rows.data
        self._places[begin:end] = rows.indices
        self._ends[self._rows + 1 : count + 1] = begin + rows.indptr[1:]
        self._rows = count

    def matrix(self) -> Any:
        """The rows so far, as a csr matrix that shares their memory."""
        from scipy.sparse import csr_matrix

        end = int(self._ends[self._rows])
        return csr_matrix(
            (self._values[:end], self._places[:end], self._ends[: self._rows + 1]),
            shape=(self._rows, self.columns),
            copy=False,
        )


def _with_room(held: Any, needed: int) -> Any:
    if needed <= len(held):
        return held
    wider = np.zeros(2 * needed, dtype=held.dtype)
    wider[: len(held)] = held
    return wider
