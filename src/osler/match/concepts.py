"""Where a question and an answer speak of one thing by different names.

Names meet through terminologies: that of the library, where it holds one, what its pairs say of
themselves (:mod:`osler.match.own_names`), and the small one that the package brings
(:mod:`osler.match.other_names`). A question can be said in an answer's words, or
in all words that a thing goes by. Two things are kin if one is a kind of the other: an answer about
a glioma speaks of a brain tumour, though not of every one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from osler.match.known import Known
from osler.match.other_names import everyday_names
from osler.match.texts import Kept
from osler.text.scripts import CJK_CHARACTER

NARROWER, BROADER = 2, 1
"""Steps of is-a that an answer's thing may stand below, or above, that of the question."""
OTHER_WORDINGS = 8
"""Ways to say a question that are tried at most."""
Spans = frozenset[tuple[int, int]]


class Concepts:
    """``terminologies`` are asked in turn; what any of them knows counts."""

    def __init__(self, terminologies: Sequence[Known]) -> None:
        self.terminologies = [one for one in terminologies if len(one)]
        self._above = Kept(self._above_of)
        self._called = [Kept(partial(_called, known)) for known in self.terminologies]

    @classmethod
    def beside(cls, *known: Known | None) -> Concepts:
        """Those of a library, if it knows any, beside the package's own."""
        return cls([*(one for one in known if one is not None), everyday_names()])

    def in_words_of(self, text: str, question: str) -> str:
        """The question with each thing called as the text calls it."""
        names: dict[tuple[int, int], str] = {}
        for known, called in zip(self.terminologies, self._called, strict=True):
            there = called(text)
            linked = known.link(question)
            for (start, end, _), senses in zip(linked.spans, linked.senses, strict=True):
                name = next((there[sense] for sense in senses if sense in there), "")
                if name and name.casefold() != question[start:end].casefold():
                    names.setdefault((start, end), name)
        return _replaced(question, names)

    def wordings(self, question: str, most: int = OTHER_WORDINGS) -> list[str]:
        """The question, and how else it may be said: one thing at a time under its other names,
        those first that terminologies prefer."""
        others: dict[str, None] = {question: None}
        by_span = [list(names) for names in self._other_names(question)]
        for turn in range(max(map(len, by_span), default=0)):
            for names in by_span:
                if turn < len(names):
                    start, end, name = names[turn]
                    others.setdefault(_replaced(question, {(start, end): name}))
        return list(others)[: most + 1]

    def _other_names(self, question: str) -> Iterator[Iterator[tuple[int, int, str]]]:
        chinese = bool(CJK_CHARACTER.search(question))
        for known in self.terminologies:
            linked = known.link(question)
            for (start, end, _), senses in zip(linked.spans, linked.senses, strict=True):
                own = question[start:end].casefold()
                names = [
                    name for sense in senses for name in known.graph.names(known.graph.id(sense))
                ]
                # Names in another language find nothing; turned ones ("Infarction, Myocardial")
                # are made of the same words.
                yield ((start, end, name) for name in names
                       if name.casefold() != own and "," not in name
                       and bool(CJK_CHARACTER.search(name)) == chinese)  # fmt: skip

    def kin(self, question: str, text: str) -> Spans:
        """The parts of a question that name a kind of what a text names, or the other way round."""
        spans = set()
        for at, known in enumerate(self.terminologies):
            there = {known.graph.id(number) for number in known.link(text).entities}
            wider = {above for id in there for above in self._above(f"{NARROWER} {at} {id}")}
            for start, end, number in known.link(question).spans:
                id = known.graph.id(number)
                if id in wider or self._above(f"{BROADER} {at} {id}") & there:
                    spans.add((start, end))
        return frozenset(spans)

    def _above_of(self, asked: str) -> frozenset[str]:
        steps, at, id = asked.split(" ", 2)
        return frozenset(self.terminologies[int(at)].graph.ancestors(id, int(steps)))


def _called(known: Known, text: str) -> dict[int, str]:
    """How a text calls each thing that it names, where it does so first."""
    names: dict[int, str] = {}
    linked = known.link(text)
    for (start, end, _), senses in zip(linked.spans, linked.senses, strict=True):
        for sense in senses:
            names.setdefault(sense, text[start:end])
    return names


def _replaced(question: str, names: dict[tuple[int, int], str]) -> str:
    """The question with some of its parts under other names; of parts that overlap the first."""
    pieces, last = [], 0
    for (start, end), name in sorted(names.items()):
        if start >= last:
            pieces += [question[last:start], name]
            last = end
    return "".join([*pieces, question[last:]])
