"""Preprocessing as section 4.1 of the paper has it: words by a pattern, lower case, rare words and
stop words out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from osler.text.scripts import CJK

# Two and more word characters, as scikit-learn's tokenizer takes them; a Chinese character alone.
_WORD = re.compile(rf"[{CJK}]|(?:(?![{CJK}])\w){{2,}}")

MIN_DOCUMENTS = 3

# English function words; the paper took a tool kit's list, this one is ours.
_FUNCTION_WORDS = (
    "a about above across after again against all almost also although among an and any are as at "
    "be because been before being below between both but by can cannot could did do does doing "
    "down during each either else every few for from further had has have having he her here hers "
    "herself him himself his how however i if in into is it its itself just may me might more most "
    "much must my myself neither no nor not now of off on once only or other our ours ourselves "
    "out over own per rather same shall she should since so some still such than that the their "
    "theirs them themselves then there therefore these they this those though through thus to too "
    "toward under until up upon us very via was we were what when where whereas whether which "
    "while who whom whose why will with within without would yet you your yours yourself"
)
STOPWORDS: frozenset[str] = frozenset(_FUNCTION_WORDS.split())


def words(text: str) -> list[str]:
    """The words of a text in lower case, stop words out."""
    return [word for word in _WORD.findall(text.lower()) if word not in STOPWORDS]


def raw_words(text: str) -> list[str]:
    """The words of a text as BM25-Extra takes them: nothing left out, only lower case."""
    return _WORD.findall(text.lower())


class Vocabulary:
    """Words that stand in at least ``min_documents`` texts, numbered by the alphabet."""

    def __init__(self, known: Sequence[str]) -> None:
        self.words = list(known)
        self.index = {word: i for i, word in enumerate(self.words)}

    @classmethod
    def of(
        cls, texts: Iterable[Sequence[str]], *, min_documents: int = MIN_DOCUMENTS
    ) -> Vocabulary:
        counts: Counter[str] = Counter()
        total = 0
        for text in texts:
            counts.update(set(text))
            total += 1
        # A handful of papers has no word three times: then every word counts.
        least = min(min_documents, max(1, total // 3))
        return cls(sorted(word for word, count in counts.items() if count >= least))

    def __len__(self) -> int:
        return len(self.words)

    def ids(self, text: Sequence[str]) -> list[int]:
        """The numbers of the known words of a text, in its order."""
        index = self.index
        return [index[word] for word in text if word in index]
