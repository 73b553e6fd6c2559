"""Chinese words, by jieba where it is installed; search itself needs only bigrams.

``segment`` gives words with their places. The names of a graph or a terminology can be added, so
that a drug or a disease stays one word. Without jieba it falls back to character bigrams.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Literal

from osler.errors import MissingExtra
from osler.text.scripts import CJK_CHARACTER
from osler.text.tokens import Token, term_spans

# A name's weight in the dictionary: above every common word, so that it is never cut.
NAME_WEIGHT = 10_000_000


def has_jieba() -> bool:
    return find_spec("jieba") is not None


def _jieba() -> Any:
    import warnings

    with warnings.catch_warnings():
        # jieba asks for pkg_resources and writes some patterns carelessly.
        warnings.simplefilter("ignore")
        import jieba

    jieba.setLogLevel(logging.ERROR)
    return jieba


@lru_cache(maxsize=1)
def _dictionary() -> tuple[dict[str, int], int]:
    """jieba's own dictionary, read once a process.

    Its way of starting would leave a cache in the common temporary folder and read it back with
    ``marshal``, which must not be done with a file that anybody may have put there.
    """
    segmenter = _jieba().Tokenizer()
    weights, total = segmenter.gen_pfdict(segmenter.get_dict_file())
    return weights, total


@lru_cache(maxsize=4)
def _segmenter(names: frozenset[str]) -> Any:
    """A segmenter of its own for each set of names: jieba's global one is never touched."""
    segmenter = _jieba().Tokenizer()
    weights, total = _dictionary()
    segmenter.FREQ, segmenter.total = dict(weights), total
    segmenter.initialized = True
    for name in sorted(names):
        segmenter.add_word(name, NAME_WEIGHT)
    return segmenter


def segment(
    text: str, names: Iterable[str] = (), *, by: Literal["jieba", "bigrams"] | None = None
) -> list[Token]:
    """The words of a Chinese text in order, with their places; signs and blanks are left out.

    ``by`` None takes jieba if it is here, else bigrams; ``"jieba"`` insists on it.
    """
    if by == "jieba" and not has_jieba():
        raise MissingExtra("cutting Chinese into words (jieba)", "zh")
    if by == "bigrams" or not has_jieba():
        return [Token(text[start:end], start, end) for _, start, end in term_spans(text)]
    chosen = frozenset(name for name in names if len(name) > 1 and CJK_CHARACTER.search(name))
    return [
        Token(word, start, end)
        for word, start, end in _segmenter(chosen).tokenize(text)
        if any(c.isalnum() for c in word)
    ]


def segmenter(names: Iterable[str] = ()) -> Callable[[str], list[Token]]:
    """``segment`` with the names looked at once, for those that cut many texts."""
    if not has_jieba():
        return segment
    cut = _segmenter(
        frozenset(name for name in names if len(name) > 1 and CJK_CHARACTER.search(name))
    )
    return lambda text: [
        Token(word, start, end)
        for word, start, end in cut.tokenize(text)
        if any(c.isalnum() for c in word)
    ]
