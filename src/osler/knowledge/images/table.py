"""Images of entities: a table of entities and files, and the folder that the files stand in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

from osler.errors import FieldError, InputError, OslerError
from osler.files.source import Source
from osler.files.table import rows
from osler.kinds import Reject
from osler.knowledge.images.picture import open_picture

Lookup = Callable[[str], Sequence[str]]
"""From a name to the ids of the entities that bear it."""


class Images:
    """The picture files of each entity, by id (or by name, where a table is read without a graph).

    ``rejects`` says what was left out of a table and why: a file that is not there, leaves the
    folder, is no picture or is too large, an entity that the graph does not hold. An entity
    without a picture is simply not in here.
    """

    def __init__(self, files: Mapping[str, Iterable[Path]], rejects: Sequence[Reject] = ()) -> None:
        self.files = {id: tuple(paths) for id, paths in files.items() if tuple(paths)}
        self.rejects = list(rejects)

    def __len__(self) -> int:
        """How many entities have a picture."""
        return len(self.files)

    def __contains__(self, id: str) -> bool:
        return id in self.files

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.files))

    def of(self, id: str) -> tuple[Path, ...]:
        """The files of an entity; none for one without pictures."""
        return self.files.get(id, ())

    @property
    def count(self) -> int:
        """How many pictures there are; one that two entities share counts twice."""
        return sum(map(len, self.files.values()))

    @classmethod
    def read(
        cls,
        table: str | Path,
        *,
        folder: str | Path | None = None,
        lookup: Lookup | None = None,
        check: bool = True,
    ) -> Images:
        """From a CSV or TSV with the columns ``file`` and ``entity`` (a name) or ``id``.

        ``folder`` is where the files stand, the table's own folder by default; a folder in the
        place of the table is searched for the one table in it. ``lookup`` turns names into ids;
        every entity of that name gets the picture. ``check`` opens each file.
        """
        by_entity: dict[str, dict[Path, None]] = {}
        rejects: list[Reject] = []
        for item in read_rows(table, folder=folder, lookup=lookup, check=check):
            if isinstance(item, Reject):
                rejects.append(item)
            else:
                for id in item[0]:
                    by_entity.setdefault(id, {})[item[1]] = None
        return cls(by_entity, rejects)


def read_rows(
    table: str | Path,
    *,
    folder: str | Path | None = None,
    lookup: Lookup | None = None,
    check: bool = True,
) -> Iterator[tuple[tuple[str, ...], Path, str] | Reject]:
    """The ids, the file and the name as the table has it, row by row; or why not."""
    place = table_in(Path(table))
    home = Path(folder) if folder is not None else place.parent
    if not home.is_dir():
        raise InputError(f"there is no folder {home}")
    source = Source(place)
    checked: dict[Path, str] = {}
    for item in rows(source, required=("file",)):
        if isinstance(item, Reject):
            yield item
            continue
        line, cells = item
        name = (cells.get("id") or cells.get("entity") or "").strip()
        if "id" not in cells and "entity" not in cells:
            raise FieldError(
                f"{source.name} has no column 'entity' or 'id'",
                cure="a table of images has the columns entity, file",
            )
        ids, reason = _ids(cells, lookup)
        path = None
        if not reason:
            path, reason = _file(home, cells["file"].strip())
        if path is not None and check:
            if path not in checked:
                checked[path] = _broken(path, cells["file"].strip())
            reason = checked[path]
        if path is None or reason:
            yield Reject(source.name, f"line {line}", reason, name[:200])
        else:
            yield ids, path, name


def _ids(cells: Mapping[str, str], lookup: Lookup | None) -> tuple[tuple[str, ...], str]:
    id, name = cells.get("id", "").strip(), cells.get("entity", "").strip()
    if not id and not name:
        return (), "a picture without an entity"
    if id:
        return (id,), ""
    if cells.get("type", "").strip():
        return (f"{cells['type'].strip()}:{name}",), ""
    if lookup is None:
        return (name,), ""
    ids = tuple(lookup(name))
    return ids, "" if ids else "no entity of that name is in the graph"


def _file(home: Path, given: str) -> tuple[Path | None, str]:
    """The file below the folder; nothing outside it is ever opened."""
    if not given:
        return None, "an empty file name"
    if PurePosixPath(given).is_absolute() or PureWindowsPath(given).is_absolute():
        return None, "the file name leaves the folder"
    try:
        path = (home / given).resolve()
        inside = path.is_relative_to(home.resolve())
        there = inside and path.is_file()
    except (OSError, ValueError):
        return None, "no file name"
    if not inside:
        return None, "the file name leaves the folder"
    return (path, "") if there else (None, "the file is not there")


def _broken(path: Path, given: str) -> str:
    """Why a file cannot be used; empty where it can."""
    try:
        open_picture(path, name=given[-200:])
    except InputError as error:
        return error.message
    except OslerError:
        raise
    return ""


def table_in(place: Path) -> Path:
    """The table itself, or the one table of a folder."""
    if not place.is_dir():
        return place
    tables = sorted(p for p in place.iterdir() if p.suffix.lower() in (".csv", ".tsv"))
    if len(tables) != 1:
        raise InputError(
            f"{place.name} holds {len(tables)} tables: one says which picture is whose",
            cure="name the table (columns entity, file)",
        )
    return tables[0]
