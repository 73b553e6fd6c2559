"""Which words of a claim have a counterpart in a text.

A counterpart has the same stem, is another form of the word ("smoking", "smokers": ``forms.py``),
belongs to the same group of ``synonyms.tsv``, or is an abbreviation: one that the text defines, or
the first letters of words in a row.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

import msgspec

from osler.claims.forms import forms_of_one_word
from osler.claims.words import Word, stem, words
from osler.knowledge.abbreviations import definitions, long_form
from osler.text.scripts import listed
from osler.text.stopwords import FUNCTION_WORDS


class Alignment(msgspec.Struct, frozen=True):
    """Places in the text of each of the claim's content words, by place in the claim."""

    places: dict[int, tuple[int, ...]]
    abbreviated: frozenset[int]

    @property
    def missing(self) -> tuple[int, ...]:
        return tuple(at for at, where in self.places.items() if not where)

    def coverage(self, among: Sequence[int] | None = None) -> float:
        """Share of content words that have a counterpart; 1 where there are none."""
        wanted = list(self.places) if among is None else [at for at in among if at in self.places]
        if not wanted:
            return 1.0
        return sum(bool(self.places[at]) for at in wanted) / len(wanted)

    def matched(self, among: Sequence[int] | None = None) -> set[int]:
        """Places in the text that answer some (or all) of the claim's words."""
        chosen = self.places if among is None else [at for at in among if at in self.places]
        return {place for at in chosen for place in self.places[at]}


Numbers = frozenset[int]
_NONE: Numbers = frozenset()


@lru_cache(maxsize=1)
def _synonyms() -> tuple[dict[str, Numbers], dict[tuple[str, str], Numbers]]:
    """Numbers of the groups of a stem, and of two stems in a row ("physical-activity": neither word
    alone is exercise)."""
    text = (files("osler.claims") / "synonyms.tsv").read_text("utf-8")
    single: dict[str, set[int]] = {}
    pairs: dict[tuple[str, str], set[int]] = {}
    for number, line in enumerate(text.splitlines()):
        for word in line.split():
            first, _, second = word.partition("-")
            if second:
                pairs.setdefault((stem(first), stem(second)), set()).add(number)
            else:
                single.setdefault(stem(first), set()).add(number)
    return (
        {word: frozenset(of) for word, of in single.items()},
        {pair: frozenset(of) for pair, of in pairs.items()},
    )


def _paired(sentence: Sequence[Word]) -> dict[int, Numbers]:
    """Groups of the words that name something only as two in a row, by place."""
    pairs = _synonyms()[1]
    groups: dict[int, Numbers] = {}
    for at, (one, other) in enumerate(itertools.pairwise(sentence)):
        for place in (at, at + 1) if (one.stem, other.stem) in pairs else ():
            groups[place] = groups.get(place, _NONE) | pairs[one.stem, other.stem]
    return groups


@lru_cache(maxsize=100_000)
def alike(one: str, other: str) -> bool:
    """Whether two stems name the same."""
    if one == other:
        return True
    groups = _synonyms()[0]
    if groups.get(one, _NONE) & groups.get(other, _NONE):
        return True
    return forms_of_one_word(one, other)


@lru_cache(maxsize=512)
def expansions(text: str) -> dict[str, tuple[str, ...]]:
    """Stems of the long form by abbreviation, as a text defines them."""
    return {
        one.short.lower(): tuple(w.stem for w in words(one.long) if not w.mark)
        for one in definitions(text)
    }


def align(claim: Sequence[Word], text: Sequence[Word], context: str = "") -> Alignment:
    """Counterparts of a claim's content words among a text's words. ``context`` is the whole paper
    of which the text is a part: its definitions of abbreviations hold."""
    long_forms = expansions(context) if context else {}
    places: dict[int, tuple[int, ...]] = {}
    single, own, there = _synonyms()[0], _paired(claim), _paired(text)
    stems = [word.stem for word in text]
    for at, word in enumerate(claim):
        if word.content:
            groups, pair = single.get(word.stem, _NONE), own.get(at, _NONE)
            places[at] = tuple(
                p
                for p, other in enumerate(stems)
                if alike(word.stem, other)
                or (p in there and there[p] & (groups | pair))
                or (pair and pair & single.get(other, _NONE))
            )
            if "letter" in word.tags:
                places[at] = tuple(p for p in places[at] if _same_kind(claim, at, text, p))
    abbreviated = _defined(claim, text, long_forms, places)
    abbreviated |= _initials(claim, text, long_forms, places) | _spelled_out(claim, text, places)
    return Alignment(places, frozenset(abbreviated))


def _same_kind(claim: Sequence[Word], at: int, text: Sequence[Word], place: int) -> bool:
    """A letter is met only beside the same word: the D of "vitamin D"."""
    if "letter" not in text[place].tags:
        return False
    own = {claim[n].stem for n in (at - 1, at + 1) if 0 <= n < len(claim)}
    here = {text[n].stem for n in (place - 1, place + 1) if 0 <= n < len(text)}
    return any(alike(one, other) for one in own for other in here if one.isalpha())


def _defined(
    claim: Sequence[Word],
    text: Sequence[Word],
    long_forms: dict[str, tuple[str, ...]],
    places: dict[int, tuple[int, ...]],
) -> set[int]:
    """Abbreviations that the paper defines, in either direction."""
    through = set()
    for place, word in enumerate(text):
        for at in places:
            if places[at] or word.mark:
                continue
            long = long_forms.get(word.text.lower(), ())
            own = long_forms.get(claim[at].text.lower(), ())
            if any(alike(claim[at].stem, one) for one in long) or word.stem in own:
                places[at] = (place,)
                through.add(at)
    return through


def _initials(
    claim: Sequence[Word],
    text: Sequence[Word],
    long_forms: dict[str, tuple[str, ...]],
    places: dict[int, tuple[int, ...]],
) -> set[int]:
    """Capitals of the text that the claim's words spell (Schwartz and Hearst 2003): CBT, HCC. What
    the paper itself defines is what it says there: where MT is manual therapy, it is not music
    therapy."""
    through = set()
    short_forms = {
        word.text.rstrip("s"): place
        for place, word in enumerate(text)
        if len(word.text) >= 2 and word.text.rstrip("s").isupper()
        if word.text.lower() not in long_forms and word.text.rstrip("s").lower() not in long_forms
    }
    for short, place in short_forms.items():
        for last in _last_words(claim, places):
            spelled = _spelling(short, claim, last)
            if any(at in places and not places[at] for at in spelled):
                for at in spelled:
                    if at in places and not places[at]:
                        places[at] = (place,)
                        through.add(at)
                break
    return through


def _last_words(claim: Sequence[Word], places: dict[int, tuple[int, ...]]) -> list[int]:
    """Where a name may end: at a word that has no counterpart, or at the plain one behind it, the
    "therapy" of "cognitive behavioural therapy"."""
    open_ends = [at for at in places if not places[at]]
    behind = [at + 1 for at in open_ends if at + 1 < len(claim) and at + 1 not in places]
    return [*open_ends, *(at for at in behind if not claim[at].mark)]


def _spelling(short: str, claim: Sequence[Word], last: int) -> range:
    """The claim's words up to ``last`` that spell an abbreviation; empty where they do not."""
    first = max(0, last - len(short) - 1)
    text = " ".join(word.text for word in claim[first : last + 1])
    if any(word.mark for word in claim[first : last + 1]):
        return range(0)
    long = long_form(short, text)
    if long is None:
        return range(0)
    count = len(long.split())
    if count < 2:
        # One word has the letters of many abbreviations: "preeclampsia" is not PCI.
        return range(0)
    initials = "".join(word.text[0].lower() for word in claim[last + 1 - count : last + 1])
    if len(short) == 2 and initials != short.lower():
        return range(0)
    spelled = range(last + 1 - count, last + 1)
    # Letters may stand anywhere in a word (HCC), but each word that names something gives its first
    # letter, in order, and a name holds no verb: "Does vitamin C cause deafness" is not DNA, and
    # "metformin does not reduce cancer" is not MACE.
    letters = iter(short.lower())
    if not all(claim[at].text[0].lower() in letters for at in spelled if claim[at].content):
        return range(0)
    if any(_no_part_of_a_name(claim[at]) for at in spelled):
        return range(0)
    if claim[spelled[0]].text.lower() in FUNCTION_WORDS:
        # "The risk of cancer" is not TAC.
        return range(0)
    return spelled


_INNER = listed("of and the for in to with on by")


def _no_part_of_a_name(word: Word) -> bool:
    if word.text.lower() in _INNER or word.content:
        return False
    turns = word.has("neg", "hedge", "aim", "up", "down", "good", "bad", "assoc", "cause", "than")
    return turns or word.text.lower() in FUNCTION_WORDS


def _spelled_out(
    claim: Sequence[Word], text: Sequence[Word], places: dict[int, tuple[int, ...]]
) -> set[int]:
    """Capitals of the claim whose letters begin words of the text in a row."""
    through = set()
    plain = [place for place, word in enumerate(text) if not word.mark]
    letters = "".join(text[place].text[0].lower() for place in plain)
    for at in places:
        short = claim[at].text.rstrip("s")
        if places[at] or len(short) < 3 or not short.isupper():
            continue
        begin = letters.find(short.lower())
        if begin >= 0:
            places[at] = tuple(plain[begin : begin + len(short)])
            through.add(at)
    return through
