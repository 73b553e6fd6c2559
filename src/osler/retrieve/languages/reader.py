"""What the readers of query languages share: operators, brackets, fields, errors with a place.

A language cuts its text into tokens; here they become a tree, operators joined as they come.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from osler.errors import LimitError, QueryError
from osler.kinds.query import And, Exact, Node, Not, Or, Phrase, Span, Term
from osler.settings import MAX_QUERY

MAX_DEPTH = 50
LEAST_LETTERS = 3
EXACT = frozenset({"journal", "type", "language", "id", "heading", "major", "author", "name"})
_YEARS = re.compile(
    r"(?P<low>\d{4}(?:/\d\d?){0,2})?\s*(?P<to>[:\-–])?\s*(?P<high>\d{4}(?:/\d\d?){0,2})?"
)
_WHOLE_YEARS = {"low": ("", "/01", "/01/01", "/1", "/1/1"), "high": ("", "/12", "/12/31")}
"""How a range that is made of whole years begins and ends."""
OPERATORS = frozenset({"AND", "OR", "NOT"})


@dataclass(frozen=True)
class Token:
    """``kind``: text, ( ), AND, OR, NOT, field, leaf. ``fields`` are those that a field token puts
    on what stands before it; ``number`` is a distance."""

    kind: str
    text: str
    place: int
    quoted: bool = False
    fields: tuple[str, ...] = ()
    number: int = 0
    explode: bool = True


class Reader:
    """Reads one query of one language."""

    least_letters: ClassVar[int] = LEAST_LETTERS

    def __init__(self, query: str) -> None:
        limit = MAX_QUERY.get()
        if len(query) > limit:
            raise LimitError(f"the query has {len(query)} characters, at most {limit} are read")
        self.query = query
        self.tokens = self.cut()
        self.at = 0
        self.depth = 0

    def cut(self) -> list[Token]:
        """The tokens of the query."""
        raise NotImplementedError

    def error(self, message: str, place: int, cure: str = "") -> QueryError:
        return QueryError(message, query=self.query, place=place, cure=cure)

    @property
    def next(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def read(self) -> Node:
        if not self.tokens:
            raise self.error("the query is empty", 0, "add a word")
        node = self._in_turn()
        if (token := self.next) is not None:
            raise self.error("this bracket closes none", token.place, "take it out")
        return node

    # -- operators -------------------------------------------------------------------------------

    def _in_turn(self) -> Node:
        node = self._denied(None)
        joined = ""
        while (token := self.next) is not None and token.kind != ")":
            operator = token.kind if token.kind in OPERATORS else "AND"
            if token.kind in OPERATORS:
                self.at += 1
            part = self._denied(token if token.kind in OPERATORS else None)
            if operator == "NOT":
                operator, part = "AND", Not(part)
            kind = Or if operator == "OR" else And
            if joined == operator and isinstance(node, kind):
                node = kind((*node.parts, part))
            else:
                node = kind((node, part))
            joined = operator
        return node

    def _denied(self, after: Token | None) -> Node:
        token = self.next
        if token is None or token.kind != "NOT":
            return self._operand(after)
        self.at += 1
        self._deeper(token)
        node = Not(self._denied(token))
        self.depth -= 1
        return node

    # -- operands --------------------------------------------------------------------------------

    def _deeper(self, token: Token) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error("the query is nested too deeply", token.place)

    def _operand(self, after: Token | None) -> Node:
        token = self.next
        if token is None or token.kind not in ("text", "(", "leaf"):
            if after is not None:
                raise self.error(f"nothing follows {after.text}", after.place, "add a word")
            if token is None:
                raise self.error("the query ends here", len(self.query), "add a word")
            if token.kind == "field":
                raise self.error(f"{token.text} follows no word", token.place, "put it after one")
            what = "bracket" if token.kind == ")" else token.text
            raise self.error(f"nothing stands before this {what}", token.place, "add a word")
        self.at += 1
        if token.kind == "(":
            self._deeper(token)
            node = self._in_turn()
            closing = self.next
            if closing is None or closing.kind != ")":
                raise self.error("this bracket is not closed", token.place, "add a )")
            self.at += 1
            self.depth -= 1
            return self._with_fields(node)
        if token.kind == "leaf":
            return self.leaf(token, token.fields, explode=token.explode)
        follows = self.next
        if follows is not None and follows.kind == "field":
            self.at += 1
            return self.leaf(
                token, follows.fields, explode=follows.explode, slop=follows.number, named=follows
            )
        return self.leaf(token, ("",))

    def _with_fields(self, node: Node) -> Node:
        follows = self.next
        if follows is None or follows.kind != "field":
            return node
        self.at += 1
        return self.in_fields(node, follows)

    def in_fields(self, node: Node, named: Token) -> Node:
        """The fields for every word of a group that has none of its own."""
        match node:
            case Term(field=""):
                text = node.text + "*" * node.prefix
                return self.leaf(Token("text", text, named.place), named.fields)
            case Phrase(field=""):
                text = node.text + "*" * node.prefix
                token = Token("text", text, named.place, quoted=True)
                return self.leaf(token, named.fields, slop=node.slop)
            case And():
                return And(tuple(self.in_fields(part, named) for part in node.parts))
            case Or():
                return Or(tuple(self.in_fields(part, named) for part in node.parts))
            case Not():
                return Not(self.in_fields(node.part, named))
            case _:
                return node

    def leaf(
        self,
        token: Token,
        fields: tuple[str, ...],
        *,
        explode: bool = True,
        slop: int = 0,
        named: Token | None = None,
    ) -> Node:
        """What a text asks for in some fields: several are either."""
        parts = [self._one(token, field, explode, slop) for field in fields]
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _one(self, token: Token, field: str, explode: bool, slop: int) -> Node:
        text = " ".join(token.text.split())
        if field == "year":
            return self._years(token)
        cut = text.endswith("*")
        if field in EXACT and not cut:
            return self._exact(text, field, token, explode)
        if field in EXACT:
            inside = {"heading": "headings", "author": "authors"}.get(field)
            if inside is None:
                raise self.error("this field takes no truncated word", token.place, "write it out")
            field = inside
        stem = text.rstrip("*")
        if "*" in stem:
            raise self.error("a * stands at the end of a word only", token.place)
        if not re.search(r"\w", stem):
            raise self.error("this holds no word", token.place)
        if cut and len(re.findall(r"\w", stem.split()[-1])) < self.least_letters:
            count = self.least_letters
            raise self.error(f"a truncated word needs {count} letters before the *", token.place)
        if " " in stem or token.quoted:
            return Phrase(stem, field, slop=slop, prefix=cut)
        return Term(stem, field, prefix=cut)

    def _exact(self, text: str, field: str, token: Token, explode: bool) -> Node:
        if not re.search(r"\w", text):
            raise self.error("this holds no word", token.place)
        return Exact(field, (text,), explode=explode)

    def _years(self, token: Token) -> Node:
        text = token.text.strip()
        match = _YEARS.fullmatch(text)
        if match is None or not (match["low"] or match["high"]):
            raise self.error("this is no year", token.place, "write 2019 or 2019:2021")
        for end, whole in _WHOLE_YEARS.items():
            if (match[end] or "0000")[4:] not in whole:
                raise self.error(
                    "papers are found by year here, not by month or day",
                    token.place,
                    f"write {(match[end])[:4]}",
                )
        if match["low"] and len(match["low"]) > 4 and not match["to"]:
            raise self.error("papers are found by year here", token.place, f"write {text[:4]}")
        low = int(match["low"][:4]) if match["low"] else None
        high = int(match["high"][:4]) if match["high"] else None
        if not match["to"]:
            high = low
        if high is not None and high >= 3000:
            high = None
        return Span("year", low, high)
