"""What the first visitor of each view would wait for, done behind when the server has begun to
listen: models opened, dictionaries read, modules loaded. Each step is small, so that a visitor's
own work comes between two of them; a library that has nothing for a step passes it over."""

from __future__ import annotations

from collections.abc import Callable

from osler.serve.beginnings import questions_of, triples_of
from osler.serve.reader import Reader
from osler.text.scripts import CJK_CHARACTER

Step = Callable[[Reader], object]


def look(reader: Reader) -> None:
    """A search by the method that a visitor's first one takes."""
    if len(reader):
        reader.search("health", k=1, method=reader.default_method())


def _patients(reader: Reader) -> None:
    from osler.serve.patients import examples
    from osler.verbs.ask import answerer_of

    answerer_of(reader)
    examples(reader)


def _facts(reader: Reader) -> None:
    triples_of(reader, 6)


def _sides(reader: Reader) -> None:
    from osler.verbs.brief import BriefRequest, brief

    if len(reader):
        brief(reader, BriefRequest(question="Does exercise improve health?"))


def _answers(reader: Reader) -> None:
    """One question in each script: Chinese has a dictionary of its own."""
    from osler.verbs.match import MatchRequest, match

    questions, _ = questions_of(reader)
    by_script = {bool(CJK_CHARACTER.search(question)): question for question in questions}
    for question in by_script.values():
        match(reader, MatchRequest(question=question, k=1))


STEPS: tuple[Step, ...] = (_patients, _facts, _sides, _answers)
"""In the order in which they are done."""
