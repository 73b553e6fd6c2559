"""What a question was heard to say, before it is put together."""

from __future__ import annotations

from dataclasses import dataclass, field

from osler.ask.form.clauses import Clause
from osler.ask.form.form import Concept, Time, Value
from osler.ask.form.spans import Span


@dataclass
class Heard:
    """What the walk gathered. ``apart`` are people who are left out, by what they are."""

    spans: list[Span]
    clauses: list[Clause] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)
    attributes: list[str] = field(default_factory=list)
    verbs: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)
    relatives: list[str] = field(default_factory=list)
    sexes: list[str] = field(default_factory=list)
    marital: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    trend: str = ""
    pick: str = ""
    most: bool = False
    people: bool = False
    them: bool = False
    said: str = ""
    polar: bool = False
    tense: str = ""
    when: str = ""
    sure: str = ""
    negated: bool = False
    value: Value | None = None
    time: Time | None = None
    left: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    birth: tuple[str, str] | None = None
    lives: dict[str, Time] = field(default_factory=dict)
    reason: Concept | None = None
    but: Concept | None = None
    begins: bool = False
    nth: int = 0
    many: int = 0
    implied: list[str] = field(default_factory=list)
    setting: str = ""
    aged: str = ""
    apart: list[tuple[str, str]] = field(default_factory=list)
