"""Pairs out of papers: what a title asks, and the sentence that answers it."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler.kinds import Document, Section
from osler.library import Library
from osler.match.literature import LONGEST, asked_title, literature_pairs
from osler.verbs.match import write_literature


def paper(title: str, *sections: tuple[str, str], **more: object) -> Document:
    return Document(
        id="7", title=title, ids={"pmid": "7"},
        sections=tuple(Section(text, label) for text, label in sections), **more,  # type: ignore[arg-type]
    )  # fmt: skip


TRIAL = (
    ("Falls are common in gout. We asked whether colchicine matters.", "BACKGROUND"),
    ("Of 200 patients with gout, 12 fell.", "RESULTS"),
    ("Colchicine halved the number of falls in gout. Further studies are needed.", "CONCLUSIONS"),
)


@pytest.mark.parametrize(
    ("title", "question"),
    [
        (
            "Does colchicine prevent falls in gout? A trial.",
            "Does colchicine prevent falls in gout?",
        ),
        ("Falls in gout: does colchicine help?", "Falls in gout: does colchicine help?"),
        (
            "The effect of colchicine on falls: a trial",
            "What is the effect of colchicine on falls?",
        ),
        ("Risk factors for gout in women.", "What are the risk factors for gout in women?"),
        ("Prevalence of gout in Ghana", "How common is gout in Ghana?"),
        ("Prevalence of and risk factors for gout", ""),
        ("Beer is associated with gout", "Is Beer associated with gout?"),
        ("Colchicine reduces falls in gout", "Does Colchicine reduce falls in gout?"),
        ("Colchicine versus placebo in gout", "How does Colchicine compare with placebo in gout?"),
        ("Gout, an ancient disease", ""),
        ("Quo vadis?", ""),
        ("", ""),
    ],
)
def test_what_a_title_asks(title: str, question: str) -> None:
    assert asked_title(title) == question


def test_the_conclusion_that_speaks_of_it_is_quoted_under_the_paper() -> None:
    (pair,) = literature_pairs([paper("Does colchicine prevent falls in gout?", *TRIAL)])
    assert (pair.id, pair.metadata["document"]) == ("PMID:7", "7")
    assert pair.answer == "Colchicine halved the number of falls in gout."


@pytest.mark.parametrize(
    "given",
    [
        paper("Does colchicine prevent falls in gout?"),
        paper("Does colchicine prevent falls in gout?", ("We review falls in gout.", "CONCLUSION")),
        paper("Does colchicine prevent falls in gout?", ("Tea is a drink of Asia.", "CONCLUSIONS")),
        paper("Does colchicine prevent falls in gout?", *TRIAL, retracted=True),
        paper("Where are we now?", ("We are here now.", "CONCLUSIONS")),
        paper("Colchicine in gout", *TRIAL),
    ],
)
def test_a_paper_that_does_not_answer_gives_no_pair(given: Document) -> None:
    assert list(literature_pairs([given])) == []


def test_nobody_asks_longer_than_this() -> None:
    for more, pairs in ((0, 1), (1, 0)):
        title = "Does colchicine prevent falls in gout".ljust(LONGEST - 1 + more, "y") + "?"
        told = ("Colchicine halved the number of falls.", "CONCLUSIONS")
        assert len(list(literature_pairs([paper(title, told)]))) == pairs


def test_a_question_stands_once_and_strangers_are_kept_out() -> None:
    asks = paper("Does colchicine prevent falls in gout?", *TRIAL)
    assert len(list(literature_pairs([asks, asks]))) == 1
    assert list(literature_pairs([asks], about_health=lambda question: False)) == []


def test_a_library_writes_and_answers_them(tmp_path: Path) -> None:
    rows = ["id,title,abstract"]
    text = "Falls are common. Nobody knew why. Colchicine halved the number of falls in gout."
    rows.append(f'1,Does colchicine prevent falls in gout?,"{text}"')
    (tmp_path / "papers.csv").write_text("\n".join(rows))
    with Library.create(tmp_path / "lib") as library:
        library.add([tmp_path / "papers.csv"])
        assert write_literature(library, tmp_path / "pairs.jsonl") == 1
        library.add([tmp_path / "pairs.jsonl"])
        (hit,) = library.match("Does colchicine prevent falls in gout?").hits
        assert hit.title == "Colchicine halved the number of falls in gout."
