"""A claim of papers that a search brought, and a paper of a few words."""

from __future__ import annotations

from osler.claims.paper import leaning, paper_stance
from osler.claims.verdict import Stance
from osler.kinds import Document, Section

ASKED = "Do probiotics reduce anxiety?"


def told_by(claim: str, text: str, title: str = "") -> Stance:
    return paper_stance(claim, Document(id="1", title=title, sections=(Section(text),)))


def heard_in(claim: str, text: str) -> Stance:
    """The side that the heads lean to, told or not: whether the sentence was read at all."""
    return leaning(claim, Document(id="1", sections=(Section(text),)))
