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
    secret: bool = False
    """Never shown: on a page, by a command, in a log."""

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
MAX_IMAGE_SIDE = Setting("max_image_side", 10_000, "pixels that a side of a picture may have")
MAX_IMAGE_BYTES = Setting("max_image_bytes", 50_000_000, "bytes that a picture's file may have")
PDF_SECONDS = Setting("pdf_seconds", 30.0, "seconds of processor time that one PDF may take")
PDF_MEGABYTES = Setting("pdf_megabytes", 1_500, "megabytes of memory that reading a PDF may take")
PDF_PAGES = Setting("pdf_pages", 2_000, "pages of a PDF that are read")
BATCH = Setting("batch", 2_000, "records that are committed together while adding")
EXACT_VECTORS = Setting("exact_vectors", 100_000, "vectors up to which similarity search is exact")
DEFAULT_ENCODER = "default"
"""Stands for the encoder of the package, or the one to fetch where its weights are not here."""
WEIGHTS = Setting("weights", "", "folder with the shipped encoders; empty takes the package's own")
THREADS = Setting("threads", 0, "threads for encoding and indexing; 0 takes one a core")
CACHE = Setting(
    "cache", "", "folder for fetched models and data; empty takes the user's cache folder"
)
LIBRARY = Setting("library", "", "the library that commands mean when none is named")
PLUGINS = Setting("plugins", 1, "1 takes in what other packages bring, 0 leaves it out")
SERVE_SECONDS = Setting("serve_seconds", 60.0, "seconds that one request to the server may take")
SERVE_BODY = Setting("serve_body", 1_000_000, "bytes that the body of a request may have")
SERVE_THREADS = Setting(
    "serve_threads", 0, "searches that the server works on at once; 0: one a processor, 2 to 8"
)
SERVE_WAITING = Setting(
    "serve_waiting", 256, "requests that may wait before the server turns new ones away"
)
SERVE_CONNECTIONS = Setting(
    "serve_connections", 512, "connections that the server keeps open; idle ones make room"
)
SERVE_PATIENCE = Setting(
    "serve_patience", 15.0, "seconds that a head, a body or a slow reader of the server may take"
)
SERVE_PARAMETERS = Setting(
    "serve_parameters", 100, "parameters that the address of a request may have"
)
SERVE_TRIES = Setting(
    "serve_tries", 10, "wrong tokens within a minute after which an address has to wait"
)
MAX_PAGE = Setting("max_page", 100, "hits, documents or paths that one page of results may hold")
MAX_ANSWERS = Setting("max_answers", 500, "candidate answers that one question may be matched with")
MILVUS_TOKEN = Setting(
    "milvus_token", "", "credentials for Milvus: user:password, or an API key", secret=True
)
MILVUS_SECONDS = Setting(
    "milvus_seconds", 20.0, "seconds that a call to Milvus may take, with its retries"
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
    MAX_IMAGE_SIDE,
    MAX_IMAGE_BYTES,
    PDF_SECONDS,
    PDF_MEGABYTES,
    PDF_PAGES,
    BATCH,
    EXACT_VECTORS,
    WEIGHTS,
    THREADS,
    CACHE,
    LIBRARY,
    PLUGINS,
    SERVE_SECONDS,
    SERVE_BODY,
    SERVE_THREADS,
    SERVE_WAITING,
    SERVE_CONNECTIONS,
    SERVE_PATIENCE,
    SERVE_PARAMETERS,
    SERVE_TRIES,
    MAX_PAGE,
    MAX_ANSWERS,
    MILVUS_TOKEN,
    MILVUS_SECONDS,
)


MASK = "***"


def shown_settings() -> list[tuple[str, int | float | str, str]]:
    """Every setting as any door shows it: variable, value (secrets masked), what it sets."""
    return [
        (one.variable, MASK if one.secret and one.get() else one.get(), one.help)
        for one in SETTINGS
    ]


def threads() -> int:
    """How many threads heavy work may use."""
    return THREADS.get() or os.cpu_count() or 1
