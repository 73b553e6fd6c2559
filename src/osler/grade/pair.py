"""A fact and a paper: what is graded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from osler.errors import FieldError
from osler.grade.places import Place, Places
from osler.kinds import Document


@dataclass(frozen=True)
class Fact:
    """``<head, relation, tail>`` as texts; ``*_names`` are further names of the two entities, and
    ``*_ids`` what a graph knows them as."""

    head: str
    relation: str
    tail: str
    head_names: tuple[str, ...] = ()
    tail_names: tuple[str, ...] = ()
    head_ids: tuple[str, ...] = ()
    tail_ids: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Fact:
        """``head,relation,tail`` as the released sample writes it; a tail may hold commas."""
        parts = text.replace("，", ",").split(",", 2)
        if len(parts) != 3 or not all(part.strip() for part in parts):
            raise FieldError(
                f"{text[:60]!r} is no fact", cure="write it as head,relation,tail in one field"
            )
        head, relation, tail = (part.strip() for part in parts)
        return cls(head, relation, tail)

    @property
    def text(self) -> str:
        """SEQ_K of section 3.1: the three parts with a delimiter."""
        return f"{self.head},{self.relation},{self.tail}"

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """The head's names; one that is the tail's own name is none of them."""
        return _apart(self.head, self.head_names, self.tail, self.tail_names)

    @cached_property
    def tails(self) -> tuple[str, ...]:
        return _apart(self.tail, self.tail_names, self.head, self.head_names)


def _apart(name: str, more: Sequence[str], other: str, others: Sequence[str]) -> tuple[str, ...]:
    """Synonyms that two entities share tell them not apart, and count for neither."""
    shared = {other.casefold(), *(one.casefold() for one in others)}
    return (name, *dict.fromkeys(one for one in more if one.casefold() not in shared))


@dataclass(frozen=True)
class Pair:
    """A fact with a paper's title, abstract and keywords; fragments and labels where given.

    ``head_places`` and ``tail_places`` may say where a linker found the two in ``text``; without
    them their names are looked for. ``others`` are the places of the other entities that the paper
    names, one tuple an entity.
    """

    fact: Fact
    title: str
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    paper_id: str = ""
    rcor_text: str = ""
    kimp_text: str = ""
    label: str | None = None
    rcor: int | None = None
    kimp: int | None = None
    head_places: tuple[Place, ...] | None = None
    tail_places: tuple[Place, ...] | None = None
    others: tuple[tuple[Place, ...], ...] = ()

    @classmethod
    def of(
        cls,
        fact: Fact,
        document: Document,
        *,
        head_places: Sequence[Place] | None = None,
        tail_places: Sequence[Place] | None = None,
        others: Sequence[Sequence[Place]] = (),
    ) -> Pair:
        return cls(
            fact=fact,
            title=document.title,
            abstract=document.abstract,
            keywords=document.keywords,
            paper_id=document.id,
            head_places=None if head_places is None else tuple(head_places),
            tail_places=None if tail_places is None else tuple(tail_places),
            others=tuple(tuple(places) for places in others),
        )

    @property
    def text(self) -> str:
        """Title, a newline, abstract: what places count in, as ``Document.text``."""
        return f"{self.title}\n{self.abstract}"

    @cached_property
    def places(self) -> Places:
        """Where the two entities stand: in the text's sentences, in the keywords."""
        return Places.of(
            self.text,
            self.keywords,
            self.fact.heads,
            self.fact.tails,
            heads=self.head_places,
            tails=self.tail_places,
        )

    @cached_property
    def counted(self) -> tuple[float, ...]:
        """The pair's features (``osler.grade.features``), counted once."""
        from osler.grade.features import row

        return tuple(row(self))

    def labelled(self, *, label: str | None, rcor: int | None, kimp: int | None) -> Pair:
        return replace(self, label=label, rcor=rcor, kimp=kimp)
