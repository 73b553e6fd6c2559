"""ASReview's project file (``.asreview``): a zip archive with ``project.json``, an SQLite database
and the data set that the project began with.

In files of version 3 the table ``record`` (a row a paper) and the table ``results`` (label, time,
note, tags) stand in ``results.db``; in those of version 2 the papers stand in ``data_store.db`` and
the results in ``reviews/ID/results.db``. Read, a project becomes the table that ASReview itself
would export. Written, the data set is our table for ASReview, whose seals hold what the rest of the
file cannot.

Nothing of the archive is trusted: sizes are counted, no name of it becomes a path, the database is
read in memory, from plain tables, for a bounded number of steps.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import msgspec

from osler.corpus.fields import flat
from osler.errors import FormatError
from osler.files.archive import Archive, opened
from osler.files.source import Source
from osler.files.table import rows
from osler.kinds import Reject
from osler.review.formats.reference import csv_text
from osler.review.formats.seal import Carried, last_word
from osler.review.formats.tables import write_asreview
from osler.settings import MAX_FIELD

CONFIG = "project.json"
RESULTS, STORE = "results.db", "data_store.db"
FOLLOWED = "3.0.8"
"""The version of ASReview whose files are written."""
FILE_VERSION = 3
DATASET = "osler.csv"
MOST_STEPS = 200_000_000
"""Instructions that SQLite may run for one query: some millions of rows."""
_STEPS_AT_ONCE = 100_000
_RECORD = ("record_id", "dataset_row", "dataset_id", "title", "abstract", "authors", "keywords",
           "year", "doi", "url", "included")  # fmt: skip
_RESULT = ("record_id", "label", "time", "note", "tags")
_SHOWN = ("title", "abstract", "authors", "keywords", "year", "doi", "url", "included")

_MODEL = {
    "name": "elas_u4",
    "current_value": {
        "querier": "max", "querier_param": {},
        "classifier": "svm", "classifier_param": {"loss": "squared_hinge", "C": 0.11},
        "balancer": "balanced", "balancer_param": {"ratio": 9.8},
        "feature_extractor": "tfidf",
        "feature_extractor_param": {
            "ngram_range": [1, 2], "sublinear_tf": True, "min_df": 1, "max_df": 0.95,
        },
        "stopper": None, "stopper_param": {}, "n_query": 1,
    },
}  # fmt: skip
"""ASReview's default, which is the desk's screener too: it learns on where the desk left off."""

_TABLES = """
CREATE TABLE record (
  dataset_row INTEGER NOT NULL, dataset_id VARCHAR NOT NULL, title VARCHAR NOT NULL,
  abstract VARCHAR NOT NULL, authors JSON NOT NULL, keywords JSON NOT NULL, year INTEGER,
  doi VARCHAR, url VARCHAR, included INTEGER, record_id INTEGER NOT NULL, duplicate_of INTEGER,
  group_id INTEGER NOT NULL GENERATED ALWAYS AS (COALESCE(duplicate_of, record_id)) VIRTUAL,
  PRIMARY KEY (record_id), UNIQUE (dataset_row, dataset_id),
  CONSTRAINT no_self_duplicate CHECK (duplicate_of IS NULL OR duplicate_of != record_id),
  FOREIGN KEY (duplicate_of) REFERENCES record (record_id) ON DELETE SET NULL);
CREATE INDEX idx_record_group_id ON record (group_id);
CREATE TABLE results (
  record_id INTEGER UNIQUE, label INTEGER, classifier TEXT, querier TEXT, balancer TEXT,
  feature_extractor TEXT, training_set INTEGER, time FLOAT, note TEXT, tags JSON,
  user_id INTEGER);
CREATE TABLE last_ranking (
  record_id INTEGER UNIQUE, ranking INT, classifier TEXT, querier TEXT, balancer TEXT,
  feature_extractor TEXT, training_set INTEGER, time FLOAT);
CREATE TABLE decision_changes (
  record_id INTEGER, label INTEGER, time FLOAT, user_id INTEGER);
CREATE TRIGGER trg_results_delete AFTER DELETE ON results FOR EACH ROW BEGIN
  INSERT INTO decision_changes (record_id, label, time, user_id)
  VALUES (OLD.record_id, OLD.label, OLD.time, OLD.user_id); END;
CREATE TRIGGER trg_results_label_update AFTER UPDATE OF label ON results FOR EACH ROW
  WHEN OLD.label IS NOT NEW.label BEGIN
  INSERT INTO decision_changes (record_id, label, time, user_id)
  VALUES (OLD.record_id, OLD.label, OLD.time, OLD.user_id); END;
"""


def table_of(source: Source) -> str:
    """A project as the table that ASReview would export, in CSV."""
    listed = read_rows(source)
    columns = list(dict.fromkeys(name for row in listed for name in row))
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(columns)
    table.writerows([flat(row.get(name, "")) for name in columns] for row in listed)
    return out.getvalue()


def read_rows(source: Source) -> list[dict[str, str]]:
    """The papers of a project as the rows of the table that ASReview would export."""
    with opened(source) as archive:
        _check(source, archive)
        records = _records(source, archive)
        results = {row["record_id"]: row for row in _results(source, archive)}
        datasets = {
            name: _dataset(archive, name) for name in {row["dataset_id"] for row in records}
        }
    listed = []
    for record in records:
        own = datasets[record["dataset_id"]]
        at = record["dataset_row"]
        row = dict(own[at]) if isinstance(at, int) and 0 <= at < len(own) else {}
        known = {name.strip().lower() for name, value in row.items() if value.strip()}
        row |= {name: _text(record[name]) for name in _SHOWN if name not in known}
        listed.append(row | _decision(results.get(record["record_id"], {})))
    return listed


def _check(source: Source, archive: Archive) -> None:
    if CONFIG not in archive.names:
        raise FormatError(
            f"{source.name} is no project of ASReview: it has no {CONFIG}",
            cure="RIS, CSV with a header, EPPI-Reviewer's JSON, or a file that ends in .asreview",
        )
    if not {RESULTS, STORE} & set(archive.names):
        raise FormatError(
            f"{source.name} is of an older version of ASReview's files than 2",
            cure="open it once in ASReview 3, or export its table",
        )


def _records(source: Source, archive: Archive) -> list[dict[str, Any]]:
    place = STORE if STORE in archive.names else RESULTS
    records = _table(source, archive, place, "record", _RECORD)
    return sorted(records, key=lambda row: (str(row["dataset_id"]), row["dataset_row"] or 0))


def _results(source: Source, archive: Archive) -> list[dict[str, Any]]:
    places = [name for name in archive.names if name.split("/")[-1] == RESULTS]
    return [row for place in places for row in _table(source, archive, place, "results", _RESULT)]


def _table(
    source: Source, archive: Archive, place: str, table: str, columns: Sequence[str]
) -> list[dict[str, Any]]:
    """Columns of a plain table of a database in the archive; what it lacks is None."""
    if place not in archive.names:
        return []
    steps = 0

    def on() -> int:
        nonlocal steps
        steps += _STEPS_AT_ONCE
        return int(steps > MOST_STEPS)

    with closing(sqlite3.connect(":memory:")) as base:
        try:
            base.deserialize(archive.read(place))
            base.set_progress_handler(on, _STEPS_AT_ONCE)
            base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 * MAX_FIELD.get())
            base.executescript("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;")
            made = base.execute(
                "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
            ).fetchone()
            # A view or a virtual table would run what a stranger wrote into the file.
            if made is None or not str(made[0]).upper().lstrip().startswith("CREATE TABLE"):
                raise FormatError(f"{source.name} has no table of {table}s")
            held = {row[1] for row in base.execute(f"PRAGMA table_info({table})")}
            chosen = ", ".join(name if name in held else f"NULL AS {name}" for name in columns)
            rows = base.execute(f"SELECT {chosen} FROM {table}").fetchall()
        except (sqlite3.Error, UnicodeDecodeError, OverflowError):
            raise FormatError(f"{source.name} is damaged: {place} cannot be read") from None
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _dataset(archive: Archive, name: object) -> list[dict[str, str]]:
    """The rows of the data set where it is a table: they hold columns that a record does not."""
    place = f"data/{name}"
    if place not in archive.names or not place.lower().endswith((".csv", ".tab", ".tsv")):
        return []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "dataset"
        file.write_bytes(archive.read(place))
        try:
            # A row that cannot be read keeps its number: records name theirs by it.
            return [{} if isinstance(row, Reject) else row[1] for row in rows(Source(file))]
        except FormatError:
            return []


def _text(value: object) -> str:
    """A cell; lists stand in JSON."""
    if value is None or isinstance(value, bytes):
        return ""
    text = str(value)
    if text.startswith("["):
        try:
            return "; ".join(msgspec.json.decode(text, type=list[str]))
        except (msgspec.MsgspecError, RecursionError):
            return text
    return text


def _decision(result: Mapping[str, Any]) -> dict[str, str]:
    """What was decided, as the columns of ASReview's own export."""
    row = {
        "asreview_label": _text(result.get("label")),
        "asreview_time": _text(result.get("time")),
    }
    if note := _text(result.get("note")):
        row["asreview_note"] = note
    if tags := _checked(result.get("tags")):
        row["asreview_tags"] = "; ".join(tags)
    return row


def _checked(tags: object) -> list[str]:
    """The tags that were ticked: ASReview keeps all of the form, group by group."""
    try:
        groups = msgspec.json.decode(tags if isinstance(tags, str) else "[]")
    except (msgspec.MsgspecError, RecursionError):
        return []
    ticked = []
    for group in groups if isinstance(groups, list) else []:
        values = group.get("values") if isinstance(group, dict) else None
        for value in values if isinstance(values, list) else []:
            if isinstance(value, dict) and value.get("checked"):
                ticked.append(str(value.get("label") or value.get("export") or ""))
    return [tag for tag in ticked if tag]


def write(papers: Sequence[Carried]) -> bytes:
    """A project that ASReview opens: the papers with what holds of each."""
    every_tag = list(dict.fromkeys(tag for paper in papers for tag in _tags(paper)))
    times = [_seconds(word.at) for paper in papers for word in paper.words if word.at]
    records, results = [], []
    for number, paper in enumerate(papers):
        document, end = paper.document, last_word(paper)
        year = document.published[:4]
        label = None if end is None else int(end.verdict == "include")
        records.append(
            (
                number,
                DATASET,
                document.title,
                document.abstract,
                json.dumps([author.inverted for author in document.authors]),
                json.dumps(list(document.keywords)),
                int(year) if year.isdigit() else None,
                document.ids.get("doi"),
                None,
                label,
                number,
            )
        )
        if end is not None:
            note = " / ".join(word.note for word in paper.words if word.note)
            tags = json.dumps(_groups(every_tag, list(_tags(paper)))) if every_tag else None
            results.append((number, label, _seconds(end.at), note or None, tags))
    config = {
        "mode": "oracle",
        "name": "osler",
        "created_at_unix": int(min(times, default=0)),
        "tags": _groups(every_tag) if every_tag else None,
        "review": {"status": "review", "model": _MODEL},
    }
    return _packed(config, write_asreview(papers), _database(records, results))


def write_run(
    name: str, texts: Sequence[str], relevant: Sequence[bool], order: Sequence[int]
) -> bytes:
    """A simulated review as ASReview keeps one: the labels in the order of reading."""
    records = [
        (row, DATASET, text, "", "[]", "[]", None, None, None, int(relevant[row]), row)
        for row, text in enumerate(texts)
    ]
    results = [
        (row, int(relevant[row]), float(place), None, None) for place, row in enumerate(order)
    ]
    config = {
        "mode": "simulate",
        "name": name,
        "created_at_unix": 0,
        "tags": None,
        "review": {"status": "finished", "model": _MODEL},
    }
    rows = [[text, int(mark)] for text, mark in zip(texts, relevant, strict=True)]
    return _packed(config, csv_text(["title", "included"], rows), _database(records, results))


def _packed(config: Mapping[str, Any], table: str, database: bytes) -> bytes:
    """The archive; equal projects are equal files."""
    whole = {
        "version": FOLLOWED,
        "id": uuid5(NAMESPACE_OID, table).hex,
        "feature_matrices": [],
        "project_file_version": FILE_VERSION,
        "datasets": [{"id": DATASET, "name": DATASET}],
        **config,
    }
    members = [
        (CONFIG, json.dumps(whole).encode()),
        # ASReview puts what it has counted into this folder and does not make it.
        ("feature_matrices/", b""),
        (f"data/{DATASET}", table.encode()),
        (RESULTS, database),
    ]
    if config["tags"]:
        members.append(("tags.json", json.dumps(config["tags"]).encode()))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, body in members:
            # A date of its own would make two equal projects two different files.
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            archive.writestr(info, body, zipfile.ZIP_DEFLATED if body else zipfile.ZIP_STORED)
    return out.getvalue()


def _tags(paper: Carried) -> Iterator[str]:
    for word in paper.words:
        yield from word.tags


def _groups(tags: Sequence[str], ticked: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """ASReview's form of tags with one group; ``ticked`` of a paper."""
    values: list[dict[str, Any]] = []
    for number, tag in enumerate(tags):
        value: dict[str, Any] = {"id": number, "label": tag, "export": tag}
        if ticked is not None:
            value["checked"] = tag in ticked
        values.append(value)
    return [{"id": 0, "label": "Tags", "export": "tags", "values": values}]


def _seconds(at: str) -> float:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return 0.0
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()


def _database(records: Sequence[Sequence[Any]], results: Sequence[Sequence[Any]]) -> bytes:
    # An order to read in, until ASReview has learned one of its own.
    order = [(record[-1], place, "top_down", 0, 0.0) for place, record in enumerate(records)]
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(_TABLES)
        base.executemany(
            "INSERT INTO record (dataset_row, dataset_id, title, abstract, authors, keywords, year,"
            " doi, url, included, record_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            records,
        )
        base.executemany(
            "INSERT INTO results (record_id, label, time, note, tags) VALUES (?, ?, ?, ?, ?)",
            results,
        )
        base.executemany(
            "INSERT INTO last_ranking (record_id, ranking, querier, training_set, time)"
            " VALUES (?, ?, ?, ?, ?)",
            order,
        )
        base.execute(f"PRAGMA user_version = {FILE_VERSION}")
        base.commit()
        return base.serialize()
