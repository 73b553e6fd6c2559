"""The query language: words, phrases, AND OR NOT, field names, as librarians write them.

A query without operators, quotes or field names is plain words: any of them may match, the best
matches come first. As soon as one of these is used, words that stand side by side must all match.

    heart failure in children                    plain words
    "heart failure" AND (child* OR adolescent*)  phrase, operators, truncation
    title:asthma NOT mesh:"Asthma, Occupational" fields; mesh: takes in the branch below
    asthma[mh] AND child*[tiab] AND 2019:2021[dp]    PubMed's language, wherever its tags are used
    exp asthma/ and child$.ti,ab.                    Ovid's, by its fields, headings, adj
    'asthma'/exp AND child*:ti,ab                    Embase's, by the same
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from osler.errors import ChoiceError, LimitError, QueryError
from osler.kinds.query import And, Exact, Node, Not, Or, Phrase, Term
from osler.retrieve.languages import near
from osler.retrieve.languages.dates import backwards, span_of
from osler.retrieve.languages.detect import language_of
from osler.retrieve.languages.embase import Embase
from osler.retrieve.languages.ovid import Ovid
from osler.retrieve.languages.pubmed import PubMed
from osler.retrieve.languages.reader import Reader
from osler.retrieve.languages.subheadings import full
from osler.settings import MAX_QUERY
from osler.store.analyser import spread
from osler.text.design.names import DESIGN_MARK, DESIGNS, canonical

MAX_DEPTH = 50

FIELDS = {
    "title": "title",
    "ti": "title",
    "abstract": "abstract",
    "ab": "abstract",
    "tiab": "tiab",
    "tw": "tw",
    "all": "all",
    "headings": "headings",
    "authors": "authors",
    "keyword": "keywords",
    "keywords": "keywords",
    "author": "author",
    "au": "author",
    "journal": "journal",
    "mesh": "heading",
    "heading": "heading",
    "major": "major",
    "subheading": "subheading",
    "affiliation": "affiliation",
    "type": "type",
    "design": "design",
    "language": "language",
    "lang": "language",
    "year": "year",
    "id": "id",
    "pmid": "name",
    "pmcid": "name",
    "doi": "name",
}
FIELD_NAMES = tuple(sorted(FIELDS))
_EXACT = {
    "journal",
    "type",
    "language",
    "id",
    "heading",
    "major",
    "subheading",
    "author",
    "name",
}
READERS: dict[str, type[Reader]] = {"pubmed": PubMed, "ovid": Ovid, "embase": Embase}

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<open>\()
  | (?P<close>\))
  | (?P<quote>"(?P<phrase>[^"]*)(?P<end>"|$)(?:~(?P<ordered>>)?(?P<slop>\d{1,2}))?)
  | (?P<field>(?P<field_name>[A-Za-z]+):(?=\S))
  | (?P<word>[^\s()"\[\]]+|[\[\]])
    """,
    re.VERBOSE,
)
_OPERATORS = ("AND", "OR", "NOT")
_STRUCTURED = re.compile(
    r"""
    (?:^|[\s(])(?:AND|OR|NOT)(?=[\s(]|$)
  | "
  | \w\*(?:\W|$)                       # child*
  | (?:^|[\s(])\*[A-Za-z]{3}            # *itis
  | [A-Za-z]{2}\#[a-z]                  # randomi#ed
  | [A-Za-z]{2}\?[a-z](?!.*\?(?:\s|$))  # wom?n, where no question is asked
    """,
    re.VERBOSE,
)
_FIELD_START = re.compile(r"(?:^|[\s(])-?([A-Za-z]+):(?=\S)")


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    place: int
    slop: int = -1
    free: bool = True


def is_structured(query: str) -> bool:
    """Whether a query uses the language, or is plain words."""
    _bound(query)
    if _STRUCTURED.search(query):
        return True
    if language_of(query):
        return True
    return any(name.lower() in FIELDS or _near(name) for name in _FIELD_START.findall(query))


def _near(name: str) -> list[str]:
    return difflib.get_close_matches(name.lower(), FIELDS, n=1, cutoff=0.8) if len(name) > 3 else []


def plain(query: str) -> Node:
    """Any of the words; of Chinese, which has no blanks, any of the pairs that the index holds."""
    _bound(query)
    words = re.findall(r"[^\W_]+", spread(query))
    return Or(tuple(Term(word) for word in words))


def parse(query: str, language: str = "") -> Node:
    """The tree of a query; ``QueryError`` with the place of what is wrong. ``language`` says what
    it is written in; else its marks do."""
    _bound(query)
    if language and language not in (*READERS, "osler"):
        raise ChoiceError("query language", language, (*READERS, "osler"))
    if not language and not is_structured(query):
        return plain(query)
    reader = READERS.get(language or language_of(query))
    return reader(query).read() if reader is not None else _Parser(query).parse()


def _bound(query: str) -> None:
    limit = MAX_QUERY.get()
    if len(query) > limit:
        raise LimitError(f"the query has {len(query)} characters, at most {limit} are read")


class _Parser:
    """Recursive descent: OR binds least, then AND (also unwritten), then NOT."""

    def __init__(self, query: str) -> None:
        self.query = query
        self.tokens = list(self._tokens(query))
        self.at = 0
        self.depth = 0

    def _error(self, message: str, place: int, cure: str = "") -> QueryError:
        return QueryError(message, query=self.query, place=place, cure=cure)

    def _tokens(self, query: str):  # type: ignore[no-untyped-def]
        for match in _TOKEN.finditer(query):
            kind = match.lastgroup or ""
            place = match.start()
            if match.group("space"):
                continue
            if match.group("quote"):
                if match.group("end") != '"':
                    raise self._error("this quote has no end", place, 'add a closing "')
                slop = int(match.group("slop")) if match.group("slop") else -1
                free = not match.group("ordered")
                yield _Token("phrase", match.group("phrase"), place, slop, free)
            elif match.group("field"):
                yield _Token("field", match.group("field_name"), place)
            elif match.group("open"):
                yield _Token("(", "(", place)
            elif match.group("close"):
                yield _Token(")", ")", place)
            else:
                word = match.group("word")
                kind = word if word in _OPERATORS else "word"
                yield _Token(kind, word, place)

    @property
    def _next(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def parse(self) -> Node:
        if not self.tokens:
            return Or(())
        node = self._or()
        if (token := self._next) is not None:
            raise self._error("this bracket closes none", token.place, "take it out")
        return node

    def _or(self) -> Node:
        parts = [self._and()]
        while (token := self._next) is not None and token.kind == "OR":
            self.at += 1
            parts.append(self._and(after=token))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _and(self, after: _Token | None = None) -> Node:
        parts = [self._not(after)]
        while (token := self._next) is not None and token.kind not in ("OR", ")"):
            if token.kind == "AND":
                self.at += 1
                parts.append(self._not(token))
            else:
                parts.append(self._not(None))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _not(self, after: _Token | None) -> Node:
        before = self.depth
        while (token := self._next) is not None and token.kind == "NOT":
            self.at += 1
            self._deeper(token, "NOT is repeated too often")
            after = token
        denied = self.depth - before
        node = self._atom(after)
        self.depth = before
        for _ in range(denied):
            node = Not(node)
        return node

    def _deeper(self, token: _Token, message: str) -> None:
        """Brackets and NOTs count together: what walks the tree later is recursive."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(message, token.place)

    def _atom(self, after: _Token | None) -> Node:
        token = self._next
        if token is None or token.kind in ("AND", "OR", ")"):
            if after is not None:
                place = after.place
                raise self._error(f"nothing follows {after.text}", place, "add a word after it")
            if token is None:
                raise self._error("the query ends here", len(self.query), "add a word")
            what = "bracket" if token.kind == ")" else token.kind
            raise self._error(f"nothing stands before this {what}", token.place, "add a word")
        self.at += 1
        if token.kind == "(":
            return self._group(token)
        if token.kind == "field":
            return self._fielded(token)
        return self._leaf(token, "", None)

    def _group(self, opening: _Token) -> Node:
        self._deeper(opening, "brackets are nested too deeply")
        node = self._or()
        if (token := self._next) is None or token.kind != ")":
            raise self._error("this bracket is not closed", opening.place, "add a )")
        self.at += 1
        self.depth -= 1
        return node

    def _fielded(self, name: _Token) -> Node:
        field = FIELDS.get(name.text.lower())
        if field is None:
            near = _near(name.text)
            hint = f"did you mean {near[0]}:? " if near else ""
            raise self._error(
                f"there is no field {name.text}:",
                name.place,
                f"{hint}fields: {', '.join(FIELD_NAMES)}; quote the words if no field was meant",
            )
        token = self._next
        if token is None or token.kind not in ("word", "phrase", "(", "field"):
            raise self._error(f"nothing follows {name.text}:", name.place, "add a value")
        self.at += 1
        if token.kind == "(":
            return _in_field(self._group(token), field, self)
        if token.kind == "field":
            # year:2019:2021 reads as a field named 2019 only when it is letters; it never is.
            raise self._error(f"{token.text}: cannot follow {name.text}:", token.place)
        return self._leaf(token, field, name)

    def _leaf(self, token: _Token, field: str, named: _Token | None) -> Node:
        if field == "year":
            return self._years(token)
        if field == "design":
            return self._design(token)
        if field in _EXACT:
            value = token.text.strip()
            if field == "subheading":
                value = full(value)
            if field in ("heading", "major") and value.startswith("="):
                return Exact(field, (value[1:],), explode=False)
            return Exact(field, (value,))
        if not re.search(r"\w", token.text):
            what = "phrase" if token.kind == "phrase" else "sign"
            raise self._error(f"this {what} holds no word", token.place, "take it out")
        if token.kind == "word" and re.match(r"-[^\W\d_]", token.text):
            raise self._error(
                "a minus excludes nothing", token.place, f"write NOT {token.text[1:]}"
            )
        for each in token.text.split():
            if each.startswith("*"):
                raise self._error(near.HEADLESS, token.place, near.WRITE_OUT)
            if each.endswith("*") and len(re.findall(r"\w", each)) < 3:
                raise self._error("a truncated word needs three letters before the *", token.place)
        if token.kind == "phrase":
            slop, free = max(0, token.slop), token.free and token.slop >= 0
            return near.joined([token.text], field, slop=slop, free=free)
        return near.word(token.text, field)

    def _design(self, token: _Token) -> Node:
        design = canonical(token.text)
        if not design:
            listed = ", ".join(DESIGNS)
            raise self._error("this is no study design", token.place, f"designs: {listed}")
        return Exact("type", (DESIGN_MARK + design,))

    def _years(self, token: _Token) -> Node:
        span = span_of(token.text)
        if span is None:
            raise self._error(
                "this is no date", token.place, "write year:2019, year:2019:2021 or year:2021/05"
            )
        if backwards(span):
            raise self._error("this range ends before it begins", token.place, "turn it round")
        return span


def _in_field(node: Node, field: str, parser: _Parser) -> Node:
    """``title:(a OR b)``: the field for every word inside."""
    match node:
        case Term() if not node.field:
            return parser._leaf(_Token("word", near.marked(node), 0), field, None)
        case Phrase() if not node.field:
            slop = node.slop if node.slop or node.free else -1
            token = _Token("phrase", near.marked(node), 0, slop, node.free)
            return parser._leaf(token, field, None)
        case And():
            return And(tuple(_in_field(part, field, parser) for part in node.parts))
        case Or():
            return Or(tuple(_in_field(part, field, parser) for part in node.parts))
        case Not():
            return Not(_in_field(node.part, field, parser))
        case _:
            return node


def expand_headings(node: Node, explode) -> Node:  # type: ignore[no-untyped-def]
    """Replace each heading asked for by itself and the branch below it.

    ``explode(name)`` gives the names and ids of a heading's branch, or nothing for an unknown one.
    """
    match node:
        case Exact(field="heading" | "major", explode=True):
            values = dict.fromkeys(node.values)
            for value in node.values:
                # A qualifier goes with every heading of the branch.
                name, slash, qualifier = value.partition("/")
                values.update(dict.fromkeys(each + slash + qualifier for each in explode(name)))
            return Exact(node.field, tuple(values), node.boost)
        case And():
            return And(tuple(expand_headings(part, explode) for part in node.parts))
        case Or():
            return Or(tuple(expand_headings(part, explode) for part in node.parts))
        case Not():
            return Not(expand_headings(node.part, explode))
        case _:
            return node


def words_of(node: Node) -> list[str]:
    """The words that a tree asks for (none that it excludes): what evidence is looked for with."""
    match node:
        case Term() | Phrase():
            return [node.text]
        case Exact(field="heading"):
            return list(node.values[:1])
        case And() | Or():
            return [word for part in node.parts for word in words_of(part)]
        case _:
            return []
