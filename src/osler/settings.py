"""Settings: one typed table, limits included.

Each setting has a name, a default, one line of help and an environment name
(``OSLER_`` and the name in capitals). ``settings()`` reads the environment once a call, so a test
or a service can change one without a restart.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Generic, TypeVar

from osler.errors import InputError

V = TypeVar("V", int, float, str)


@dataclass(frozen=True)
class Setting(Generic[V]):
    name: str
    default: V
    help: str

    @property
    def variable(self) -> str:
        return f"OSLER_{self.name.upper()}"

    def get(self) -> V:
        given = os.environ.get(self.variable)
        if given is None:
            return self.default
        try:
            return type(self.default)(given)
        except ValueError:
            kind = type(self.default).__name__
            raise InputError(
                f"{self.variable} is not a {kind}", cure=f"unset it, or give a {kind}"
            ) from None


MAX_FIELD = Setting("max_field", 4_000_000, "characters that one field of a record may have")
MAX_NAME = Setting("max_name", 1_000, "characters that a name of an entity may have")
MAX_UNPACKED = Setting(
    "max_unpacked", 20_000_000_000, "bytes that one compressed file may unpack to"
)
MAX_RATIO = Setting(
    "max_ratio", 200, "how many times larger than its file an unpacked stream may grow"
)
MAX_XML_DEPTH = Setting("max_xml_depth", 200, "nesting that an XML file may have")
MAX_QUERY = Setting("max_query", 10_000, "characters that a query may have")
MAX_CLAUSES = Setting("max_clauses", 1_024, "words and phrases that a query may have")
MAX_HITS = Setting("max_hits", 10_000, "hits that one query may ask for")
BATCH = Setting("batch", 2_000, "records that are committed together while adding")
EXACT_VECTORS = Setting("exact_vectors", 100_000, "vectors up to which similarity search is exact")
THREADS = Setting("threads", 0, "threads for encoding and indexing; 0 takes one a core")
CACHE = Setting(
    "cache", "", "folder for fetched models and data; empty takes the user's cache folder"
)

SETTINGS: tuple[Setting[int] | Setting[float] | Setting[str], ...] = (
    MAX_FIELD,
    MAX_NAME,
    MAX_UNPACKED,
    MAX_RATIO,
    MAX_XML_DEPTH,
    MAX_QUERY,
    MAX_CLAUSES,
    MAX_HITS,
    BATCH,
    EXACT_VECTORS,
    THREADS,
    CACHE,
)


def threads() -> int:
    """How many threads heavy work may use."""
    return THREADS.get() or os.cpu_count() or 1
