"""Linking: Osler beside flashtext and spaCy's PhraseMatcher, in one run, on one core.

    python benchmarks/linking.py [--megabytes 3] [--rounds 5] [--peers FOLDER] [--json FILE]

Reads real PubMed abstracts and all names of MeSH and HPO (osler fetch pubmed-sample mesh hpo) and
links the same texts with each. Osler does more than its peers here: inflection, word order,
abbreviations, shared heads, negation, scores. Each runs in a process of its own, in turns. Peers
that are not installed are named as missing; --peers names a folder that has them (pip install
--target FOLDER flashtext spacy).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from beside import Comparison, Cost, Result, json_option, show, why_not, write
from osler.corpus.pubmed import PubMed
from osler.fetch import fetch
from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Document, Entity
from osler.knowledge.linker import Linker

WAYS = ("osler", "flashtext", "spaCy PhraseMatcher")


def texts(path: Path, megabytes: float) -> list[str]:
    """Title and abstract of citations that have one, up to a size."""
    found: list[str] = []
    size = 0
    for item in PubMed().read(Source(path)):
        if isinstance(item, Document) and item.abstract:
            found.append(item.text)
            size += len(item.text.encode())
            if size >= megabytes * 1e6:
                break
    return found


def entities() -> Iterator[Entity]:
    for path in (fetch("mesh") / "mesh_id_label_mappings.tsv", fetch("hpo") / "hp.obo"):
        source = Source(path)
        for item in recognise(source).read(source):
            if isinstance(item, Entity):
                yield item


def prepare(way: str) -> tuple[Callable[[str], object], float, float]:
    """What links one text, seconds to build it, seconds to open it again where that is possible."""
    begun = time.process_time()
    if way == "osler":
        linker = Linker.build(entities())
        built = time.process_time() - begun
        with tempfile.TemporaryDirectory() as folder:
            linker.save(Path(folder) / "linker")
            begun = time.process_time()
            linker = Linker.load(Path(folder) / "linker")
        return linker.link, built, time.process_time() - begun
    names = {name for entity in entities() for name in entity.names}
    if way == "flashtext":
        from flashtext import KeywordProcessor

        processor = KeywordProcessor()
        for name in names:
            processor.add_keyword(name, name)

        def flash(text: str) -> object:
            return processor.extract_keywords(text, span_info=True)

        return flash, time.process_time() - begun, 0.0
    import spacy
    from spacy.matcher import PhraseMatcher

    language = spacy.blank("en")
    language.max_length = 10_000_000
    matcher = PhraseMatcher(language.vocab, attr="LOWER")
    matcher.add("name", list(language.tokenizer.pipe(sorted(names))))

    def phrase(text: str) -> object:
        return matcher(language.make_doc(text))

    return phrase, time.process_time() - begun, 0.0


def work(way: str, path: Path) -> None:
    """One child: builds, then runs a round for each line that it is sent."""
    listed = json.loads(path.read_text("utf-8"))
    try:
        link, built, opened = prepare(way)
    except ImportError as problem:
        print(json.dumps({"missing": why_not(problem)}), flush=True)
        return
    print(json.dumps({"built": built, "opened": opened}), flush=True)
    for _ in sys.stdin:
        begun, clock = time.process_time(), time.perf_counter()
        for text in listed:
            link(text)
        took, passed = time.process_time() - begun, time.perf_counter() - clock
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(json.dumps({"took": took, "passed": passed, "peak": peak}), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path)
    parser.add_argument("--megabytes", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    json_option(parser)
    given = parser.parse_args()
    if given.work:
        work(given.work[0], Path(given.work[1]))
        return 0
    listed = texts(fetch("pubmed-sample") / "pubmed21n1298.xml.gz", given.megabytes)
    size = sum(len(text.encode()) for text in listed) / 1e6
    print(f"{len(listed):,} abstracts, {size:.1f} MB")
    environment = dict(os.environ)
    if given.peers:
        environment["PYTHONPATH"] = str(given.peers)
    children: dict[str, subprocess.Popen[str]] = {}
    facts: dict[str, float] = {"abstracts": len(listed), "MB": size}
    missing: dict[str, str] = {}
    costs: dict[str, Cost] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(listed), "utf-8")
        for way in WAYS:
            child = subprocess.Popen(
                [sys.executable, __file__, "--work", way, str(path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=environment,
            )
            told = json.loads((child.stdout.readline() if child.stdout else "") or "{}")
            if "built" not in told:
                missing[way] = told.get("missing", "it ended before it began")
                child.wait()
                continue
            again = f", opened in {told['opened']:.2f} s" if told["opened"] else ""
            print(f"{way}: built in {told['built']:.1f} s{again}", flush=True)
            facts[f"{way} built s"] = told["built"]
            children[way] = child
            costs[way] = Cost(cpu=[], wall=[])
        for _ in range(given.rounds):
            for way, child in children.items():
                assert child.stdin
                assert child.stdout
                child.stdin.write("go\n")
                child.stdin.flush()
                told = json.loads(child.stdout.readline())
                costs[way].cpu.append(told["took"] / len(listed))
                costs[way].wall.append(told["passed"] / len(listed))
                facts[f"{way} peak GB"] = told["peak"]
        for child in children.values():
            assert child.stdin
            child.stdin.close()
            child.wait()
    row = Comparison(
        name="linking",
        title="Linking",
        task=f"{len(listed):,} abstracts ({size:.1f} MB) to all names of MeSH and HPO, one core",
        unit="an abstract",
        costs=costs,
        notes={
            "osler": "inflection, word order, abbreviations, shared heads, negation, scores",
            "flashtext": "exact strings only",
            "spaCy PhraseMatcher": "tokens in lower case only",
        },
        missing=missing,
        reason=(
            "flashtext walks a trie of exact strings; Osler also finds inflected and turned names, "
            "abbreviations that a paper defines, shared heads and negation, and scores each mention"
        ),
    )
    show(row)
    speed = size / (min(costs["osler"].cpu) * len(listed))
    facts["osler MB/s"] = speed
    for way in children:
        print(f"{way}: {facts[f'{way} peak GB']:.2f} GB")
    ok = speed >= 1.0 and facts["osler peak GB"] < 1.0
    print(f"{speed:.2f} MB/s; bar (1 MB/s, under 1 GB):", "held" if ok else "missed")
    write(
        Result(name="linking", comparisons=[row], facts=facts),
        given.json,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
