"""ROUGE-L (Lin, 2004): how much of a reference's word order a candidate keeps.

With L the length of the longest common subsequence of two token lists, recall is L / |reference|,
precision L / |candidate| and F1 their harmonic mean. ``rouge_l_summary`` is Lin's version for
summaries of several sentences: for each reference sentence, the union of the tokens that its
longest common subsequences with all candidate sentences cover.

Tokens are lower-case words and numbers, and single Chinese characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from osler.text.tokens import tokens


class Rouge(msgspec.Struct, frozen=True):
    precision: float
    recall: float
    f1: float


def rouge_tokens(text: str) -> list[str]:
    return [token.text.lower() for token in tokens(text)]


def rouge_l(candidate: Sequence[str], reference: Sequence[str]) -> Rouge:
    """ROUGE-L of two token lists."""
    return _rouge(lcs_length(candidate, reference), len(candidate), len(reference))


def rouge_l_summary(
    candidate: Sequence[Sequence[str]], reference: Sequence[Sequence[str]]
) -> Rouge:
    """ROUGE-L of two lists of sentences (union-LCS).

    A token of the candidate counts once, however many reference sentences it helps to cover.
    """
    available = Counter(token for sentence in candidate for token in sentence)
    wanted = Counter(token for sentence in reference for token in sentence)
    hits = 0
    for sentence in reference:
        covered: set[int] = set()
        for other in candidate:
            covered.update(lcs_places(sentence, other))
        for place in sorted(covered):
            token = sentence[place]
            if available[token] > 0 and wanted[token] > 0:
                available[token] -= 1
                wanted[token] -= 1
                hits += 1
    return _rouge(hits, sum(map(len, candidate)), sum(map(len, reference)))


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence.

    Bit-parallel: a row of the table is one whole number, a bit a token of ``first``, so a token of
    ``second`` costs a few operations on words of the machine. A bit turns from 1 to 0 where the
    table's row steps up; adding carries each match to the next step.
    """
    if not first or not second:
        return 0
    everything, places = _places(first)
    row = everything
    for token in second:
        matches = places.get(token)
        if matches:
            met = row & matches
            row = ((row + met) | (row - met)) & everything
    return len(first) - row.bit_count()


def lcs_places(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Places in ``first`` of one longest common subsequence."""
    if not first or not second:
        return []
    everything, places = _places(first)
    rows = [everything]
    for token in second:
        row = rows[-1]
        met = row & places.get(token, 0)
        rows.append(((row + met) | (row - met)) & everything)
    matched = []
    i, j = len(first), len(second)
    while i and j:
        # A 0 at bit i - 1 of row j: token i - 1 of first lengthens the subsequence there.
        if rows[j] >> (i - 1) & 1:
            i -= 1
        elif not rows[j - 1] >> (i - 1) & 1:
            j -= 1
        else:
            matched.append(i - 1)
            i -= 1
            j -= 1
    return matched[::-1]


def _places(first: Sequence[str]) -> tuple[int, dict[str, int]]:
    places: dict[str, int] = {}
    for i, token in enumerate(first):
        places[token] = places.get(token, 0) | 1 << i
    return (1 << len(first)) - 1, places


def _rouge(hits: int, candidate: int, reference: int) -> Rouge:
    if not hits:
        return Rouge(0.0, 0.0, 0.0)
    return Rouge(hits / candidate, hits / reference, 2 * hits / (candidate + reference))
