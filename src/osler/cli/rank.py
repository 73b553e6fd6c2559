"""``osler rank``, ``osler train rank``, ``osler predict rank``."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.options import Whole, WithoutModel, method_help
from osler.settings import MAX_HITS

if TYPE_CHECKING:
    from osler.kinds import Hit, Ranking
    from osler.verbs.rank import Progress

Examples = Annotated[
    Path | None,
    typer.Option(help="Marked papers: TSV with document, label (1 or 0)[, topic, sentence]."),
]
Method = Annotated[str, typer.Option(help=method_help("rank"))]
Sentences = Annotated[
    str | None, typer.Option(help="How the best sentence is found (osler methods sentences).")
]


def register(commands: Commands) -> None:
    @commands.app.command()
    def rank(
        lib: Lib,
        topic: Annotated[str, typer.Argument(help="The topic in a few words.")],
        examples: Examples = None,
        description: Annotated[str, typer.Option(help="What the topic means, in words.")] = "",
        method: Annotated[str | None, typer.Option(help=method_help("rank"))] = None,
        sentences: Sentences = None,
        k: Annotated[int, typer.Option("-k", help="How many papers.")] = 20,
        seen: Annotated[bool, typer.Option(help="Rank the marked papers too.")] = False,
        concepts: Annotated[
            bool, typer.Option(help="Learn from concepts too; needs a terminology.")
        ] = False,
        model: Annotated[
            Path | None, typer.Option(help="A trained model's folder, other than the library's.")
        ] = None,
        json: Annotated[bool, typer.Option("--json", help="Hits as JSON lines.")] = False,
        run: Annotated[Path | None, typer.Option(help="Write a TREC run of all papers.")] = None,
        whole: Whole = False,
        without_model: WithoutModel = False,
    ) -> None:
        """Rank papers for a topic from a few marked ones, each with its best sentence.

        With papers marked 1 and 0 in the order of reading, it also says how much of what is
        relevant has been found, and whether reading may stop.

        osler rank LIB "sleep and wakefulness" --examples labels.tsv
        """
        from osler.library import Library
        from osler.rank.labels import read_labels
        from osler.verbs.rank import CANDIDATES, RankRequest
        from osler.verbs.rank import rank as run_rank

        labels = tuple(read_labels(examples)) if examples is not None else None
        ranker, finder = _from_model(model, method, sentences)
        with Library.open(lib) as library:
            request = RankRequest(
                topic=topic,
                description=description,
                examples=labels,
                k=max(1, min(len(library), MAX_HITS.get())) if run is not None else k,
                seen=seen or run is not None,
                concepts=concepts,
                method=ranker,
                sentences=finder,
                candidates=CANDIDATES if run is None else 0,
                without_model=without_model,
            )
            ranking = run_rank(library, request)
        if run is not None:
            from osler.measures.trec import write_run

            write_run(run, {topic.replace(" ", "_"): {hit.id: hit.score for hit in ranking}})
            ranking.hits = ranking.hits[:k]
        show.told(ranking)
        if json:
            show.hits(ranking, whole=whole)
        else:
            _print(ranking)
        if ranking.progress is not None:
            _tell_recall(ranking.progress)

    @commands.train.command("rank")
    def train_rank(
        lib: Lib,
        examples: Annotated[Path, typer.Argument(help="Marked papers of one or more topics.")],
        out: Annotated[
            Path | None, typer.Option("--out", "-o", help="The model's folder; LIB/models/rank.")
        ] = None,
        topic: Annotated[str, typer.Option(help="The topic, where labels name none.")] = "",
        method: Method = "hybrid",
        sentences: Annotated[str, typer.Option(help="The sentence ranker to train.")] = "hybrid",
        vectors: Annotated[
            list[Path] | None,
            typer.Option(help="Word vectors: a word2vec or fastText file. Repeatable."),
        ] = None,
        setting: Annotated[
            list[str] | None,
            typer.Option(
                "--set", help="A setting, name=value: lambda, beta, hidden, epochs, members."
            ),
        ] = None,
    ) -> None:
        """Train a ranker of papers, and of sentences where labels choose some; write cards.

        osler train rank LIB labels.tsv --method a-sup-docnade --set lambda=0.05 --set hidden=100
        osler train rank LIB labels.tsv --sentences votes --set members=bm25-extra,supervised,hybrid
        """
        from osler.errors import InputError
        from osler.library import Library
        from osler.rank.examples import gather, topics_of
        from osler.rank.job import labelled_abstracts
        from osler.rank.labels import read_labels
        from osler.rank.models import PAPERS, SENTENCES, save_ranker
        from osler.rank.ranker import rankers
        from osler.rank.sentence_ranker import sentence_rankers
        from osler.rank.topic import Topic
        from osler.rank.train import train_ranker, train_sentence_ranker
        from osler.verbs.rank import MODEL, encode_of, pool_of

        labels = read_labels(examples)
        topics = [Topic(topic)] if topic else topics_of(labels)
        if not topics:
            raise InputError("the labels name no topic", cure="name it with --topic")
        options = _options(method, sentences, setting or [], vectors or [])
        with Library.open(lib) as library:
            pool = pool_of(library)
            encode = encode_of(library)
            folder = out or library.models.place(MODEL)
            gathered = gather(pool, labels, topics)
            for note in gathered.notes:
                show.say(f"note: {note}")
            ranker, card = train_ranker(
                lambda: rankers.resolve(method, **options[0]), pool, gathered, progress=show.say
            )
            save_ranker(folder / PAPERS, ranker, card)
            for measured in card.measures:
                show.say(_measured(measured))
            marked = labelled_abstracts(pool, topics[0], labels, encode=encode)
            if marked:
                best, card = train_sentence_ranker(
                    lambda: sentence_rankers.resolve(sentences, **options[1]),
                    marked,
                    progress=show.say,
                )
                save_ranker(folder / SENTENCES, best, card)
                for measured in card.measures:
                    show.say("sentences: " + _measured(measured))
        show.say(f"{folder} is written; its cards are card.md in {PAPERS} and {SENTENCES}")

    @commands.predict.command("rank")
    def predict_rank(
        lib: Lib,
        input: Annotated[Path, typer.Argument(help="Document ids, one a line.")],
        output: Annotated[Path, typer.Option("--output", "-o", help="Where the TSV goes.")],
        model: Annotated[
            Path | None, typer.Option(help="The model's folder; LIB/models/rank.")
        ] = None,
    ) -> None:
        """Probabilities of each topic for a list of papers, with each one's best sentence.

        The output is TSV: document, topic, probability, sentence; a row a paper and topic.
        """
        from osler.errors import InputError, MissingModel, UnknownId
        from osler.files.source import Source
        from osler.library import Library
        from osler.rank.job import best_sentence
        from osler.rank.models import PAPERS, SENTENCES, load_ranker, load_sentence_ranker
        from osler.verbs.rank import MODEL, encode_of, pool_of

        ids = [line.strip() for _, line in Source(input).sure_lines()]
        if not ids:
            raise InputError(f"{input.name} names no document")
        with Library.open(lib) as library:
            folder = model or library.models.place(MODEL)
            ranker = load_ranker(folder / PAPERS)
            try:
                finder = load_sentence_ranker(folder / SENTENCES)
            except MissingModel:
                finder = None
            held = {document.id for document in library.documents(ids)}
            missing = [id for id in ids if id not in held]
            if missing:
                raise UnknownId(f"the library does not hold {missing[0]!r}", cure="osler show LIB")
            pool = pool_of(library, ids)
            encode = encode_of(library)
            scores = ranker.scores(pool)
            lines = ["document\ttopic\tprobability\tsentence"]
            for row, document in enumerate(pool.documents):
                for number, topic in enumerate(ranker.topics):
                    picked = (
                        best_sentence(finder, document, topic, encode=encode) if finder else None
                    )
                    text = " ".join(picked.text.split()) if picked else ""
                    lines.append(f"{document.id}\t{topic.id}\t{scores[row, number]:.6f}\t{text}")
        _write(output, "\n".join(lines) + "\n")


def _options(
    method: str, sentences: str, settings: list[str], vectors: list[Path]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings of the ranker of papers and of that of sentences. Where a ranker takes one file
    of word vectors, it gets the first."""
    from osler.errors import InputError
    from osler.learn.options import check_taken, fitting, parsed, settings_of
    from osler.rank.ranker import rankers
    from osler.rank.sentence_ranker import sentence_rankers

    kinds = (rankers.get(method), sentence_rankers.get(sentences))
    given = parsed(settings)
    check_taken(given, kinds)
    chosen: list[dict[str, Any]] = []
    taken = False
    for kind in kinds:
        own = fitting(kind, given)
        known = settings_of(kind)
        # A number of that name is a weight: such a ranker takes no file.
        if vectors and not isinstance(known.get("vectors", 0.0), float):
            own["vectors"] = list(vectors) if isinstance(known["vectors"], tuple) else vectors[0]
            taken = True
        chosen.append(own)
    if vectors and not taken:
        raise InputError(
            f"neither {method} nor the sentence ranker {sentences} takes word vectors",
            cure="leave --vectors away, or take --method a-sup-docnade or --sentences supervised",
        )
    return chosen[0], chosen[1]


def _from_model(model: Path | None, method: str | None, sentences: str | None) -> tuple[Any, Any]:
    if model is None:
        return method, sentences
    from osler.errors import MissingModel
    from osler.rank.models import PAPERS, SENTENCES, load_ranker, load_sentence_ranker
    from osler.rank.trained import Trained

    finder: Any = sentences
    with contextlib.suppress(MissingModel):
        finder = load_sentence_ranker(model / SENTENCES)
    return Trained(load_ranker(model / PAPERS)), finder


def _print(ranking: Ranking) -> None:
    rows = []
    for place, hit in enumerate(ranking.hits, 1):
        evidence = hit.evidence
        text = evidence.text if evidence else "no sentence is relevant"
        rows.append((place, f"{hit.score:.3f}", hit.id, f"{_title(hit)}\n{text}\n{_words(hit)}"))
    show.table(("", "score", "id", "paper, sentence, words"), rows, right=("", "score"))


def _title(hit: Hit) -> str:
    return f"RETRACTED: {hit.title}" if hit.retracted else hit.title


def _words(hit: Hit) -> str:
    from osler.kinds import Heat

    heats = [reason for reason in hit.reasons if isinstance(reason, Heat)]
    return ", ".join(word for heat in heats for word, _ in heat.words)


def _tell_recall(now: Progress) -> None:
    """What was found, what may be left, and whether to stop; for papers marked 1 and 0."""
    show.say(
        f"read {now.read:,} of {now.total:,}. {now.words} "
        + ("Reading may stop" if now.stop else "Go on reading")
        + f" (p {_chance(now.p)} in the test of a recall below 95 %)."
    )


def _chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def _measured(measured: Any) -> str:
    interval = "" if measured.low is None else f" ({measured.low:.3f} to {measured.high:.3f})"
    return f"{measured.name} {measured.value:.3f}{interval}, {measured.on}"


def _write(path: Path, text: str) -> None:
    from osler.errors import StorageError

    temporary = path.with_name(f".{path.name}.part")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StorageError(f"{path} cannot be written: {error.strerror}") from None
