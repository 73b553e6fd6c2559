"""A claim of papers that a search brought, and a paper of a few words."""

from __future__ import annotations

from osler.claims.paper import paper_stance
from osler.claims.verdict import Stance
from osler.kinds import Document, Section

ASKED = "Do probiotics reduce anxiety?"


def told_by(claim: str, text: str, title: str = "") -> Stance:
    return paper_stance(claim, Document(id="1", title=title, sections=(Section(text),)))
