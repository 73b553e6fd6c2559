"""Linking: Osler beside flashtext and spaCy's PhraseMatcher, in one run, on one core.

    python benchmarks/linking.py --abstracts pubmed21n1298.xml.gz --data DIR [--peers FOLDER]

Reads real PubMed abstracts and all names of MeSH and HPO (DIR/mesh, DIR/hpo), links the same texts
with each, and prints megabytes of text a second of processor time, memory, and ratios. Osler does
more than its peers here: inflection, word order, abbreviations, shared heads, negation, scores.
Each runs in a process of its own, and the best of some rounds counts, in turn, since other work on
the machine disturbs all alike. Peers that are not installed are left out; --peers names a folder
that has them (pip install --target FOLDER flashtext spacy).
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

from osler.corpus.pubmed import PubMed
from osler.files.source import Source
from osler.kinds import Document, Entity
from osler.knowledge.linker import Linker
from osler.knowledge.readers.mesh_table import MeshTable
from osler.knowledge.readers.terms_table import TermsTable

WAYS = ("osler", "flashtext", "spacy")


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


def entities(data: Path) -> Iterator[Entity]:
    for reader, path in (
        (MeshTable(), data / "mesh" / "descriptors.tsv.gz"),
        (TermsTable(), data / "hpo" / "terms.tsv.gz"),
    ):
        for item in reader.read(Source(path)):
            if isinstance(item, Entity):
                yield item


def prepare(way: str, data: Path) -> tuple[Callable[[str], object], float, float]:
    """What links one text, seconds to build it, seconds to open it again where that is possible."""
    begun = time.process_time()
    if way == "osler":
        linker = Linker.build(entities(data))
        built = time.process_time() - begun
        with tempfile.TemporaryDirectory() as folder:
            linker.save(Path(folder) / "linker")
            begun = time.process_time()
            linker = Linker.load(Path(folder) / "linker")
        return linker.link, built, time.process_time() - begun
    names = {name for entity in entities(data) for name in entity.names}
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


def work(way: str, data: Path, path: Path) -> None:
    """One child: builds, then runs a round for each line that it is sent."""
    listed = json.loads(path.read_text("utf-8"))
    link, built, opened = prepare(way, data)
    print(json.dumps({"built": built, "opened": opened}), flush=True)
    for _ in sys.stdin:
        begun = time.process_time()
        for text in listed:
            link(text)
        took = time.process_time() - begun
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(json.dumps({"took": took, "peak": peak}), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--abstracts", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--peers", type=Path)
    parser.add_argument("--megabytes", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.work[0], given.data, Path(given.work[1]))
        return 0
    listed = texts(given.abstracts, given.megabytes)
    size = sum(len(text.encode()) for text in listed) / 1e6
    print(f"{len(listed):,} abstracts, {size:.1f} MB")
    environment = dict(os.environ)
    if given.peers:
        environment["PYTHONPATH"] = str(given.peers)
    children: dict[str, subprocess.Popen[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(listed), "utf-8")
        base = [sys.executable, __file__, "--abstracts", ".", "--data", str(given.data)]
        speeds: dict[str, list[float]] = {}
        peaks: dict[str, float] = {}
        for way in WAYS:
            child = subprocess.Popen(
                [*base, "--work", way, str(path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=environment,
            )
            first = child.stdout.readline() if child.stdout else ""
            if not first:
                print(f"{way}: not installed")
                child.wait()
                continue
            told = json.loads(first)
            again = f", opened in {told['opened']:.2f} s" if told["opened"] else ""
            print(f"{way}: built in {told['built']:.1f} s{again}")
            children[way] = child
        for _ in range(given.rounds):
            for way, child in children.items():
                assert child.stdin
                assert child.stdout
                child.stdin.write("go\n")
                child.stdin.flush()
                told = json.loads(child.stdout.readline())
                speeds.setdefault(way, []).append(size / told["took"])
                peaks[way] = told["peak"]
        for child in children.values():
            assert child.stdin
            child.stdin.close()
            child.wait()
    for way in children:
        shown = " ".join(f"{speed:.2f}" for speed in speeds[way])
        print(f"{way:10} {max(speeds[way]):6.2f} MB/s   {peaks[way]:.2f} GB   rounds: {shown}")
    for way in children:
        if way != "osler":
            print(f"osler / {way}: {max(speeds['osler']) / max(speeds[way]):.2f}")
    ok = max(speeds["osler"]) >= 1.0 and peaks["osler"] < 1.0
    print("bar (1 MB/s, under 1 GB):", "held" if ok else "missed")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
