"""Embase's language, as people paste it.

    'asthma'/exp AND (wheez* NEAR/3 child*):ti,ab AND [english]/lim AND [2010-2020]/py

``/exp`` takes in the branch below a term, ``/de`` does not, ``/mj`` asks for a main topic. ``*``
stands for any letters, ``?`` for one, ``$`` for one or none. Words side by side must all match;
a phrase is quoted. Operators are joined from left to right.
"""

from __future__ import annotations

import re

from osler.kinds.query import Exact, Node, Or
from osler.retrieve.languages.lines import Line
from osler.retrieve.languages.ovid import author
from osler.retrieve.languages.reader import OPERATORS, Reader, Token
from osler.retrieve.languages.subheadings import EMBASE

FIELDS: dict[str, str] = {
    "ti": "title", "ab": "abstract", "kw": "keywords", "de": "headings", "au": "author",
    "ff": "affiliation", "jt": "journal", "ta": "journal", "is": "journal", "it": "type",
    "la": "language", "py": "year", "do": "name", "ui": "id", "lnk": "subheading", "all": "all",
}  # fmt: skip
WIDE = (("title", "abstract", "keywords", "headings"), "tw"), (("title", "abstract"), "tiab")
"""Fields that are one when they are named together."""
_SUFFIX = r":[a-z]{2,3}(?:\s*,\s*[a-z]{2,3})*(?![\w:])"
_SLASHES = r"(?:/[a-z_]+)+(?!\w)"
_TOKEN = re.compile(
    rf"""
    (?P<space>\s+)
  | (?P<bracket>[()])
  | (?P<quote>(?P<mark>['"])(?P<phrase>.*?)(?P<end>(?P=mark)(?=[\s():/]|$)|$))
  | (?P<limit>\[(?P<what>[^\]]*)(?P<shut>\]|$)(?:/(?P<kind>lim|py)\b)?)
  | (?P<slashes>{_SLASHES})
  | (?P<suffix>{_SUFFIX})
  | (?P<near>(?P<how>NEAR|NEXT)/(?P<far>\d{{1,2}})(?![\w]))
  | (?P<line>\#\d{{1,3}}(?!\w))
  | (?P<word>(?:(?!{_SUFFIX})(?!{_SLASHES})[^\s()\[\]])+)
  | (?P<odd>.)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MARKS = str.maketrans({"?": "#", "$": "?"})
_KINDS = {
    "article": "journal article", "review": "review", "editorial": "editorial", "letter": "letter",
    "systematic review": "systematic review", "meta analysis": "meta-analysis",
    "randomized controlled trial": "randomized controlled trial",
}  # fmt: skip
_LANGUAGES = frozenset({
    "english", "chinese", "french", "german", "spanish", "italian", "japanese", "portuguese",
    "russian", "korean", "polish", "dutch", "turkish", "persian", "arabic",
})  # fmt: skip


class Embase(Reader):
    """Reads one query of Embase's, of one line or of several."""

    wildcards = True

    def _line(self, line: Line) -> Node:
        node = super()._line(line)
        return self.in_fields(node, Token("field", ":all", line.place, fields=("all",)))

    def cut(self, text: str, start: int) -> list[Token]:
        tokens: list[Token] = []
        for match in _TOKEN.finditer(text):
            place = start + match.start()
            if match["space"]:
                continue
            if match["bracket"]:
                tokens.append(Token(match["bracket"], match["bracket"], place))
            elif match["quote"]:
                if not match["end"]:
                    raise self.error("this quote has no end", place, f"add a closing {match[4]}")
                whole = match["phrase"].translate(_MARKS)
                tokens.append(Token("text", whole, place, quoted=True))
            elif match["limit"]:
                tokens.append(self._limit(match, place))
            elif match["near"]:
                kind = match["how"].upper()
                far = max(1, int(match["far"])) - 1
                tokens.append(Token(kind, match["near"], place, number=far))
            elif match["line"]:
                tree = self.earlier(int(match["line"][1:]), place)
                tokens.append(Token("tree", match["line"], place, tree=tree))
            elif match["slashes"]:
                before = tokens.pop() if tokens and tokens[-1].kind == "text" else None
                tokens.append(self._term(before, match["slashes"], place))
            elif match["suffix"]:
                tokens.append(self._fields(match["suffix"], place))
            elif match["odd"]:
                raise self.error(f"{match['odd']} stands alone here", place, "take it out")
            elif match["word"].upper() in OPERATORS:
                tokens.append(Token(match["word"].upper(), match["word"], place))
            else:
                tokens.append(Token("text", match["word"].translate(_MARKS), place))
        return tokens

    def _term(self, before: Token | None, slashes: str, place: int) -> Token:
        """``'asthma'/exp/mj``, ``'asthma'/exp/dm_dt``."""
        if before is None:
            raise self.error(f"{slashes} follows no term", place, "write 'asthma'/exp")
        marks = slashes.lower().strip("/").split("/")
        qualifiers = [EMBASE[mark] for mark in marks if mark in EMBASE]
        unknown = next((m for m in marks if m not in EMBASE and m not in ("exp", "de", "mj")), None)
        if unknown:
            raise self.error(f"there is no /{unknown} here", place, "use /exp, /de, /mj or /dm_dt")
        field = "major" if "mj" in marks else "heading"
        name = " ".join(before.text.split())
        values = [f"{name}/{each}" for each in qualifiers] or [name]
        explode = "exp" in marks
        trees = tuple(Exact(field, (value,), explode=explode) for value in values)
        tree: Node = trees[0] if len(trees) == 1 else Or(trees)
        return Token("tree", before.text, before.place, tree=tree)

    def _fields(self, written: str, place: int) -> Token:
        codes = [code.strip().lower() for code in written[1:].split(",")]
        unknown = next((code for code in codes if code not in FIELDS), None)
        if unknown:
            listed = " ".join(f":{name}" for name in FIELDS)
            raise self.error(f"there is no field :{unknown} here", place, f"fields: {listed}")
        fields = list(dict.fromkeys(FIELDS[code] for code in codes))
        for parts, wide in WIDE:
            if set(parts) <= set(fields):
                fields = [wide, *(each for each in fields if each not in parts)]
        return Token("field", written, place, fields=tuple(fields))

    def _limit(self, match: re.Match[str], place: int) -> Token:
        """``[english]/lim``, ``[2010-2020]/py``."""
        if match["shut"] != "]" or not match["kind"]:
            raise self.error("this limit is not ended", place, "write [english]/lim")
        what = " ".join(match["what"].lower().split())
        tree: Node | None = None
        if match["kind"].lower() == "py":
            tree = self._years(Token("text", what, place))
        elif what in _LANGUAGES:
            tree = Exact("language", (what,))
        elif what in _KINDS:
            tree = Exact("type", (_KINDS[what],))
        elif what in ("humans", "animals"):
            tree = Exact("heading", (what.capitalize(),), explode=False)
        if tree is None:
            raise self.error(
                "this limit cannot be held here", place, "limit by language, years or a kind"
            )
        return Token("tree", match["limit"], place, tree=tree)

    def _one(self, token: Token, field: str, explode: bool, slop: int, free: bool) -> Node:
        if field == "author":
            return author(token, lambda: super(Embase, self)._one(token, field, True, -1, False))
        return super()._one(token, field, explode, slop, free)
