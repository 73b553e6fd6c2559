"""``ask``: a question about patients, answered from their records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from osler.errors import InputError
from osler.learn.models import name_for
from osler.verbs.limits import Text, VerbRequest

if TYPE_CHECKING:
    from osler.ask.answer import Answer
    from osler.ask.answerer import Answerer
    from osler.library import Library
    from osler.records.kb import ClinicalKB

MODEL = "ask"
DEFAULT = "reader"


class AskRequest(VerbRequest, frozen=True, kw_only=True):
    """A question in words; ``explain`` asks for path, aspects and the heat of the words."""

    question: Text
    explain: bool = False
    method: str | None = None
    without_model: bool = False


def ask(library: Library, request: AskRequest) -> Answer:
    """Entities of the records that answer, with path and source; an answer without entities is a
    refusal, and its note says why."""
    answerer, model = answerer_of(library, request.method, without_model=request.without_model)
    answer = answerer.ask(request.question, explain=request.explain)
    answer.model = model
    return answer


def answerer_of(
    library: Library, method: str | None = None, *, without_model: bool = False
) -> tuple[Answerer, str]:
    """An answerer over the library's records with the model that was trained there, and that
    model's name; kept until records or model change."""
    from osler.ask.answerer import answerers

    kind = answerers.get(method or DEFAULT)
    name = name_for(MODEL, kind.name, DEFAULT)
    model = library.models.choose(name, without=without_model)

    def make() -> Answerer:
        answerer = kind(records_of(library))
        if model:
            answerer.load(library.models.place(model))
        return answerer

    stamp = (library.stamp("records", "knowledge"), library.models.stamp(name))
    kept = "answerer" if kind.name == DEFAULT and not without_model else f"answerer {kind.name}"
    return library.keep(kept, (kind.name, model, stamp), make), model


def records_of(library: Library) -> ClinicalKB:
    """The clinical knowledge base of the library's records, kept in memory until they change, and
    as arrays between two openings. That there are none is as dear to find out, and is kept too."""
    stamp = library.stamp("records", "knowledge")
    kb = library.keep("records", stamp, lambda: _records(library))
    if kb is None:
        raise InputError(
            "the library holds no patient records", cure="add some: osler add LIB records.xml"
        )
    return kb


def _records(library: Library) -> ClinicalKB | None:
    from osler.records.kb import ClinicalKB
    from osler.records.opening import holds_patients, opened

    (last,) = library.stamp("records")
    kb = opened(
        library.layout.derived / "records",
        f"2:{last}",
        lambda: library.entities(graph="records"),
        lambda: library.triples(graph="records"),
    )
    if len(kb.triples):
        return kb
    # Typed triples may have been added as knowledge: they serve where they speak of patients.
    kb = ClinicalKB.build(library.entities(), library.triples())
    return kb if holds_patients(kb) else None
