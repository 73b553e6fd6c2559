"""The collections that a library has in Milvus.

``NAME_docs``     a version of a document each: key is the change that made it
``NAME_passages`` a passage of a full text each
``NAME_ledger``   how far the collections have got, and in how many documents each term stands
``NAME_v_...``    the vectors under one encoder
``NAME_1_docs``   after a rebuild: the next generation of documents, passages and counts of terms;
                  ``NAME_ledger`` then only says which one is in force

A version is written under its own key, and the one before is deleted after the ledger has noted
the new state: whatever is cut off in between, what that state holds can be told from the rest.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from osler.errors import RefusedError
from osler.store.milvus.connection import Connection

FORMAT = 1
"""Raised by one when an older program could no longer read new collections."""
TEXT = 65_535
"""Bytes that a text of Milvus may have."""
LABELS = 4_096
"""Values that an array of Milvus may have."""
NO_YEAR = -1_000_000
TERM = 1_024
"""Bytes that a token may have: the analyser drops words of over a hundred."""


@dataclass(frozen=True)
class Names:
    """What a library's collections are called."""

    prefix: str

    def of(self, generation: int) -> Names:
        """The names of a generation: a rebuild makes the next one beside the one in force."""
        return Names(f"{self.prefix}_{generation}") if generation else self

    @property
    def docs(self) -> str:
        return f"{self.prefix}_docs"

    @property
    def passages(self) -> str:
        return f"{self.prefix}_passages"

    @property
    def ledger(self) -> str:
        return f"{self.prefix}_ledger"

    def vectors(self, encoder: str) -> str:
        return f"{self.prefix}_v_{hashlib.sha256(encoder.encode()).hexdigest()[:16]}"


def create(connection: Connection, names: Names) -> None:
    """Make the collections that are not there; refuse one of that name that is not ours."""
    for name, build in (
        (names.docs, _docs),
        (names.passages, _passages),
        (names.ledger, _ledger),
    ):
        ensure(connection, name, *build())


def create_ledger(connection: Connection, names: Names) -> None:
    """The ledger alone: it says which generation of the others is in force."""
    ensure(connection, names.ledger, *_ledger())


def create_vectors(connection: Connection, name: str, dimension: int) -> None:
    ensure(connection, name, *_vectors(dimension))


def ensure(connection: Connection, name: str, schema: Any, indexes: Any) -> None:
    if connection.call("has_collection", name):
        check(connection, name, schema)
    else:
        connection.call("create_collection", name, schema=schema, consistency_level="Session")
    if not connection.call("list_indexes", name):
        # Waiting for an index of nothing takes half a second each.
        connection.call("create_index", name, indexes, sync=False)
    connection.call("load_collection", name)


def check(connection: Connection, name: str, schema: Any) -> None:
    """That a collection has our fields."""
    described = connection.call("describe_collection", name)
    held = {field["name"]: (int(field["type"]), _dimension(field)) for field in described["fields"]}
    wanted = {
        field.name: (int(field.dtype), int(field.params.get("dim", 0))) for field in schema.fields
    }
    if held != wanted:
        odd = sorted(name for name in {*held, *wanted} if held.get(name) != wanted.get(name))
        raise RefusedError(
            f"the collection {name} was made by something else, or by another version: its fields "
            f"differ ({', '.join(odd[:5])})",
            cure="name another collection with --collection, or drop that one",
        )


def _dimension(field: dict[str, Any]) -> int:
    return int(field.get("params", {}).get("dim", 0))


def _new_schema() -> Any:
    from pymilvus import MilvusClient

    return MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)


def _indexes() -> Any:
    from pymilvus import MilvusClient

    return MilvusClient.prepare_index_params()


def _words(schema: Any, indexes: Any) -> None:
    """Tokens, and BM25 over them at the settings of the embedded engine."""
    from pymilvus import DataType, Function, FunctionType

    schema.add_field(
        "words",
        DataType.VARCHAR,
        max_length=TEXT,
        enable_analyzer=True,
        enable_match=True,
        analyzer_params={"tokenizer": "standard"},
    )
    schema.add_field("bm25", DataType.SPARSE_FLOAT_VECTOR)
    schema.add_function(
        Function(
            name="words_bm25",
            function_type=FunctionType.BM25,
            input_field_names=["words"],
            output_field_names=["bm25"],
        )
    )
    indexes.add_index(
        "bm25",
        index_type="SPARSE_INVERTED_INDEX",
        metric_type="BM25",
        params={"bm25_k1": 1.2, "bm25_b": 0.75},
    )


def _labels(schema: Any, indexes: Any) -> None:
    """What filters ask for."""
    from pymilvus import DataType

    schema.add_field("year", DataType.INT64)
    schema.add_field("labels", DataType.ARRAY, element_type=DataType.INT64, max_capacity=LABELS)
    indexes.add_index("year", index_type="INVERTED")


def _docs() -> tuple[Any, Any]:
    from pymilvus import DataType

    schema, indexes = _new_schema(), _indexes()
    schema.add_field("seq", DataType.INT64, is_primary=True)
    schema.add_field("row", DataType.INT64)
    schema.add_field("id", DataType.VARCHAR, max_length=TEXT)
    _labels(schema, indexes)
    schema.add_field(
        "body", DataType.ARRAY, element_type=DataType.VARCHAR, max_capacity=LABELS, max_length=TEXT
    )
    _words(schema, indexes)
    indexes.add_index("row", index_type="INVERTED")
    return schema, indexes


def _passages() -> tuple[Any, Any]:
    from pymilvus import DataType

    schema, indexes = _new_schema(), _indexes()
    schema.add_field("key", DataType.INT64, is_primary=True)
    for name in ("seq", "row", "section", "start", "stop"):
        schema.add_field(name, DataType.INT64)
    _words(schema, indexes)
    indexes.add_index("row", index_type="INVERTED")
    return schema, indexes


def _ledger() -> tuple[Any, Any]:
    from pymilvus import DataType

    schema, indexes = _new_schema(), _indexes()
    schema.add_field("key", DataType.VARCHAR, max_length=TERM, is_primary=True)
    for name in ("documents", "before", "since"):
        schema.add_field(name, DataType.INT64)
    schema.add_field("note", DataType.VARCHAR, max_length=TEXT)
    # Milvus takes no collection without a vector.
    schema.add_field("none", DataType.FLOAT_VECTOR, dim=2)
    indexes.add_index("none", index_type="FLAT", metric_type="IP")
    return schema, indexes


def _vectors(dimension: int) -> tuple[Any, Any]:
    from pymilvus import DataType

    schema, indexes = _new_schema(), _indexes()
    schema.add_field("row", DataType.INT64, is_primary=True)
    schema.add_field("seq", DataType.INT64)
    schema.add_field("chance", DataType.INT64)
    _labels(schema, indexes)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension)
    indexes.add_index(
        "vector",
        index_type="HNSW",
        metric_type="IP",
        params={"M": 16, "efConstruction": 200},
    )
    return schema, indexes
