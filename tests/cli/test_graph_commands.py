"""The commands around graph embeddings and pictures, run as a person runs them."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace

import pytest

from osler.cli.main import main
from osler_papers.recipes.pictured_graph import pictured_graph

pytest.importorskip("torch")
Image = pytest.importorskip("PIL.Image")


def run(*arguments):
    """The command in this process: loading torch anew for each would take seconds."""
    kept = sys.argv
    sys.argv = ["osler", *map(str, arguments)]
    try:
        main()
    except SystemExit as left:
        return left.code
    finally:
        sys.argv = kept


@pytest.fixture
def osler(capsys):
    def command(*arguments, code=0):
        capsys.readouterr()
        left = run(*arguments)
        written = capsys.readouterr()
        assert left == code, written.err
        return SimpleNamespace(stdout=written.out, stderr=written.err)

    return command


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A library with a small graph, and a table of pictures beside it."""
    folder = tmp_path_factory.mktemp("graph")
    triples, images = pictured_graph(folder / "pictures", findings=24, places=4, pictures=3)
    lines = [f"{t.head}\t{t.relation}\t{t.tail}" for t in triples]
    (folder / "triples.tsv").write_text("head\trelation\ttail\n" + "\n".join(lines), "utf-8")
    rows = [f"{id},{path.name}" for id in images for path in images.of(id)]
    Image.new("RGB", (20_000, 2)).save(folder / "pictures" / "wide.png")
    (folder / "pictures" / "no.png").write_text("not a picture")
    rows += ["finding:0001,wide.png", "finding:0001,no.png", "finding:9999,0001-0.png"]
    table = folder / "pictures" / "table.csv"
    table.write_text("entity,file\n" + "\n".join(rows) + "\n", "utf-8")
    assert run("new", folder / "lib") == 0
    assert run("add", folder / "lib", folder / "triples.tsv") == 0
    return folder


def test_pictures_go_in_and_are_shown(osler, made, tmp_path):
    lib = made / "lib"
    done = osler("add-images", lib, made / "pictures", code=3)
    assert "3 rows rejected" in done.stderr
    assert "20,000 by 2 pixels" in done.stderr
    assert "no picture" in done.stderr
    assert "no entity of that name" in done.stderr
    counts = json.loads(osler("graph", lib, "--json").stdout)
    assert counts["relations"] == 4
    assert counts["triples"] == 24 * 5
    assert counts["images"] == 24 * 3 + 11
    assert counts["entities with an image"] == 24 + 11
    assert "with an image" in osler("graph", lib).stdout
    shown = osler("images", lib, "--image-encoder", "plain", "--json").stdout.splitlines()
    assert len(shown) == 35
    for line in shown:
        pictures = json.loads(line)["images"]
        assert sum(one["weight"] for one in pictures) == pytest.approx(1)
    html = tmp_path / "figure3.html"
    osler("images", lib, "--image-encoder", "plain", "--entity", "finding:0001", "--html", html)
    assert html.read_text("utf-8").count("<img") == 3
    # Adding them again changes nothing.
    assert "0 pictures are new" in osler("add-images", lib, made / "pictures", code=3).stderr


def test_plain_add_points_to_the_command_for_pictures(osler, made, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("entity,file\nfinding:0001,0001-0.png\n", "utf-8")
    done = osler("add", made / "lib", other, code=2)
    assert "osler add-images" in done.stderr


def test_train_and_evaluate(osler, made, tmp_path):
    lib = made / "lib"
    quick = ("--dimension", 8, "--epochs", 3, "--batch", 32)
    done = osler("train", "graph", lib, "--method", "transe", "--hold-out", 0.3, *quick)
    assert "written to" in done.stdout
    assert "triples/s" in done.stderr
    found = json.loads(osler("evaluate-graph", lib, "--json").stdout)[0]
    assert found["on"] == "held-out triples"
    assert 0 < found["links"]["mrr"] <= 1
    assert 0 <= found["classification"]["mean"] <= 1
    osler("train", "graph", lib, *quick, "--out", tmp_path / "all")
    flattering = osler("evaluate-graph", lib, tmp_path / "all")
    assert "these numbers flatter" in flattering.stderr
    done = osler(
        "evaluate-graph", lib, "--method", "transh", "--method", "mm-transh", *quick,
        "--images", made / "pictures" / "table.csv", "--image-encoder", "plain",
    )  # fmt: skip
    assert "mm-transh" in done.stdout
    assert "has colour" in done.stdout


def test_an_empty_graph_and_a_missing_model_are_said_in_one_line(osler, tmp_path):
    osler("new", tmp_path / "lib")
    # A library without a model is something to train, not a wrong input.
    for *command, code in (
        ("train", "graph", 2),
        ("graph", 2),
        ("images", 2),
        ("evaluate-graph", 1),
    ):
        done = osler(*command, tmp_path / "lib", code=code)
        assert len(done.stderr.strip().splitlines()) == 1
        assert "graph is empty" in done.stderr or "no model" in done.stderr
