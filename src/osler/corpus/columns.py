"""Any CSV or TSV with a header: columns are named by the caller, or guessed by their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from osler.corpus import fields, making
from osler.errors import FieldError, InputError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.files.table import header_of, rows
from osler.kinds import Document, Heading, Reject

# For each field the names that exports give its column, the likeliest first; case and signs aside.
GUESSES: dict[str, tuple[str, ...]] = {
    "id": ("id", "docid", "documentid", "document", "pmid", "pubmedid", "covidence", "recordid",
           "customid", "accessionnumber", "eid", "ut", "key", "pmcid", "doi"),
    "title": ("title", "articletitle", "documenttitle", "primarytitle", "ti"),
    "text": ("text", "abstract", "abstracttext", "abstractnote", "contents", "ab"),
    "keywords": ("keywords", "authorkeywords", "keyword", "tags", "manualtags"),
    "headings": ("mesh", "meshterms", "headings", "meshheadings"),
    "language": ("language", "lang", "la"),
    "published": ("published", "publicationdate", "date", "publishtime", "publicationyear",
                  "publishedyear", "year", "pubdate"),
    "journal": ("journal", "journalbook", "journaltitle", "sourcetitle", "publicationtitle",
                "publicationname", "secondarytitle", "source"),
    "authors": ("authors", "author", "authornames", "authorfullnames", "authorsnames"),
    "doi": ("doi",),
    "pmid": ("pmid", "pubmedid"),
    "pmcid": ("pmcid", "pmc"),
    "types": ("types", "publicationtype", "documenttype", "referencetype", "typeofreference"),
    "revised": ("revised", "daterevised"),
}  # fmt: skip
NOTHING = frozenset({"", "na", "n/a", "nan", "none", "null", "-", "#n/a"})
"""What programs write into a cell that is empty."""
TELLING = ("authors", "journal", "published", "doi", "pmid")
# Headers of other tables: triples, terminologies, questions with answers, judgements.
FOREIGN = {
    "head",
    "relation",
    "tail",
    "question",
    "answer",
    "query",
    "corduid",
    "synonyms",
    "parents",
}


@readers.register("columns")
class Columns(Reader):
    """Options: ``columns`` maps fields to column names, ``delimiter`` overrules the guess.

    ``Columns(columns={"id": "PMID", "title": "Title", "text": "Abstract"})``. Columns that no field
    takes are kept in the metadata.
    """

    name = "columns"
    help = "CSV or TSV with a header; columns={field: column} names them, or they are guessed"
    own_ids = False

    @classmethod
    def recognises(cls, head: Head) -> bool:
        header = header_of(head.text)
        keys = {_key(name) for name in header}
        if not header or keys & FOREIGN or head.text.lstrip()[:1] in {"{", "<", "["}:
            return False
        guessed = guess(header)
        # A table of papers names them by a title, and by an id or by what papers have.
        about = {"id", "text", "authors", "doi", "pmid"} & set(guessed)
        return ("title" in guessed and bool(about)) or ("text" in guessed and len(about) > 2)

    def read(self, source: Source) -> Iterator[Item]:
        wanted = self._wanted()
        delimiter = self.options.get("delimiter")
        columns: dict[str, str] | None = None
        for row in rows(source, delimiter=delimiter, required=tuple(wanted.values())):
            if isinstance(row, Reject):
                yield row
                continue
            number, cells = row
            if columns is None:
                columns = {**guess(list(cells)), **wanted}
                if "title" not in columns and "text" not in columns:
                    raise FieldError(
                        f"{source.name} has no column for a title or a text",
                        cure='name them, as columns={"id": ..., "title": ..., "text": ...}',
                    )
            yield _item(cells, columns, source.name, f"line {number}")

    def _wanted(self) -> dict[str, str]:
        given: Any = self.options.get("columns") or {}
        if not isinstance(given, dict):
            raise InputError("columns is a mapping from field to column name")
        for field in given:
            if field not in GUESSES:
                raise InputError(
                    f"there is no field {str(field)[:40]!r}", cure=f"fields: {', '.join(GUESSES)}"
                )
        return {field: str(column) for field, column in given.items()}


def guess(header: list[str]) -> dict[str, str]:
    by_key: dict[str, str] = {}
    for name in header:
        by_key.setdefault(_key(name), name)
    guessed = {}
    for field, names in GUESSES.items():
        column = next((by_key[name] for name in names if name in by_key), None)
        if column is not None:
            guessed[field] = column
    return guessed


def _key(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _item(
    cells: dict[str, str], columns: dict[str, str], file: str, place: str
) -> Document | Reject:
    def cell(field: str) -> str:
        return cells.get(columns.get(field, ""), "")

    ids = making.identifiers(pmid=cell("pmid"), doi=cell("doi"), pmcid=cell("pmcid"))
    given = fields.flat(cell("id"))
    if given.casefold() in NOTHING:
        given = ""
    id = f"doi:{fields.doi(given)}" if fields.doi(given) else given
    title = fields.flat(cell("title"))
    if title.casefold() in NOTHING:
        title = ""
    # A row without a number of its own goes by what names the paper; by its title only where the
    # table has no column for an id, or the paper says who wrote it, or what it says.
    named = "id" not in columns or bool(ids) or any(cell(name).strip() for name in TELLING)
    if not id and named:
        year = cell("published")[:4]
        id = making.identity(ids, title=title or fields.flat(cell("text")), year=year)
    # A table may have several columns of numbers, the likeliest of them empty in some rows.
    id = id or _another_id(cells)
    if not id or len(id) > 500:
        return Reject(file, place, "no id")
    taken = set(columns.values())
    document = Document(
        id=id,
        title=title,
        sections=making.sections(cell("text")),
        keywords=tuple(making.listed(cell("keywords"))),
        headings=tuple(Heading(name) for name in making.listed(cell("headings"))),
        language=fields.language(cell("language")),
        published=fields.loose_date(cell("published")),
        revised=fields.loose_date(cell("revised")),
        journal=fields.flat(cell("journal")),
        authors=making.authors(_names(cell("authors"))),
        ids=ids,
        types=tuple(making.listed(cell("types"))),
        retracted="retracted publication" in cell("types").lower(),
        metadata={
            fields.clean(name): fields.clean(value)
            for name, value in cells.items()
            if name not in taken and value.strip()
        },
    )
    return fields.size_reject(file, place, id) if fields.too_large(document) else document


def _another_id(cells: dict[str, str]) -> str:
    by_key = {_key(name): fields.flat(value) for name, value in cells.items()}
    given = (by_key.get(name, "") for name in GUESSES["id"])
    return next((value for value in given if value and value.casefold() not in NOTHING), "")


def _names(text: str) -> list[str]:
    """Authors parted by semicolons; by commas where there is none (``Author A, Author B.``)."""
    return text.split(";") if ";" in text else text.rstrip(".").split(",")
