"""Preprocessing as section 4.1 of the paper has it: words by a pattern, lower case, rare words and
stop words out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from osler.stopping import check_stopped
from osler.text.scripts import CJK
from osler.text.stopwords import FUNCTION_WORDS

# Two and more word characters, as scikit-learn's tokenizer takes them; a Chinese character alone.
_WORD = re.compile(rf"[{CJK}]|(?:(?![{CJK}])\w){{2,}}")

MIN_DOCUMENTS = 3


def words(text: str) -> list[str]:
    """The words of a text in lower case, stop words out."""
    return [word for word in _WORD.findall(text.lower()) if word not in FUNCTION_WORDS]


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
            check_stopped()
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
