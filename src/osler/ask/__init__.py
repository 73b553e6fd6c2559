"""Ask: a question about patients, entities of a clinical knowledge base with path and source."""

from __future__ import annotations

from osler.ask.answer import Answer
from osler.ask.answerer import Answerer, answerers
from osler.ask.form.form import Form, form_from

__all__ = ["Answer", "Answerer", "Form", "answerers", "form_from"]
