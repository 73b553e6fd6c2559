"""The ends of a claim as phrases, and whether a text names them.

An end is cut into phrases ("severe stroke | in | elderly patients"); the last word of a phrase is
its head. A text names a phrase by its head, by the letters that tell kinds apart (the D of
"vitamin D") and by at least half of its other words.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from osler.claims.align import Alignment
from osler.claims.reading import Reading
from osler.claims.rules import Parts
from osler.claims.words import stem
from osler.text.scripts import listed

OTHERS = 0.5
"""The share of a phrase's other words that must be named beside its head."""
_OBJECTS = frozenset(stem(word) for word in listed("outcome result level rate"))
_RELATIONS = frozenset(stem(word) for word in listed("factor predictor cause determinant trigger"))


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
    relations: tuple[Phrase, ...] = ()
    """Phrases behind the verb that name a relation to what follows them."""
    beside: tuple[str, ...] = ()
    """Stems of words that name little by themselves, without which the claim is another one: the
    diagnosis of "early diagnosis", the outcomes that something improves."""

    @property
    def all(self) -> tuple[Phrase, ...]:
        return (*self.before, *self.behind, *self.compared)

    @property
    def rest(self) -> tuple[Phrase, ...]:
        """What is said of the subject; of a comparison without one ("A is better than B") B. "A
        risk factor for death" is said of death: what only names the relation stands last."""
        named = [one for one in self.behind if one not in self.relations]
        return (*named, *self.relations) if named else self.behind or self.compared


def ends_of(claim: Reading, cut: Parts) -> Ends:
    """The ends of a claim. One without a verb of ours is all one end."""
    if cut.cue.family == "plain":
        everything = (*cut.before, *cut.behind, *cut.compared)
        return Ends((), tuple(phrases(claim, everything)), ())
    behind = tuple(phrases(claim, cut.behind))
    return Ends(
        tuple(phrases(claim, cut.before)),
        behind,
        tuple(phrases(claim, cut.compared)),
        claim.words[cut.cue.at].stem,
        tuple(one for one in behind if claim.words[one.head].stem in _RELATIONS),
        _beside_names(claim, cut),
    )


def _beside_names(claim: Reading, cut: Parts) -> tuple[str, ...]:
    words = claim.words
    heads = [
        words[at + 1]
        for at in cut.before
        if at + 1 < cut.cue.at and words[at + 1].tags and not words[at + 1].has("generic")
    ]
    objects = [] if cut.behind else [one for one in words[cut.cue.at + 1 :] if one.stem in _OBJECTS]
    return tuple(one.stem for one in (*heads, *objects) if not one.content)


def lacking(ends: Ends, aligned: Alignment) -> tuple[int, ...]:
    """Words of the phrases that a text does not name, as places in the claim."""
    return tuple(
        at
        for phrase in ends.all
        if not phrase.named(aligned)
        for at in phrase.places
        if not aligned.places[at]
    )
