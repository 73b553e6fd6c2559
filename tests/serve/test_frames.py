"""Every view has something on the screen at once: its frame, then the rest, in one page."""

from __future__ import annotations

import asyncio

import pytest

from osler.serve import page
from osler.serve.desk import Desk

VIEWS = [
    ("/", "or begin with what you have"),
    ("/papers", "Build a query"),
    ("/papers/builder?o=AND&f=tiab&t=asthma", "tiab:asthma"),
    ("/facts", "What do papers say to a fact?"),
    ("/facts/decided", "Facts that were decided on"),
    ("/facts/relevance", "relevance"),
    ("/review", "Review"),
    ("/duplicates", "Probably the same paper"),
]


@pytest.fixture
def late(monkeypatch):
    """A desk that takes its time, and a page that does not wait for it."""
    run = Desk.run

    async def slowly(self, work, **options):
        await asyncio.sleep(0.1)
        return await run(self, work, **options)

    monkeypatch.setattr(page, "WAIT", 0.01)
    monkeypatch.setattr(Desk, "run", slowly)


@pytest.mark.parametrize(("path", "content"), VIEWS)
def test_the_menu_comes_before_what_takes_time(client, late, path, content):
    text = client.get(path).text
    before, waiting, after = text.partition(page.WAITING)
    assert waiting
    assert 'aria-label="Views"' in before
    assert content.lower() in after.lower()
    assert text.count("<main") == 1
    assert text.count("</html>") == 1
    assert text.count("<h1") == 1


def test_the_interface_is_too_long_to_wait_for(client):
    text = client.get("/docs").text
    before, waiting, after = text.partition(page.WAITING)
    assert waiting
    assert "<title>REST interface" in before
    assert "<h1>REST interface</h1>" in after
    assert after.rstrip().endswith("</html>")


def test_a_page_that_is_ready_is_sent_whole(client):
    assert page.WAITING not in client.get("/papers").text


def test_a_view_inside_a_frame_streams_on(client, late):
    """Facts must know the relations before its form, and the papers behind it."""
    text = client.get("/facts?head=melatonin&relation=treats&tail=insomnia").text
    frame, *views = text.split(page.WAITING)
    assert 'id="head"' not in frame
    assert 'id="head"' in views[0]
    assert text.count('id="head"') == 1
    assert text.count("<main") == 1


def test_a_problem_is_told_in_the_frame(client, late):
    text = client.get("/review/nothing").text
    assert "nothing" in text.partition(page.WAITING)[2]
    assert text.rstrip().endswith("</html>")


def test_what_fails_behind_the_frame_ends_the_page(client, late, monkeypatch, caplog):
    from osler.serve.views import duplicates as view

    def broken(*_):
        raise RuntimeError("can" + "ary")

    monkeypatch.setattr(view, "duplicates", broken)
    text = client.get("/duplicates").text
    assert "Something went wrong in the server" in text
    assert text.rstrip().endswith("</html>")
    assert "RuntimeError" in caplog.text
    assert "canary" not in caplog.text


def test_styles_come_out_of_memory_and_are_kept(client):
    answer = client.get(page.asset("osler.css"))
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/css")
    assert "max-age" in answer.headers["cache-control"]
    again = client.get("/static/osler.css", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    assert not again.content
    other = client.get("/static/osler.css", headers={"If-None-Match": '"other"'})
    assert other.status_code == 200
    script = client.get("/static/osler.js").headers["content-type"]
    assert script.startswith("text/javascript")
    assert client.get("/static/nothing.css").status_code == 404
    assert client.get("/static/../page.py").status_code == 404
    assert client.head("/static/osler.css").status_code == 200


def test_steps_are_done_ahead_one_after_the_other(served_library, monkeypatch):
    """A step that fails keeps nothing back, and a visitor's work comes between two."""
    import threading

    from osler.serve import warming
    from samples import TrigramEncoder

    order: list[str] = []
    begun, go, over = threading.Event(), threading.Event(), threading.Event()

    def first(reader):
        begun.set()
        go.wait(10)
        order.append("first")

    def broken(reader):
        order.append("broken")
        raise RuntimeError

    def last(reader):
        order.append("last")
        over.set()

    monkeypatch.setattr(warming, "STEPS", (first, broken, last))
    desk = Desk(served_library, encoder=TrigramEncoder())
    try:
        desk.warm()
        assert begun.wait(10)
        visitor = desk._lanes["think"].submit(order.append, "visitor")
        go.set()
        visitor.result(10)
        assert over.wait(10)
    finally:
        desk.close()
    assert order == ["first", "visitor", "broken", "last"]


def test_each_step_runs_over_a_library(served_library):
    from osler.serve.reader import Reader, Shared
    from osler.serve.warming import STEPS, look
    from samples import TrigramEncoder

    shared = Shared(served_library, TrigramEncoder())
    with Reader.of(shared) as reader:
        for step in (look, *STEPS):
            step(reader)
    shared.close()
