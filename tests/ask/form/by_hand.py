"""Spans written by hand, for parts that a whole question reaches only by way of many others."""

from __future__ import annotations

import itertools

from osler.ask.form.lexicon import Meaning
from osler.ask.form.people import Named
from osler.ask.form.spans import Span
from osler.ask.form.times import Stretch
from osler.ask.form.vocabulary import Match

TAGS = {
    **dict.fromkeys(("asthma", "gout", "aspirin", "CT", "sinusitis"), ("concept", "")),
    **dict.fromkeys(("is", "was"), ("be", "now")),
    "were": ("be", "past"),
    "has": ("have", "now"),
    "had": ("have", "past"),
    "does": ("do", "now"),
    "who": ("ask", "who"),
    "what": ("ask", "what"),
    "when": ("ask", "when"),
    "date": ("ask", "when"),
    "count": ("ask", "count"),
    "show": ("ask", "show"),
    "drugs": ("kind", "medication"),
    "takes": ("verb", "medication now"),
    "took": ("verb", "medication past"),
    "started": ("begin", "-"),
    "born": ("attr", "birth date"),
    "died": ("attr", "death"),
    "past": ("when", "past"),
    "now": ("when", "now"),
    "latest": ("pick", "latest"),
    "before": ("time", "before"),
    "only": ("left", "-"),
    "need": ("beyond", "advice"),
    "mean": ("restart", "-"),
}
_MARKS = (",", "?", ".", ":", "!")


def spans_of(text: str) -> list[Span]:
    """A span a word. Ann, Ann's and Lees are a patient, an owner and two patients; what begins with
    z is not known, figures are a year, what stands in no table carries nothing. ``so_that`` is one
    span, and a word behind ``--`` the first after a dash."""
    spans = []
    for at, word in enumerate(w for w in text.split() if w != "--"):
        said = word.replace("_", " ")
        span = Span(at, at + 1, said)
        if said in ("Ann", "Ann's", "Lees"):
            bearers = ("p", "q") if said == "Lees" else ("p",)
            span.person = Named(at, at + 1, bearers, "name", 1.0)
            span.owner = said == "Ann's"
        elif said in _MARKS:
            span.mark = said
        elif said[0] in "zZ" or said == "J":
            span.left = True
        elif said.isdigit() or said == "today":
            span.time = Stretch(at, at + 1, "2019-01-01", "2019-12-31")
        else:
            span.meanings = (Meaning(*TAGS.get(said, ("empty", "-"))),)
        if span.means("concept"):
            span.concept = {"condition": Match("condition", [said])}
        spans.append(span)
    return spans


def gaps_of(text: str) -> list[str]:
    """The text before each of these spans."""
    words = ["", *text.split()]
    return [" - " if a == "--" else " " for a, b in itertools.pairwise(words) if b != "--"]
