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
    "sh": "subheading", "mesh subheading": "subheading", "subheading": "subheading",
    "ad": "affiliation", "affl": "affiliation", "affiliation": "affiliation",
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
    "pmc": "name", "pmcid": "name", "lid": "name", "location id": "name",
    "cn": "author", "corporate author": "author",
}  # fmt: skip
NOT_HERE = frozenset({
    "auid", "book", "cois", "com", "crdt", "ec", "ed", "edat", "filter", "fir", "fpub",
    "gr", "ip", "ir", "irad", "isbn", "lastau", "lr", "mhda", "nm", "pa", "pg",
    "pl", "ppdf", "ps", "pubn", "rn", "sb", "si", "tt", "vi",
})  # fmt: skip
"""Tags that PubMed has, of fields that are not indexed here."""
_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<bracket>[()])
  | (?P<quote>"(?P<phrase>[^"]*)(?P<end>"|$))
  | (?P<tag>\[(?P<name>[^\[\]]*)(?P<shut>\]|(?=\[)|$))
  | (?P<word>[^\s()"\[\]]+|\])
    """,
    re.VERBOSE,
)
NEAR_FIELDS = ("title", "tiab", "all", "affiliation")
"""Where PubMed looks for words near each other."""
_LINE = re.compile(r"#\d{1,3}")
_NEAR = re.compile(r"(?P<name>[^:]*):~ ?(?P<number>\d{1,3})")
_FIELD = re.compile(r"(?P<field>[A-Za-z]+):(?P<rest>.+)")


class PubMed(Reader):
    """Reads one query of PubMed's."""

    least_letters = 4

    def cut(self, text: str, start: int) -> list[Token]:
        tokens: list[Token] = []
        words: list[Token] = []

        def flush(*, tagged: bool = False) -> None:
            """Words before a tag are one text; without a tag each stands for itself."""
            if words and tagged:
                last = words[-1]
                whole = " ".join(word.text for word in words)
                quoted = last.quoted and len(words) == 1
                tokens.append(Token("text", whole, words[0].place, quoted))
            else:
                tokens.extend(self._untagged(word) for word in words)
            words.clear()

        for match in _TOKEN.finditer(text):
            place = start + match.start()
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
            elif _LINE.fullmatch(match["word"]):
                flush()
                tree = self.earlier(int(match["word"][1:]), place)
                tokens.append(Token("tree", match["word"], place, tree=tree))
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
        number = -1
        if near := _NEAR.fullmatch(written):
            written, number = near["name"].rstrip(), int(near["number"])
        explode = not re.search(r":\s*noexp$", written)
        written = re.sub(r"\s*:\s*noexp$", "", written)
        field = TAGS.get(written)
        if field is None and written in NOT_HERE:
            raise self.error(
                f"PubMed's [{name}] is not indexed here", place, "leave this part of the query out"
            )
        if field is None:
            listed = " ".join(f"[{tag}]" for tag in sorted(TAGS) if len(tag) <= 4)
            raise self.error(
                f"there is no tag [{name}] here",
                place,
                f"tags: {listed}; or search it as plain words (--plain)",
            )
        if number >= 0 and field not in NEAR_FIELDS:
            raise self.error("words are near each other in [ti], [tiab], [ad] or [all] only", place)
        return Token("field", f"[{name}]", place, fields=(field,), number=number, explode=explode)

    def _one(self, token: Token, field: str, explode: bool, slop: int, free: bool) -> Node:
        if field == "first":
            return Exact("author", (FIRST + token.text,))
        if field == "author" and token.quoted and not token.text.endswith("*"):
            return Exact("author", (WHOLE + token.text,))
        if slop >= 0 and "*" in token.text:
            raise self.error("PubMed cuts off no word of those near each other", token.place)
        return super()._one(token, field, explode, slop, free)
