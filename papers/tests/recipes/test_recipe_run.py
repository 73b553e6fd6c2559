"""Running recipes: numbers against expectations, files written, data sets missed by name."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import typer
from typer.testing import CliRunner

from osler.cli.commands import Commands
from osler.cli.recipe import register
from osler.errors import ChoiceError, InputError, StorageError
from osler.kinds import Document, Run
from osler.measures.retrieval import evaluate
from osler.measures.trec import read_qrels, read_run
from osler.recipes import load, run
from osler.recipes.recipe import parse
from osler.recipes.runner import judge
from osler_papers.recipes.retrieval import corpus_rows

TOPICS = ["asthma", "sweat", "mucus", "saliva", "liver", "lung"]
RECIPE = parse(
    "{name: x, title: t, what: w, steps: [one], expected: ["
    "{name: a, value: 1.0, tolerance: 0.1, source: s}, {name: b, value: 2, source: s}]}",
    where="x",
)


class StandIn:
    """A library in memory: counts shared words, so that recipes can run without the real one."""

    made: list[StandIn] = []

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, str]] = {}
        self.embedded = False
        StandIn.made.append(self)

    @classmethod
    def create(cls, path: Path) -> StandIn:
        path.mkdir()
        return cls()

    @classmethod
    def open(cls, path: Path) -> StandIn:
        return cls.made[-1]

    def add(self, paths: list[Path]) -> None:
        for path in paths:
            self.rows.update({str(row["_id"]): row for row in corpus_rows(path)})

    def documents(self) -> Iterator[Document]:
        return iter([Document(id=name) for name in self.rows])

    def __enter__(self) -> StandIn:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def embed(self) -> None:
        self.embedded = True

    def search_many(self, queries: dict[str, str], *, k: int, method: str) -> Run:
        assert self.embedded
        run: Run = {}
        for name, text in queries.items():
            words = set(text.split()) if method != "words" else set(text.split()[:1])
            scores = {
                document: float(len(words & set(f"{row['title']} {row['text']}".split())))
                for document, row in self.rows.items()
            }
            run[name] = {d: s for d, s in sorted(scores.items())[:k] if s}
        return run


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> type[StandIn]:
    module = ModuleType("osler.library")
    module.Library = StandIn  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "osler.library", module)
    StandIn.made = []
    return StandIn


def data_set(folder: Path) -> None:
    folder.mkdir(parents=True)
    rows = [
        {"_id": f"d{i}{j}", "title": topic, "text": f"note {j}", "mesh": ["SECRET"]}
        for i, topic in enumerate(TOPICS)
        for j in range(3)
    ]
    (folder / "corpus.jsonl.gz").write_text("".join(json.dumps(row) + "\n" for row in rows))
    queries = [{"_id": f"q{i}", "text": f"of {topic}"} for i, topic in enumerate(TOPICS)]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in queries))
    qrels = [f"q{i} 0 d{i}{j} {j + 1}\n" for i in range(len(TOPICS)) for j in range(3)]
    (folder / "qrels.tsv").write_text("".join(qrels))


@pytest.mark.parametrize("name", ["nfcorpus", "cystic-fibrosis"])
def test_a_retrieval_recipe_from_data_to_results(
    name: str, tmp_path: Path, stand_in: type[StandIn]
) -> None:
    folder = tmp_path / "data" / name.replace("-", "_")
    data_set(folder)
    out = tmp_path / "out"
    said: list[str] = []
    outcome = run(name, tmp_path / "data", out, progress=said.append)
    assert said
    results = json.loads((out / "results.json").read_text())
    assert results["got"] == outcome.got
    assert results["within"] == outcome.within
    # The numbers are those of the runs on disk.
    qrels = read_qrels(folder / "qrels.tsv")
    for method in ("words", "vectors", "hybrid"):
        again = evaluate(qrels, read_run(out / f"{method}.trec"), ["nDCG@10", "AP"])
        assert outcome.got[f"{method} nDCG@10"] == pytest.approx(again["nDCG@10"])
        assert outcome.got[f"{method} AP"] == pytest.approx(again["AP"])
    # The stand-in's hybrid finds everything, its words find nothing.
    assert outcome.got["words nDCG@10"] == 0
    assert outcome.got["hybrid R@100"] == 1.0
    assert outcome.got["hybrid over words R@100"] == 1.0
    assert 0 < outcome.got["hybrid over words R@100 p"] < 0.01
    assert outcome.got["hybrid over vectors AP p"] == 1.0
    assert not outcome.within
    assert "| hybrid over words | R@100 | +1.0000 |" in (out / "table.md").read_text()
    if name == "cystic-fibrosis":
        assert "SECRET" not in (out / "title_and_abstract.jsonl").read_text()
    # A second run takes the library up and gives the same.
    assert run(name, tmp_path / "data", out).got == outcome.got
    assert len(stand_in.made) == 1


def test_a_library_of_other_documents_is_refused(tmp_path: Path, stand_in: type[StandIn]) -> None:
    data_set(tmp_path / "nfcorpus")
    run("nfcorpus", tmp_path, tmp_path / "out")
    stand_in.made[-1].rows["stranger"] = {"title": "", "text": ""}
    with pytest.raises(InputError, match="does not hold exactly"):
        run("nfcorpus", tmp_path, tmp_path / "out")


def test_a_missing_data_set_names_the_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"there is no folder {tmp_path / 'nfcorpus'}"):
        run("nfcorpus", tmp_path, tmp_path / "out")
    (tmp_path / "nfcorpus").mkdir()
    with pytest.raises(InputError, match=r"needs corpus\.jsonl\.gz: it is not in"):
        run("nfcorpus", tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_output_folder_that_cannot_be_made(tmp_path: Path, stand_in: type[StandIn]) -> None:
    data_set(tmp_path / "nfcorpus")
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        run("nfcorpus", tmp_path, tmp_path / "file")


def test_a_number_outside_or_missing_does_not_hold() -> None:
    good = judge(RECIPE, {"a": 1.1, "b": 2.0}, seconds=1, version="0")
    assert good.within
    outside = judge(RECIPE, {"a": 1.2, "b": 2.0}, seconds=1, version="0")
    assert [check.within for check in outside.checks] == [False, True]
    missing = judge(RECIPE, {"a": 1.0}, seconds=1, version="0")
    assert not missing.within
    assert missing.checks[1].got is None


@pytest.fixture
def app() -> typer.Typer:
    commands = Commands()
    register(commands)
    return commands.joined()


def test_list_and_show(app: typer.Typer) -> None:
    listed = CliRunner().invoke(app, ["recipe", "list"])
    assert listed.exit_code == 0
    assert any(line.startswith("nfcorpus ") for line in listed.stdout.splitlines())
    rows = [
        json.loads(line)
        for line in CliRunner().invoke(app, ["recipe", "list", "--json"]).stdout.splitlines()
    ]
    assert "nfcorpus" in {row["name"] for row in rows}
    shown = CliRunner().invoke(app, ["recipe", "show", "nfcorpus"]).stdout
    for part in ("Steps", "words nDCG@10", "≥ 0.29", "bm25s", "nfcorpus (corpus.jsonl.gz"):
        assert part in shown
    as_json = json.loads(CliRunner().invoke(app, ["recipe", "show", "nfcorpus", "--json"]).stdout)
    assert as_json["steps"] == list(load("nfcorpus").steps)
    wrong = CliRunner().invoke(app, ["recipe", "show", "nope"])
    assert isinstance(wrong.exception, ChoiceError)


def test_run_prints_got_and_expected_and_fails_outside(
    app: typer.Typer, tmp_path: Path, stand_in: type[StandIn]
) -> None:
    data_set(tmp_path / "nfcorpus")
    arguments = ["recipe", "run", "nfcorpus", "--data", str(tmp_path), "--out", str(tmp_path / "o")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["number", "got", "expected", "tolerance", "within"]
    words = next(line for line in lines if line.startswith("words nDCG@10"))
    assert words.split()[2:] == ["0.0000", "≥", "0.29", "NO"]
    hybrid = next(line for line in lines if line.startswith("hybrid nDCG@10"))
    assert hybrid.split()[-1] == "yes"
    assert "NOT all within tolerance" in lines[-1]
    as_json = CliRunner().invoke(app, [*arguments, "--json"])
    assert json.loads(as_json.stdout)["recipe"] == "nfcorpus"


@pytest.mark.skipif(
    os.environ.get("OSLER_RUN_RECIPES") != "1",
    reason="minutes long; asked for by OSLER_RUN_RECIPES=1",
)
@pytest.mark.parametrize("name", ["nfcorpus", "cystic-fibrosis"])
def test_the_real_recipes_meet_their_numbers(name: str, tmp_path: Path) -> None:
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    data = Path(os.environ.get("OSLER_DATA", beside))
    if not data.is_dir():
        pytest.skip("no data sets: set OSLER_DATA")
    assert run(name, data, tmp_path).within
