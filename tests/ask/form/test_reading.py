"""Every question of the tables in ``reads`` is read into its form and answered."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer

from .reads import anew, beside, framed, plain, rounds, widened, wordings

READ = {
    question: read
    for table in (plain, wordings, beside, widened, anew, framed, rounds)
    for question, read in table.READ.items()
}


@pytest.mark.parametrize(("question", "read"), READ.items())
def test_read_into_a_form(asked: FormAnswerer, question: str, read: tuple[str, list[str]]) -> None:
    answer = asked.ask(question)
    assert (answer.form_text or answer.note, sorted(answer.answers)) == read
