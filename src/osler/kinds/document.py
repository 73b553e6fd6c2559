"""A document: a paper as a library holds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

FILE = "pdf:"
"""How the id of a document begins that is a file with nothing else to go by."""


def page_label(number: int) -> str:
    """The label of a section that is a page of a file."""
    return f"page {number}"


def page_of(label: str) -> int | None:
    """The page that a section's label names; None where it names none."""
    word, _, number = label.partition(" ")
    return int(number) if word == "page" and number.isdecimal() else None


class Section(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A labelled part of an abstract or of a full text (``METHODS``, ``1. Introduction``)."""

    text: str = ""
    label: str = ""


ABSTRACT = "abstract"
"""The name of a paper's title and abstract, where its other parts have names of their own."""


def section_names(sections: Sequence[Section]) -> list[str]:
    """A name for each section of a full text, no two alike: a paper may have two parts called
    "Statistics", and a quote must say which of them it is out of."""
    names: list[str] = []
    taken = {ABSTRACT}
    for number, section in enumerate(sections, 1):
        name = section.label or f"section {number}"
        while name in taken:
            name = f"{name} ({number})"
        names.append(name)
        taken.add(name)
    return names


class Heading(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A subject heading that an indexer gave, such as MeSH's; ``major`` marks a main topic."""

    name: str
    id: str = ""
    major: bool = False
    qualifiers: tuple[str, ...] = ()


class Author(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A person, or a group by its name as ``family``. Affiliations stand one a line; ``id`` is an
    ORCID or its like."""

    family: str
    given: str = ""
    initials: str = ""
    affiliation: str = ""
    suffix: str = ""
    id: str = ""

    @property
    def inverted(self) -> str:
        """As a list of references has it: Nogues, Xavier."""
        name = self.given or self.initials
        return f"{self.family}, {name}" if name else self.family

    @property
    def short(self) -> str:
        """As PubMed writes one: Nogues X."""
        letters = self.initials or "".join(word[0] for word in self.given.split())
        return f"{self.family} {letters}".strip()


class Document(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One paper. ``id`` is its identity everywhere; position never is.

    Dates are ISO and may be partial (``2021``, ``2021-03``). ``ids`` holds the paper's other
    names by scheme (``pmid``, ``doi``, ``pmcid``): two documents that share one are the same paper.
    """

    id: str
    title: str = ""
    sections: tuple[Section, ...] = ()
    keywords: tuple[str, ...] = ()
    headings: tuple[Heading, ...] = ()
    language: str = ""
    published: str = ""
    revised: str = ""
    journal: str = ""
    authors: tuple[Author, ...] = ()
    ids: dict[str, str] = {}
    types: tuple[str, ...] = ()
    retracted: bool = False
    full_text: tuple[Section, ...] = ()
    metadata: dict[str, Any] = {}

    @property
    def abstract(self) -> str:
        """The abstract as one text, sections joined by a blank."""
        if len(self.sections) == 1:
            return self.sections[0].text
        return " ".join(section.text for section in self.sections if section.text)

    @property
    def text(self) -> str:
        """Title, a newline, abstract: the text that offsets of mentions and evidence count in."""
        return f"{self.title}\n{self.abstract}"

    @property
    def year(self) -> int | None:
        head = self.published[:4]
        return int(head) if len(head) == 4 and head.isdigit() else None


class Deletion(msgspec.Struct, frozen=True):
    """A reader's word that a document is withdrawn (PubMed's DeleteCitation)."""

    id: str
