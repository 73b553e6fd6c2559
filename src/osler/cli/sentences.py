"""``osler sentences``: the most relevant sentence of papers, for a topic."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.rank import Examples


def register(commands: Commands) -> None:
    @commands.app.command()
    def sentences(
        lib: Lib,
        topic: Annotated[str, typer.Argument(help="The topic in a few words.")],
        ids: Annotated[
            list[str] | None, typer.Argument(help="Papers; without any, the best of a search.")
        ] = None,
        examples: Examples = None,
        method: Annotated[
            str | None,
            typer.Option(help="hybrid, bm25-extra, unsupervised-1, supervised, votes ..."),
        ] = None,
        model: Annotated[Path | None, typer.Option(help="A trained model's folder.")] = None,
        k: Annotated[int, typer.Option("-k", help="How many papers, without ids.")] = 10,
        json: Annotated[bool, typer.Option("--json", help="JSON lines.")] = False,
    ) -> None:
        """Show the sentence of each paper that is most relevant to a topic, or that none is.

        osler sentences LIB "sustained threat" 21950094 14998902
        """
        from osler.errors import UnknownId
        from osler.library import Library
        from osler.rank.job import best_sentence, sentence_ranker
        from osler.rank.labels import read_labels
        from osler.rank.models import SENTENCES, load_sentence_ranker
        from osler.rank.topic import Topic
        from osler.wiring.rank import encode_of, pool_of

        asked = Topic(topic)
        with Library.open(lib) as library:
            encode = encode_of(library)
            wanted = ids or [hit.id for hit in library.search(topic, k=k, method="words")]
            documents = {document.id: document for document in library.documents(wanted)}
            for id in wanted:
                if id not in documents:
                    raise UnknownId(f"the library does not hold {id!r}", cure="check the id")
            if model is not None:
                finder = load_sentence_ranker(model / SENTENCES)
            else:
                labels = read_labels(examples) if examples is not None else []
                pool = pool_of(library)
                finder = sentence_ranker(pool, asked, labels, method, encode=encode)
            rows = []
            for id in wanted:
                found = best_sentence(finder, documents[id], asked, encode=encode)
                rows.append((id, found))
        if json:
            show.json_lines(
                {
                    "id": id,
                    "topic": topic,
                    "sentence": found.text if found else None,
                    "start": found.start if found else None,
                    "end": found.end if found else None,
                    "score": found.score if found else None,
                }
                for id, found in rows
            )
            return
        show.table(
            ("id", "score", "sentence"),
            [
                (
                    id,
                    f"{found.score:.3f}" if found else "",
                    found.text if found else "no sentence is relevant",
                )
                for id, found in rows
            ],
            right=("score",),
        )
