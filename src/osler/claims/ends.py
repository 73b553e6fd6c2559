"""The ends of a claim as phrases, and whether a text names them and says one of the other.

An end is cut into phrases ("severe stroke | in | elderly patients"); the last word of a phrase is
its head. A text names a phrase by its head, by the letters that tell kinds apart (the D of
"vitamin D") and by at least half of its other words. A sentence joins two ends where one of its
statements stands between them, or where both stand on one side with a preposition between them:
"social media use and depression were associated with stress" says nothing of one of the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from osler.claims.align import Alignment
from osler.claims.reading import Cue, Reading
from osler.claims.rules import Parts
from osler.text.scripts import listed

OTHERS = 0.5
"""The share of a phrase's other words that must be named beside its head."""
_JOINS = listed(
    "with by after in following under among between on for from of through during upon via",
    "receiving taking using versus than to 对 与 和 在",
)
_MEANWHILE = listed("during despite before without amid")
_FURTHER = frozenset(["with", "to", "by"])


class Phrase(msgspec.Struct, frozen=True):
    """Places of one phrase in the claim: its head, the letters that name its kind, the rest."""

    head: int
    letters: tuple[int, ...]
    others: tuple[int, ...]

    def named(self, aligned: Alignment) -> bool:
        """Whether a text has it."""
        if not aligned.places[self.head]:
            return False
        if not all(aligned.places[at] for at in self.letters):
            return False
        return not self.others or aligned.coverage(self.others) >= OTHERS

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(sorted((self.head, *self.letters, *self.others)))


def phrases(claim: Reading, places: Sequence[int]) -> list[Phrase]:
    """The phrases of one end: runs of words that name something."""
    runs: list[list[int]] = []
    for at in sorted(places):
        if runs and at == runs[-1][-1] + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    cut = []
    for run in runs:
        letters = [at for at in run if "letter" in claim.words[at].tags]
        plain = [at for at in run if at not in letters] or letters
        head = plain[-1]
        cut.append(
            Phrase(
                head,
                tuple(at for at in letters if at != head),
                tuple(at for at in plain if at != head),
            )
        )
    return cut


class Ends(msgspec.Struct, frozen=True):
    """The phrases before a claim's verb, behind it, and behind its "than"."""

    before: tuple[Phrase, ...]
    behind: tuple[Phrase, ...]
    compared: tuple[Phrase, ...]
    verb: str = ""
    """The stem of the claim's own verb: between two ends it joins them, in whatever tense."""

    @property
    def all(self) -> tuple[Phrase, ...]:
        return (*self.before, *self.behind, *self.compared)

    @property
    def rest(self) -> tuple[Phrase, ...]:
        """What is said of the subject; of a comparison without one ("A is better than B") B."""
        return self.behind or self.compared


def ends_of(claim: Reading, cut: Parts) -> Ends:
    """The ends of a claim. One without a verb of ours is all one end."""
    if cut.cue.family == "plain":
        everything = (*cut.before, *cut.behind, *cut.compared)
        return Ends((), tuple(phrases(claim, everything)), ())
    return Ends(
        tuple(phrases(claim, cut.before)),
        tuple(phrases(claim, cut.behind)),
        tuple(phrases(claim, cut.compared)),
        claim.words[cut.cue.at].stem,
    )


def lacking(ends: Ends, aligned: Alignment) -> tuple[int, ...]:
    """Words of the phrases that a text does not name, as places in the claim."""
    return tuple(
        at
        for phrase in ends.all
        if not phrase.named(aligned)
        for at in phrase.places
        if not aligned.places[at]
    )


def joined(ends: Ends, aligned: Alignment, sentence: Reading) -> bool:
    """Whether a sentence says something of one end to the other: it has the whole subject, the
    first phrase of what is said of it and of what it is compared with, and a statement that joins
    them."""
    wanted = [*ends.before, *ends.rest[:1], *ends.compared[:1]]
    if not all(phrase.named(aligned) for phrase in wanted):
        return False
    if not ends.before or not ends.rest:
        return True
    return bool(joining(ends, aligned, sentence))


def joining(ends: Ends, aligned: Alignment, sentence: Reading) -> list[Cue]:
    """The statements that say something of one end to the other; all of them where one word
    answers both ends ("obese" for obesity and body weight), or where there is one end only."""
    subject = _places(ends.before, aligned)
    rest = _places(ends.rest[:1], aligned)
    apart = (subject - rest, rest - subject)
    if not all(apart):
        return list(sentence.cues)
    return [cue for cue in sentence.cues if _joins(sentence, cue, *apart, ends.verb)]


def _places(named: Sequence[Phrase], aligned: Alignment) -> set[int]:
    return {place for one in named for at in one.places for place in aligned.places[at]}


def _joins(sentence: Reading, cue: Cue, subject: set[int], rest: set[int], verb: str) -> bool:
    near = _nearest(subject, cue.at), _nearest(rest, cue.at)
    first, second = min(near), max(near)
    if _beside(sentence, near[0]):
        return False
    if sentence.clauses[near[1]] != sentence.clauses[cue.at] and cue.at not in rest:
        return False
    if sentence.clauses[near[0]] > sentence.clauses[cue.at]:
        # What acts is named in a later clause: this statement is of something else.
        return False
    if near[0] <= cue.at <= near[1]:
        return True
    # The subject behind the statement needs a word that ties it: a list names it only.
    first = max(first, cue.at) if near[0] > cue.at > near[1] else first
    between = sentence.words[first + 1 : second]
    if not any(word.text.lower() in _JOINS or word.stem == verb for word in between):
        return False
    following = sentence.words[cue.at + 1 : cue.at + 2]
    return not (second < cue.at and any(word.text.lower() in _FURTHER for word in following))


def _beside(sentence: Reading, subject: int) -> bool:
    """Whether a subject only says when: "coffee during sleep loss improved memory"."""
    before = sentence.words[max(0, subject - 2) : subject]
    return any(word.text.lower() in _MEANWHILE for word in before)


def _nearest(places: set[int], at: int) -> int:
    return min(places, key=lambda place: (abs(place - at), place))
