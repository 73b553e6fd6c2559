"""Folders of notes with annotation files beside them, however the folders are named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from osler.errors import FormatError
from osler.files.reader import Item
from osler.files.source import Head, Source
from osler.kinds import FactSource, Reject

MAX_LINE = 2_000
"""Characters of a note's line that are kept beside a fact."""


def stems(source: Source, suffixes: tuple[str, ...]) -> dict[str, Path]:
    """Files of a folder that end in one of the suffixes, by name without it; a file gives
    itself. Where a name stands in several folders (``w1/1.ann`` and ``w2/1.ann``), the folder is
    part of it: they are two records."""
    by_stem: dict[str, Path] = {}
    paths = _files(source)
    apart = _ambiguous(source.path, paths) if source.is_folder else {}
    for path in paths:
        for suffix in suffixes:
            if path.name.endswith(suffix) and not path.name.startswith("."):
                # "12.txt.chains" and "12.chains" both belong to note 12.
                name = path.name.removesuffix(suffix).removesuffix(".txt")
                by_stem.setdefault(f"{apart[path]}/{name}" if path in apart else name, path)
                break
    return by_stem


def named_apart(source: Source, paths: list[Path]) -> Iterator[tuple[Path, str]]:
    """Each file with the name of its record, told apart as ``stems`` does."""
    apart = _ambiguous(source.path, paths) if source.is_folder else {}
    for path in paths:
        name = path.name.split(".")[0]
        yield path, f"{apart[path]}/{name}" if path in apart else name


def _files(source: Source) -> list[Path]:
    if not source.is_folder:
        return [source.path]
    return sorted(p for p in source.path.rglob("*") if p.is_file())


def _ambiguous(root: Path, paths: list[Path]) -> dict[Path, str]:
    """For files whose record's name stands in several folders: the folder that tells them apart,
    the topmost that does."""
    same: dict[str, list[Path]] = {}
    for path in paths:
        same.setdefault(path.name, []).append(path)
    names = {name.split(".")[0] for name, held in same.items() if len(held) > 1}
    apart: dict[Path, str] = {}
    for path in paths:
        if path.name.split(".")[0] in names:
            folders = path.relative_to(root).parent.parts
            alike = [
                p for p in same[path.name] if p.relative_to(root).parent.parts[:1] == folders[:1]
            ]
            apart[path] = "/".join(folders if len(alike) > 1 else folders[:1])
    return {path: folder for path, folder in apart.items() if folder}


def cited(source: str, tag: Any, text: str) -> FactSource:
    """Where a tag of an XML file stands, with the line of the note that its offsets lie in."""
    file, _, rest = source.partition(":")
    place = f":{rest}" if rest else ""
    try:
        start, end = int(tag.get("start")), int(tag.get("end"))
    except (TypeError, ValueError):
        return FactSource(file, place)
    first = text.rfind("\n", 0, max(start, 0)) + 1
    last = text.find("\n", max(end, 0))
    line = text[first : last if last >= 0 else len(text)][:MAX_LINE]
    return FactSource(file, place, max(0, start - first), max(0, end - first), line)


def whole_or_rejected(items: Iterator[Item], file: str, *, alone: bool) -> Iterator[Item]:
    """A file's items; one that is broken is a reject in a folder, so that the others are read."""
    try:
        yield from items
    except FormatError as error:
        if alone:
            raise
        yield Reject(file, "the file", error.message)


def notes_of(source: Source, marks: tuple[str, ...]) -> dict[str, Path]:
    """Notes by name: ``.txt`` files, and files without a suffix where a task has none.

    For a single annotation file, its note is looked for beside it and in the sister folders.
    """
    root = source.path if source.is_folder else source.path.parent
    paths = stems(Source(root), (".txt",)) if source.is_folder else _beside(source.path)
    if source.is_folder:
        apart = _ambiguous(root, _files(source))
        for path in sorted(root.rglob("*")):
            if path.is_file() and "." not in path.name:
                folder = apart.get(path)
                paths.setdefault(f"{folder}/{path.name}" if folder else path.name, path)
    return paths


def _beside(path: Path) -> dict[str, Path]:
    stem = path.name.split(".")[0]
    places = [path.parent]
    if path.parent.parent != path.parent:
        places += [
            path.parent.parent / name for name in ("txt", "docs", "documents", "text", "notes")
        ]
    for place in places:
        for name in (f"{stem}.txt", stem):
            if (place / name).is_file():
                return {stem: place / name}
    return {}


def read_text(path: Path) -> str | None:
    """A note's text with newlines as they are; None when it is not UTF-8.

    A NUL, which no store takes, becomes a mark that offsets of characters and of words still count.
    """
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n").replace("\0", "\ufffd")
    except UnicodeDecodeError:
        return None


def any_ends(head: Head, suffixes: tuple[str, ...]) -> bool:
    names = head.names if head.is_folder else (head.name,)
    return any(name.endswith(suffix) for name in names for suffix in suffixes)


def all_named(head: Head, pattern: str, word: str) -> bool:
    """Whether a folder is of a task's XML files: by their names, or by a word in the folder's."""
    names = [name.rpartition("/")[2] for name in head.names]
    files = [name for name in names if name.endswith(".xml")]
    if not files:
        return False
    return word in head.name.lower() or all(re.fullmatch(pattern, name) for name in files)


def unpaired(notes: dict[str, Path], annotated: set[str], what: str) -> Iterator[Reject]:
    """A note without its annotation is said, not passed over; so is the reverse."""
    for name in sorted(set(notes) - annotated):
        yield Reject(notes[name].name, "file", f"a note without {what}", id=name)
