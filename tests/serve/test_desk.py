"""The desk: limits count while a request waits, and a thread that is stuck holds nobody up."""

from __future__ import annotations

import asyncio
import threading

import pytest

from osler import Library
from osler.serve.desk import BusyError, Desk
from samples import PAPERS
from serving import ran


@pytest.fixture
def library(tmp_path):
    with Library.create(tmp_path / "library") as made:
        made.add_documents(PAPERS)
    return tmp_path / "library"


def story(library, tell):
    """Run a story over a desk; whoever is stuck is let go at its end."""
    desk, let_go = Desk(library), threading.Event()
    try:
        ran(tell(desk, let_go))
    finally:
        let_go.set()
        desk.close()


def stuck(let_go):
    def work(reader):
        assert let_go.wait(60)

    return work


def test_a_stuck_search_is_given_up_and_the_next_ones_are_answered(library, monkeypatch):
    monkeypatch.setenv("OSLER_SERVE_THREADS", "2")
    monkeypatch.setenv("OSLER_SERVE_SECONDS", "0.5")

    async def tell(desk, let_go):
        with pytest.raises(BusyError, match="longer than"):
            await desk.run(stuck(let_go), brief=True)
        # Its thread goes on; those that follow pass beside it.
        monkeypatch.setenv("OSLER_SERVE_SECONDS", "20")
        found = await asyncio.gather(*(desk.run(len, brief=True) for _ in range(5)))
        assert found == [len(PAPERS)] * 5
        assert not let_go.is_set()

    story(library, tell)


def test_waiting_for_a_turn_counts_towards_the_limit(library, monkeypatch):
    monkeypatch.setenv("OSLER_SERVE_THREADS", "1")

    async def tell(desk, let_go):
        first = asyncio.create_task(desk.run(stuck(let_go), brief=True))
        await asyncio.sleep(0)
        monkeypatch.setenv("OSLER_SERVE_SECONDS", "0.2")
        with pytest.raises(BusyError, match="longer than"):
            await asyncio.wait_for(desk.run(len, brief=True), 20)
        let_go.set()
        await first
        monkeypatch.setenv("OSLER_SERVE_SECONDS", "20")
        assert await desk.run(len, brief=True) == len(PAPERS)

    story(library, tell)


def test_somebody_who_leaves_while_waiting_leaves_nothing_behind(library, monkeypatch):
    monkeypatch.setenv("OSLER_SERVE_THREADS", "1")
    monkeypatch.setenv("OSLER_SERVE_WAITING", "2")

    async def tell(desk, let_go):
        first = asyncio.create_task(desk.run(stuck(let_go), brief=True))
        leaves = asyncio.create_task(desk.run(len, brief=True))
        await asyncio.sleep(0.05)
        with pytest.raises(BusyError, match="too much to do"):
            await desk.run(len, brief=True)
        leaves.cancel()
        await asyncio.wait((leaves,))
        let_go.set()
        await first
        assert await desk.run(len, brief=True) == len(PAPERS)

    story(library, tell)
