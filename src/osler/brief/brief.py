"""What stands on the page of evidence."""

from __future__ import annotations

import msgspec

ANSWERED, NEAR, NOTHING = "answered", "near", "nothing"


class Quote(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sentence of a paper, word for word: ``text`` stands at ``start`` to ``end`` of the paper's
    title, a newline and its abstract. ``side`` is what it says to the question, with the
    probability of that; empty where no side was looked for."""

    paper: str
    title: str
    text: str
    start: int
    end: int
    side: str = ""
    probability: float = 0.0
    authors: str = ""
    journal: str = ""
    year: str = ""
    pmid: str = ""
    doi: str = ""
    design: str = ""
    design_probability: float | None = None
    sample_size: int | None = None

    @property
    def cited(self) -> str:
        """Authors, journal and year, as far as the library knows them."""
        return ", ".join(part for part in (self.authors, self.journal, self.year) if part)

    @property
    def named(self) -> str:
        """The paper by the id that others know: its PMID, its DOI, or the library's own."""
        if self.pmid:
            return f"PMID {self.pmid}"
        return f"doi:{self.doi}" if self.doi else self.paper


class Searched(msgspec.Struct, frozen=True, kw_only=True):
    """What was done, so that it can be done again."""

    query: str
    method: str
    papers: int
    """Papers in the library."""
    total: int | None
    """Papers that share words with the question; None where nobody counts."""
    read: int
    """Papers that were weighed, the best of those."""
    retracted: int
    """Retracted papers among them: left out."""
    command: str


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """One page: ``verdict`` is answered, near or nothing, ``words`` say it. ``sides`` counts papers
    by side, ``designs`` the same by design of study. ``supporting``, ``against`` and ``beside``
    (papers that take no side) are quotes, the surest first."""

    question: str
    date: str
    library: str
    verdict: str
    words: str
    sides: dict[str, int]
    designs: dict[str, dict[str, int]]
    supporting: tuple[Quote, ...]
    against: tuple[Quote, ...]
    beside: tuple[Quote, ...]
    searched: Searched
    limits: tuple[str, ...]
    notes: tuple[str, ...] = ()
    lacking: tuple[Quote, ...] = ()
    """Papers near in words that do not name all that is asked about."""

    @property
    def quotes(self) -> tuple[Quote, ...]:
        return self.supporting + self.against + self.beside + self.lacking
