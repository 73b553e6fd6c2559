"""One request, four doors: Python, the command line, REST and the tools give the same answer."""

from __future__ import annotations

import asyncio
import html
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

import serving
from osler import Library
from osler.rank.labels import Label
from samples import TrigramEncoder

API = "/api/v1"
QUESTION = "budesonide in asthma"
HEALTH = "What helps against migraine disorders?"
FACT = ("Asthma", "treated by", "Budesonide")
TOPIC = "sleep and wakefulness"
EXAMPLES = (Label("sleep-01", True), Label("sleep-03", True), Label("sleep-02", False))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return serving.build(tmp_path_factory.mktemp("doors"))


@pytest.fixture(scope="module")
def library(place: Path) -> Iterator[Library]:
    with Library.open(place, encoder=TrigramEncoder()) as opened:  # type: ignore[arg-type]
        yield opened


@pytest.fixture(scope="module")
def client(place: Path) -> Iterator[TestClient]:
    from osler.serve.app import create_app

    app = create_app(place, encoder=TrigramEncoder())  # type: ignore[arg-type]
    with TestClient(app, base_url="http://127.0.0.1") as made:
        yield made


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """The command line with the tests' encoder: what a line prints on standard output."""
    from osler.cli.main import build
    from osler.text.team import Member, Team

    def alone(cls: type[Team], encoder: object = "") -> Team:
        return cls(Member("trigrams", TrigramEncoder()))  # type: ignore[arg-type]

    monkeypatch.setattr(Team, "of", classmethod(alone))

    def run(*words: object) -> str:
        done = CliRunner().invoke(build(), [str(word) for word in words], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    return run


def tool(place: Path, name: str, **arguments: object) -> dict[str, Any]:
    """What a tool for assistants answers with."""
    mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")

    from osler.serve.mcp import create_server

    answers: list[dict[str, Any]] = []

    async def run() -> None:
        async with mcp.Client(create_server(place, encoder=TrigramEncoder())) as client:  # type: ignore[arg-type]
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, answer.content
            answers.append(answer.structured_content)

    # In a thread of its own: a browser test of this process may have left its event loop running.
    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    thread.join()
    return answers[0]


def plain(value: object) -> dict[str, Any]:
    """As JSON has it: tuples are lists."""
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return decoded


def same(python: object, command: str, rest: dict[str, Any], tool: dict[str, Any]) -> None:
    """Every field that Python's answer has, the other three have, and it says the same."""
    expected = plain(python)
    other = {"command line": json.loads(command), "REST": rest, "tool": tool}
    names = {"query": "topic"} if "topic" in rest else {}
    for door, answer in other.items():
        for field, value in expected.items():
            given = answer.get(field, answer.get(names.get(field, field)))
            if field == "hits":
                assert len(given) == len(value), door
                for one, another in zip(value, given, strict=True):
                    for part, held in one.items():
                        assert another[part] == held, (door, part)
            else:
                assert given == value, (door, field)


def test_search(place, library, client, command):
    python = library.search(QUESTION, k=5)
    assert len(python) == 5
    same(
        python,
        command("search", place, QUESTION, "-k", 5, "--json", "--whole"),
        client.get(f"{API}/search", params={"q": QUESTION, "limit": 5}).json(),
        tool(place, "search", question=QUESTION, limit=5),
    )


def test_search_by_a_method_of_the_registry_with_a_filter(place, library, client, command):
    from osler.verbs.filters import filter_of

    python = library.search(
        QUESTION, k=3, method="concepts-learned", filter=filter_of(year="2019:2021")
    )
    assert python.hits
    same(
        python,
        command(
            *("search", place, QUESTION, "-k", 3, "--json", "--whole"),
            *("--method", "concepts-learned", "--year", "2019:2021"),
        ),
        client.get(
            f"{API}/search",
            params={"q": QUESTION, "limit": 3, "method": "concepts-learned", "year": "2019:2021"},
        ).json(),
        tool(
            place,
            "search",
            question=QUESTION,
            limit=3,
            method="concepts-learned",
            years="2019:2021",
        ),
    )


def test_rank(place, library, client, command, tmp_path):
    table = tmp_path / "labels.tsv"
    rows = [f"{one.document}\t{int(one.relevant)}" for one in EXAMPLES]
    table.write_text("\n".join(["document\tlabel", *rows]) + "\n", encoding="utf-8")
    python = library.rank(TOPIC, EXAMPLES, k=6)
    assert len(python) == 6
    same(
        python,
        command("rank", place, TOPIC, "--examples", table, "-k", 6, "--json", "--whole"),
        client.post(
            f"{API}/rank",
            json={
                "topic": TOPIC,
                "limit": 6,
                "examples": [
                    {"document": one.document, "relevant": one.relevant} for one in EXAMPLES
                ],
            },
        ).json(),
        tool(
            place,
            "rank",
            topic=TOPIC,
            limit=6,
            relevant=["sleep-01", "sleep-03"],
            not_relevant=["sleep-02"],
        ),
    )


def test_rank_by_the_marks_that_the_library_keeps(place, library, client, command):
    """The same library answers alike at every door: marks given on the page teach the command."""
    from osler.verbs.marks import mark

    mark(library, "telehealth", {"sleep-02": 1, "sleep-04": 1, "sleep-01": 0})
    same(
        library.rank("telehealth", k=5),
        command("rank", place, "telehealth", "-k", 5, "--json", "--whole"),
        client.get(f"{API}/rank", params={"topic": "telehealth", "limit": 5}).json(),
        tool(place, "rank", topic="telehealth", limit=5),
    )


def test_match(place, library, client, command):
    same(
        library.match(HEALTH, k=4),
        command("match", place, HEALTH, "-k", 4, "--json", "--explain"),
        client.post(f"{API}/match", json={"question": HEALTH, "limit": 4}).json(),
        tool(place, "match", question=HEALTH, limit=4),
    )


def test_match_says_that_nothing_answers(place, library, client, command):
    question = "Best treatment for atrial fibrillation?"
    ranking = library.match(question, k=3)
    assert ranking.answered is False
    assert "none of these answers that" in ranking.notes[0]
    same(
        ranking,
        command("match", place, question, "-k", 3, "--json", "--explain"),
        client.post(f"{API}/match", json={"question": question, "limit": 3}).json(),
        tool(place, "match", question=question, limit=3),
    )
    assert "none of these answers that" in command("match", place, question)
    page = client.get("/answers", params={"q": question}).text
    assert "None of these answers that" in page
    assert "answers with probability" in page


def test_grade(place, library, client, command):
    head, relation, tail = FACT
    same(
        library.grade(*FACT, k=5),
        command("grade", place, *FACT, "-k", 5, "--json", "--whole"),
        client.get(
            f"{API}/grade", params={"head": head, "relation": relation, "tail": tail, "limit": 5}
        ).json(),
        tool(place, "grade", head=head, relation=relation, tail=tail, limit=5),
    )


@pytest.mark.parametrize("trained", [False, True])
def test_ask(place, library, client, command, trained):
    """With and without a model that was trained into the library: every door uses it."""
    from osler.verbs.ask import answerer_of

    answerer, _ = answerer_of(library, without_model=True)
    folder = library.models.place("ask")
    if trained:
        answerer.save(folder)
    kb = answerer.kb
    someone = kb.names[int(kb.patients[0])]
    # The facts know which drugs are stopped; a dose is on a path of the graph alone.
    for question, of_graph in (
        (f"What medications does patient {someone} take?", False),
        (f"What dosage of cefazolin was patient {someone} given?", True),
    ):
        python = library.ask(question, explain=True)
        assert python.answers
        assert python.model == ("ask" if trained and of_graph else "")
        assert bool(python.form) is not of_graph
        same(
            python,
            command("ask", place, question, "--explain", "--json"),
            client.post(f"{API}/ask", json={"question": question}).json(),
            tool(place, "ask", question=question),
        )
    if trained:
        aside = json.loads(command("ask", place, question, "--json", "--without-model"))
        assert "model" not in aside
        body = {"question": question, "without_model": True}
        assert "model" not in client.post(f"{API}/ask", json=body).json()
        assert not library.ask(question, without_model=True).model
        listed = client.get(f"{API}/status").json()["models"]
        assert "ask" in [model["name"] for model in listed]


CLAIM = "Budesonide reduces asthma exacerbations"


def test_a_claim_is_judged_alike_at_all_doors(
    library: Library, client: TestClient, command: Callable[..., str], place: Path
) -> None:
    ranking = library.grade(claim=CLAIM, k=8)
    plain = json.loads(msgspec.json.encode(ranking.hits))
    page = client.get(f"{API}/claim", params={"claim": CLAIM, "limit": 8}).json()
    assert page["hits"] == plain
    assert page["balance"]["words"]
    lines = command("grade", place, "--claim", CLAIM, "-k", 8, "--json").splitlines()
    assert [json.loads(line) for line in lines] == plain
    answer = tool(place, "stance", claim=CLAIM, limit=8)
    assert [hit["id"] for hit in answer["hits"]] == [hit["id"] for hit in plain]
    assert answer["balance"] == page["balance"]
    shown = client.get("/facts", params={"claim": CLAIM})
    assert shown.status_code == 200
    assert "not an answer" in shown.text


def test_a_brief_is_one_page_at_all_doors(
    library: Library, client: TestClient, command: Callable[..., str], place: Path
) -> None:
    plain = json.loads(msgspec.json.encode(library.brief(CLAIM, k=8)))
    assert plain["searched"]["read"]
    assert client.get(f"{API}/brief", params={"question": CLAIM, "limit": 8}).json() == plain
    assert json.loads(command("brief", place, CLAIM, "-k", 8, "--json")) == plain
    assert tool(place, "brief", question=CLAIM, limit=8) == plain
    shown = client.get("/brief", params={"question": CLAIM})
    assert shown.status_code == 200
    assert library.brief(CLAIM).words in html.unescape(shown.text)
    file = client.get("/brief.md", params={"question": CLAIM})
    assert "attachment" in file.headers["content-disposition"]
    assert file.text.startswith("# ")
    assert client.get("/brief.xls", params={"question": CLAIM}).status_code == 400


def test_one_text_is_judged_alike(client: TestClient, command: Callable[..., str]) -> None:
    import osler

    text = "Budesonide did not reduce asthma exacerbations."
    told = json.loads(msgspec.json.encode(osler.stance(CLAIM, text)))
    assert client.post(f"{API}/stance", json={"claim": CLAIM, "text": text}).json() == told
    assert json.loads(command("stance", CLAIM, text)) == told
    assert told["refutes"] > 0.8


def test_suggested_facts_are_alike_at_all_doors(
    library: Library, client: TestClient, command: Callable[..., str], place: Path
) -> None:
    graph = library.knowledge.graph  # type: ignore[union-attr]
    relation = "treated by"
    head = next(one.head for one in graph.triples() if one.relation == relation)
    told = library.suggest(head, relation, k=3)
    assert told.suggestions
    assert "no fact" in told.notes[0]
    known = {one.tail for one in graph.triples() if (one.head, one.relation) == (head, relation)}
    assert not known & {one.tail for one in told.suggestions}
    asked = {"head": head, "relation": relation, "limit": 3}
    assert client.get(f"{API}/suggest", params=asked).json() == plain(told)
    lines = command("suggest", place, head, relation, "-k", 3, "--json").splitlines()
    assert [json.loads(line) for line in lines] == plain(told)["suggestions"]
    assert tool(place, "suggest", head=head, relation=relation, limit=3) == plain(told)
    wrong = client.get(f"{API}/suggest", params={"head": head, "relation": "cures"})
    assert wrong.status_code == 400
    assert "no relation" in wrong.text
    nobody = client.get(f"{API}/suggest", params={"head": "xyzzy", "relation": relation})
    assert nobody.status_code == 404


def test_too_few_facts_suggest_nothing_and_say_so(tmp_path: Path) -> None:
    table = tmp_path / "facts.tsv"
    table.write_text("head\trelation\ttail\nBudesonide\ttreats\tAsthma\n", "utf-8")
    with Library.create(tmp_path / "library") as few:
        few.add([table])
        answer = few.suggest("Budesonide", "treats", k=3)
    assert answer.suggestions == ()
    assert "1 facts of 'treats': too few to learn by" in answer.notes[0]
