"""Turns: brief work one at a time, slow work not waited for, nothing lost when somebody leaves."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

from osler.serve.turns import Turns
from serving import ran


@asynccontextmanager
async def held(turns):
    """A turn, from when it comes to the end of the block; whether something slow is beside."""
    place = turns.ask()
    try:
        await place
        yield turns.crowded
    finally:
        turns.give(place)


def together(*works):
    """Run coroutines at once; each must end."""

    async def all_of_them():
        return await asyncio.wait_for(asyncio.gather(*works), 20)

    return ran(all_of_them())


def test_brief_work_is_done_one_at_a_time_in_order():
    turns = Turns(8, patience=30.0)
    running, most, order = 0, 0, []

    async def work(number):
        nonlocal running, most
        async with held(turns) as beside:
            running += 1
            most = max(most, running)
            order.append(number)
            assert not beside
            for _ in range(3):
                await asyncio.sleep(0)
            running -= 1

    together(*(work(number) for number in range(20)))
    assert most == 1
    assert order == list(range(20))


def test_what_is_slow_is_not_waited_for():
    turns = Turns(3, patience=0.01)

    async def story():
        ended = asyncio.Event()

        async def slow():
            async with held(turns):
                await ended.wait()

        async def brief():
            async with held(turns) as beside:
                return beside

        first = asyncio.create_task(slow())
        await asyncio.sleep(0)
        assert await asyncio.gather(*(brief() for _ in range(10))) == [True] * 10
        ended.set()
        await first
        assert not await brief()

    together(story())


def test_there_are_never_more_than_allowed():
    turns = Turns(2, patience=0.001)
    running, most = 0, 0

    async def work():
        nonlocal running, most
        async with held(turns):
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.01)
            running -= 1

    together(*(work() for _ in range(8)))
    assert most == 2


def test_somebody_who_leaves_keeps_no_turn():
    turns = Turns(1, patience=30.0)

    async def story():
        ended = asyncio.Event()

        async def work():
            async with held(turns):
                await ended.wait()
                return "done"

        first, leaves, third = (asyncio.create_task(work()) for _ in range(3))
        await asyncio.sleep(0)
        leaves.cancel()  # while it waits
        await asyncio.sleep(0)
        ended.set()
        assert await first == await third == "done"

        ended.clear()
        first, called, third = (asyncio.create_task(work()) for _ in range(3))
        await asyncio.sleep(0)
        first.cancel()  # while it works: the next is called ...
        await asyncio.sleep(0)
        called.cancel()  # ... and leaves before it begins
        ended.set()
        assert await third == "done"

    together(story())
