"""Images of entities: files of the library's folder ``images``, and nothing outside of it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from osler.errors import UnknownId
from osler.kinds import Entity
from osler.serve.reader import Reader

FOLDER = "images"
MEDIA = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
"""No SVG: it can hold scripts."""


def image_file(root: Path, name: str) -> Path:
    """The file behind an image's name; an error where it is none, or stands outside."""
    folder = (root / FOLDER).resolve()
    try:
        file = (folder / name).resolve()
        inside = file.is_relative_to(folder) and file.is_file() and file.suffix.lower() in MEDIA
    except (OSError, ValueError):
        inside = False
    if not inside:
        raise UnknownId("the library holds no such image")
    return file


def image_links(reader: Reader, entity: Entity) -> list[str]:
    """Addresses of those images of an entity that are there."""
    links = []
    for name in entity.images:
        try:
            image_file(reader.path, name)
        except UnknownId:
            continue
        links.append(f"/images/{quote(name)}")
    return links
