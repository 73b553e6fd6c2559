"""Where the two entities of a fact stand in a paper.

A Chinese name is found as it is written; a Latin one by its terms (case, plural and diacritics
aside), so that "Seizures" finds "seizure" but never a part of a word.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from osler.stopping import check_stopped
from osler.text.scripts import CJK_CHARACTER
from osler.text.sentences import sentences
from osler.text.tokens import term_spans

Place = tuple[int, int]
BREAK = " \u00a7xx\u00a7 "
"""What stands between keywords where they are looked through at once: a word of no name."""


@lru_cache(maxsize=4_096)
def _plan(names: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, list[tuple[str, ...]]]]:
    """Names to look for: Chinese ones as written, Latin ones as terms, by their first term."""
    written, worded = [], dict[str, list[tuple[str, ...]]]()
    for name in dict.fromkeys(names):
        check_stopped()
        if CJK_CHARACTER.search(name):
            written.append(name.casefold())
        elif words := tuple(term for term, _, _ in term_spans(name)):
            worded.setdefault(words[0], []).append(words)
    return tuple(written), worded


class TextNames:
    """A text in which names are looked for; its terms are made once, when a Latin name needs
    them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded = ""
        self._places: dict[str, list[int]] | None = None
        self._spans: list[tuple[str, int, int]] = []

    def find(self, names: Sequence[str]) -> list[Place]:
        """All places of any of the names; of overlapping ones the longest, by place."""
        written, worded = _plan(tuple(names))
        places: list[Place] = []
        if written:
            places += self._written(written)
        if worded and self.text:
            places += self._worded(worded)
        return _apart(places)

    def _written(self, names: Sequence[str]) -> list[Place]:
        if not self._folded:
            folded = self.text.casefold()
            # Folding may change a text's length (a German sharp s): then it is searched as it is.
            self._folded = folded if len(folded) == len(self.text) else self.text
        text, places = self._folded, []
        for wanted in names:
            at = text.find(wanted)
            while at >= 0:
                places.append((at, at + len(wanted)))
                at = text.find(wanted, at + len(wanted))
        return places

    def _worded(self, names: Mapping[str, Sequence[tuple[str, ...]]]) -> list[Place]:
        if self._places is None:
            self._spans = term_spans(self.text)
            self._places = {}
            for number, (term, _, _) in enumerate(self._spans):
                self._places.setdefault(term, []).append(number)
        spans, places = self._spans, []
        for first, options in names.items():
            for number in self._places.get(first, ()):
                for wanted in options:
                    last = number + len(wanted) - 1
                    if last < len(spans) and all(
                        spans[number + i][0] == term for i, term in enumerate(wanted)
                    ):
                        places.append((spans[number][1], spans[last][2]))
        return places


class Names:
    """Many names, of which a text holds few: those are found by its own stretches, so that a
    graph of a hundred thousand entities costs no more than one of ten."""

    def __init__(self, names: Iterable[str]) -> None:
        self._written: dict[str, str] = {}
        self._worded: dict[tuple[str, ...], str] = {}
        for name in names:
            if CJK_CHARACTER.search(name):
                self._written.setdefault(name.casefold(), name)
            elif terms := tuple(term for term, _, _ in term_spans(name)):
                self._worded.setdefault(terms, name)
        self._sizes = sorted({len(name) for name in self._written})
        self._counts = sorted({len(terms) for terms in self._worded})

    def within(self, text: str) -> set[str]:
        """Those that the text holds."""
        folded = text.casefold()
        found = {
            self._written[part]
            for size in self._sizes
            for at in range(len(folded) - size + 1)
            if (part := folded[at : at + size]) in self._written
        }
        terms = [term for term, _, _ in term_spans(text)] if self._worded else []
        for count in self._counts:
            for at in range(len(terms) - count + 1):
                name = self._worded.get(tuple(terms[at : at + count]))
                if name is not None:
                    found.add(name)
        return found


def _apart(places: Sequence[Place]) -> list[Place]:
    kept: list[Place] = []
    for start, end in sorted(set(places), key=lambda place: (place[0], -place[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


@dataclass(frozen=True)
class Places:
    """The sentences of title and abstract (the title is the first) and where each entity stands:
    ``heads``, ``tails`` in the text, ``head_sentences``, ``tail_sentences`` by number, and which
    keywords name them."""

    text: str
    keywords: tuple[str, ...]
    sentences: tuple[Place, ...]
    heads: tuple[Place, ...]
    tails: tuple[Place, ...]
    head_sentences: tuple[int, ...]
    tail_sentences: tuple[int, ...]
    head_keywords: tuple[int, ...]
    tail_keywords: tuple[int, ...]
    titled: bool

    @classmethod
    def of(
        cls,
        text: str,
        keywords: Sequence[str],
        head_names: Sequence[str],
        tail_names: Sequence[str],
        *,
        heads: Sequence[Place] | None = None,
        tails: Sequence[Place] | None = None,
    ) -> Places:
        cut = tuple(sentences(text))
        looked = TextNames(text)
        found_heads = tuple(heads if heads is not None else looked.find(head_names))
        found_tails = tuple(tails if tails is not None else looked.find(tail_names))
        title_end = text.find("\n")
        listed = TextNames(BREAK.join(keywords))
        starts = list(accumulate((len(word) + len(BREAK) for word in keywords), initial=0))[:-1]
        return cls(
            text=text,
            keywords=tuple(keywords),
            sentences=cut,
            heads=found_heads,
            tails=found_tails,
            head_sentences=_numbers(cut, found_heads),
            tail_sentences=_numbers(cut, found_tails),
            head_keywords=_naming(listed, starts, head_names),
            tail_keywords=_naming(listed, starts, tail_names),
            titled=bool(text[: max(title_end, 0)].strip()),
        )

    @property
    def both(self) -> tuple[int, ...]:
        """Sentences that hold both entities."""
        tails = set(self.tail_sentences)
        return tuple(n for n in self.head_sentences if n in tails)

    @property
    def nearest(self) -> tuple[int, int] | None:
        """The sentences of the two nearest mentions, in order; None where one is missing."""
        pairs = [
            (abs(h - t), min(h, t), max(h, t))
            for h in self.head_sentences
            for t in self.tail_sentences
        ]
        if not pairs:
            return None
        _, low, high = min(pairs)
        return low, high

    def sentence(self, number: int) -> str:
        start, end = self.sentences[number]
        return self.text[start:end]

    @property
    def title_sentences(self) -> range:
        """The numbers of the title's sentences: a title may hold a full stop."""
        if not self.titled:
            return range(0)
        title_end = self.text.find("\n")
        return range(sum(start < title_end for start, _ in self.sentences))

    @property
    def first(self) -> int | None:
        """The number of the abstract's first sentence."""
        number = len(self.title_sentences)
        return number if number < len(self.sentences) else None


def _numbers(cut: Sequence[Place], places: Sequence[Place]) -> tuple[int, ...]:
    starts = [start for start, _ in cut]
    return tuple(sorted({max(0, bisect_right(starts, start) - 1) for start, _ in places}))


def _naming(keywords: TextNames, starts: Sequence[int], names: Sequence[str]) -> tuple[int, ...]:
    """The keywords that hold a name; ``keywords`` has them one a line, from ``starts`` on."""
    return tuple(sorted({bisect_right(starts, at) - 1 for at, _ in keywords.find(names)}))
