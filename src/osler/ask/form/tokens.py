"""Words of a question and of names: one way to cut and to compare them.

English words are compared without case, accents, British spelling and plural; Chinese characters
stand alone, and the lexicon joins them again.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(
    # A date, a number, a word (inner marks: A1c, pt-7a, w/o, O'Neill, k+), a Chinese character.
    rf"\d{{4}}-\d{{2}}-\d{{2}}|\d{{4}}-\d{{2}}(?![\w-])|\d{{1,4}}/\d{{1,2}}/\d{{2,4}}|\d{{1,2}}/\d{{4}}(?!\d)|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}|(?:(?<![\w)-])[-−](?=\d))?\d+(?:\.\d+)?%?(?![^\W_])|[^\W_{_CJK}](?:[^\W_{_CJK}]|[-'’./+](?=[^\W_{_CJK}]))*\+?"
    rf"|[{_CJK}]|<=|>=|[<>=≤≥&%#]|[?？!,，;；:：()/.]"
)
_TAG = re.compile(
    r"\s*\((?:disorder|finding|situation|procedure|regime/therapy|event|morphologic abnormality|"
    r"record artifact|substance|product|observable entity|qualifier value|person)\)"
)
_HIDDEN = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xAD])
_BRITISH = (
    ("haem", "hem"),
    ("anaem", "anem"),
    ("oedem", "edem"),
    ("tumour", "tumor"),
    ("coeliac", "celiac"),
    ("diarrhoea", "diarrhea"),
    ("paediatr", "pediatr"),
    ("isation", "ization"),
    ("ised", "ized"),
    ("aemia", "emia"),
    ("oesoph", "esoph"),
    ("fibre", "fiber"),
    ("leuc", "leuk"),
)
# Words as they are texted. "U" behind a number is a unit.
_TEXTED = """
u=you ur=your cud=could wud=would shud=should wot=what wat=what wats=whats wots=whats
wich=which wer=where hw=how hv=have ppl=people any1=anyone some1=someone every1=everyone
abt=about b4=before cuz=because cos=because coz=because tho=though thru=through wiv=with
bday=birthday rly=really tht=that teh=the
hav=have havin=having im=i'm ive=i've weve=we've cant=can't couldnt=couldn't
"""
_AS_WRITTEN = dict(pair.split("=") for pair in _TEXTED.split())


@dataclass(frozen=True)
class Token:
    """A word with its place in the question: ``word`` as it is spelled, ``key`` without its plural;
    ``mark`` is punctuation."""

    text: str
    start: int
    end: int
    key: str
    mark: bool = False
    word: str = ""

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()

    @property
    def chinese(self) -> bool:
        return bool(re.match(f"[{_CJK}]", self.text))

    @property
    def number(self) -> float | None:
        try:
            return float(self.text.rstrip("%").replace("−", "-"))
        except ValueError:
            return None


def tokens(text: str) -> list[Token]:
    """The words and marks of a question; a possessive 's is cut off."""
    result: list[Token] = []
    for match in _TOKEN.finditer(text.translate(_HIDDEN)):
        word = match.group()
        start, end = match.span()
        if word == "s" and text[start - 1 : start] in ("'", "’"):
            continue
        for tail in ("'s", "’s"):
            if word.endswith(tail) and len(word) > 2:
                word, end = word[:-2], end - 2
        word = word.replace("’", "'")
        mark = word in "?？!,，;；:：()/." and len(word) == 1
        plain = fold(word)
        counted = bool(result) and result[-1].number is not None
        if not counted and (plain != "im" or not word[1:].isupper()):
            plain = _AS_WRITTEN.get(plain, plain)
        result.append(Token(word, start, end, stem(plain), mark, plain))
    return result


def joined(token: Token) -> bool:
    """Whether a token is words with hyphens or strokes between them; with a figure in it, it is an
    id, and with a capital behind a hyphen a name."""
    parts = re.split("[-/]", token.text)
    return len(parts) > 1 and all(p.isalpha() for p in parts) and not parts[-1][:1].isupper()


def parted(token: Token) -> list[Token]:
    """A word with hyphens or strokes as the words between them."""
    parts: list[Token] = []
    for match in re.finditer(r"[^-/]+", token.text):
        text = match.group()
        if text == "wise" and parts:
            # "Procedure-wise": as for procedures.
            continue
        start = token.start + match.start()
        parts.append(Token(text, start, start + len(text), stem(fold(text)), False, fold(text)))
    return parts


@lru_cache(maxsize=200_000)
def fold(text: str) -> str:
    """Without case, accents, hidden characters and British spelling."""
    plain = unicodedata.normalize("NFKD", text.translate(_HIDDEN))
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    for british, american in _BRITISH:
        plain = plain.replace(british, american)
    return plain


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """A word without its plural; short words and -ss, -us, -is stay."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and word[-2] not in "sui'":
        return word[:-1]
    return word


_WORD = re.compile(rf"[^\W_{_CJK}]+(?:'[^\W_]+)?|[{_CJK}]")


@lru_cache(maxsize=200_000)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name, stemmed, a terminology's tag left out."""
    return tuple(stem(w) for w in _WORD.findall(fold(_TAG.sub("", name))))


def tidy(name: str) -> str:
    """A name for people: without a terminology's tag and hidden characters."""
    return _TAG.sub("", name.translate(_HIDDEN)).strip()
