"""A small library with a little of everything, for the tests of the server and of the page."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from osler import Library
from osler.kinds import Document, Heading, Section
from samples import PAPERS, TrigramEncoder, paper

SCRIPT = "<script>window.broken = true</script><img src=x onerror=alert(1)>"

ASTHMA = paper(
    "asthma-1",
    "Budesonide and albuterol in adults with asthma",
    "Asthma causes cough and dyspnea. Budesonide treated asthma better than placebo in 300 "
    "adults. There was no evidence of pneumonia. Albuterol was used less often.",
    published="2021-02",
    journal="Air and Health",
    language="eng",
    types=("Randomized Controlled Trial",),
    ids={"pmid": "901"},
)
EVIL = Document(
    id="evil-1",
    title=f"Asthma {SCRIPT} and cough",
    sections=(
        Section(f"Asthma is named in {SCRIPT} this abstract.", "BACKGROUND"),
        Section("", "EMPTY"),
        Section("Cough followed. 'quotes' \"double\" & ampersands.", "RESULTS & MORE"),
    ),
    journal='Journal "of" <b>Tags</b>',
    keywords=("<i>keyword</i>",),
    headings=(Heading("<u>Heading</u>", "X1"),),
    published="2020",
    language="eng",
)
MORE = tuple(
    paper(
        f"sleep-{n:02d}",
        f"Sleep and wakefulness, part {n}" if n % 2 else f"Telehealth in primary care, part {n}",
        (
            "Sleep was measured for a week. Melatonin helped insomnia in some adults."
            if n % 2
            else "Telehealth visits replaced visits in person. Patients with hypertension liked it."
        )
        + f" The study had {20 + n} participants.",
        published=str(2010 + n % 11),
        journal="Sleep Letters" if n % 2 else "Primary Care Notes",
        language="eng",
    )
    for n in range(24)
)

VIEWS = {
    "start": "/",
    "search": "/papers?q=budesonide+asthma",
    "document": "/document/asthma-1?q=budesonide",
    "papers, empty": "/papers",
    "papers, a broken query": "/papers?q=title:(asthma",
    "papers, nothing found": "/papers?q=zzzz+qqqq&method=words",
    "papers, long": "/papers?q=" + "sleep+and+telehealth+" * 60,
    "builder": "/papers/builder?o=AND&f=title&t=budesonide&tree=Asthma",
    "history": "/papers/history",
    "basket": "/papers/basket",
    "saved": "/saved",
    "rank": "/rank?topic=telehealth+in+primary+care",
    "facts": "/facts?head=Budesonide&relation=treats&tail=Asthma",
    "facts, empty": "/facts",
    "facts, half of one": "/facts?head=Asthma",
    "facts, decided": "/facts/decided",
    "brief": "/brief?question=does+budesonide+treat+asthma",
    "answers, empty": "/answers",
    "review": "/review",
    "grade": "/facts/relevance?head=Asthma&relation=treated+by&tail=Budesonide",
    "match": "/answers?q=What+helps+against+migraine+disorders",
    "ask": "/patients",
    "graph": "/graph?entity=Asthma",
    "graph, nobody": "/graph?entity=nobody+knows+it",
    "paths": "/graph?entity=Asthma&to=COVID-19",
    "status": "/library",
    "docs": "/docs",
    "login": "/login",
    "missing": "/document/nix",
}
"""One address for each view, with something to see."""


def build(folder: Path) -> Path:
    """Papers in two languages, one full of tags; facts, answers, records of nobody; vectors."""
    from osler_papers.simulator import WRITERS, simulate

    own = Path(str(resources.files("osler.demo")))
    with Library.create(folder / "library", encoder=TrigramEncoder()) as library:  # type: ignore[arg-type]
        library.add_documents([*PAPERS, ASTHMA, EVIL, *MORE])
        library.add([own / "facts.tsv", own / "facts_zh.tsv", own / "answers.tsv"])
        written = simulate(folder / "records", scale=0.001, topics=("medications",))
        for topic, path in written.items():
            library.add([path], format=WRITERS[topic][2])
        library.embed()
    return folder / "library"


@contextmanager
def served(library: Path, **options: object) -> Iterator[str]:
    """A real server on a free port; its address."""
    from osler.serve.app import create_app

    with running(create_app(library, encoder=TrigramEncoder(), **options)) as address:  # type: ignore[arg-type]
        yield address


@contextmanager
def running(app: Any) -> Iterator[str]:
    """An application behind a real server on a free port; its address."""
    import uvicorn

    from osler.serve.run import configured, listen

    bound: socket.socket = listen("127.0.0.1", 0)
    server = uvicorn.Server(configured(app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        bound.close()


def ran(work: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine gives, run in a thread of its own: a browser test of this process may have
    left its event loop running."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
