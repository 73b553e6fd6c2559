"""A query's tree in the languages of Ovid and Embase."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from osler.kinds.query import Exact, Phrase, Span, Term
from osler.retrieve.languages.dates import LAST
from osler.retrieve.languages.near import marked
from osler.retrieve.languages.subheadings import EMBASE_LETTERS, LETTERS
from osler.retrieve.languages.writers import ANY_ORDER, FIRST_YEAR, Writer
from osler.text.design.names import DESIGN_MARK
from osler.text.names import FIRST, WHOLE

_OPERATOR = re.compile(r"(?:and|or|not|exp|adj\d*|limit)", re.IGNORECASE)
_PLAIN = re.compile(r"[\w*?#'-]+")
ANY_WORDS = "has no field for words without one: they are looked for as {} does"
ANY_AUTHOR = "has no field for first authors: any author of the paper counts"


def _plainly(text: str) -> bool:
    """Whether words can stand as they are."""
    words = text.split()
    if len(words) == 1 and words[0].isdigit():
        return False
    return all(_PLAIN.fullmatch(word) and not _OPERATOR.fullmatch(word) for word in words)


class OvidWriter(Writer):
    name = "ovid"
    title = "Ovid"
    joins = ("and", "or", "not")
    fields: ClassVar[Mapping[str, str]] = {
        "title": "ti", "abstract": "ab", "tiab": "ti,ab", "tw": "mp", "all": "af", "": "mp",
        "keywords": "kw", "headings": "hw", "authors": "au", "affiliation": "in", "journal": "jn",
        "type": "pt", "language": "la", "name": "id", "id": "ui",
    }  # fmt: skip

    def years(self, node: Span) -> str:
        if node.field == "day":
            raise self.cannot("a month or a day of publication")
        if node.low == node.high:
            return f"{node.low}.yr."
        return f"{node.low or FIRST_YEAR}:{node.high or LAST}.(sa_year)."

    def exact(self, node: Exact, value: str) -> str:
        if value.startswith(DESIGN_MARK):
            raise self.cannot("a study design")
        if node.field == "author":
            return self._author(value)
        if node.field in ("heading", "major"):
            name, slash, qualifier = value.partition("/")
            if slash and qualifier not in LETTERS:
                raise self.cannot(f"the qualifier {qualifier}")
            shown = name if _plainly(name.replace(",", "")) else f'"{name}"'
            star = "*" if node.field == "major" else ""
            return f"{'exp ' * node.explode}{star}{shown}/{LETTERS.get(qualifier, '')}"
        if node.field == "subheading":
            if value not in LETTERS:
                raise self.cannot(f"the qualifier {value}")
            return f"{LETTERS[value]}.fs."
        return f'"{value}".{self.fields[node.field]}.'

    def _author(self, value: str) -> str:
        if value.startswith(FIRST):
            self.note(ANY_AUTHOR)
            value = value[1:]
        if value.startswith(WHOLE):
            return f'"{value[1:]}".au.'
        return f"{value}$.au." if " " in value else f"{value}.au."

    def words(self, node: Term | Phrase) -> str:
        if not node.field:
            self.note(ANY_WORDS.format(".mp."))
        text = marked(node)
        field = f".{self.fields[node.field]}."
        if isinstance(node, Term):
            return (f"{text}" if _plainly(text) else f'"{text}"') + field
        words = text.split()
        if node.slop or node.free:
            if not node.free:
                self.note(ANY_ORDER)
            return f"({f' adj{node.slop + 1} '.join(map(_word, words))}){field}"
        return (text if len(words) > 1 and _plainly(text) else f'"{text}"') + field


def _word(text: str) -> str:
    return text if _plainly(text) else f'"{text}"'


class EmbaseWriter(Writer):
    name = "embase"
    title = "Embase"
    fields: ClassVar[Mapping[str, str]] = {
        "title": ":ti", "abstract": ":ab", "tiab": ":ti,ab", "tw": ":ti,ab,kw,de", "all": ":all",
        "": ":all", "keywords": ":kw", "headings": ":de", "authors": ":au", "affiliation": ":ff",
        "journal": ":jt", "type": ":it", "language": ":la", "id": ":ui", "subheading": ":lnk",
    }  # fmt: skip
    marks: ClassVar[dict[int, str]] = str.maketrans({"#": "?", "?": "$"})

    def years(self, node: Span) -> str:
        if node.field == "day":
            raise self.cannot("a month or a day of publication")
        if node.low == node.high:
            return f"{node.low}:py"
        return f"[{node.low or FIRST_YEAR}-{node.high or LAST}]/py"

    def exact(self, node: Exact, value: str) -> str:
        if value.startswith(DESIGN_MARK):
            raise self.cannot("a study design")
        if "'" in value and not re.search(r"\w'\w", value):
            raise self.cannot(f"{value}, for its quotes")
        if node.field == "author":
            return self._author(value)
        if node.field in ("heading", "major"):
            name, slash, qualifier = value.partition("/")
            if slash and qualifier not in EMBASE_LETTERS:
                raise self.cannot(f"the qualifier {qualifier}")
            marks = ["exp"] * node.explode + ["mj"] * (node.field == "major")
            marks += [EMBASE_LETTERS[qualifier]] if slash else []
            return f"'{name}'/{'/'.join(marks or ['de'])}"
        if node.field == "name":
            if not value.startswith("10."):
                raise self.cannot("a PMID or PMCID")
            return f"'{value}':do"
        return f"'{value}'{self.fields[node.field]}"

    def _author(self, value: str) -> str:
        if value.startswith(FIRST):
            self.note(ANY_AUTHOR)
            value = value[1:]
        if value.startswith(WHOLE):
            return f"'{value[1:]}':au"
        return f"'{value}*':au" if " " in value else f"{value}:au"

    def words(self, node: Term | Phrase) -> str:
        if not node.field:
            self.note(ANY_WORDS.format(":all"))
        text = marked(node)
        text = text.translate(self.marks) if node.wild else text
        field = self.fields[node.field]
        if isinstance(node, Term):
            return (text if _stands(text) else f"'{text}'") + field
        if node.slop or node.free:
            near = "NEAR" if node.free else "NEXT"
            words = [word if _stands(word) else f"'{word}'" for word in text.split()]
            return f"({f' {near}/{node.slop + 1} '.join(words)}){field}"
        return f"'{text}'{field}"


def _stands(text: str) -> bool:
    return re.fullmatch(r"[\w*?$-]+", text) is not None and not _OPERATOR.fullmatch(text)
