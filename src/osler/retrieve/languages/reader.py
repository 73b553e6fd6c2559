"""What the readers of query languages share: operators, brackets, fields, errors with a place.

A language cuts its text into tokens; here they become a tree. Operators are joined as they come,
or AND before OR where a language does so; what brings words near each other binds most.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from osler.errors import LimitError, QueryError
from osler.kinds.query import And, Exact, Node, Not, Or, Phrase, Term
from osler.retrieve.languages import near
from osler.retrieve.languages.dates import backwards, span_of
from osler.retrieve.languages.lines import MOST, Line, split
from osler.retrieve.languages.subheadings import full
from osler.settings import MAX_QUERY
from osler.text.design.names import DESIGN_MARK, DESIGNS, canonical

MAX_DEPTH = 50
LEAST_LETTERS = 3
EXACT = frozenset(
    {"journal", "type", "language", "id", "heading", "major", "subheading", "author", "name"}
)
_DESIGNS = ", ".join(DESIGNS)
OPERATORS = frozenset({"AND", "OR", "NOT"})


@dataclass(frozen=True)
class Token:
    """``kind``: text, ( ), AND, OR, NOT, NEAR, NEXT, field, leaf, tree. ``fields`` are those that a
    field token puts on what stands before it; ``number`` is how many words may stand between two
    (-1: nobody says); ``tree`` is what was read already."""

    kind: str
    text: str
    place: int
    quoted: bool = False
    fields: tuple[str, ...] = ()
    number: int = -1
    explode: bool = True
    tree: Node | None = None


class Reader:
    """Reads one query of one language, of one line or of several."""

    least_letters: ClassVar[int] = LEAST_LETTERS
    in_turn: ClassVar[bool] = True
    """Operators are joined from left to right; else AND and NOT bind more than OR."""
    wildcards: ClassVar[bool] = False
    """Whether a word may hold wildcards elsewhere than at its end."""

    def __init__(self, query: str) -> None:
        limit = MAX_QUERY.get()
        if len(query) > limit:
            raise LimitError(f"the query has {len(query)} characters, at most {limit} are read")
        self.query = query
        self.lines: dict[int, Node] = {}
        self.tokens: list[Token] = []
        self.line = Line(1, query, 0)
        self.at = 0
        self.depth = 0

    def cut(self, text: str, start: int) -> list[Token]:
        """The tokens of a line, which begins at ``start`` of the query."""
        raise NotImplementedError

    def error(self, message: str, place: int, cure: str = "") -> QueryError:
        return QueryError(message, query=self.query, place=place, cure=cure)

    @property
    def next(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def read(self) -> Node:
        """The tree of the last line, with the lines that it speaks of in it."""
        lines = split(self.query)
        if len(lines) > MOST:
            raise self.error(f"a strategy has at most {MOST} lines", lines[MOST].place)
        for line in lines:
            if line.number in self.lines:
                raise self.error(f"there are two lines {line.number}", line.place)
            self.lines[line.number] = self._line(line)
        return self.lines[lines[-1].number]

    def _line(self, line: Line) -> Node:
        self.line = line
        self.tokens, self.at, self.depth = self.cut(line.text, line.place), 0, 0
        if not self.tokens:
            raise self.error("the query is empty", line.place, "add a word")
        node = self._joined()
        if (token := self.next) is not None:
            raise self.error("this bracket closes none", token.place, "take it out")
        return node

    def earlier(self, number: int, place: int) -> Node:
        """The tree of a line that another one speaks of."""
        if number not in self.lines:
            raise self.error(f"there is no line {number} before this", place, "number the lines")
        return self.lines[number]

    # -- operators -------------------------------------------------------------------------------

    def _joined(self) -> Node:
        if self.in_turn:
            return self._in_turn()
        parts = [self._in_turn(until="OR")]
        while (token := self.next) is not None and token.kind == "OR":
            self.at += 1
            parts.append(self._in_turn(token, until="OR"))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _in_turn(self, after: Token | None = None, until: str = "") -> Node:
        node = self._denied(after)
        joined = ""
        while (token := self.next) is not None and token.kind not in (")", until):
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
            return self._near(after)
        self.at += 1
        self._deeper(token)
        node = Not(self._denied(token))
        self.depth -= 1
        return node

    def _near(self, after: Token | None) -> Node:
        node = self._operand(after)
        while (token := self.next) is not None and token.kind in ("NEAR", "NEXT"):
            self.at += 1
            other = self._operand(token)
            try:
                node = near.near(node, other, token.number, free=token.kind == "NEAR")
            except near.Apart as error:
                raise self.error(str(error), token.place) from None
        return node

    # -- operands --------------------------------------------------------------------------------

    def _deeper(self, token: Token) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error("the query is nested too deeply", token.place)

    def _operand(self, after: Token | None) -> Node:
        token = self.next
        if token is None or token.kind not in ("text", "(", "leaf", "tree"):
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
            node = self._joined()
            closing = self.next
            if closing is None or closing.kind != ")":
                raise self.error("this bracket is not closed", token.place, "add a )")
            self.at += 1
            self.depth -= 1
            return self._with_fields(node)
        if token.tree is not None:
            return token.tree
        if token.kind == "leaf":
            return self.leaf(token, token.fields, explode=token.explode)
        follows = self.next
        if follows is not None and follows.kind == "field":
            self.at += 1
            return self.leaf(token, follows.fields, explode=follows.explode, slop=follows.number)
        return self.bare(token)

    def bare(self, token: Token) -> Node:
        """A text that no field follows. Where one may still follow a bracket around it, it has
        none yet."""
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
                token = Token("text", near.marked(node), named.place)
                return self.leaf(token, named.fields)
            case Phrase(field=""):
                token = Token("text", near.marked(node), named.place, quoted=True)
                slop = node.slop if node.slop or node.free else -1
                return self.leaf(token, named.fields, slop=slop, free=node.free)
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
        slop: int = -1,
        free: bool = True,
    ) -> Node:
        """What a text asks for in some fields: several are either. A ``slop`` below zero is an
        exact phrase."""
        parts = [self._one(token, field, explode, slop, free) for field in fields]
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _one(self, token: Token, field: str, explode: bool, slop: int, free: bool) -> Node:
        text = " ".join(token.text.split())
        if field == "year":
            return self._years(token)
        if field == "design":
            return self._design(token)
        if field in EXACT and not text.endswith("*"):
            return self._exact(text, field, token, explode)
        if field in EXACT:
            inside = {"heading": "headings", "author": "authors"}.get(field)
            if inside is None:
                raise self.error("this field takes no truncated word", token.place, "write it out")
            field = inside
        return self.words(token, text, field, slop, free)

    def words(self, token: Token, text: str, field: str, slop: int = -1, free: bool = True) -> Node:
        """A word or a phrase in a field, with what is cut off of it."""
        if not re.search(r"\w", text):
            raise self.error("this holds no word", token.place)
        if not self.wildcards and "*" in text.rstrip("*"):
            raise self.error("a * stands at the end of the last word only", token.place)
        for each in text.split():
            if each.startswith("*"):
                raise self.error(near.HEADLESS, token.place, near.WRITE_OUT)
            if each.endswith("*") and _letters(each) < self.least_letters:
                count = self.least_letters
                raise self.error(
                    f"a truncated word needs {count} letters before the *", token.place
                )
        if " " not in text and not token.quoted:
            return near.word(text, field, wild=self.wildcards)
        near_each_other = slop >= 0
        return near.joined([text], field, slop=max(0, slop), free=free and near_each_other)

    def _exact(self, text: str, field: str, token: Token, explode: bool) -> Node:
        if field in ("heading", "major") and "/" in text:
            name, _, qualifier = text.partition("/")
            text = f"{name}/{full(qualifier)}"
        elif field == "subheading":
            text = full(text)
        if not re.search(r"\w", text):
            raise self.error("this holds no word", token.place)
        return Exact(field, (text,), explode=explode)

    def _design(self, token: Token) -> Node:
        design = canonical(token.text)
        if not design:
            raise self.error("this is no study design", token.place, f"designs: {_DESIGNS}")
        return Exact("type", (DESIGN_MARK + design,))

    def _years(self, token: Token) -> Node:
        span = span_of(token.text)
        if span is None:
            raise self.error(
                "this is no date", token.place, "write 2019, 2019:2021 or 2021/05:2021/06/15"
            )
        if backwards(span):
            raise self.error("this range ends before it begins", token.place, "turn it round")
        return span


def _letters(text: str) -> int:
    return len(re.findall(r"\w", text))
