"""A hospital's own OMOP CDM as facts: read where it stands, nothing copied.

Each kind of fact is a query over tables of the common data model (version 5): conditions, drugs,
measurements, observations, procedures, visits, persons, deaths, with names out of ``concept``. The
model has no status: what has no end, or one that lies ahead, is active; what has ended is over.
Connections only read.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Date,
    Engine,
    Float,
    FromClause,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    case,
    cast,
    create_engine,
    func,
    literal,
    null,
    select,
    union_all,
)
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from osler.ask.form.relation import Relation
from osler.ask.form.vocabulary import Name
from osler.errors import AwayError, InputError, MissingExtra
from osler.kinds.fact import Fact

# Concepts of the vocabulary "Meas Value Operator" and of gender, fixed by the model.
_OPERATORS = {4171756: "<", 4171754: "<=", 4172704: ">", 4171755: ">="}
_SEXES = {8507: "male", 8532: "female"}
_EVENTS = {
    # kind: table, prefix of its own columns, first day, last day
    "condition": (
        "condition_occurrence",
        "condition",
        "condition_start_date",
        "condition_end_date",
    ),
    "medication": ("drug_exposure", "drug", "drug_exposure_start_date", "drug_exposure_end_date"),
    "procedure": ("procedure_occurrence", "procedure", "procedure_date", ""),
    "encounter": ("visit_occurrence", "visit", "visit_start_date", "visit_end_date"),
    "device": (
        "device_exposure",
        "device",
        "device_exposure_start_date",
        "device_exposure_end_date",
    ),
}
_RESULTS = (
    ("measurement", "measurement", "measurement_date"),
    ("observation", "observation", "observation_date"),
)
SECONDS = 30
"""How long one question may keep the hospital's server busy."""


def _tables(schema: str | None) -> dict[str, Table]:
    """The columns of the model that are read, and no others."""
    meta = MetaData(schema=schema)

    def table(
        name: str, numbers: Sequence[str], texts: Sequence[str], days: Sequence[str]
    ) -> Table:
        columns: list[Any] = [Column(n, Integer) for n in numbers]
        columns += [Column(n, String) for n in texts] + [Column(n, Date) for n in days]
        return Table(name, meta, *columns)

    tables = {
        "concept": table(
            "concept", ["concept_id"], ["concept_name", "vocabulary_id", "concept_code"], []
        ),
        "person": table(
            "person",
            ["person_id", "gender_concept_id", "year_of_birth", "month_of_birth", "day_of_birth"],
            ["person_source_value"],
            [],
        ),
        "death": table("death", ["person_id"], [], ["death_date"]),
    }
    for name, prefix, first, last in _EVENTS.values():
        texts = [f"{prefix}_source_value"] + (["sig"] if name == "drug_exposure" else [])
        numbers = [f"{name}_id", "person_id", f"{prefix}_concept_id"]
        tables[name] = table(name, numbers, texts, [d for d in (first, last) if d])
    for name, prefix, first in _RESULTS:
        limits = ["range_low", "range_high"] if name == "measurement" else []
        operator = ["operator_concept_id"] if name == "measurement" else []
        described = table(
            name,
            [f"{name}_id", "person_id", f"{prefix}_concept_id", "value_as_concept_id", *operator],
            [f"{prefix}_source_value", "unit_source_value"],
            [first],
        )
        for column in ["value_as_number", *limits]:
            described.append_column(Column(column, Float))
        if name == "observation":
            described.append_column(Column("value_as_string", String))
        tables[name] = described
    return tables


class OmopFacts(Relation):
    """Facts of an OMOP database at an address: ``postgresql://...``, or a file of SQLite."""

    def __init__(
        self, url: str, *, schema: str | None = None, today: datetime.date | None = None
    ) -> None:
        self.engine = _reader(url)
        self.today = today
        self.tables = _tables(schema)

    def stamp(self) -> str:
        # A server answers from its own snapshot; names and people are read once a session.
        return "server"

    def connect(self) -> Connection:
        try:
            return super().connect()
        except DBAPIError as error:
            raise AwayError(
                "the database does not answer", cure="check its address and rights"
            ) from error

    def facts(self, kinds: Sequence[str]) -> FromClause:
        parts = [part for kind in kinds for part in self._parts(kind)]
        if not parts:
            parts = [self._none()]
        return (union_all(*parts) if len(parts) > 1 else parts[0]).subquery()

    def _parts(self, kind: str) -> list[Select[Any]]:
        if kind == "patient":
            return self._persons()
        if kind == "observation":
            return [self._result(*part) for part in _RESULTS]
        return [self._event(kind, *_EVENTS[kind])] if kind in _EVENTS else []

    def _event(self, kind: str, table: str, prefix: str, first: str, last: str) -> Select[Any]:
        t, concept = self.tables[table], self.tables["concept"].alias()
        name = func.coalesce(concept.c.concept_name, t.c[f"{prefix}_source_value"], "")
        end = _text(t.c[last]) if last else literal("")
        if last and kind in ("condition", "medication", "device"):
            today = literal((self.today or datetime.date.today()).isoformat())
            status: ColumnElement[Any] = case(
                ((end == "") | (end >= today), "active"), else_="completed"
            )
        else:
            status = literal("completed")
        dose = func.coalesce(t.c.sig, "") if kind == "medication" else literal("")
        query = _row(
            literal(f"{table}/") + cast(t.c[f"{table}_id"], String),
            cast(t.c.person_id, String),
            kind,
            name,
            status=status,
            start=_text(t.c[first]),
            end=end,
            dose=dose,
        )
        return query.select_from(
            t.outerjoin(concept, concept.c.concept_id == t.c[f"{prefix}_concept_id"])
        )

    def _result(self, table: str, prefix: str, day: str) -> Select[Any]:
        t = self.tables[table]
        concept, value = self.tables["concept"].alias(), self.tables["concept"].alias()
        words = func.coalesce(
            value.c.concept_name, *([t.c.value_as_string] if "value_as_string" in t.c else []), ""
        )
        measured = "operator_concept_id" in t.c
        sign: ColumnElement[Any] = literal("")
        if measured:
            sign = case(
                *((t.c.operator_concept_id == k, v) for k, v in _OPERATORS.items()), else_=""
            )
        query = _row(
            literal(f"{table}/") + cast(t.c[f"{table}_id"], String),
            cast(t.c.person_id, String),
            "observation",
            func.coalesce(concept.c.concept_name, t.c[f"{prefix}_source_value"], ""),
            status=literal("completed"),
            start=_text(t.c[day]),
            value=words,
            number=cast(t.c.value_as_number, Float),
            unit=func.coalesce(t.c.unit_source_value, ""),
            comparator=sign,
            low=cast(t.c.range_low, Float) if measured else cast(null(), Float),
            high=cast(t.c.range_high, Float) if measured else cast(null(), Float),
        )
        joined = t.outerjoin(concept, concept.c.concept_id == t.c[f"{prefix}_concept_id"])
        return query.select_from(
            joined.outerjoin(value, value.c.concept_id == t.c.value_as_concept_id)
        )

    def _persons(self) -> list[Select[Any]]:
        p, d = self.tables["person"], self.tables["death"]
        own = cast(p.c.person_id, String)
        born = _born(p)
        sex = case(*((p.c.gender_concept_id == k, v) for k, v in _SEXES.items()), else_="")
        known = {
            # The hospital's own number first: it is what people know.
            "identifier": func.coalesce(p.c.person_source_value, ""),
            "id": own,
            "birth date": born,
            "sex": sex,
        }
        rows = [_person(own, name, value).select_from(p) for name, value in known.items()]
        dead = cast(d.c.person_id, String)
        rows.append(_person(dead, "death", _text(d.c.death_date)).select_from(d))
        return rows

    def _none(self) -> Select[Any]:
        return _row(literal(""), literal(""), "", literal(""), status=literal("")).where(
            literal(1) == 0
        )

    def names(self) -> Iterator[Name]:
        concept = self.tables["concept"]
        for kind in (*_EVENTS, "observation"):
            with self.connect() as connection:
                seen: set[str] = set()
                facts = self.facts([kind])
                worded = func.max(case((facts.c.number.is_(None), 1), else_=0))
                query = select(facts.c.name_key, func.min(facts.c.name), worded).group_by(
                    facts.c.name_key
                )
                rows = [r for r in self._tried(connection, query) if r[0] and r[0] not in seen]
                codes: dict[str, tuple[tuple[str, str], ...]] = {}
                wanted = [name for _, name, _ in rows]
                for at in range(0, len(wanted), 1_000):
                    some = wanted[at : at + 1_000]
                    coded = select(
                        concept.c.concept_name, concept.c.vocabulary_id, concept.c.concept_code
                    )
                    for name, system, code in connection.execute(
                        coded.where(concept.c.concept_name.in_(some))
                    ):
                        if code:
                            codes[name] = (*codes.get(name, ()), (system or "", code))
                for key, name, textual in rows:
                    own = codes.get(name, ())[:1]
                    yield Name(kind, key, name, own, (), kind == "observation" and bool(textual))

    def _tried(self, connection: Connection, query: Select[Any]) -> list[Any]:
        """Rows of a query; none where a table of the model is not there."""
        try:
            return list(connection.execute(query))
        except DBAPIError:
            connection.rollback()
            return []

    def people(self) -> Iterator[tuple[str, str, str]]:
        for part in self._persons():
            with self.connect() as connection:
                for row in self._tried(connection, part):
                    if row.value:
                        yield row.patient, row.name, row.value

    def whole(self, connection: Connection, rows: Sequence[Any]) -> list[Fact]:
        return [_fact(row) for row in rows]


def _row(
    id: ColumnElement[Any],
    patient: ColumnElement[Any],
    kind: str,
    name: ColumnElement[Any],
    *,
    status: ColumnElement[Any],
    **more: ColumnElement[Any],
) -> Select[Any]:
    columns: dict[str, ColumnElement[Any]] = {
        "row": id,
        "id": id,
        "patient": patient,
        "kind": literal(kind),
        "name": name,
        "name_key": func.lower(name),
        "status": status,
        "certainty": literal("confirmed"),
        "role": literal("own"),
    }
    for text in (
        "relative",
        "start",
        "end",
        "recorded",
        "value",
        "unit",
        "comparator",
        "interpretation",
        "dose",
    ):
        columns[text] = more.get(text, literal(""))
    for number in ("number", "low", "high"):
        columns[number] = more.get(number, cast(null(), Float))
    return select(*(column.label(label) for label, column in columns.items()))


def _person(patient: ColumnElement[Any], name: str, value: ColumnElement[Any]) -> Select[Any]:
    row = patient + literal(f"/{name}")
    return _row(row, patient, "patient", literal(name), status=literal("active"), value=value)


def _text(day: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.coalesce(func.substr(cast(day, String), 1, 10), "")


def _born(person: Table) -> ColumnElement[Any]:
    """A birth date as far as it is known: the year, the month, the day."""

    def two(column: ColumnElement[Any]) -> ColumnElement[Any]:
        text = cast(column, String)
        return case((func.length(text) == 1, literal("0") + text), else_=text)

    c = person.c
    year = cast(c.year_of_birth, String)
    month = year + literal("-") + two(c.month_of_birth)
    day = month + literal("-") + two(c.day_of_birth)
    return func.coalesce(
        case(
            (c.month_of_birth.is_(None), year),
            (c.day_of_birth.is_(None), month),
            else_=day,
        ),
        "",
    )


def _fact(row: Any) -> Fact:
    value = row.value
    if row.number is not None:
        value = f"{row.number:.10g}"
    return Fact(
        id=row.id,
        patient=row.patient,
        kind=row.kind,
        name=row.name,
        status=row.status,
        start=row.start,
        end=row.end,
        value=value,
        number=row.number,
        unit=row.unit,
        comparator=row.comparator,
        low=row.low,
        high=row.high,
        dose=row.dose,
    )


def _reader(url: str) -> Engine:
    """An engine that only reads, and not for longer than a question may take."""
    try:
        address = make_url(url)
        if address.get_backend_name() == "postgresql":
            if address.drivername == "postgresql":
                address = address.set(drivername="postgresql+psycopg")
            limits = f"-c default_transaction_read_only=on -c statement_timeout={SECONDS}s"
            return create_engine(address, poolclass=NullPool, connect_args={"options": limits})
        if address.get_backend_name() == "sqlite":
            return create_engine(
                f"sqlite:///file:{address.database}?mode=ro&uri=true", poolclass=NullPool
            )
    except ArgumentError as error:
        raise InputError(
            "this is no address of a database", cure="postgresql://HOST/NAME"
        ) from error
    except (ImportError, NoSuchModuleError) as error:
        raise MissingExtra("asking a PostgreSQL database", "postgres") from error
    raise InputError("only PostgreSQL and SQLite are read", cure="postgresql://HOST/NAME")
