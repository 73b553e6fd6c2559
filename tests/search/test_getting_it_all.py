"""All hits: counted, sorted, exported, paged to the end; filters that move nothing."""

from __future__ import annotations

import csv
import io
import json
import re
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from typer.testing import CliRunner

from osler import Filter, Library
from osler.cli.main import build
from osler.errors import ChoiceError, QueryError
from osler.kinds import Author, Document, Heading, Section
from osler.serve.app import create_app
from osler.verbs.facets import facets
from osler.verbs.formats import run_line
from osler.verbs.search import SearchRequest
from samples import TrigramEncoder

MANY = 5_000


@contextmanager
def served(place: Path) -> Iterator[TestClient]:
    app = create_app(place, encoder=TrigramEncoder())
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


JOURNALS = ("Zeitschrift", "Archives", "Lung")


def paper(number: int) -> Document:
    return Document(
        id=f"p{number:05}",
        title=f"asthma in town {number}, seen {number % 7} times",
        sections=(Section(f"We saw {number} children who wheeze.", "METHODS"),),
        published=f"{2000 + number % 20}-{1 + number % 12:02}",
        journal=JOURNALS[number % 3],
        language="en" if number % 2 else "de",
        authors=(Author("Nogués", "Xavier", "X"), Author("Smith", "Jane", "J")),
        ids={"doi": f"10.1000/a.{number}", "pmid": str(30_000_000 + number)},
        types=("Journal Article", "Review") if number % 5 == 0 else ("Journal Article",),
        headings=(Heading("Asthma", "MESH:D001249", True, ("drug therapy",)),)
        if number % 4
        else (),
        retracted=number == 3,
        metadata={"citations": number % 11, "volume": "7", "issue": "2", "pages": "21-8"},
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("all") / "lib"
    with Library.create(place) as library:
        library.add_documents([paper(number) for number in range(MANY)])
        library.add_documents([Document(id="other", title="nothing of the kind")])
    return place


@pytest.fixture(scope="module")
def library(place) -> Iterator[Library]:
    with Library.open(place) as opened:
        yield opened


def test_totals_and_facets_are_over_all_hits(library):
    ranking = library.search("title:asthma", method="words")
    assert ranking.total == MANY
    counted = library.facets("title:asthma")
    assert counted.total == MANY
    values = {facet.name: dict(facet.values) for facet in counted.facets}
    papers = [paper(number) for number in range(MANY)]
    assert values["journal"] == Counter(each.journal for each in papers)
    assert values["type"] == {"Journal Article": MANY, "Review": MANY // 5}
    assert values["language"] == {"en": MANY // 2, "de": MANY // 2}
    # Names alone: no id, no qualifier, no mark.
    assert values["mesh"] == {"Asthma": MANY * 3 // 4}
    years = Counter(each.published[:4] for each in papers)
    assert all(years[year] == number for year, number in values["year"].items())
    late = library.facets("title:asthma", filter=Filter(years=(2019, None)))
    assert late.total == years["2019"]


@pytest.mark.parametrize(
    ("sort", "key"),
    [
        ("date", lambda hit: (-int(hit.published.replace("-", "")), hit.id)),
        ("journal", lambda hit: (hit.journal.casefold(), hit.id)),
        ("citations", lambda hit: (-(int(hit.id[1:]) % 11), hit.id)),
    ],
)
def test_orders_hold_for_all_hits_ties_by_id(library, sort, key):
    first = library.search("title:asthma", method="words", sort=sort, k=300, evidence=False).hits
    assert first == sorted(first, key=key)
    later = library.search(
        "title:asthma", method="words", sort=sort, k=50, skip=250, evidence=False
    )
    assert [hit.id for hit in later] == [hit.id for hit in first[250:]]
    whole = [json.loads(line) for line in lines(library, "jsonl", sort=sort)]
    assert [each["id"] for each in whole[:300]] == [hit.id for hit in first]
    assert len(whole) == MANY


def test_an_order_that_says_little_is_noted(library):
    notes = library.search("asthma town", method="words", sort="date").notes
    assert any("any of the words" in note for note in notes)
    assert not library.search("title:asthma", method="words", sort="date").notes
    none = library.search("title:nothing", method="words", sort="citations").notes
    assert any("how often it was cited" in note for note in none)
    with pytest.raises(ChoiceError, match="colour"):
        library.search("asthma", sort="colour")


def lines(library: Library, format: str, **options) -> list[str]:
    text = "".join(library.export("title:asthma", format, method="words", **options))
    return text.splitlines()


def test_every_format_holds_every_hit(library, tmp_path):
    assert len(lines(library, "trec")) == MANY
    rows = list(csv.DictReader(io.StringIO("\n".join(lines(library, "csv")))))
    assert len({row["id"] for row in rows}) == MANY
    three = next(row for row in rows if row["id"] == "p00003")
    assert three["retracted"] == "retracted"
    assert three["authors"] == "Nogués X; Smith J"
    assert three["doi"] == "10.1000/a.3"
    whole = json.loads("".join(library.export("title:asthma", "json", method="words")))
    assert len(whole["hits"]) == whole["total"] == MANY


@pytest.mark.parametrize("format", ["ris", "nbib", "bib"])
def test_what_is_written_reads_back(library, tmp_path, format):
    out = tmp_path / f"all.{format}"
    pieces = library.export("title:asthma AND year:2003", format, method="words")
    out.write_text("".join(pieces), encoding="utf-8", newline="")
    with Library.create(tmp_path / "again") as again:
        again.add([out])
        assert len(again) == MANY // 20
        three = again.document("30000003")
    expected = paper(3)
    for name in ("title", "journal", "ids", "language"):
        assert getattr(three, name) == getattr(expected, name), name
    assert three.published[:4] == "2003"
    assert [(a.family, a.given) for a in three.authors] == [("Nogués", "Xavier"), ("Smith", "Jane")]
    assert three.abstract == expected.abstract
    assert three.metadata["volume"] == "7"
    if format == "nbib":
        assert three.headings[0].qualifiers == ("drug therapy",)
        assert three.retracted


def test_an_export_holds_a_part_at_a_time(library):
    pieces = library.export("title:asthma", "jsonl", method="words")
    next(pieces)
    next(pieces)
    tracemalloc.start()
    largest = max(len(piece) for piece in pieces)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    whole = len("".join(library.export("title:asthma", "jsonl", method="words")))
    assert largest < whole / 20
    assert peak < whole


def test_a_broken_query_is_an_error_of_exports_too(library):
    with pytest.raises(QueryError):
        "".join(library.export("asthma[zz]", "ris"))
    with pytest.raises(ChoiceError, match="docx"):
        "".join(library.export("asthma", "docx"))


def test_the_command_writes_all_hits(place, tmp_path):
    out = tmp_path / "all.ris"
    run = CliRunner().invoke(
        build(), ["search", str(place), "title:asthma", "--method", "words", "--out", str(out)]
    )
    assert run.exit_code == 0, run.output
    assert out.read_text().count("TY  - ") == MANY
    bad = tmp_path / "bad.ris"
    run = CliRunner().invoke(build(), ["search", str(place), "asthma[zz]", "--out", str(bad)])
    assert run.exit_code != 0
    assert not bad.exists()
    run = CliRunner().invoke(build(), ["search", str(place), "exp Asthma/", "--facets", "--json"])
    assert json.loads(run.stdout)["total"] == MANY * 3 // 4


def test_pages_and_files_of_the_server_go_to_the_end(place):
    with served(place) as client:
        seen: list[str] = []
        asked = {"q": "title:asthma", "method": "words", "limit": 100, "evidence": "false"}
        page = client.get("/api/v1/search", params=asked).json()
        while True:
            seen += [hit["id"] for hit in page["hits"]]
            if page["cursor"] is None:
                break
            page = client.get("/api/v1/search", params={**asked, "cursor": page["cursor"]}).json()
        assert len(seen) == len(set(seen)) == MANY == page["total"]

        listed: list[str] = []
        page = client.get("/api/v1/documents", params={"limit": 100}).json()
        while True:
            listed += [document["id"] for document in page["documents"]]
            if page["cursor"] is None:
                break
            page = client.get(
                "/api/v1/documents", params={"limit": 100, "cursor": page["cursor"]}
            ).json()
        assert listed == sorted(set(listed))
        assert len(listed) == MANY + 1
        assert client.get("/api/v1/documents?cursor=nonsense").status_code == 400
        assert client.get("/api/v1/search?q=x&cursor=nonsense").status_code == 400

        for path in ("/papers.nbib", "/api/v1/export?format=nbib&"):
            joint = "" if path.endswith("&") else "?"
            answer = client.get(f"{path}{joint}q=title:asthma&method=words")
            assert answer.text.count("PMID- ") == MANY
            assert answer.headers["Osler-Total"] == str(MANY)
            broken = client.get(f"{path}{joint}q=asthma[zz]")
            assert broken.status_code == 400
            assert "^" in broken.text
        facets = client.get("/api/v1/facets?q=title:asthma").json()
        assert facets["total"] == MANY


def test_offsets_that_are_handed_out_are_taken(place, monkeypatch):
    from osler.serve import models

    monkeypatch.setattr(models, "DEEP", 100)
    with served(place) as client:
        page = client.get("/api/v1/search?q=title:asthma&method=words&limit=60&offset=40").json()
        assert page["next"] == 100
        page = client.get("/api/v1/search?q=title:asthma&method=words&limit=60&offset=41").json()
        assert page["next"] is None
        assert page["cursor"]


def test_headings_that_papers_lack_are_told(library):
    notes = library.search("mesh:Asthma", method="words").notes
    assert any("1,251 of 5,001 papers have no subject headings" in note for note in notes)
    assert any('"Asthma"' in note for note in notes)
    assert not library.search("title:asthma", method="words").notes


def test_a_heading_that_nobody_knows_is_told(library):
    notes = library.search("mesh:Asthmaa NOT title:x", method="words").notes
    assert notes[0] == (
        'no paper here has the heading "Asthmaa", and no terminology knows it: '
        'did you mean "asthma"?'
    )
    known = library.search("mesh:Asthma", method="words").notes
    assert not any("no terminology knows it" in note for note in known)


WORDS = ("asthma", "wheeze", "lung", "child", "steroid", "dust", "pollen", "school")


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Iterator[Library]:
    import random

    drawn = random.Random(7)
    papers = [
        Document(
            id=f"d{number}",
            title=" ".join(drawn.choices(WORDS, k=6)),
            published=str(2000 + number % 9),
            language=("en", "de", "fr")[number % 3],
        )
        for number in range(400)
    ]
    place = tmp_path_factory.mktemp("small") / "lib"
    with Library.create(place, encoder=TrigramEncoder()) as library:
        library.add_documents(papers)
        library.embed()
        yield library


@pytest.mark.parametrize("method", ["words", "vectors", "hybrid"])
@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    question=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True),
    years=st.tuples(st.integers(2000, 2008), st.integers(0, 8)),
    languages=st.lists(st.sampled_from(["en", "de", "fr"]), unique=True),
)
def test_a_filter_takes_hits_out_and_moves_none(small, method, question, years, languages):
    text = " ".join(question)
    low, more = years
    filter = Filter(years=(low, low + more), languages=tuple(languages))
    plainly = small.search(text, k=60, method=method, evidence=False).hits
    passing = [
        hit.id
        for hit in plainly
        if low <= int(hit.published) <= low + more
        and (not languages or small.document(hit.id).language in languages)
    ]
    filtered = [
        hit.id for hit in small.search(text, k=60, method=method, filter=filter, evidence=False)
    ]
    assert filtered[: len(passing)] == passing


@pytest.mark.parametrize("method", ["words", "vectors", "hybrid"])
def test_pages_are_one_list(small, method):
    whole = [each[1] for each in small.searcher.everything("asthma dust", _ranker(method))]
    paged = [
        hit.id
        for skip in range(0, 300, 50)
        for hit in small.search("asthma dust", k=50, skip=skip, method=method, evidence=False)
    ]
    assert paged == whole[: len(paged)]
    assert len(whole) == len(set(whole)) >= small.count("asthma dust")


def test_a_whole_list_says_how_many_are_there_as_near(small):
    from osler.verbs.export import listed
    from osler.verbs.search import SearchRequest

    matching = small.count("pollen")
    for method, near in (("words", False), ("hybrid", True)):
        whole = listed(small, SearchRequest(text="pollen", method=method))
        text = f"{len(whole.hits) - matching} of {len(whole.hits)} papers hold none of the words"
        assert (len(whole.hits) > matching) == near
        assert any(note.startswith(text) for note in whole.notes) == near


@pytest.mark.parametrize("method", ["vectors", "hybrid"])
def test_a_number_is_of_no_language_and_other_letters_are(small, method):
    assert not any("language" in note for note in small.search("d17", method=method).notes)
    assert not any("language" in note for note in small.search("12345678", method=method).notes)
    assert any("language" in note for note in small.search("астма", method=method).notes)


def test_a_list_by_date_shows_no_scores(place):
    asked = ["search", str(place), "title:asthma", "--method", "words", "-k", "2"]
    shown = CliRunner().invoke(build(), [*asked, "--sort", "date"]).stdout
    assert "-1.000" not in shown
    assert " 0.000" not in shown
    assert re.search(r"\d\.\d{3}\s", CliRunner().invoke(build(), asked).stdout)


def _ranker(method: str):
    from osler.search import rankers

    return rankers.resolve(method)


FULL = [
    Document(id="a", title="Melatonin and sleep", published="2020", types=("Review",)),
    Document(
        id="b",
        title="Asthma at night",
        published="2021",
        full_text=(Section("Children took melatonin each night."), Section("Wheeze went.")),
    ),
    Document(
        id="c",
        title="Jet lag",
        published="2022",
        full_text=(Section("Melatonin helps travellers."),),
    ),
    Document(id="d", title="Melanoma", published="2022", full_text=(Section("Skin alone."),)),
]


@pytest.mark.parametrize("query", ["melatonin", '"melatonin"'])
def test_papers_that_their_full_text_alone_brings_are_counted(tmp_path, query):  # type: ignore[no-untyped-def]
    """Totals, facets, other orders and filters speak of the papers that are listed."""
    with Library.create(tmp_path / "lib") as library:
        library.add_documents(FULL)
        listed = library.search(query, k=10, method="words")
        assert {hit.id for hit in listed.hits} == {"a", "b", "c"}
        assert listed.total == library.count(query) == 3
        by_date = library.search(query, k=10, sort="date")
        assert [hit.id for hit in by_date.hits] == ["c", "b", "a"]
        late = library.search(query, k=10, method="words", filter=Filter(years=(2021, 2022)))
        assert ({hit.id for hit in late.hits}, late.total) == ({"b", "c"}, 2)
        counted = facets(library, SearchRequest(text=query))
        assert counted.total == 3
        (years,) = [facet.values for facet in counted.facets if facet.name == "year"]
        assert years == [("2022", 1), ("2021", 1), ("2020", 1)]
        assert library.search("title:melatonin", k=10).total == 1


def test_a_blank_in_an_id_ends_no_field_of_a_run():
    assert run_line("trial 7", 1, 0.5, "words").split() == [
        "1", "Q0", "trial_7", "1", "0.500000", "osler-words",
    ]  # fmt: skip
