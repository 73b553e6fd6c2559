"""A topic: what a person is looking for, in a few words."""

from __future__ import annotations

import msgspec


class Topic(msgspec.Struct, frozen=True, omit_defaults=True):
    """``id`` is its identity in files; ``name`` its words; ``description`` may say more."""

    id: str
    name: str = ""
    description: str = ""

    @property
    def words(self) -> str:
        """The name as words: an id such as ``Acute_Threat_Fear`` serves where there is no name."""
        return (self.name or self.id).replace("_", " ")

    @property
    def key(self) -> str:
        """What two spellings of one topic share."""
        return self.words.casefold()

    @property
    def text(self) -> str:
        return f"{self.words}. {self.description}" if self.description else self.words
