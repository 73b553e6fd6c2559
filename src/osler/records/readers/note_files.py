"""Folders of notes with annotation files beside them, however the folders are named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from osler.files.source import Head, Source
from osler.kinds import Reject


def stems(source: Source, suffixes: tuple[str, ...]) -> dict[str, Path]:
    """Files of a folder that end in one of the suffixes, by name without it; a file gives
    itself."""
    found: dict[str, Path] = {}
    paths = (
        sorted(p for p in source.path.rglob("*") if p.is_file())
        if source.is_folder
        else [source.path]
    )
    for path in paths:
        for suffix in suffixes:
            if path.name.endswith(suffix) and not path.name.startswith("."):
                # "12.txt.chains" and "12.chains" both belong to note 12.
                found.setdefault(path.name.removesuffix(suffix).removesuffix(".txt"), path)
                break
    return found


def notes_of(source: Source, marks: tuple[str, ...]) -> dict[str, Path]:
    """Notes by name: ``.txt`` files, and files without a suffix where a task has none.

    For a single annotation file, its note is looked for beside it and in the sister folders.
    """
    root = source.path if source.is_folder else source.path.parent
    found = stems(Source(root), (".txt",)) if source.is_folder else _beside(source.path)
    if source.is_folder:
        for path in sorted(root.rglob("*")):
            if path.is_file() and "." not in path.name and path.name not in found:
                found[path.name] = path
    return found


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
