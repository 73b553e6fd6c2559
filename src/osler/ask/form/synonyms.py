"""Words that no table of the questions knows, and what they may be read as.

``synonyms.tsv`` is made from WordNet (benchmarks/ask_synonyms.py): ordinary words beside words of
the lexicon in the same sense. Which of several is meant the form decides: only a word with which
the question becomes a whole form is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, product

from osler.ask.form.lexicon import rows
from osler.ask.form.spans import Span
from osler.ask.form.tokens import Token

MOST_UNKNOWN = 2
MOST_TRIED = 12


@lru_cache(maxsize=1)
def synonyms() -> dict[str, tuple[str, ...]]:
    """For each ordinary word the words of the lexicon that it may be read as, likeliest first."""
    return {word: tuple(others.split("|")) for word, others in rows("synonyms")}


def unknown(spans: Sequence[Span], words: Sequence[Token]) -> list[Token]:
    """The words that nothing explains, unless one may be a name: then none may be guessed."""
    left = [words[span.start] for span in spans if span.left]
    named = any(token.capital and token.start > 0 for token in left)
    return [] if named else left


def ways(left: Sequence[Token]) -> Iterator[dict[int, str]]:
    """Each way to read all unknown words by others, by their places; the likeliest first."""
    choices = [synonyms().get(token.word, ()) for token in left]
    if not 0 < len(left) <= MOST_UNKNOWN or not all(choices):
        return
    ranked = sorted(product(*(enumerate(some) for some in choices)), key=_rank)
    for way in islice(ranked, MOST_TRIED):
        yield {token.start: word for token, (_, word) in zip(left, way, strict=True)}


def _rank(way: tuple[tuple[int, str], ...]) -> int:
    return sum(at for at, _ in way)
