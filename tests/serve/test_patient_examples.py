"""The questions that the Patients view offers are such as these records can answer."""

from __future__ import annotations

from pathlib import Path

from osler import Library
from osler.serve.patients import examples


def test_examples_are_answered(served_library: Path) -> None:
    with Library.open(served_library) as library:
        questions = examples(library)
        assert questions
        for question in questions:
            assert library.ask(question).answers, question
