"""PubMed's query language: https://pubmed.ncbi.nlm.nih.gov/help/, "Search field tags".

A tag holds for all words before it up to an operator, a bracket or another tag: they are a phrase.
Operators in capitals are joined from left to right. Authors go on after what is written (``smith
j[au]`` finds Smith JA) unless they are quoted; headings take in their branch unless ``:noexp``.
"""

from __future__ import annotations

import re

from osler.kinds.query import Exact, Node
from osler.retrieve.languages.reader import OPERATORS, Reader, Token
from osler.text.names import FIRST, WHOLE

TAGS: dict[str, str] = {
    "ti": "title", "title": "title",
    "ab": "abstract", "abstract": "abstract",
    "tiab": "tiab", "title/abstract": "tiab",
    "tw": "tw", "text word": "tw", "text words": "tw",
    "all": "all", "all fields": "all",
    "mh": "heading", "mesh": "heading", "mesh terms": "heading", "mesh term": "heading",
    "majr": "major", "mesh major topic": "major",
    "au": "author", "author": "author", "fau": "author", "full author name": "author",
    "1au": "first", "author - first": "first", "first author name": "first",
    "ta": "journal", "jour": "journal", "journal": "journal", "is": "journal", "issn": "journal",
    "pt": "type", "ptyp": "type", "publication type": "type",
    "la": "language", "lang": "language", "language": "language",
    "ot": "keywords", "other term": "keywords",
    "dp": "year", "pdat": "year", "date - publication": "year", "publication date": "year",
    "pmid": "name", "uid": "name", "aid": "name", "doi": "name", "article identifier": "name",
    "pmc": "name", "pmcid": "name",
}  # fmt: skip
_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<bracket>[()])
  | (?P<quote>"(?P<phrase>[^"]*)(?P<end>"|$))
  | (?P<tag>\[(?P<name>[^\[\]]*)(?P<shut>\]|$))
  | (?P<word>[^\s()"\[\]]+|\])
    """,
    re.VERBOSE,
)
_NEAR = re.compile(r"(?P<name>[^:]*):~ ?(?P<number>\d{1,3})")
_FIELD = re.compile(r"(?P<field>[A-Za-z]+):(?P<rest>.+)")


class PubMed(Reader):
    """Reads one query of PubMed's."""

    def cut(self) -> list[Token]:
        tokens: list[Token] = []
        words: list[Token] = []

        def flush(*, tagged: bool = False) -> None:
            """Words before a tag are one text; without a tag each stands for itself."""
            if words and tagged:
                last = words[-1]
                text = " ".join(word.text for word in words)
                quoted = last.quoted and len(words) == 1
                tokens.append(Token("text", text, words[0].place, quoted))
            else:
                tokens.extend(self._untagged(word) for word in words)
            words.clear()

        for match in _TOKEN.finditer(self.query):
            place = match.start()
            if match["space"]:
                continue
            if match["bracket"]:
                flush()
                tokens.append(Token(match["bracket"], match["bracket"], place))
            elif match["quote"]:
                if match["end"] != '"':
                    raise self.error("this quote has no end", place, 'add a closing "')
                words.append(Token("text", match["phrase"], place, quoted=True))
            elif match["tag"]:
                tag = self._tag(match["name"], match["shut"], place)
                flush(tagged=True)
                tokens.append(tag)
            elif match["word"] in OPERATORS:
                flush()
                tokens.append(Token(match["word"], match["word"], place))
            else:
                words.append(Token("text", match["word"], place))
        flush()
        return tokens

    def _untagged(self, word: Token) -> Token:
        """A word without a tag; the library's own fields are read here too: year:2019:2021."""
        from osler.retrieve.parse import FIELDS

        match = None if word.quoted else _FIELD.fullmatch(word.text)
        if match and match["field"].lower() in FIELDS:
            field = FIELDS[match["field"].lower()]
            return Token("leaf", match["rest"], word.place, fields=(field,))
        return word

    def _tag(self, name: str, shut: str, place: int) -> Token:
        if shut != "]":
            raise self.error("this tag is not closed", place, "add a ]")
        written = " ".join(name.lower().split())
        number = 0
        if near := _NEAR.fullmatch(written):
            written, number = near["name"].rstrip(), int(near["number"])
        explode = not re.search(r":\s*noexp$", written)
        written = re.sub(r"\s*:\s*noexp$", "", written)
        field = TAGS.get(written)
        if field is None:
            listed = " ".join(f"[{tag}]" for tag in sorted(TAGS) if len(tag) <= 4)
            raise self.error(
                f"there is no tag [{name}] here",
                place,
                f"tags: {listed}; or search it as plain words (--plain)",
            )
        if number and field not in ("title", "tiab", "all"):
            raise self.error("words are near each other in [ti], [tiab] or [all] only", place)
        return Token("field", f"[{name}]", place, fields=(field,), number=number, explode=explode)

    def _one(self, token: Token, field: str, explode: bool, slop: int) -> Node:
        if field == "first":
            return Exact("author", (FIRST + token.text,))
        if field == "author" and token.quoted and not token.text.endswith("*"):
            return Exact("author", (WHOLE + token.text,))
        return super()._one(token, field, explode, slop)
