"""An end of a fact that names different things is asked back at every door; an id says which."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from osler import Library
from osler.errors import AmbiguousName, InputError
from osler.kinds import Entity
from osler.knowledge.graph import Graph
from osler.knowledge.namesakes import namesakes
from osler.verbs.fact_ends import one_entity, one_thing, unmapped
from samples import TrigramEncoder, paper

# One terminology has Epilepsy and Seizures apart; the other lists epilepsy as a name of Seizure.
DISEASES = """format-version: 1.2
ontology: mondo

[Term]
id: MONDO:1
name: Epilepsy

[Term]
id: MONDO:2
name: Seizures
synonym: "Seizure" EXACT []

[Term]
id: MONDO:3
name: Chill
xref: HP:3

[Term]
id: MONDO:4
name: Valproate toxicity
"""
PHENOTYPES = """format-version: 1.2
ontology: hp

[Term]
id: HP:1
name: Seizure
synonym: "Epilepsy" EXACT []
synonym: "Seizures" EXACT []

[Term]
id: HP:3
name: Feeling cold
synonym: "Chill" EXACT []
"""
TRIPLES = "head\trelation\ttail\thead_type\ttail_type\nvalproate\ttreats\tfits\tdrug\tdisease\n"
PAPERS = (
    paper(
        "p1",
        "Valproate treats epilepsy in adults",
        "We gave valproate for epilepsy. Valproate was an effective treatment of epilepsy.",
    ),
    paper("p2", "Valproate after one seizure", "Valproate stopped a seizure in one child."),
)
FACT = {"head": "valproate", "relation": "treats", "tail": "epilepsy"}
IDS = ["MONDO:1", "HP:1"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ends")
    for name, text in (("mondo.obo", DISEASES), ("hp.obo", PHENOTYPES), ("t.tsv", TRIPLES)):
        (folder / name).write_text(text, encoding="utf-8")
    with Library.create(folder / "library", encoder=TrigramEncoder()) as library:  # type: ignore[arg-type]
        library.add_documents(PAPERS)
        library.add([folder / "mondo.obo", folder / "hp.obo", folder / "t.tsv"])
    return folder / "library"


@pytest.fixture(scope="module")
def library(place: Path) -> Iterator[Library]:
    with Library.open(place, encoder=TrigramEncoder()) as opened:  # type: ignore[arg-type]
        yield opened


@pytest.fixture(scope="module")
def client(place: Path) -> Iterator[TestClient]:
    from osler.serve.app import create_app

    app = create_app(place, encoder=TrigramEncoder())  # type: ignore[arg-type]
    with TestClient(app, base_url="http://127.0.0.1") as opened:
        yield opened


def test_python_asks_back_and_takes_an_id(library: Library) -> None:
    with pytest.raises(AmbiguousName) as raised:
        library.grade(**FACT)
    error = raised.value
    assert isinstance(error, InputError)
    assert (error.part, error.given) == ("tail", "epilepsy")
    assert [one.id for one in error.candidates] == IDS
    assert [one.name for one in error.candidates] == ["Epilepsy", "Seizure"]
    assert "MONDO:1 (Epilepsy" in str(error)
    assert error.cure.endswith("such as MONDO:1")
    with pytest.raises(AmbiguousName) as raised:
        library.grade("epilepsy", "treats", "valproate")
    assert raised.value.part == "head"
    ranking = library.grade("valproate", "treats", "MONDO:1")
    assert ranking.query == "valproate,treats,Epilepsy"
    assert ranking.hits[0].id == "p1"
    other = library.grade("valproate", "treats", "HP:1")
    assert other.query == "valproate,treats,Seizure"


def test_the_command_line_asks_back_and_takes_an_id(place: Path) -> None:
    from osler.cli.main import build

    words = ["grade", str(place), "valproate", "treats"]
    asked = CliRunner().invoke(build(), [*words, "epilepsy"])
    assert isinstance(asked.exception, AmbiguousName)
    assert asked.exception.exit_code == 2
    assert all(id in str(asked.exception) for id in IDS)
    answered = CliRunner().invoke(build(), [*words, "MONDO:1"], catch_exceptions=False)
    assert answered.exit_code == 0
    assert "Valproate treats epilepsy in adults" in answered.output


def test_rest_asks_back_and_takes_an_id(client: TestClient) -> None:
    asked = client.get("/api/v1/grade", params=FACT)
    assert asked.status_code == 400
    problem = asked.json()
    assert (problem["code"], problem["part"]) == ("E121", "tail")
    assert [one["id"] for one in problem["candidates"]] == IDS
    assert problem["candidates"][1]["name"] == "Seizure"
    answered = client.get("/api/v1/grade", params={**FACT, "tail": "MONDO:1"})
    assert answered.status_code == 200
    assert answered.json()["hits"][0]["id"] == "p1"


@pytest.mark.parametrize("view", ["/facts", "/facts/relevance"])
def test_the_page_asks_back_and_offers_each(client: TestClient, view: str) -> None:
    text = client.get(view, params=FACT).text
    assert "Which one is meant?" in text
    for id in ("MONDO%3A1", "HP%3A1"):
        assert f'href="{view}?head=valproate&amp;relation=treats&amp;tail={id}"' in text
    answered = client.get(view, params={**FACT, "tail": "MONDO:1"}).text
    assert "Which one is meant?" not in answered
    assert "/document/p1" in answered
    # A person reads the name, not the id.
    assert "<b>Epilepsy</b>" in answered
    assert client.get(f"{view}.json", params=FACT).status_code == 400


def test_a_decision_waits_until_the_id_is_chosen(client: TestClient) -> None:
    """Two ids that are one thing by their names alone: papers are shown, an id is not guessed."""
    fact = {**FACT, "tail": "seizure"}
    text = client.get("/facts", params=fact).text
    assert "Valproate after one seizure" in text
    assert "To decide on papers, say which <b>seizure</b> is meant" in text
    assert 'name="said"' not in text
    chosen = client.get("/facts", params={**fact, "tail": "HP:1"}).text
    assert 'name="said" value="accept"' in chosen
    form = {**fact, "paper": "p2", "said": "accept", "by": "Ann"}
    assert client.post("/facts/decide", data=form).status_code == 400


def test_what_leaves_has_one_id(place: Path, library: Library, tmp_path: Path) -> None:
    from osler.cli.main import build

    ranking = library.grade("valproate", "treats", "seizure")
    [note] = [note for note in ranking.notes if "taken as one thing" in note]
    assert "HP:1, MONDO:2" in note
    words = ["grade", str(place), "valproate", "treats"]
    asked = CliRunner().invoke(build(), [*words, "seizure", "--tsv", str(tmp_path / "x.tsv")])
    assert isinstance(asked.exception, AmbiguousName)
    assert not (tmp_path / "x.tsv").exists()
    clear = [*words, "HP:1", "--tsv", str(tmp_path / "x.tsv")]
    assert CliRunner().invoke(build(), clear, catch_exceptions=False).exit_code == 0
    assert "HP:1" in (tmp_path / "x.tsv").read_text("utf-8")


def test_xref_twins_are_one_thing(library: Library) -> None:
    assert one_thing(library, "chill") == ["MONDO:3", "HP:3"]
    assert one_entity(library, "chill") == "MONDO:3"
    assert unmapped(library, "chill") == []
    assert library.grade("valproate", "treats", "chill").query == "valproate,treats,chill"
    assert one_entity(library, "no such thing") is None


def entity(id: str, name: str, *synonyms: str, type: str = "Disease") -> Entity:
    return Entity(id=id, name=name, synonyms=synonyms, type=type)


def test_namesakes_by_hand() -> None:
    graph = Graph.build(
        [
            entity("A:1", "Asthma"),
            entity("B:1", "Asthma", type="Phenotype"),
            entity("B:9", "asthma", type="Gene"),
            entity("A:2", "Carcinoma, Hepatocellular"),
            entity("B:2", "Hepatocellular carcinoma", "Liver cancer"),
            entity("A:3", "Insulin"),
            entity("A:4", "Insulins"),
            entity("B:5", "Insulins"),
            entity("A:6", "One", "Shared"),
            entity("A:7", "Two", "Shared"),
            entity("C:1", "Asthma", "Wheeze"),
        ]
    )
    # Of one kind, in three terminologies: one thing; the gene of that name is another.
    assert namesakes(graph, "asthma") == [["A:1", "B:1", "C:1"], ["B:9"]]
    assert namesakes(graph, "asthma", mapped_only=True) == [["A:1"], ["B:1"], ["B:9"], ["C:1"]]
    assert namesakes(graph, "hepatocellular carcinoma") == [["B:2"]]
    assert namesakes(graph, "wheeze") == [["C:1"]]
    # As it is written, then in another number; a terminology without the one gives the other.
    assert namesakes(graph, "insulin") == [["A:3", "B:5"]]
    assert namesakes(graph, "insulins") == [["A:4", "B:5"]]
    # One terminology keeps its own entries apart.
    assert namesakes(graph, "shared") == [["A:6"], ["A:7"]]
    assert namesakes(graph, "A:7") == [["A:7"]]
    assert namesakes(graph, "nothing") == []
