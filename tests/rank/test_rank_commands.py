"""The commands, end to end, on a small library of our own."""

import json

import pytest
from typer.testing import CliRunner

from osler.cli.main import build
from osler.errors import InputError, MissingModel, UnknownId
from osler.library import Library


@pytest.fixture(scope="module")
def place(tmp_path_factory, world, abstracts):
    folder = tmp_path_factory.mktemp("rank")
    pool, targets, topics = world
    with Library.create(folder / "lib") as library:
        library.add_documents(pool.documents)
    chosen = {a.document.id: a.chosen[0] for a in abstracts}
    rows = ["document\tlabel\ttopic\tsentence"]
    for id, target in zip(pool.ids, targets, strict=True):
        if id in chosen:
            rows.append(f"{id}\t1\t{topics[target].id}\t{chosen[id]}")
    (folder / "labels.tsv").write_text("\n".join(rows) + "\n")
    marks = [f"{id}\t{int(target == 2)}" for id, target in zip(pool.ids, targets, strict=True)]
    (folder / "marks.tsv").write_text("document\tlabel\n" + "\n".join(marks[::2]) + "\n")
    return folder


def osler(*arguments):
    result = CliRunner().invoke(build(), [str(a) for a in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_rank_gives_json_lines_and_says_how_far_the_review_is(place):
    found = osler(
        "rank", place / "lib", "Loss", "--examples", place / "marks.tsv", "-k", 4, "--json"
    )
    hits = [json.loads(line) for line in found.stdout.splitlines()]
    assert [hit["id"][0] for hit in hits] == ["2"] * 4
    assert "read 24 of 48. Found 6. " in found.stderr
    assert "Go on reading (p " in found.stderr
    assert "in the test of a recall below 95 %)" in found.stderr
    assert "scores of elas are an order" in found.stderr


def test_rank_shows_a_table(place):
    found = osler("rank", place / "lib", "fear", "-k", 2)
    assert "1-" in found.stdout
    assert "no sentence is relevant" in found.stdout or "fear" in found.stdout


def test_rank_writes_a_run(place, tmp_path):
    osler(
        *("rank", place / "lib", "Loss of a person", "--examples", place / "marks.tsv"),
        *("--run", tmp_path / "r.trec"),
    )
    lines = (tmp_path / "r.trec").read_text().splitlines()
    assert len(lines) == 48
    assert lines[0].startswith("Loss_of_a_person Q0 2-")


def test_sentences(place):
    found = osler("sentences", place / "lib", "Fear", "1-00", "3-00", "--json")
    first, second = (json.loads(line) for line in found.stdout.splitlines())
    assert first["id"] == "1-00"
    assert second["sentence"] is None
    found = osler(
        *("sentences", place / "lib", "Fear", "1-09", "--examples", place / "labels.tsv"), "--json"
    )
    assert json.loads(found.stdout)["sentence"].startswith("Our results suggest")
    with pytest.raises(UnknownId):
        osler("sentences", place / "lib", "Fear", "nowhere")


def test_train_predict_and_rank_with_the_model(place, tmp_path):
    found = osler("train", "rank", place / "lib", place / "labels.tsv", "--out", tmp_path / "m")
    assert "mean average precision" in found.stderr
    assert "sentences: accuracy" in found.stderr
    assert "data" in (tmp_path / "m" / "papers" / "card.md").read_text()
    (tmp_path / "ids.txt").write_text("2-10\n0-10\n")
    osler(
        *("predict", "rank", place / "lib", tmp_path / "ids.txt", "--model", tmp_path / "m"),
        *("-o", tmp_path / "p.tsv"),
    )
    rows = [line.split("\t") for line in (tmp_path / "p.tsv").read_text().splitlines()]
    assert rows[0] == ["document", "topic", "probability", "sentence"]
    assert [row[0] for row in rows[1:]] == ["2-10"] * 3 + ["0-10"] * 3
    best = max(rows[1:4], key=lambda row: float(row[2]))
    assert best[1] == "Loss"
    found = osler("rank", place / "lib", "loss", "--model", tmp_path / "m", "-k", 3, "--json")
    hits = [json.loads(line) for line in found.stdout.splitlines()]
    assert [hit["id"][0] for hit in hits] == ["2"] * 3


def test_bad_input_of_the_commands(place, tmp_path):
    with pytest.raises(InputError, match="no file"):
        osler("rank", place / "lib", "x", "--examples", tmp_path / "none.tsv")
    (tmp_path / "ids.txt").write_text("\n")
    with pytest.raises(InputError, match="names no document"):
        osler("predict", "rank", place / "lib", tmp_path / "ids.txt", "-o", tmp_path / "p.tsv")
    (tmp_path / "ids.txt").write_text("0-00\n")
    with pytest.raises(MissingModel):
        osler("predict", "rank", place / "lib", tmp_path / "ids.txt", "-o", tmp_path / "p.tsv")
    with pytest.raises(InputError, match="--topic"):
        osler("train", "rank", place / "lib", place / "marks.tsv", "--out", tmp_path / "m")


def test_the_library_ranks_from_python(make_library):
    from osler.rank import Label

    library = make_library()
    library.embed()
    found = library.rank("asthma", [Label("2", True), Label("1", False)], k=3)
    assert found.hits[0].id == "3"
    assert {hit.id for hit in found}.isdisjoint({"1", "2"})


@pytest.fixture(scope="module")
def odd(tmp_path_factory, world):
    """A library with papers that are hardly papers, and a folder for labels."""
    from osler.kinds import Document, Section

    folder = tmp_path_factory.mktemp("odd")
    pool, _, _ = world
    many = " ".join(f"Line {n} tells how the mice of cage {n} slept." for n in range(10_000))
    with Library.create(folder / "lib") as library:
        library.add_documents(pool.documents)
        library.add_documents(
            [
                Document(id="one", title="Sleep", sections=(Section("Sleep wakefulness."),)),
                Document(id="empty", title="Sleep wakefulness and no abstract"),
                Document(id="bare", title=""),
                Document(id="huge", title="A book on sleep", sections=(Section(many),)),
            ]
        )
    return folder


def labels(folder, *rows):
    path = folder / "labels.tsv"
    lines = ["document\tlabel\ttopic\tsentence", *("\t".join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_one_labelled_paper_ranks_and_says_what_its_scores_are_worth(odd, tmp_path):
    path = labels(tmp_path, ("2-00", "1"))
    found = osler("rank", odd / "lib", "Loss", "--examples", path, "-k", 3, "--json")
    hits = [json.loads(line) for line in found.stdout.splitlines()]
    assert [hit["id"][0] for hit in hits] == ["2"] * 3
    assert "drawn as not relevant" in found.stderr
    assert "too few labelled papers to calibrate" in found.stderr
    found = osler("train", "rank", odd / "lib", path, "--topic", "Loss", "--out", tmp_path / "m")
    assert "is written" in found.stderr


def test_labels_of_unknown_papers(odd, tmp_path):
    path = labels(tmp_path, ("gone", "1"), ("lost", "0"))
    for command in (
        ("rank", odd / "lib", "Loss", "--examples", path),
        ("train", "rank", odd / "lib", path, "--topic", "Loss"),
    ):
        with pytest.raises(InputError, match="none of the 2 labelled papers is in the library"):
            osler(*command)
    path = labels(tmp_path, ("2-00", "1"), ("gone", "1"))
    found = osler("rank", odd / "lib", "Loss", "--examples", path, "-k", 1)
    assert "1 labelled papers are not in the library: gone" in found.stderr


def test_a_topic_without_positives(odd, tmp_path):
    path = labels(tmp_path, ("0-00", "0"), ("1-00", "1", "Fear"))
    found = osler("rank", odd / "lib", "Loss", "--examples", path, "-k", 2, "--json")
    assert "no relevant paper is marked: ranked by the topic's words alone" in found.stderr
    assert "drawn" not in found.stderr
    assert [json.loads(line)["id"][0] for line in found.stdout.splitlines()] == ["2", "2"]
    with pytest.raises(InputError, match="'Loss' has no relevant paper among the labels"):
        osler("train", "rank", odd / "lib", path, "--topic", "Loss", "--out", tmp_path / "m")


@pytest.mark.parametrize("method", ["hybrid", "bm25-extra"])
def test_papers_of_one_sentence_of_none_and_of_ten_thousand(odd, tmp_path, method):
    path = labels(
        tmp_path,
        ("one", "1", "", "Sleep wakefulness."),
        ("empty", "1"),
        ("0-00", "1", "", "Ethical approval was granted."),
        ("3-00", "0"),
    )
    found = osler(
        *("sentences", odd / "lib", "Sleep wakefulness", "one", "empty", "bare", "huge"),
        *("--examples", path, "--method", method, "--json"),
    )
    one, empty, bare, huge = (json.loads(line) for line in found.stdout.splitlines())
    assert one["sentence"] == "Sleep wakefulness."
    assert empty["sentence"] is bare["sentence"] is None
    assert huge["sentence"] is None or "slept" in huge["sentence"]


def test_only_a_book_was_marked(odd, tmp_path):
    path = labels(tmp_path, ("huge", "1", "", "Line 5 tells how the mice of cage 5 slept."))
    with pytest.raises(InputError, match="more than 5000 sentences"):
        osler(*("sentences", odd / "lib", "Sleep", "one", "--examples", path, "--method", "hybrid"))
