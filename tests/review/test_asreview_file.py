"""ASReview's project files: written, read, gone on with, and hostile ones refused."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import zipfile

import pytest

from osler.errors import FormatError, LimitError
from osler.files.archive import is_archive, opened
from osler.files.source import Source
from osler.library import Library
from osler.review.formats import asreview_file
from osler.verbs.simulate import read_review
from samples import paper

PAPERS = [
    paper(f"p{n}", f"Statins and muscle pain: trial {n}", f"Pain fell by {n} %.", ids={})
    for n in range(6)
]


@pytest.fixture
def library(tmp_path):
    with Library.create(tmp_path / "lib") as library:
        library.add_documents(PAPERS)
        projects = library.projects
        projects.new("r", reasons=["wrong drug"])
        projects.search("r", "statins")
        projects.decide("r", "p0", "include", reviewer="ann", note="good", tags=["key"])
        projects.decide("r", "p1", "exclude", reviewer="ann", reason="wrong drug")
        projects.decide("r", "p2", "maybe", reviewer="ann")
        yield library


def project_file(tmp_path, library):
    path = tmp_path / "r.asreview"
    path.write_bytes(library.projects.export("r", "asreview-project"))
    return path


def database(path, member="results.db"):
    base = sqlite3.connect(":memory:")
    with zipfile.ZipFile(path) as archive:
        base.deserialize(archive.read(member))
    return base


def repacked(path, changes, without=()):
    """The archive with some members changed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members = {name: body for name, body in members.items() if name not in without} | changes
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return path


def test_what_asreview_needs_is_there(tmp_path, library):
    path = project_file(tmp_path, library)
    with zipfile.ZipFile(path) as archive:
        config = json.loads(archive.read("project.json"))
        assert {"project.json", "feature_matrices/", "data/osler.csv"} <= set(archive.namelist())
        table = list(csv.DictReader(io.StringIO(archive.read("data/osler.csv").decode())))
        assert json.loads(archive.read("tags.json")) == config["tags"]
    assert (config["mode"], config["project_file_version"]) == ("oracle", 3)
    assert config["review"]["model"]["name"] == "elas_u4"
    base = database(path)
    assert base.execute("PRAGMA user_version").fetchone() == (3,)
    labels = base.execute("SELECT record_id, label, note FROM results ORDER BY 1").fetchall()
    titles = [row["title"] for row in table]
    assert [(titles[row], label, note) for row, label, note in labels] == [
        (PAPERS[0].title, 1, "good"),
        (PAPERS[1].title, 0, None),
    ]
    assert base.execute("SELECT count(*) FROM last_ranking").fetchone() == (6,)
    assert base.execute("SELECT count(*) FROM record WHERE group_id = record_id").fetchone() == (6,)
    tags = base.execute("SELECT tags FROM results WHERE label = 1").fetchone()[0]
    assert json.loads(tags)[0]["values"] == [
        {"id": 0, "label": "key", "export": "key", "checked": True}
    ]
    # Equal projects are equal files.
    assert path.read_bytes() == library.projects.export("r", "asreview-project")


def test_what_was_decided_in_asreview_comes_back(tmp_path, library):
    path = project_file(tmp_path, library)
    base = database(path)
    rows = dict(base.execute("SELECT title, record_id FROM record"))
    base.execute("UPDATE results SET label = 1 WHERE record_id = ?", (rows[PAPERS[1].title],))
    ticked = json.dumps([{"values": [{"label": "new", "checked": True}, {"label": "no"}]}])
    base.execute(
        "INSERT INTO results (record_id, label, time, note, tags) VALUES (?, 0, ?, ?, ?)",
        (rows[PAPERS[4].title], 1_700_000_000.5, "too old", ticked),
    )
    base.commit()
    came = library.projects.import_file("r", repacked(path, {"results.db": base.serialize()}))
    assert (came.records, came.returned, came.decisions) == (6, 6, 2)
    words = library.projects.get("r").decisions["abstract"]
    assert words["p1"]["asreview"].verdict == "include"
    assert words["p1"]["ann"].reason == "wrong drug"
    assert words["p2"]["ann"].verdict == "maybe"
    late = words["p4"]["asreview"]
    assert (late.verdict, late.note, late.tags) == ("exclude", "too old", ("new",))
    assert late.at == "2023-11-14T22:13:20+00:00"
    # Once more changes nothing.
    assert library.projects.import_file("r", path).decisions == 0


def second_version(path):
    """A file as ASReview 2 keeps it: papers and results in two databases, no version told."""
    store, results = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    store.execute(
        "CREATE TABLE record (record_id INTEGER, dataset_row INTEGER, dataset_id TEXT, title TEXT,"
        " abstract TEXT, authors JSON, keywords JSON, year INTEGER, doi TEXT, included INTEGER)"
    )
    for n in range(4):
        row = (n, n, "old.ris", f"Title {n}", "A text", '["Doe, J", "Roe, R"]', "[]", 2001, None)
        store.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, n % 2))
    results.execute("CREATE TABLE results (record_id INTEGER, label INTEGER, time FLOAT)")
    results.execute("INSERT INTO results VALUES (0, 1, 1700000000)")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.json", json.dumps({"version": "2.2", "mode": "simulate"}))
        archive.writestr("data_store.db", store.serialize())
        archive.writestr("reviews/ab12/results.db", results.serialize())
    return path


def test_files_of_version_two(tmp_path, library):
    path = second_version(tmp_path / "old.asreview")
    rows = asreview_file.read_rows(Source(path))
    assert [row["title"] for row in rows] == [f"Title {n}" for n in range(4)]
    assert rows[0]["authors"] == "Doe, J; Roe, R"
    library.projects.new("old")
    came = library.projects.import_file("old", path)
    assert (came.papers, came.decisions) == (4, 4)
    project = library.projects.get("old")
    said = [project.words_on("abstract", id) for id in project.papers]
    # What was decided stands before the label that the data set came with.
    verdicts = [next(iter(words.values())).verdict for words in said]
    assert verdicts == ["include", "include", "exclude", "include"]
    # For a simulation all papers with a decision count.
    review = read_review(path)
    assert review.name == "old"
    assert review.relevant == [True, True, False, True]
    assert review.texts[0] == "Title 0 A text"


def test_a_simulated_run_is_written_in_the_order_of_reading(tmp_path):
    path = tmp_path / "run.asreview"
    texts, relevant = ["one", "two", "three"], [False, True, False]
    path.write_bytes(asreview_file.write_run("name", texts, relevant, (1, 2, 0)))
    base = database(path)
    assert base.execute("SELECT record_id, label FROM results ORDER BY time").fetchall() == [
        (1, 1),
        (2, 0),
        (0, 0),
    ]
    again = read_review(path)
    assert (again.texts, again.relevant) == (texts, relevant)
    with zipfile.ZipFile(path) as archive:
        config = json.loads(archive.read("project.json"))
    assert (config["mode"], config["review"]["status"]) == ("simulate", "finished")


def test_archives_that_are_none_of_asreview(tmp_path, library):
    projects = library.projects
    path = tmp_path / "x.asreview"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    with pytest.raises(FormatError, match="no project of ASReview"):
        projects.import_file("r", path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.json", "{}")
    with pytest.raises(FormatError, match="older version"):
        projects.import_file("r", path)
    whole = library.projects.export("r", "asreview-project")
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match="no whole archive"):
        projects.import_file("r", path)
    path.write_bytes(whole)
    with pytest.raises(FormatError, match=r"results\.db cannot be read"):
        projects.import_file("r", repacked(path, {"results.db": b"SQLite format 3\0" + b"x" * 99}))
    assert not is_archive(Source(tmp_path))


def test_a_view_in_the_place_of_a_table_is_not_run(tmp_path, library):
    path = project_file(tmp_path, library)
    base = database(path)
    base.executescript("ALTER TABLE results RENAME TO r2; CREATE VIEW results AS SELECT * FROM r2;")
    with pytest.raises(FormatError, match="no table of results"):
        library.projects.import_file("r", repacked(path, {"results.db": base.serialize()}))


def test_a_query_runs_for_a_bounded_time(tmp_path, library, monkeypatch):
    path = project_file(tmp_path, library)
    base = database(path)
    base.execute("DELETE FROM last_ranking")
    base.executemany("INSERT INTO results (record_id) VALUES (?)", [(n,) for n in range(10, 9_000)])
    base.commit()
    path = repacked(path, {"results.db": base.serialize()})
    assert len(asreview_file.read_rows(Source(path))) == 6
    monkeypatch.setattr(asreview_file, "MOST_STEPS", 100)
    monkeypatch.setattr(asreview_file, "_STEPS_AT_ONCE", 1_000)
    with pytest.raises(FormatError, match="cannot be read"):
        asreview_file.read_rows(Source(path))


def test_an_archive_is_read_with_bounds(tmp_path, library, monkeypatch):
    path = project_file(tmp_path, library)
    monkeypatch.setattr("osler.files.archive.RATIO_FROM", 1_000)
    monkeypatch.setenv("OSLER_MAX_RATIO", "1")
    with pytest.raises(LimitError, match="unpacks to more"):
        library.projects.import_file("r", path)
    monkeypatch.setattr("osler.files.archive.MOST_MEMBERS", 2)
    with pytest.raises(LimitError, match="more than 2 files"), opened(Source(path)):
        pass


def test_a_damaged_member(tmp_path, library):
    path = project_file(tmp_path, library)
    body = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        at = archive.getinfo("results.db").header_offset + 60
    body[at : at + 40] = b"\xff" * 40
    path.write_bytes(body)
    with pytest.raises(FormatError, match="is damaged"):
        library.projects.import_file("r", path)


def test_names_in_an_archive_become_no_paths(tmp_path, library):
    path = project_file(tmp_path, library)
    base = database(path)
    base.execute("UPDATE record SET dataset_id = '../../outside.csv'")
    base.commit()
    changes = {"results.db": base.serialize(), "data/../../outside.csv": b"title\nx\n"}
    rows = asreview_file.read_rows(Source(repacked(path, changes)))
    assert len(rows) == 6
    assert not list(tmp_path.rglob("outside.csv"))


def test_the_model_in_the_file_is_the_desks_own():
    from osler.rank.desk import screener, tfidf

    model = asreview_file._MODEL["current_value"]
    assert model["classifier_param"] == {"loss": "squared_hinge", "C": screener.COST}
    assert model["balancer_param"] == {"ratio": screener.RATIO}
    features = model["feature_extractor_param"]
    assert features["max_df"] == tfidf.MAX_DF
    matrix, names = tfidf.tfidf(["pain", "pain pain sleep", "mice"])
    # Pairs count, one paper is enough, and a second mention counts less than the first.
    assert "pain sleep" in names
    assert (features["ngram_range"], features["min_df"]) == ([1, 2], 1)
    assert features["sublinear_tf"] is True
    twice = dict(zip([names[c] for c in matrix[1].indices], matrix[1].data, strict=True))
    assert 1 < twice["pain"] / twice["sleep"] < 2
