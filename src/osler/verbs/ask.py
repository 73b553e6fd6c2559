"""``ask``: a question about patients, answered from their records."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from osler.ask.form.form import Form
from osler.errors import InputError
from osler.store.models import name_for
from osler.verbs.limits import Text, VerbRequest

if TYPE_CHECKING:
    from osler.ask.answer import Answer
    from osler.ask.answerer import Answerer
    from osler.ask.form.answering import FormAnswerer
    from osler.knowledge.graph import Graph
    from osler.library import Library
    from osler.records.kb import ClinicalKB

MODEL = "ask"
DEFAULT = "reader"
"""Over annotated notes and typed triples, where no form could be read and asked of facts."""
FORM = "form"


class AskRequest(VerbRequest, frozen=True, kw_only=True):
    """A question in words, or its ``form``; ``before`` is the form of the question that this one
    leans on; ``explain`` asks for path, aspects and the heat of the words. ``on`` is the address of
    a hospital's own OMOP database, which is asked in place of the library."""

    question: Text = ""
    explain: bool = False
    method: str | None = None
    without_model: bool = False
    form: Form | None = None
    before: Form | None = None
    on: Text = ""


def ask(library: Library | None, request: AskRequest) -> Answer:
    """Entities of the records that answer, with path and source; an answer without entities is a
    refusal, and its note says why."""
    asked = form_answerer(library, request)
    if asked is not None:
        if request.form is not None:
            return asked.run(request.form, request.question)
        if library is None or request.method or request.on:
            return asked.ask(request.question, explain=request.explain, before=request.before)
        held = library
        return ask_beside(
            asked, request, lambda: answerer_of(held, DEFAULT, without_model=request.without_model)
        )
    if request.form is not None:
        raise InputError("the library holds no facts that a form can be run over")
    if library is None:
        raise InputError("there is nothing to ask", cure="name a library, or a database with --on")
    answerer, model = answerer_of(library, request.method, without_model=request.without_model)
    answer = answerer.ask(request.question, explain=request.explain)
    answer.model = model
    return answer


def ask_beside(
    asked: FormAnswerer, request: AskRequest, graph: Callable[[], tuple[Answerer, str]]
) -> Answer:
    """What the facts say; and what the graph of the same records says of somebody whom no fact is
    about, and of those whom notes only number, as far as the facts do not gainsay it. Of everybody
    else only the facts are asked: the graph does not know what is refuted, stopped or not done."""
    from osler.ask.form.beside_graph import held_against_facts

    answer = asked.ask(request.question, explain=request.explain, before=request.before)
    only_numbered = not asked.describes()
    if not only_numbered and not (answer.refused and asked.names_stranger(request.question)):
        return answer
    try:
        answerer, model = graph()
    except InputError:
        return answer
    walked_answer = answerer.ask(request.question, explain=True)
    walked_answer.model = model
    known = sorted(set(asked.people.all).intersection(walked(walked_answer)))
    if only_numbered:
        return held_against_facts(walked_answer, answer, asked, known, answerer.kb)
    return answer if walked_answer.refused or known else walked_answer


def walked(answer: Answer) -> set[str]:
    """The entities on an answer's paths, and those that it names."""
    from osler.kinds import PathReason

    paths = (reason.path for reason in answer.reasons if isinstance(reason, PathReason))
    return {*answer.entities, *(id for path in paths for id in path.entities)}


def form_answerer(library: Library | None, request: AskRequest) -> FormAnswerer | None:
    """The answerer over facts, where there are facts and no other method was asked for."""
    if request.on:
        from osler.ask.form.answering import FormAnswerer
        from osler.ask.form.omop import OmopFacts

        def reach() -> FormAnswerer:
            return FormAnswerer(OmopFacts(request.on))

        return library.keep(f"database {request.on}", request.on, reach) if library else reach()
    if library is None or request.method not in (None, FORM):
        return None
    return facts_answerer(library, sure=request.method == FORM or request.form is not None)


def facts_answerer(library: Library, *, sure: bool = False) -> FormAnswerer | None:
    """The library's own, kept open: it notices itself when facts change. ``sure`` takes it even
    where nobody is described."""
    from osler.ask.form.answering import FormAnswerer
    from osler.ask.form.relation import LibraryFacts

    def make() -> FormAnswerer:
        return FormAnswerer(LibraryFacts(library.layout.truth), graph=graph)

    def graph() -> Graph | None:
        knowledge = library.knowledge
        return knowledge.graph if knowledge is not None else None

    answerer: FormAnswerer = library.keep(FORM, library.stamp("knowledge"), make)
    relation = answerer.relation
    assert isinstance(relation, LibraryFacts)
    return answerer if sure or relation.any() else None


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
        f"3:{last}:{library.truth.mark(last)}",
        lambda: library.entities(graph="records"),
        lambda: library.triples(graph="records"),
    )
    if len(kb.triples):
        return kb
    # Typed triples may have been added as knowledge: they serve where they speak of patients.
    kb = ClinicalKB.build(library.entities(), library.triples())
    return kb if holds_patients(kb) else None
