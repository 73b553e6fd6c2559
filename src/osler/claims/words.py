"""A sentence as words that carry their stem and what the lexicon says of them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import msgspec
import Stemmer

from osler.claims.lexicon import LONGEST_PHRASE, lexicon
from osler.text.scripts import CJK, CJK_CHARACTER, listed

_PIECE = re.compile(
    rf"[{CJK}]+|[0-9]+(?:[.,·][0-9]+)*%?|(?:[^\W\d_{CJK}]|['’](?=[a-z]))[^\W_{CJK}]*(?:['’][a-z]+)?"
    r"|[,;:.()\[\]?!<>=≤≥，；：。（）？]"
)
_STEM = Stemmer.Stemmer("english", 20_000).stemWord
# British spellings and Latin digraphs, so that "oestrogen" meets "estrogen".
_SPELLING = (
    (re.compile(r"^oe|(?<=[a-z])oe(?=[a-z])"), "e"),
    (re.compile(r"ae(?=[a-z])"), "e"),
    (re.compile(r"(?<=[a-z]{2})our(?=s?$|ed$|ing$|able$)"), "or"),
    (re.compile(r"is(?=(e|ed|es|ing|ation|ations)$)"), "iz"),
    (re.compile(r"ph(?=ate|ide|ur)"), "f"),
)
_INFLAMED = ("itis", "itides")
# "Resource-limited", "drug-induced": the second half says which, not which way.
_PREFIXES = listed("non un cost up down well over under anti self")
_TURNING = frozenset(["up", "down", "good", "bad", "assoc", "cause", "weak", "same", "diff", "neg"])
_VALUES = frozenset(["vbad", "vgood"])
_GROUPS = listed("group groups arm arms")
_KINDS = listed("type grade stage covid omega cox phase class factor interleukin il group arm")


class Word(msgspec.Struct, frozen=True):
    """One word of a sentence. ``stem`` is what two words must share to be the same."""

    text: str
    start: int
    end: int
    stem: str
    tags: frozenset[str]

    def has(self, *tags: str) -> bool:
        return any(tag in self.tags for tag in tags)

    @property
    def mark(self) -> bool:
        """Punctuation."""
        return not self.text[0].isalnum()

    @property
    def content(self) -> bool:
        """Whether the word names something: no function word, no number, no mere cue."""
        if "letter" in self.tags:
            return True
        return (
            not self.mark
            and not self.text[0].isdigit()
            and len(self.text) > 1
            and not self.has("generic", "neg", "hedge", "aim", "break", "than", "measure", "same")
            and not self.has("insufficient", "up", "down", "diff", "nassoc", "ngood")
            and not (self.has("good", "bad", "assoc", "cause") and not self.has("vbad", "vgood"))
        )


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a word in one spelling."""
    plain = unicodedata.normalize("NFKD", word.lower()).replace("’", "'")
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    plain = plain.removesuffix("'s")
    if plain.isascii() and plain.isalpha() and len(plain) > 4:
        for pattern, to in _SPELLING:
            plain = pattern.sub(to, plain)
    if plain.endswith(_INFLAMED):
        # The stemmer takes it for "-ity" and leaves the bare organ: bronchitis is no bronchus.
        return plain.removesuffix("itides").removesuffix("itis") + "itis"
    return str(_STEM(plain))


@lru_cache(maxsize=50_000)
def tags_of(word: str) -> frozenset[str]:
    return lexicon().of_word(word)


@lru_cache(maxsize=2_048)
def words(text: str) -> tuple[Word, ...]:
    """The words and marks of a text in their order."""
    pieces: list[tuple[str, int, int]] = []
    for match in _PIECE.finditer(text):
        if CJK_CHARACTER.match(match[0]):
            pieces += _chinese(match[0], match.start())
        else:
            pieces.append((match[0], match.start(), match.end()))
    lower = [piece[0].lower().replace("’", "'") for piece in pieces]
    tags = [tags_of(word) for word in lower]
    for length in range(2, LONGEST_PHRASE + 1):
        for at in range(len(lower) - length + 1):
            extra = lexicon().of_phrase(tuple(lower[at : at + length]))
            if extra:
                tags[at] |= extra
                for place in range(at + 1, at + length):
                    tags[place] |= extra & _VALUES
    for at in range(1, len(pieces)):
        if text[pieces[at][1] - 1] == "-" and lower[at - 1] not in _PREFIXES:
            tags[at] -= _TURNING
    for at in range(len(pieces)):
        before = lower[at - 1] if at else ""
        behind = lower[at + 1] if at + 1 < len(pieces) else ""
        if _names_a_kind(before, pieces[at][0], behind):
            tags[at] = frozenset(["letter"])
    return tuple(
        Word(piece, start, end, stem(piece) if piece[0].isalnum() else piece, tagged)
        for (piece, start, end), tagged in zip(pieces, tags, strict=True)
    )


def _names_a_kind(before: str, piece: str, behind: str) -> bool:
    """The D of "vitamin D", the 2 of "type 2", the M of "M group": short, but what it is."""
    if piece.isupper() and (len(piece) == 1 or (before in _GROUPS and set(piece) <= set("IV"))):
        return (len(before) > 1 and before[0].isalpha()) or behind in _GROUPS
    return piece.isdigit() and len(piece) < 3 and before in _KINDS


def _chinese(run: str, offset: int) -> list[tuple[str, int, int]]:
    """Words of the lexicon where they stand, overlapping pairs of characters elsewhere."""
    known = lexicon().chinese
    pieces: list[tuple[str, int, int]] = []
    at = plain = 0

    def rest(until: int) -> None:
        piece = run[plain:until]
        for i in range(max(1, len(piece) - 1) if piece else 0):
            part = piece[i : i + 2]
            pieces.append((part, offset + plain + i, offset + plain + i + len(part)))

    while at < len(run):
        word = next((w for w in known if run.startswith(w, at)), None)
        if word is None:
            at += 1
            continue
        rest(at)
        pieces.append((word, offset + at, offset + at + len(word)))
        at += len(word)
        plain = at
    rest(len(run))
    return pieces
