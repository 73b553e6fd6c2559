"""What a reader of a page has by other means: a hospital's database, a cluster, files of his own.

``<!-- beforehand: NAME -->`` above a block names one of these. It is there before the page runs, as
files in the page's folder or as a variable of its shell, and it is gone after it. Where it cannot
be had (a server that is not installed, no network), the block is left out, and says why.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import servers
from servers import Unavailable

TESTS = Path(__file__).parent.parent
Variables = dict[str, str]

_MEDQUAD_PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<Document id="{id}" source="OWN" url="https://example.org/{id}">
<Focus>{focus}</Focus>
<QAPairs>
<QAPair pid="1"><Question qid="{id}-1" qtype="treatment">What are the treatments for {focus} ?
</Question><Answer>{treated}</Answer></QAPair>
<QAPair pid="2"><Question qid="{id}-2" qtype="causes">What causes {focus} ?</Question>
<Answer>{caused}</Answer></QAPair>
</QAPairs></Document>
"""
_ILLNESSES = (
    ("Tonsillitis", "Rest, fluids and paracetamol; penicillin if bacteria are the cause.",
     "Viruses cause most cases; streptococci cause some."),
    ("Scabies", "A cream with permethrin on the whole skin, twice, a week apart.",
     "A mite that burrows into the skin and passes by long contact."),
    ("Gallstones", "Without pain nothing is needed; else the gallbladder is taken out.",
     "Bile with too much cholesterol or bilirubin forms stones."),
    ("Shingles", "Aciclovir within three days, and drugs against pain.",
     "The virus of chickenpox, which has slept in a nerve."),
)  # fmt: skip


@contextlib.contextmanager
def medquad(folder: Path) -> Iterator[Variables]:
    """A folder in MedQuAD's form, of our own words."""
    pages = folder / "MedQuAD"
    pages.mkdir()
    for number, (focus, treated, caused) in enumerate(_ILLNESSES, start=1):
        id = f"{number:07}"
        page = _MEDQUAD_PAGE.format(id=id, focus=focus, treated=treated, caused=caused)
        (pages / f"{id}.xml").write_text(page, "utf-8")
    yield {}


_MESH = """id\tname\ttree_numbers\tentry_terms
D900001\tChest Diseases\tC90\tDiseases, Chest
D900002\tWheezing\tC90.100\tWheeze
"""
_BROKEN_ROWS = (
    "ORPHA:9", "\tI\tours", "900003", "900005", "C9000004", "C9999999", "A99",
    "Withdrawn", "|O||", "\t0\t900000000000207008",
)  # fmt: skip
"""Marks of rows that the readers' tests need and that a release would not hold."""


@contextlib.contextmanager
def terminologies(folder: Path) -> Iterator[Variables]:
    """A few rows each of MeSH, SNOMED CT, UMLS and HPO's annotations, in their own forms."""
    fixtures = TESTS / "knowledge" / "fixtures"
    copied = {
        "small.hpoa": "phenotype.hpoa",
        "rf2": "SnomedCT_International",
        "rrf": "umls/META",
    }
    (folder / "descriptors.tsv").write_text(_MESH, "utf-8")
    for ours, theirs in copied.items():
        for source in [fixtures / ours, *(fixtures / ours).rglob("*")]:
            if source.is_file():
                place = folder / theirs / source.relative_to(fixtures / ours)
                place.parent.mkdir(parents=True, exist_ok=True)
                rows = source.read_text("utf-8").splitlines()
                whole = [row for row in rows if not any(mark in row for mark in _BROKEN_ROWS)]
                place.write_text("\n".join(whole) + "\n", "utf-8")
    yield {}


@contextlib.contextmanager
def pdf(folder: Path) -> Iterator[Variables]:
    """A paper as a PDF file."""
    import pdfs

    lines = (
        "Melatonin for jet lag: a small trial",
        "Forty travellers took melatonin or placebo for three nights.",
        "Melatonin shortened jet lag by one day.",
    )
    words = [(72.0, 700.0 - 20 * place, 12.0, line) for place, line in enumerate(lines)]
    (folder / "paper.pdf").write_bytes(pdfs.pdf([words], title=lines[0]))
    yield {}


@contextlib.contextmanager
def hospital(folder: Path) -> Iterator[Variables]:
    """``$HOSPITAL``: a PostgreSQL server with a small OMOP CDM in it."""
    from sqlalchemy import create_engine

    from ask.form.omop_ward import fill

    with _scratch() as scratch, servers.postgres(scratch) as url:
        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        fill(engine)
        engine.dispose()
        yield {"HOSPITAL": url}


@contextlib.contextmanager
def milvus(folder: Path) -> Iterator[Variables]:
    """``$MILVUS``: a server, by Milvus Lite."""
    with _scratch() as scratch:
        server = servers.MilvusServer(scratch / "data")
        try:
            server.start()
            yield {"MILVUS": server.uri}
        finally:
            server.kill()


@contextlib.contextmanager
def dask(folder: Path) -> Iterator[Variables]:
    """``$SCHEDULER``: a scheduler with one worker."""
    with servers.dask_cluster(folder) as address:
        yield {"SCHEDULER": address}


@contextlib.contextmanager
def network(folder: Path) -> Iterator[Variables]:
    """The package index; tests reach for it only where ``OSLER_DOCS_NETWORK`` is set."""
    if not os.environ.get("OSLER_DOCS_NETWORK"):
        raise Unavailable("OSLER_DOCS_NETWORK is not set: nothing is fetched")
    yield {"OSLER_CACHE": str(folder / "cache")}


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as scratch:
        yield Path(scratch)


BEFOREHAND: dict[str, Callable[[Path], AbstractContextManager[Variables]]] = {
    "medquad": medquad,
    "terminologies": terminologies,
    "pdf": pdf,
    "hospital": hospital,
    "milvus": milvus,
    "dask": dask,
    "network": network,
}
