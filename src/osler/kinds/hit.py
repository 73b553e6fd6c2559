"""What a query brings back: hits in order, and runs over many queries."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from osler.kinds.reason import EvidenceSentence, Reason

Evidence = EvidenceSentence
"""The short name for the reason that every kind of hit can carry."""


class Hit(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One result: the document's (or entity's, or answer's) id, its score and why.

    ``design`` is the kind of study with how sure that is (1.0 where an indexer names it),
    ``sample_size`` how many took part and ``arms`` the groups with their sizes, where the abstract
    says so. ``no_finding`` says that the evidence sentence states an aim, a method or what is
    known: the paper has none that states a finding on the question. ``authors`` are written as
    PubMed writes them; ``abstract`` is there where it was asked for.
    """

    id: str
    score: float
    title: str = ""
    highlights: tuple[tuple[int, int], ...] = ()
    retracted: bool = False
    published: str = ""
    journal: str = ""
    authors: tuple[str, ...] = ()
    doi: str = ""
    abstract: str = ""
    design: str = ""
    design_probability: float | None = None
    sample_size: int | None = None
    arms: tuple[tuple[str, int], ...] = ()
    no_finding: bool = False
    reasons: tuple[Reason, ...] = ()

    @property
    def evidence(self) -> EvidenceSentence | None:
        for reason in self.reasons:
            if isinstance(reason, EvidenceSentence):
                return reason
        return None


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a list answers its question: ``answered``, ``near`` or ``nothing``, with the
    probability that it does. ``text`` says what is missing in a sentence, ``missing`` names it: the
    parts of the question that no paper holds, or that none holds together."""

    kind: str
    probability: float
    text: str = ""
    missing: tuple[str, ...] = ()


class Ranking(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Hits in order, best first, ties by id; ``notes`` say what the reader of it should know
    ("vectors cover 43 % of the documents"). ``model`` names the trained model of the library that
    was at work, empty where none was. ``total`` is how many documents match the query's words (for
    the query language: how many it finds); None where nobody counts. ``verdict`` says whether the
    list answers the question, None where nobody judges; ``suggestion`` is the question as it may
    have been meant, where a word of it looks misspelt: nobody searches for that unasked.
    ``answered`` is false where no answer of a collection answers (the first note says why; the
    hits are the nearest), None where nobody judged that."""

    query: str
    hits: list[Hit]
    method: str = ""
    model: str = ""
    total: int | None = None
    notes: list[str] = []
    verdict: Verdict | None = None
    suggestion: str = ""
    answered: bool | None = None

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


Run = dict[str, dict[str, float]]
"""Scores by query and document, as a TREC run file holds them."""
