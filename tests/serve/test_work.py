"""Long work on the page: files by path and by upload, rejects, undo, stop, the first run."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from osler import Library
from osler.serve.app import create_app
from osler.serve.jobs import Jobs
from osler.store.lock import is_held
from samples import TrigramEncoder

RIS = (
    "TY  - JOUR\nTI  - Melatonin helps sleep\nID  - r1\nPY  - 2020\nER  - \n"
    "TY  - JOUR\nTI  - Statins and muscle pain\nID  - r2\nPY  - 2021\nER  - \n"
)


@pytest.fixture
def app(tmp_path):
    Library.create(tmp_path / "new").close()
    return create_app(tmp_path / "new", encoder=TrigramEncoder())  # type: ignore[arg-type]


@pytest.fixture
def door(app) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as made:
        yield made


def ended(door: TestClient, place: str) -> str:
    for _ in range(200):
        text = door.get(place).text
        if "data-busy" not in text:
            return text
        time.sleep(0.05)
    raise AssertionError("the job does not end")


def test_the_first_run_leads(door):
    text = door.get("/").text
    for words in ("Add papers", "Add a terminology", "Try a search", 'action="/library/add"'):
        assert words in text


def test_files_by_path_with_undo_and_again(door, tmp_path):
    (tmp_path / "two.ris").write_text(RIS)
    sent = door.post("/library/add", data={"paths": f"{tmp_path}/two.ris\n"})
    assert sent.status_code == 303
    place = sent.headers["location"]
    text = ended(door, place)
    assert "<b>Done</b>" in text
    assert "2 papers are new" in text
    assert "Melatonin helps sleep" in door.get("/papers?q=melatonin").text
    # After a reload it is still there, and in the list.
    assert place in door.get("/library").text
    undone = ended(door, door.post(f"{place}/undo").headers["location"])
    assert "2 papers were taken out" in undone
    assert "It was taken back" in door.get(place).text
    assert door.post(f"{place}/undo").status_code == 400
    # The ledger knows the file: it is read again only when asked.
    known = door.post("/library/add", data={"paths": f"{tmp_path}/two.ris"}).headers["location"]
    assert "was read before" in ended(door, known)
    back = ended(door, door.post(f"{known}/again").headers["location"])
    assert "<b>Done</b>" in back
    with Library.open(tmp_path / "new") as library:
        assert len(library) == 2


def test_a_file_in_pieces(door, tmp_path):
    body = RIS.encode()
    at = {"name": "../../up.ris", "at": 0}
    first = door.post("/library/upload", params=at, content=body[:40]).json()
    assert "job" not in first
    rest = {"name": "up.ris", "at": 40, "handle": first["handle"], "last": "1"}
    job = door.post("/library/upload", params=rest, content=body[40:]).json()["job"]
    assert "2 papers are new" in ended(door, job)
    assert list((tmp_path / "new" / "incoming").iterdir()) == []
    assert not (tmp_path / "up.ris").exists()


@pytest.mark.parametrize(
    "given",
    [
        {"name": "", "at": 0},
        {"name": ".hidden", "at": 0},
        {"name": "a.ris", "at": "x"},
        {"name": "a.ris", "at": 0, "handle": "../.."},
        {"name": "a.ris", "at": 0, "handle": "0" * 16},
        {"name": "a.ris", "at": 7},
    ],
)
def test_pieces_that_do_not_fit_are_refused(door, given):
    assert door.post("/library/upload", params=given, content=b"x").status_code == 400


@pytest.mark.parametrize("paths", ["", "two.ris", "/nothing/there.ris"])
def test_paths_that_lead_nowhere_are_told(door, paths):
    assert door.post("/library/add", data={"paths": paths}).status_code == 400


def test_what_cannot_be_read_is_told_with_its_reason(door, tmp_path):
    lines = '{"_id": "1", "title": "A title", "text": "It helps."}\n{broken\n'
    (tmp_path / "bad.jsonl").write_text(lines)
    text = ended(
        door,
        door.post("/library/add", data={"paths": f"{tmp_path}/bad.jsonl"}).headers["location"],
    )
    assert "could not be read" in text
    assert "<td>line 2</td>" in text
    (tmp_path / "what.bin").write_bytes(b"\x00\x01\x02")
    text = ended(
        door,
        door.post("/library/add", data={"paths": f"{tmp_path}/what.bin"}).headers["location"],
    )
    assert "<b>Not done</b>" in text
    assert 'class="problem"' in text


def test_with_a_token_no_file_of_this_machine_is_read(tmp_path):
    Library.create(tmp_path / "new").close()
    app = create_app(tmp_path / "new", encoder=TrigramEncoder(), token="t" * 20)  # type: ignore[arg-type]
    with TestClient(app, base_url="http://127.0.0.1") as opened:
        opened.headers["authorization"] = f"Bearer {'t' * 20}"
        assert opened.post("/library/add", data={"paths": "/etc/hosts"}).status_code == 400
        assert 'action="/library/add"' not in opened.get("/").text
        assert 'action="/library/add"' not in opened.get("/library").text


def test_a_job_can_be_stopped_and_what_waits_too(app, door):
    jobs: Jobs = app.state.jobs
    begun, go_on = threading.Event(), threading.Event()

    def slow(library, job):
        for number in range(1000):
            begun.set()
            go_on.wait(0.02)
            job.step("counting", number, 1000)

    first = jobs.start(jobs.new("add", "Slow work"), slow)
    second = jobs.start(jobs.new("add", "Behind it"), slow)
    assert begun.wait(5)
    text = door.get(f"/library/jobs/{first.number}")
    assert "<b>Running</b>" in text.text
    assert text.headers["refresh"] == "2"
    part = door.get(f"/library/jobs/{first.number}", headers={"X-Part": "results"})
    assert "<html" not in part.text
    assert "refresh" not in part.headers
    door.post(f"/library/jobs/{second.number}/stop")
    door.post(f"/library/jobs/{first.number}/stop")
    for job in (first, second):
        assert "<b>Stopped</b>" in ended(door, f"/library/jobs/{job.number}")
    assert second.done == 0
    assert door.get("/library/jobs/999").status_code == 404


def test_an_unforeseen_error_quotes_nothing(app, door, caplog):
    jobs: Jobs = app.state.jobs

    def broken(library, job):
        raise RuntimeError(f"about {' '.join(['Ann', 'Lee'])}")

    job = jobs.start(jobs.new("add", "Broken"), broken)
    assert "something went wrong" in ended(door, f"/library/jobs/{job.number}").lower()
    assert "Ann Lee" not in caplog.text


def test_vectors_are_told_stopped_running_and_done(app, door, tmp_path):
    (tmp_path / "two.ris").write_text(RIS)
    ended(
        door, door.post("/library/add", data={"paths": f"{tmp_path}/two.ris"}).headers["location"]
    )
    assert "<b>stopped</b>" in door.get("/library").text
    lock = os.open(tmp_path / "new" / "embed.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    assert "running in another program" in door.get("/library").text
    os.close(lock)
    assert not is_held(tmp_path / "new" / "embed.lock")
    assert "<b>Done</b>" in ended(door, door.post("/library/embed").headers["location"])
    time.sleep(1.1)
    assert "<b>all made</b>" in door.get("/library").text


def test_the_library_is_given_a_name(door):
    assert door.post("/library/name", data={"name": " Asthma  reviews "}).status_code == 303
    assert "<b>Asthma reviews</b>" in door.get("/papers").text
    for wrong in ("", "x" * 81, "a\x07b"):
        assert door.post("/library/name", data={"name": wrong}).status_code == 400
