"""A text as the linker reads it: numbered tokens with their places, abbreviations written out.

Where the text defines an abbreviation, its later uses are read as the long form: the tokens of the
long form stand at the place of the short one. The bracket that defines it is taken out, so that
"glucose-6-phosphate dehydrogenase (G6PD) deficiency" is one name, and read on its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from osler.knowledge.abbreviations import Definition
from osler.knowledge.normalise import TOKEN

# A text that defines more is no text; the cost is definitions times length.
MAX_DEFINITIONS = 300


@dataclass
class Reading:
    numbers: list[int]
    starts: list[int]
    ends: list[int]
    asides: list[Reading] = field(default_factory=list)
    # The places strictly inside a long form that stands for a short one, each with its end.
    inner: dict[int, int] = field(default_factory=dict)

    def straddles(self, begin: int, end: int) -> bool:
        """Whether a match takes a part of a long form and something outside it ("protein
        deficiency" out of "CETP deficiency" is none), or misses the long form's head."""
        return end in self.inner or self.inner.get(begin, end) != end


def expand(
    text: str, reading: Reading, defined: Sequence[Definition], words: Mapping[str, int]
) -> Reading:
    """The reading with each defined abbreviation read as its long form."""
    longs: dict[str, list[int]] = {}
    changes: dict[int, tuple[int, str]] = {}
    asides: list[Reading] = []
    for definition in defined[:MAX_DEFINITIONS]:
        numbers = list(map(words.__getitem__, TOKEN.findall(definition.long)))
        longs.setdefault(definition.short, numbers)
        if not definition.reversed:
            low = bisect_left(reading.starts, definition.inside[0])
            changes[low] = (bisect_left(reading.starts, definition.inside[1]), "")
            place, size = definition.short_start, len(definition.short)
            asides.append(Reading(numbers, [place] * len(numbers), [place + size] * len(numbers)))
    for short in longs:
        _uses(text, short, reading, changes)
    out = Reading([], [], [], asides)
    done = 0
    for low in sorted(changes):
        if low < done:
            continue
        out.numbers += reading.numbers[done:low]
        out.starts += reading.starts[done:low]
        out.ends += reading.ends[done:low]
        done, short = changes[low]
        if short:
            numbers = longs[short]
            size = len(out.numbers) + len(numbers)
            out.inner.update(dict.fromkeys(range(len(out.numbers) + 1, size), size))
            out.numbers += numbers
            out.starts += [reading.starts[low]] * len(numbers)
            out.ends += [reading.ends[done - 1]] * len(numbers)
    out.numbers += reading.numbers[done:]
    out.starts += reading.starts[done:]
    out.ends += reading.ends[done:]
    return out


def _uses(text: str, short: str, reading: Reading, changes: dict[int, tuple[int, str]]) -> None:
    """Note each place where a short form stands as a word of its own, its plural included."""
    place = text.find(short)
    while place >= 0:
        end = place + len(short)
        if text[end : end + 1] == "s":
            end += 1
        alone = not text[place - 1 : place].isalnum() or place == 0
        if alone and not text[end : end + 1].isalnum():
            low = bisect_left(reading.starts, place)
            high = bisect_left(reading.starts, end)
            whole = low < high and reading.starts[low] == place and reading.ends[high - 1] == end
            if whole and changes.get(low, (0, ""))[0] < high:
                changes[low] = (high, short)
        place = text.find(short, end)
