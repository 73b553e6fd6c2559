"""``osler ask``: a question about patients, answered from records; ``osler train ask``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.default_library import default_library, say_which
from osler.cli.library import Lib
from osler.cli.options import WithoutModel, method_help
from osler.errors import InputError
from osler.text.counted import counted

if TYPE_CHECKING:
    from osler.ask.answer import Answer
    from osler.ask.answerer import Answerer
    from osler.ask.form.answering import FormAnswerer
    from osler.library import Library
    from osler.records.kb import ClinicalKB
    from osler.verbs.ask import AskRequest


def register(commands: Commands) -> None:
    @commands.app.command()
    def ask(
        lib: Annotated[
            str,
            typer.Argument(
                help="A library (see osler -h), or a file or folder of records; none with --on.",
                metavar="LIB",
            ),
        ] = "",
        question: Annotated[str, typer.Argument(help="The question, in words.")] = "",
        questions: Annotated[
            Path | None, typer.Option(help="Questions as JSON lines (id, question).")
        ] = None,
        out: Annotated[
            Path | None, typer.Option(help="Where their answers go, as JSON lines.")
        ] = None,
        explain: Annotated[
            bool, typer.Option(help="Show path, aspects and the heat of the words.")
        ] = False,
        html: Annotated[Path | None, typer.Option(help="Write the explanation as a page.")] = None,
        method: Annotated[str | None, typer.Option(help=method_help("ask"))] = None,
        model: Annotated[
            Path | None, typer.Option(help="A trained model's folder, other than the library's.")
        ] = None,
        form: Annotated[
            Path | None, typer.Option(help="A logical form as JSON, in place of words.")
        ] = None,
        on: Annotated[
            str,
            typer.Option(
                help="Ask a hospital's own OMOP database where it stands, read-only: "
                "postgresql://HOST/NAME. No library is needed."
            ),
        ] = "",
        csv: Annotated[
            Path | None, typer.Option(help="Write all patients or answers as CSV.")
        ] = None,
        json: Annotated[bool, typer.Option("--json", help="The answer as JSON.")] = False,
        without_model: WithoutModel = False,
    ) -> None:
        """Answer a question about patients from the records, or say that they hold no answer.

        osler ask LIB "Which medications is patient P939003 taking?" --explain
        osler ask ward.tsv "Who takes metformin?"
        osler ask LIB --questions questions.jsonl --out answers.jsonl
        osler ask --on postgresql://reader@host/cdm "How many women have gout?"
        """
        from osler.ask.form.form import form_of
        from osler.ask.heat import answer_html, answer_lines
        from osler.ask.shown import patients_csv
        from osler.verbs.ask import AskRequest
        from osler.verbs.ask import ask as run_ask

        lib, question = whose_and_what(lib, question, elsewhere=bool(on))
        if questions is None and not question and form is None:
            raise InputError("there is no question", cure='osler ask LIB "your question"')
        if questions is not None and out is None:
            raise InputError("--questions needs a place for the answers", cure="add --out A.jsonl")
        wanted = explain or html is not None
        given = form_of(form.read_bytes()) if form is not None else None
        place = Path(lib)
        with opened(place) if lib and not on else contextlib.nullcontext() as library:
            request = AskRequest(
                question=question,
                explain=wanted,
                method=method,
                without_model=without_model,
                form=given,
                on=on,
            )
            if (library is None and not on) or model is not None:
                ask_one = outside(place, library, request, model)
            else:
                ask_one = partial(run_ask, library)
            if questions is not None and out is not None:
                count, refused = answer_file(ask_one, request, questions, out)
                show.say(
                    f"{counted(count, 'question')} answered, {refused:,} of them refused: {out}"
                )
                return
            answer = ask_one(request)
        if html is not None:
            html.write_text(answer_html(answer), encoding="utf-8")
        if csv is not None:
            csv.write_text(patients_csv(answer), encoding="utf-8", newline="")
        if json:
            show.json_value(answer)
            return
        show.console().print(answer_lines(answer, explain=explain))
        if answer.model:
            show.say(f"by the model {answer.model} of this library; --without-model sets it aside")

    @commands.train.command("ask")
    def train(
        lib: Lib,
        questions: Annotated[
            Path | None,
            typer.Option(help="Questions with answers (gold.jsonl of 'osler records qa')."),
        ] = None,
        method: Annotated[str, typer.Option(help=method_help("ask"))] = "reader",
        variant: Annotated[
            str, typer.Option(help="Aspects of aar or sgemb: full, path, ...")
        ] = "full",
        out: Annotated[
            Path | None, typer.Option(help="The model's folder; by default the library's.")
        ] = None,
        seed: Annotated[int, typer.Option(help="Seed.")] = 0,
    ) -> None:
        """Train an answerer on questions with gold answers.

        Without a file, questions are made from the templates and the library's own records.

        osler train ask LIB --questions qa/gold.jsonl
        """
        from random import Random

        from osler.ask.answerer import answerers
        from osler.records.making import TOPICS, answerable, question_set
        from osler.records.questions import read_questions, unanswerable
        from osler.records.templates import read_templates
        from osler.store.layout import Layout
        from osler.store.models import name_for
        from osler.verbs.ask import DEFAULT, MODEL

        kb = open_kb(lib)
        examples = (
            read_questions(questions)
            if questions
            else question_set(kb, seed=seed, scale=0.3, progress=show.say)
        )
        if len(examples) < 10:
            raise InputError(
                "there are too few questions to learn from",
                cure="osler records qa LIB --out DIR makes some",
            )
        Random(seed).shuffle(examples)  # noqa: S311
        held = max(5, len(examples) // 7)
        dev, train_set = examples[:held], examples[held:]
        kind = answerers.get(method)
        options = {"variant": variant} if kind.variants else {}
        answerer = kind(kb, **options)
        more = {}
        if "unanswerable" in kind.needs:
            templates = [t for topic in TOPICS for t in answerable(kb, read_templates(topic))]
            more["unanswerable"] = [
                text for text, _ in unanswerable(kb, templates, held, seed=seed)
            ]
        measures = answerer.fit(train_set, dev=dev, seed=seed, progress=show.say, **more)
        place = out or Layout(lib).models / name_for(MODEL, method, DEFAULT)
        answerer.save(place, measures=measures)
        rate = measures.get("examples_a_second", 0.0)
        show.say(
            f"trained on {len(train_set):,} questions in {measures.get('seconds', 0.0):.0f} "
            f"s, {rate:.0f} examples a second: {place}"
        )


def whose_and_what(lib: str, question: str, *, elsewhere: bool) -> tuple[str, str]:
    """The library or records, and the question. The first word is a place if it is there, or if a
    second one follows; else it is the question, and the library was left out."""
    if elsewhere:
        return ("", question or lib)
    if question or (lib and is_place(lib)):
        return lib, question
    try:
        folder, why = default_library()
    except InputError as error:
        if not lib:
            raise
        raise InputError(
            f"{lib!r} is no library and no file, and {error.message}", cure=error.cure
        ) from None
    say_which(folder, why)
    return str(folder), lib


def is_place(word: str) -> bool:
    try:
        return Path(word).exists()
    except OSError:  # longer than a file's name may be
        return False


@contextlib.contextmanager
def opened(lib: Path) -> Iterator[Library | None]:
    """The library at a place; None where it is a file or folder that a record reader knows."""
    if lib.is_file() or (
        lib.is_dir() and not (lib / "truth.sqlite").exists() and not (lib / "library.json").exists()
    ):
        yield None
        return
    from osler.library import Library

    with Library.open(lib) as library:
        yield library


def open_kb(lib: Path) -> ClinicalKB:
    """The records of a library; or of a file or folder that a record reader knows."""
    from osler.records.kb import ClinicalKB

    with opened(lib) as library:
        return library.records() if library is not None else ClinicalKB.read(lib)


def open_facts(lib: Path) -> FormAnswerer | None:
    """An answerer over the facts of a file or folder; None where nobody is described there."""
    from osler.ask.form.answering import FormAnswerer
    from osler.ask.form.relation import MemoryFacts
    from osler.files.reader import recognise
    from osler.files.source import Source
    from osler.kinds import Fact

    source = Source(lib)
    facts = MemoryFacts(i for i in recognise(source).read(source) if isinstance(i, Fact))
    return FormAnswerer(facts) if facts.any() else None


def outside(
    lib: Path, library: Library | None, request: AskRequest, model: Path | None
) -> Callable[[AskRequest], Answer]:
    """How a request is answered over records outside of a library, or with a model that is not a
    library's own."""
    from osler.verbs.ask import FORM, ask_beside

    described = None
    if library is None and request.method in (None, FORM):
        described = open_facts(lib)

    @cache
    def graph() -> tuple[Answerer, str]:
        from osler.ask.answerer import answerers
        from osler.verbs.ask import DEFAULT

        kb = open_kb(lib) if library is None else library.records()
        answerer = answerers.get(request.method or DEFAULT)(kb)
        if model is not None:
            answerer.load(model)
        return answerer, model.name if model is not None else ""

    def ask_one(request: AskRequest) -> Answer:
        if described is None:
            answerer, name = graph()
            answer = answerer.ask(request.question, explain=request.explain)
            answer.model = name
            return answer
        if request.form is not None:
            return described.run(request.form, request.question)
        return ask_beside(described, request, graph)

    return ask_one


def answer_file(
    ask_one: Callable[[AskRequest], Answer], request: AskRequest, questions: Path, out: Path
) -> tuple[int, int]:
    """Answer a file of questions, in its order; a line that is no question gets an empty answer."""
    import json

    import msgspec

    from osler.ask.answer import Answer
    from osler.errors import FieldError, OslerError
    from osler.files.source import Source

    count = refused = 0
    with out.open("w", encoding="utf-8") as answers:
        for number, line in Source(questions).sure_lines():
            try:
                row = json.loads(line)
                id, text = (
                    str(row.get("id", row.get("_id", number))),
                    str(row.get("question", row.get("text", ""))),
                )
            except (ValueError, AttributeError, RecursionError):
                raise FieldError(
                    f"{questions.name} line {number} is not a JSON object with id and question"
                ) from None
            try:
                answer = ask_one(msgspec.structs.replace(request, question=text))
            except OslerError as error:
                answer = Answer(question=text, note=str(error))
            count += 1
            refused += answer.refused
            answers.write(json.dumps(answer.line(id), ensure_ascii=False) + "\n")
    return count, refused
