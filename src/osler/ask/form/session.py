"""A conversation about records: a question may lean on the one before it."""

from __future__ import annotations

from osler.ask.answer import Answer
from osler.ask.form.answering import FormAnswerer
from osler.ask.form.form import Form, form_from


class Session:
    """Remembers the last form: "and in 2019?", "is she still on it?" mean its patient and concept.

    session = Session(answerer)
    session.ask("What was Ana Sousa's last A1c?")
    session.ask("and in 2019?")
    """

    def __init__(self, answerer: FormAnswerer) -> None:
        self.answerer = answerer
        self.last: Form | None = None

    def ask(self, question: str) -> Answer:
        answer = self.answerer.ask(question, before=self.last)
        if answer.form:
            self.last = form_from(answer.form)
        return answer
