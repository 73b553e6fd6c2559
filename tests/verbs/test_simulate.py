"""Reviews screened again: from tables, from a library, at the command line; recall fitted anew."""

import csv
import json

import pytest
from typer.testing import CliRunner

import osler
from osler.cli.main import build
from osler.errors import FormatError, InputError
from osler.rank.labels import Label
from osler.verbs.simulate import fit, read_recall, write_recall
from samples import paper

WORDS = ("statins muscle pain", "inhaler asthma child")


def review(tmp_path, name="toy", relevant=6, others=24):
    path = tmp_path / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(("title", "abstract", "included"))
        for number in range(relevant + others):
            yes = number % 5 == 0 and number < 5 * relevant
            table.writerow((f"{WORDS[0 if yes else 1]} {number}", "in adults", int(yes)))
    return path


def test_tables_in_python(tmp_path):
    (one,) = osler.simulate(review(tmp_path), seeds=2)
    assert one.name == "toy"
    assert [run.seed for run, _ in one.runs] == [0, 1]
    assert len(one.runs[0][1]) == 29  # every paper from the second to the thirtieth
    assert one.mean["wss95"] == pytest.approx(sum(row["wss95"] for row in one.summaries) / 2)
    assert one.mean["rrf10"] > 0.3  # a random order finds a tenth of them


def test_a_library_gives_what_its_table_gives(tmp_path, make_library):
    path = review(tmp_path)
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    documents = [paper(f"p{at:02}", row["title"], row["abstract"]) for at, row in enumerate(rows)]
    labels = [Label(f"p{at:02}", row["included"] == "1") for at, row in enumerate(rows)]
    library = make_library(documents)
    from_library = library.simulate([*labels, Label("gone", False)], seeds=1)
    (from_table,) = osler.simulate(path, seeds=1)
    assert from_library.runs[0][0] == from_table.runs[0][0]
    with pytest.raises(InputError, match="both kinds"):
        library.simulate([Label("p01", False)])
    with pytest.raises(InputError, match="2 topics"):
        library.simulate([Label("p01", False, "a"), Label("p00", True, "b")])


def test_the_command_leaves_what_anybody_can_check(tmp_path):
    path = review(tmp_path)
    out = tmp_path / "out"
    words = ["simulate", "--csv", str(path), "--seeds", "2", "--out", str(out), "--json"]
    answer = CliRunner().invoke(build(), words)
    assert answer.exit_code == 0, answer.output
    printed = [json.loads(line) for line in answer.stdout.splitlines()]
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert [row["wss95"] for row in printed] == list(summary["wss95"].values())
    assert (out / "curve.svg").read_text(encoding="utf-8").startswith("<svg")
    with (out / "steps.tsv").open(encoding="utf-8") as file:
        steps = list(csv.DictReader(file, delimiter="\t"))
    assert len(steps) == 58
    assert steps[-1]["found"] == "6"


def test_recall_is_fitted_anew_and_used(tmp_path):
    paths = [review(tmp_path, f"r{n}", 5 + n, 25 + 3 * n) for n in range(3)]
    place = tmp_path / "recall.json"
    words = ["simulate", "--seeds", "1", "--fit", str(place), "--out", str(tmp_path / "out")]
    for path in paths:
        words += ["--csv", str(path)]
    answer = CliRunner().invoke(build(), words)
    assert answer.exit_code == 0, answer.output
    model = read_recall(place)
    assert model.data == ["r0", "r1", "r2"]
    assert (tmp_path / "out" / "r1" / "steps.tsv").exists()
    (own,) = osler.simulate(paths[0], seeds=1, recall=model)
    (shipped,) = osler.simulate(paths[0], seeds=1)
    assert [step.low for step in own.runs[0][1]] != [step.low for step in shipped.runs[0][1]]
    with pytest.raises(InputError, match="three finished reviews"):
        fit([own])
    with pytest.raises(InputError, match="one name"):
        fit([own, own, own])
    write_recall(place, model)
    assert read_recall(place) == model
    place.write_text("[]")
    with pytest.raises(FormatError, match="no model of recall"):
        read_recall(place)


def test_nothing_to_screen():
    answer = CliRunner().invoke(build(), ["simulate"])
    assert answer.exit_code != 0


def test_one_relevant_paper_leaves_nothing_to_find(tmp_path):
    with pytest.raises(InputError, match="toy has one relevant paper"):
        osler.simulate(review(tmp_path, relevant=1))


def test_the_command_says_what_takes_no_part(tmp_path):
    path = review(tmp_path)
    with path.open("a", encoding="utf-8") as file:
        file.write("Late,,maybe\r\nOpen,,\r\n,,0\r\nshort\r\n")
    answer = CliRunner().invoke(build(), ["simulate", "--csv", str(path), "--seeds", "1"])
    assert answer.exit_code == 0, answer.output
    assert "toy: 2 without a decision left out" in answer.output
    assert "toy: 1 rows that are none of the table's left out" in answer.output
    assert "toy: 1 with neither title nor abstract" in answer.output
    assert "stopping rule, 1 run of elas" in answer.output
