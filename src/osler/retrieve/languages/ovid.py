"""Ovid's language, as people paste it out of MEDLINE's lines.

    1. exp Asthma/dt [Drug Therapy]      a heading with its branch, and a qualifier
    2. (wheez$ adj3 child*).ti,ab.       words near each other, in title or abstract
    3. 1 or 2                            or/1-2 says the same

Words side by side are a phrase, and without a field are looked for as ``.mp.`` does. ``$`` and
``*`` cut a word off, ``$2`` lets two letters follow, ``#`` is a letter, ``?`` is one or none.
Without brackets NOT and AND are joined before OR.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from osler.kinds.query import And, Exact, Node, Or, Span
from osler.retrieve.languages.lines import Line
from osler.retrieve.languages.reader import Reader, Token
from osler.retrieve.languages.subheadings import NAMES
from osler.text.names import WHOLE

FIELDS: dict[str, tuple[str, ...]] = {
    "ti": ("title",), "ab": ("abstract",), "tw": ("tiab",), "mp": ("tw",), "af": ("all",),
    "kw": ("keywords",), "kf": ("keywords",), "hw": ("headings",), "sh": ("heading",),
    "fs": ("subheading",), "au": ("author",), "in": ("affiliation",), "jn": ("journal",),
    "jw": ("journal",), "ja": ("journal",), "is": ("journal",), "pt": ("type",),
    "la": ("language",), "lg": ("language",), "yr": ("year",), "dp": ("year",),
    "sa_year": ("year",), "ui": ("name",), "pm": ("name",), "do": ("name",), "id": ("name",),
}  # fmt: skip
_LETTERS = r"[a-z]{2}(?:\s*,\s*[a-z]{2})*"
SUFFIX = rf"\.(?:\((?P<long>[a-z_]+)\)|(?P<short>{_LETTERS}))\."
_BARE_SUFFIX = rf"\.(?:\([a-z_]+\)|{_LETTERS})\."
_END = r"(?=[\s)]|$)"
_TOKEN = re.compile(
    rf"""
    (?P<space>\s+)
  | (?P<note>\[[^\]]*(?P<shut>\]|$))
  | (?P<bracket>[()])
  | (?P<quote>"(?P<phrase>[^"]*)(?P<end>"|$))
  | (?P<several>\b(?P<join>or|and)/(?P<numbers>\d[\d,\s-]*)){_END}
  | (?P<suffix>{SUFFIX})
  | (?P<slash>/(?P<letters>{_LETTERS})?{_END})
  | (?P<operator>(?:and|or|not|adj(?P<far>\d{{0,2}})){_END})
  | (?P<word>(?:(?!{_BARE_SUFFIX})(?!/(?:{_LETTERS})?{_END})[^\s()"\[\]])+)
  | (?P<odd>.)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LIMIT = re.compile(r"limit\s+(?P<line>\d{1,3})\s+to\s+(?P<what>.+)", re.IGNORECASE | re.DOTALL)
_YEARS = re.compile(r'yr\s*=\s*"?\s*(\d{4})?\s*(-?)\s*(\d{4}|current)?\s*"?', re.IGNORECASE)
_KINDS = {
    "review articles": "review", "review": "review", "meta analysis": "meta-analysis",
    "systematic review": "systematic review", "systematic reviews": "systematic review",
    "randomized controlled trial": "randomized controlled trial",
    "clinical trial": "clinical trial", "case reports": "case reports",
}  # fmt: skip
_ENDS_CUT = re.compile(r"(?<=\w)[$*:]+$")
_CUT_AFTER = re.compile(r"(?<=\w)[$*](\d{1,2})$")
MOST_LETTERS = 9
"""Letters that may follow a word which is cut off after some: ``child$3``."""


class Ovid(Reader):
    """Reads one query of Ovid's, of one line or of several."""

    in_turn = False
    wildcards = True

    def _line(self, line: Line) -> Node:
        if match := _LIMIT.fullmatch(line.text.strip()):
            return self._limited(match, line)
        node = super()._line(line)
        # Words without a field are looked for as .mp. does.
        return self.in_fields(node, Token("field", ".mp.", line.place, fields=("tw",)))

    def cut(self, text: str, start: int) -> list[Token]:
        tokens: list[Token] = []
        words: list[Token] = []

        def flush(*, fielded: bool = False) -> None:
            if not words:
                return
            first = words[0]
            whole = " ".join(word.text for word in words)
            if len(words) == 1 and whole.isdigit() and not first.quoted and not fielded:
                tree = self.earlier(int(whole), first.place)
                tokens.append(Token("tree", whole, first.place, tree=tree))
            else:
                quoted = first.quoted and len(words) == 1
                tokens.append(Token("text", whole, first.place, quoted))
            words.clear()

        for match in _TOKEN.finditer(text):
            place = start + match.start()
            if match["space"]:
                continue
            if match["note"]:
                if match["shut"] != "]":
                    raise self.error("this remark is not closed", place, "add a ]")
            elif match["quote"]:
                if match["end"] != '"':
                    raise self.error("this quote has no end", place, 'add a closing "')
                words.append(Token("text", match["phrase"], place, quoted=True))
            elif match["slash"]:
                tokens.append(self._heading(words, match["letters"], place))
                words.clear()
            elif match["suffix"]:
                flush(fielded=True)
                tokens.append(self._fields(match["long"] or match["short"], place))
            elif match["several"]:
                flush()
                tokens.append(self._several(match, place))
            elif match["operator"]:
                flush()
                tokens.append(self._operator(match, place))
            elif match["bracket"]:
                flush()
                tokens.append(Token(match["bracket"], match["bracket"], place))
            elif match["odd"]:
                raise self.error(f"{match['odd']} stands alone here", place, "take it out")
            else:
                words.append(Token("text", self._cut_off(match["word"], place), place))
        flush()
        return tokens

    def _cut_off(self, word: str, place: int) -> str:
        """A word with its truncation as the tree has it: child$ is child*, child$3 child???."""
        if match := _CUT_AFTER.search(word):
            letters = int(match[1])
            if not 0 < letters <= MOST_LETTERS:
                raise self.error(f"at most {MOST_LETTERS} letters can follow", place)
            return word[: match.start()] + "?" * letters
        return _ENDS_CUT.sub("*", word)

    @staticmethod
    def _operator(match: re.Match[str], place: int) -> Token:
        if match["far"] is None:
            return Token(match["operator"].upper(), match["operator"], place)
        if not match["far"]:
            return Token("NEXT", match["operator"], place, number=0)
        return Token("NEAR", match["operator"], place, number=max(1, int(match["far"])) - 1)

    def _fields(self, written: str, place: int) -> Token:
        codes = [code.strip().lower() for code in written.split(",")]
        fields: list[str] = []
        for code in codes:
            if code not in FIELDS:
                listed = " ".join(f".{name}." for name in FIELDS if len(name) == 2)
                raise self.error(f"there is no field .{code}. here", place, f"fields: {listed}")
            fields += FIELDS[code]
        if {"title", "abstract"} <= set(fields):
            fields = ["tiab", *(each for each in fields if each not in ("title", "abstract"))]
        return Token("field", f".{written}.", place, fields=tuple(dict.fromkeys(fields)))

    def _several(self, match: re.Match[str], place: int) -> Token:
        """``or/1-3``: lines by their numbers."""
        numbers: list[int] = []
        for part in match["numbers"].replace(" ", "").strip(",").split(","):
            low, _, high = part.partition("-")
            if not low.isdigit() or (high and not high.isdigit()):
                raise self.error("these are no numbers of lines", place, "write or/1-3")
            numbers += range(int(low), min(int(high or low), int(low) + 999) + 1)
        trees = tuple(self.earlier(number, place) for number in numbers)
        kind = Or if match["join"].lower() == "or" else And
        tree = trees[0] if len(trees) == 1 else kind(trees)
        return Token("tree", match["several"], place, tree=tree)

    def _heading(self, words: list[Token], letters: str | None, place: int) -> Token:
        named = list(words)
        explode = bool(named) and not named[0].quoted and named[0].text.lower() == "exp"
        if explode:
            del named[0]
        text = " ".join(word.text for word in named)
        major = text.startswith("*")
        name = text.lstrip("* ")
        if not re.search(r"\w", name):
            raise self.error("this / follows no heading", place, "write exp Asthma/")
        field = "major" if major else "heading"
        values = [name]
        if letters:
            codes = [code.strip().lower() for code in letters.split(",")]
            unknown = next((code for code in codes if code not in NAMES), None)
            if unknown:
                raise self.error(f"there is no qualifier {unknown}", place + 1)
            values = [f"{name}/{NAMES[code]}" for code in codes]
        trees = tuple(Exact(field, (value,), explode=explode) for value in values)
        tree: Node = trees[0] if len(trees) == 1 else Or(trees)
        return Token("tree", f"{text}/", named[0].place, tree=tree)

    def _one(self, token: Token, field: str, explode: bool, slop: int, free: bool) -> Node:
        if field == "author":
            return author(token, lambda: super(Ovid, self)._one(token, field, True, -1, False))
        if field == "heading":
            explode = False  # .sh. takes in no branch
        return super()._one(token, field, explode, slop, free)

    def _limited(self, match: re.Match[str], line: Line) -> Node:
        """``limit 3 to (english language and yr="2010 - 2020")``."""
        parts: list[Node] = [self.earlier(int(match["line"]), line.place)]
        what = match["what"].strip()
        place = line.place + line.text.index(what)
        if what.startswith("(") and what.endswith(")"):
            what, place = what[1:-1], place + 1
        for piece in re.finditer(r"(?:(?!\s+and\s).)+", what, re.IGNORECASE | re.DOTALL):
            parts.append(self._limit(piece.group().strip(), place + piece.start()))
        return And(tuple(parts))

    def _limit(self, text: str, place: int) -> Node:
        text = re.sub(r"^and\s+", "", text, flags=re.IGNORECASE).strip(' "')
        lower = text.lower()
        if lower.startswith("yr"):
            years = _YEARS.fullmatch(text) or _YEARS.fullmatch(text + '"')
            if years and years[1]:
                high = years[3] or ("" if years[2] else years[1])
                last = int(high) if high.isdigit() else None
                return Span("year", int(years[1]), last)
        elif lower.endswith(" language"):
            return Exact("language", (lower.removesuffix(" language"),))
        elif lower in ("humans", "animals"):
            return Exact("heading", (lower.capitalize(),), explode=False)
        elif lower in _KINDS:
            return Exact("type", (_KINDS[lower],))
        raise self.error(
            "this limit cannot be held here", place, "limit by language, yr=, humans or a kind"
        )


def author(token: Token, otherwise: Callable[[], Node]) -> Node:
    """An author as Ovid and Embase write one: ``smith j*`` goes on, ``smith j`` does not, and a
    family name alone is anybody's."""
    text = " ".join(token.text.split())
    if text.endswith("*") and " " in text:
        return Exact("author", (text.rstrip("*").rstrip(),))
    if not text.endswith("*") and (" " in text or token.quoted):
        return Exact("author", (WHOLE + text,))
    return otherwise()
