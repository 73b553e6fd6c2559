"""What stands between two blanks of a text, cut once and remembered.

Texts are made of few different pieces: the commonest thousand are most of them. So a piece is cut
into tokens, numbered and looked through for what denies and what is charged the first time that it
is met; later each costs one look-up. A blank is part of no token, no trigger's word and no charge,
so that cutting at blanks first changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from osler.knowledge.chemistry import charged
from osler.knowledge.negation import Suspect, suspected
from osler.knowledge.normalise import split_tokens
from osler.knowledge.reading import Reading

# Pieces that are remembered: enough for the words of a million abstracts that come again, and
# some tens of megabytes. A longer piece, as all of a Chinese text, hardly comes again.
MOST = 1 << 18
LONGEST = 40


class Piece(NamedTuple):
    """A piece that is not simply one known or unknown token: its tokens' numbers, where they begin
    and end in it, whether it may deny (see ``suspected``), whether it holds a charge."""

    numbers: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    suspect: int
    charge: bool


class Cut(NamedTuple):
    """A text in tokens, with the pieces that may deny, and whether anything in it is charged."""

    reading: Reading
    suspects: list[Suspect]
    charge: bool


class Pieces(dict[str, int | Piece]):
    """Pieces by how they are written. A piece that is one token and nothing else is its number."""

    def __init__(self, words: Mapping[str, int], passed: int) -> None:
        """``words`` numbers tokens; the token that has the number ``passed`` is left out."""
        super().__init__()
        self._numbers = words
        self._passed = passed

    def __missing__(self, piece: str) -> int | Piece:
        held = self._cut(piece)
        if len(piece) <= LONGEST:
            if len(self) >= MOST:
                self.clear()
            self[piece] = held
        return held

    def _cut(self, piece: str) -> int | Piece:
        tokens, places = split_tokens(piece)
        suspect, charge = suspected(piece), any(True for _ in charged(piece))
        numbers = [self._numbers[token] for token in tokens]
        if len(tokens) == 1 and tokens[0] == piece and not suspect and not charge:
            number = numbers[0]
            if number != self._passed:
                return number
        kept = [at for at, number in enumerate(numbers) if number != self._passed]
        return Piece(
            tuple(numbers[at] for at in kept),
            tuple(places[2 * at] for at in kept),
            tuple(places[2 * at + 1] for at in kept),
            suspect,
            charge,
        )

    def cut(self, text: str) -> Cut:
        """A text in tokens, all of it."""
        numbers: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        suspects: list[Suspect] = []
        charge = False
        begin = 0
        pieces = text.split(" ")
        for piece, held in zip(pieces, map(self.__getitem__, pieces), strict=True):
            end = begin + len(piece)
            if isinstance(held, int):
                numbers.append(held)
                starts.append(begin)
                ends.append(end)
            else:
                more, firsts, lasts, suspect, charges = held
                numbers += more
                for first in firsts:
                    starts.append(begin + first)
                for last in lasts:
                    ends.append(begin + last)
                if suspect:
                    suspects.append((begin, end, suspect))
                if charges:
                    charge = True
            begin = end + 1
        return Cut(Reading(numbers, starts, ends), suspects, charge)
