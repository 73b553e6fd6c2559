"""The encoders of one library: who reads which language, and who stands in until it has.

A library has one preferred encoder. A Chinese one that was fetched reads what the preferred cannot.
Others stand in while the preferred has read too few papers: those that were preferred before, whose
vectors the library still holds, and the static table, which reads everything at once. Nothing is
loaded before it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from osler.errors import NeedsError, OslerError
from osler.fetch import fetched
from osler.text.encoder import Encoder, encoder_fingerprint, load_encoder
from osler.text.language import language
from osler.text.model_folder import DEFAULT, SMALL, STATIC, default_name, shipped

CHINESE = ("bge-small-zh",)
"""Fetched encoders that read Chinese beside an English one."""
FORMER = (SMALL, "minilm", "gte-small", "bge-small-en", "e5-small-v2")
"""Encoders whose vectors a library may hold from before."""
ENOUGH = 0.98
"""The preferred encoder answers once it has read so many of what a stand-in has read."""
READ_AT_ONCE = 32
"""Papers that are read while a question waits; if no more are missing, all of them are."""


@dataclass
class Member:
    """An encoder by name, loaded when it is first needed; or one that somebody made."""

    name: str | Path
    _encoder: Encoder | None = None
    _fingerprint: str | None = None

    def __post_init__(self) -> None:
        self._by_name = self._encoder is None

    @property
    def encoder(self) -> Encoder:
        if self._encoder is None:
            self._encoder = load_encoder(self.name)
        return self._encoder

    @property
    def given(self) -> str | Encoder:
        """What another process loads it by: its name, or the object itself."""
        return str(self.name) if self._by_name else self.encoder

    @property
    def fingerprint(self) -> str:
        if self._fingerprint is None:
            encoder = self._encoder
            self._fingerprint = encoder.fingerprint if encoder else encoder_fingerprint(self.name)
        return self._fingerprint


@dataclass
class Team:
    """The preferred encoder, those beside it, and those that stand in for it."""

    preferred: Member
    beside: Sequence[Member] = ()
    stand_ins: Sequence[Member] = ()
    _by_language: dict[str, Member | None] = field(default_factory=dict)

    @classmethod
    def of(cls, encoder: str | Path | Encoder = DEFAULT) -> Team:
        """The team behind a name: an encoder that somebody made himself works alone."""
        if not isinstance(encoder, str | Path):
            return cls(Member(getattr(encoder, "name", ""), encoder))
        name = default_name() if encoder == DEFAULT else encoder
        beside = [Member(each) for each in CHINESE if each != name and fetched(each)]
        former = [each for each in FORMER if each != name and (shipped(each) or _fetched(each))]
        static = [STATIC] if shipped(STATIC) and name != STATIC else []
        return cls(Member(name), beside, [Member(each) for each in (*former, *static)])

    @property
    def static(self) -> Member | None:
        """The table that reads everything at once, where it came with the package."""
        return next((each for each in self.stand_ins if each.name == STATIC), None)

    def reader(self, text: str) -> Member | None:
        """Whose vectors a text gets; None where nobody reads its language."""
        spoken = language(text)
        if spoken not in self._by_language:
            self._by_language[spoken] = self._reading(text)
        return self._by_language[spoken]

    def _reading(self, text: str) -> Member | None:
        missing: NeedsError | None = None
        for member in (self.preferred, *self.beside):
            try:
                if member.encoder.reads(text):
                    return member
            except NeedsError as error:
                missing = missing or error
        if missing is not None:
            raise missing
        return None

    def readers(self) -> Iterator[tuple[Member, Callable[[str], bool]]]:
        """Each encoder that gives vectors to papers, with which texts are its own."""
        for member in (self.preferred, *self.beside):

            def own(text: str, member: Member = member) -> bool:
                return self.reader(text) is member

            yield member, own

    def vectors(self, count: Callable[[str], int]) -> int:
        """The most vectors that any of the team's encoders has in a library."""
        most = 0
        for member in (self.preferred, *self.beside, *self.stand_ins):
            try:
                most = max(most, count(member.fingerprint))
            except OslerError:
                continue
            if most:
                break
        return most

    def answering(self, text: str, count: Callable[[str], int], total: int) -> Encoder:
        """Who answers a question: its reader, or a stand-in that has read far more papers.

        ``count`` says how many vectors of an encoder (by its fingerprint) there are, ``total`` how
        many papers. Where nobody reads the language the preferred encoder is given: it says so.
        """
        reader = self.reader(text)
        if reader is None:
            return self.preferred.encoder
        read = count(reader.fingerprint)
        if _enough(read, total):
            return reader.encoder
        best = reader
        for member in self.stand_ins:
            try:
                more = count(member.fingerprint)
                if not _enough(read, more) and member.encoder.reads(text):
                    best, read = member, more
            except OslerError:
                continue  # it was taken away meanwhile: the others stand in
        return best.encoder

    def quick(self, text: str, encoder: str, count: Callable[[str], int]) -> Encoder | None:
        """The table, where it has read papers that an encoder (by its fingerprint) has not."""
        static = self.static
        if static is None or static.fingerprint == encoder:
            return None
        more = count(static.fingerprint) > count(encoder)
        return static.encoder if more and static.encoder.reads(text) else None


def _enough(read: int, wanted: int) -> bool:
    """Whether an encoder that has read so many may answer for one that has read ``wanted``."""
    return (read > 0 and (read >= ENOUGH * wanted or wanted - read <= READ_AT_ONCE)) or not wanted


def _fetched(name: str) -> bool:
    try:
        return fetched(name) is not None
    except OslerError:
        return False
