"""How chemistry is written in texts: symbols with a charge, and the ions of salts.

"Ca(2+)", "Na+" name an element though two letters alone never do: the charge tells. "Sodium" in
"sodium pentobarbital" and "maleate" in "timolol maleate" say in which form a substance comes; the
paper speaks of the substance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

Found = tuple[int, int]
SYMBOLS = {
    "Na": "sodium", "K": "potassium", "Li": "lithium", "Rb": "rubidium", "Cs": "cesium",
    "Ag": "silver", "Mg": "magnesium", "Ca": "calcium", "Sr": "strontium", "Ba": "barium",
    "Zn": "zinc", "Cd": "cadmium", "Hg": "mercury", "Cu": "copper", "Fe": "iron",
    "Mn": "manganese", "Co": "cobalt", "Ni": "nickel", "Pb": "lead", "Al": "aluminum",
    "Cr": "chromium", "Gd": "gadolinium", "La": "lanthanum", "Cl": "chloride", "Br": "bromide",
}  # fmt: skip
# Na+, Ca2+, Ca++, Ca(2+), Cl(-), Fe3+; a bare minus is a hyphen too often.
_CHARGED = re.compile(
    rf"(?<![\w+-])({'|'.join(SYMBOLS)})(?:\(\d?[+-]\)|\d?\+{{1,2}}|\d[+-])(?![\w+])"
)
CATIONS = frozenset(
    ["sodium", "disodium", "potassium", "calcium", "magnesium", "lithium", "zinc", "ammonium"]
)
ANIONS = frozenset(
    [
        "chloride", "bromide", "iodide", "fluoride", "hydrochloride", "hydrobromide", "sulfate",
        "sulphate", "phosphate", "nitrate", "carbonate", "bicarbonate", "acetate", "citrate",
        "maleate", "malate", "fumarate", "tartrate", "succinate", "lactate", "gluconate",
        "oxalate", "mesylate", "besylate", "tosylate", "pamoate", "benzoate", "deoxycholate",
    ]
)  # fmt: skip
_IONS = CATIONS | ANIONS
_BETWEEN = frozenset([" ", "-"])


# What every charge ends in; a look for it is cheap where the symbols are not.
_SIGN = re.compile(r"[+-](?:\)|(?![\w+]))")


def charged(text: str) -> Iterator[tuple[int, int, str]]:
    """Symbols of elements that stand with their charge: start, end, the element's name."""
    if _SIGN.search(text) is None:
        return
    for match in _CHARGED.finditer(text):
        yield match.start(), match.end(), SYMBOLS[match[1]]


def salt_ions(
    text: str, spans: Sequence[Found], alike: Callable[[int, int], bool]
) -> frozenset[int]:
    """Which of the mentions, in the order of places, are but the ion of a salt: the name of an ion
    that nothing but a blank or a hyphen parts from another substance (``alike`` tells of two
    mentions whether they are of one kind). Of two cations neither is the other's: "sodium
    potassium" stays."""
    shown = [text[start:end].lower() for start, end in spans]
    if _IONS.isdisjoint(shown):
        return frozenset()
    return frozenset(
        place
        for place, name in enumerate(shown)
        if name in CATIONS or name in ANIONS
        for other in (place - 1, place + 1)
        if 0 <= other < len(spans)
        and _touch(text, spans, min(place, other))
        and shown[other] not in (CATIONS if name in CATIONS else ANIONS)
        and not (name in CATIONS and shown[other] in ANIONS)
        and alike(place, other)
    )


def _touch(text: str, spans: Sequence[Found], first: int) -> bool:
    """Whether a blank or a hyphen is all that parts a mention from the next."""
    return text[spans[first][1] : spans[first + 1][0]] in _BETWEEN
