"""The door to measuring: runs and judgements from files, and runs compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from osler.lazy import lazy

if TYPE_CHECKING:
    from osler.measures.comparison import compare
    from osler.measures.retrieval import evaluate
    from osler.measures.trec import read_qrels, read_queries, read_run, write_run

_HOMES = {
    "compare": "osler.measures.comparison",
    "evaluate": "osler.measures.retrieval",
    "read_qrels": "osler.measures.trec",
    "read_queries": "osler.measures.trec",
    "read_run": "osler.measures.trec",
    "write_run": "osler.measures.trec",
}
__all__ = ["compare", "evaluate", "read_qrels", "read_queries", "read_run", "write_run"]
__getattr__ = lazy(__name__, _HOMES)
