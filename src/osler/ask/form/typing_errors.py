"""Single typing errors of a question: the one word that was meant, or none."""

from __future__ import annotations

from osler.ask.form.lexicon import (
    drug_classes,
    english,
    meanings,
    other_words,
    spelled,
)
from osler.ask.form.people import People
from osler.ask.form.tokens import Token
from osler.ask.form.vocabulary import Vocabulary


def corrected(token: Token, vocabulary: Vocabulary, people: People) -> str:
    """The one word within a letter of a word that nobody knows. Two letters make another word:
    hypotension is no hypertension, prednisone no prednisolone."""
    from rapidfuzz.distance import OSA

    word = token.key
    if len(word) < 5 or token.chinese or any(c.isdigit() for c in word) or token.word in english():
        return ""
    limit = 1
    near: dict[str, int] = {}
    for known in _spelled(vocabulary):
        if abs(len(known) - len(word)) <= limit and known[0] == word[0]:
            distance = OSA.distance(known, word, score_cutoff=limit)
            if distance <= limit:
                near[known] = distance
    if not near:
        return ""
    least = min(near.values())
    # A word that carries nothing is no correction: "three" is not "there".
    closest = sorted(w for w, d in near.items() if d == least and not carries_nothing(w))
    if len(closest) > 1:
        # A letter lost at the end: "takin" is "taking" before it is "taken".
        closest = [w for w in closest if w.startswith(word)]
    return closest[0] if len(closest) == 1 else ""


_HELPING = ("be", "do", "have", "ask")


def shortened(token: Token) -> str:
    """The same for words of three and four letters, where one was left out: the shorter a word, the
    more others are near ("form" is not "from"), so that only the lexicon's own count, and of three
    letters only those that help a question along ("hav", "wen"). What may be a name is none."""
    from rapidfuzz.distance import Indel

    word = token.key
    if len(word) == 4 and not token.capital and (swapped := _swapped(word)):
        return swapped
    if not 3 <= len(word) <= 4 or token.capital or not (word.isascii() and word.isalpha()):
        return ""
    near = [
        known[0]
        for known, some in spelled().items()
        if len(known) == 1
        and known[0][0] == word[0]
        and len(known[0]) == len(word) + 1
        and Indel.distance(known[0], word, score_cutoff=1) <= 1
        and not carries_nothing(known[0])
        and (len(word) > 3 or any(m.tag in _HELPING for m in some))
    ]
    if len(near) > 1:
        near = [w for w in near if w.startswith(word)]
    return near[0] if len(near) == 1 else ""


def _swapped(word: str) -> str:
    """The word that helps a question along of which two letters are the other way round: "waht"."""
    near = [
        turned
        for at in range(len(word) - 1)
        if (turned := word[:at] + word[at + 1] + word[at] + word[at + 2 :]) != word
        and any(m.tag in _HELPING for m in spelled().get((turned,), ()))
    ]
    return near[0] if len(near) == 1 else ""


def carries_nothing(word: str) -> bool:
    known = meanings().get((word,), ())
    return bool(known) and all(m.tag in ("empty", "asker") for m in known)


def _spelled(vocabulary: Vocabulary) -> frozenset[str]:
    known = getattr(vocabulary, "_spelled", None)
    if known is None:
        phrases = [*meanings(), *other_words(), *drug_classes()]
        listed = {w for phrase in phrases for w in phrase if len(w) > 4 and w.isascii()}
        known = frozenset(listed) | vocabulary.words
        vocabulary._spelled = known  # type: ignore[attr-defined]
    return known
