"""The three text pairs of section 3.1: paper, RCor fragment, KImp fragment, each with the fact."""

from __future__ import annotations

from typing import NamedTuple

from osler.grade.fragments import joined, kimp_text, rcor_text
from osler.grade.pair import Fact, Pair
from osler.grade.places import Place, TextNames

VIEWS = ("medl", "rcor", "kimp")
HEAD, TAIL, RELATION = 1, 2, 3


class View(NamedTuple):
    """A text, the fact beside it, and where the text names the fact's entities."""

    text: str
    fact: Fact
    heads: tuple[Place, ...]
    tails: tuple[Place, ...]


def view(pair: Pair, which: str) -> View:
    """What an encoder reads of a pair: one of the three, or fact and paper apart."""
    if which == "paper":
        return alone(pair)
    if which == "fact":
        return only_fact(pair)
    if which == "medl":
        parts = [pair.title, pair.abstract, " ".join(pair.keywords)]
        text = joined([part for part in parts if part.strip()])
    else:
        text = rcor_text(pair) if which == "rcor" else kimp_text(pair)
    looked = TextNames(text)
    return View(
        text,
        pair.fact,
        tuple(looked.find(pair.fact.heads)),
        tuple(looked.find(pair.fact.tails)),
    )


def alone(pair: Pair) -> View:
    """The paper without the fact: for models that read the two apart."""
    whole = view(pair, "medl")
    return View(whole.text, Fact("", "", ""), (), ())


def only_fact(pair: Pair) -> View:
    return View("", pair.fact, (), ())
