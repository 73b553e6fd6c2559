"""Every registered ranker of `search`, ours and strangers', keeps the same promises."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import pytest

from osler import Filter, Library
from osler.errors import ChoiceError, OslerError
from osler.search import rankers
from samples import PAPERS, TrigramEncoder, paper

TRIPLES = """head\trelation\ttail\thead_type\ttail_type
salbutamol\ttreats\tasthma\tdrug\tdisease
bronchial asthma\tis a\tasthma\tdisease\tdisease
"""
MANY = tuple(
    paper(
        f"m{number:02}",
        f"Asthma in ward {number}",
        f"We saw asthma {number} times. Salbutamol helped {number % 7} of them.",
        keywords=("asthma",),
    )
    for number in range(30)
)
QUESTION = "asthma treated with salbutamol"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Papers with vectors and a small terminology."""
    folder = tmp_path_factory.mktemp("rankers")
    (folder / "triples.tsv").write_text(TRIPLES, encoding="utf-8")
    library = Library.create(folder / "library", encoder=TrigramEncoder())  # type: ignore[arg-type]
    library.add_documents([*PAPERS, *MANY])
    library.add([folder / "triples.tsv"])
    library.embed()
    yield library
    library.close()


@pytest.fixture(params=rankers.names())
def method(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_ranker_says_what_it_is() -> None:
    for name, kind in rankers:
        assert kind.name == name
        assert kind.help


def test_hits_are_ordered_whole_and_no_more_than_asked_for(library: Library, method: str) -> None:
    hits = list(library.search(QUESTION, k=7, method=method))
    assert len(hits) == 7
    assert len({hit.id for hit in hits}) == 7
    scores = [hit.score for hit in hits]
    assert all(math.isfinite(score) for score in scores)
    assert scores == sorted(scores, reverse=True)
    assert all(hit.title for hit in hits)


def test_the_same_question_gives_the_same_hits(library: Library, method: str) -> None:
    first, again = (
        [(hit.id, hit.score) for hit in library.search(QUESTION, k=10, method=method)]
        for _ in range(2)
    )
    assert first == again


def test_a_filter_holds(library: Library, method: str) -> None:
    hits = list(library.search(QUESTION, k=40, method=method, filter=Filter(ids=("2", "m03"))))
    assert {hit.id for hit in hits} <= {"2", "m03"}
    assert "m03" in {hit.id for hit in hits}
    late = library.search(QUESTION, k=40, method=method, filter=Filter(years=(2020, 2020)))
    assert all(hit.published.startswith("2020") for hit in late)


@pytest.mark.parametrize(
    "text",
    [
        "???",
        "哮喘的治疗",
        "the of and",
        "zzzqqqxxx",
        "asthma " * 500,
        'title:asthma AND (salbutamol OR "no such phrase") NOT mice',
        "\u0000\u200b",
    ],
)
def test_odd_questions_get_an_answer_or_a_plain_error(
    library: Library, method: str, text: str
) -> None:
    try:
        hits = list(library.search(text, k=5, method=method))
    except OslerError as error:
        assert error.message
        return
    assert all(math.isfinite(hit.score) for hit in hits)


def test_an_empty_library_has_no_hits(make_library: Callable[..., Library], method: str) -> None:
    assert list(make_library([]).search(QUESTION, k=5, method=method)) == []


def test_what_was_removed_is_not_found(make_library: Callable[..., Library], method: str) -> None:
    library = make_library(MANY)
    library.embed()
    gone = [hit.id for hit in library.search(QUESTION, k=3, method=method)]
    library.remove(gone)
    left = {hit.id for hit in library.search(QUESTION, k=40, method=method)}
    assert left.isdisjoint(gone)


def test_what_is_told_of_a_score_is_finite(library: Library, method: str) -> None:
    for hit in library.search(QUESTION, k=5, method=method):
        for reason in hit.reasons:
            for part in ("parts", "contributed"):
                values = getattr(reason, part, {})
                assert all(math.isfinite(value) for value in values.values())


def test_a_run_has_the_order_of_the_hits(library: Library, method: str) -> None:
    run = library.search_many({"q": QUESTION}, k=10, method=method)
    hits = library.search(QUESTION, k=10, method=method, plain=True)
    assert sorted(run["q"], key=lambda id: (-run["q"][id], id)) == [
        hit.id for hit in sorted(hits, key=lambda hit: (-hit.score, hit.id))
    ]


def test_a_wrong_name_shows_the_choices(library: Library) -> None:
    with pytest.raises(ChoiceError, match="hybrid"):
        library.search(QUESTION, method="hybird")


def test_no_ranker_of_search_is_one_of_rank() -> None:
    """The two kinds once shared an entry-point group, and a stranger's stood under both."""
    from osler.rank.ranker import rankers as topic_rankers

    assert rankers.group != topic_rankers.group
