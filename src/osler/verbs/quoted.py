"""Whether a quote speaks to a question: the last check before a page calls something answered.

A sentence may hold every word of a question and say something else. "During the COVID-19
quarantine the proportion of boys with obesity increased" is no answer to "does obesity worsen
COVID-19": the disease is only the time at which something else happened. So both ends of the
question must stand in the sentence's own statement: not in a phrase of time or of condition, not
side by side in one list before the word that states, not in a title that only names a purpose; and
that two things go together does not answer whether one works on the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from osler.claims.align import align
from osler.claims.reading import Reading, read
from osler.claims.rules import Parts, parts
from osler.claims.words import Word
from osler.text.scripts import listed

_CIRCUMSTANCE = listed("during amid amidst throughout since if when whenever whether unless while")
"""What opens a phrase of time or condition."""
_PURPOSE = listed("for of in by on towards")
_LISTS = frozenset([",", "，", "、", "and", "or"])


def speaks_to(question: str, sentence: str, *, title: bool = False) -> str:
    """Empty where the sentence can answer the question, otherwise why it cannot."""
    asked, text = read(question), read(sentence)
    cut = parts(asked)
    if _aims(text.words):
        return "it says what was to be found out"
    if title and _only_purpose(text):
        return "the title names a purpose"
    ends = _ends(asked, cut, text)
    if cut.cue.family == "signed" and not _states_effect(text, ends[0][0], ends[1][0]):
        return "it tells that things go together, not that one works on the other"
    outside = _circumstances(text.words)
    asked_outside = _circumstances(asked.words)
    for places, of_question in ends:
        in_statement = [at for at in places if at not in outside]
        if places and not in_statement and not all(at in asked_outside for at in of_question):
            return "one end of the question is only the time or the condition"
    first, second = ([at for at in places if at not in outside] for places, _ in ends)
    if first and second and _side_by_side(text, first, second):
        return "both ends stand in one list"
    return ""


def _ends(asked: Reading, cut: Parts, text: Reading) -> list[tuple[list[int], tuple[int, ...]]]:
    """Where each end of the question stands in the sentence, and in the question."""
    aligned = align(asked.words, text.words)
    behind = (*cut.behind, *cut.compared)
    return [(sorted(aligned.matched(end)), end) for end in (cut.before, behind)]


def _aims(words: Sequence[Word]) -> bool:
    """Whether it begins by asking: "this paper aims to ...", "we investigated whether ..."."""
    beginning = words[:10]
    return any(
        word.has("aim") and following.text.lower() in ("to", "whether", "if")
        for word, following in itertools.pairwise(beginning)
    )


def _states_effect(text: Reading, first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether the sentence states a direction or a difference, or denies one; where words of both
    kinds stand between the ends, the one that leads to the second decides."""
    effects = [cue for cue in text.cues if cue.family in ("signed", "difference") or cue.denied]
    if not first or not second or max(first) >= min(second):
        return bool(effects)
    between = [cue for cue in text.cues if max(first) < cue.at < min(second)]
    return bool(effects) if not between else max(between, key=lambda cue: cue.at) in effects


def _only_purpose(text: Reading) -> bool:
    """A title whose every statement is a purpose: "X as an alternative for decreasing Y"."""
    cues = [cue for cue in text.cues if cue.family == "signed"]
    return bool(cues) and all(
        cue.at > 0
        and text.words[cue.at].text.lower().endswith("ing")
        and text.words[cue.at - 1].text.lower() in _PURPOSE
        for cue in cues
    )


def _circumstances(words: Sequence[Word]) -> set[int]:
    """Places inside phrases of time and condition: from their first word to the next comma."""
    inside: set[int] = set()
    open_ = False
    for at, word in enumerate(words):
        if word.text.lower() in _CIRCUMSTANCE:
            open_ = True
        elif word.mark and word.text in ",，;；:.":
            open_ = False
        if open_:
            inside.add(at)
    return inside


def _side_by_side(text: Reading, first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether both ends stand before everything that the sentence states, as members of a list."""
    stated = [cue.at for cue in text.cues if cue.family == "signed"]
    if not stated or max(*first, *second) > min(stated):
        return False
    ahead, behind = sorted((first, second), key=max)
    beyond = [at for at in behind if at > max(ahead)]
    between = text.words[max(ahead) : min(beyond)] if beyond else ()
    return any(word.text.lower() in _LISTS for word in between)
