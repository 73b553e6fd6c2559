"""P11: no question can be so long, so deep or so cunning that it holds the machine."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from pathlib import Path

import numpy as np
import pytest

import osler
from osler import Library
from osler.errors import LimitError, OslerError
from osler.kinds import Entity, Triple
from osler.match.answers import read_answers
from osler.match.splits import read_lists
from osler.measures.trec import read_queries
from osler.records.questions import read_questions
from osler.retrieve import parse
from promises.clock import computing
from promises.jobs import terminology
from samples import TrigramEncoder, paper

SRC = Path(osler.__file__).parent


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bounds")
    made = Library.create(folder / "library", encoder=TrigramEncoder())
    made.add_documents([paper(f"d{n}", f"Asthma {n}", "Fever and cough. " * 5) for n in range(50)])
    terms = terminology(folder / "terms.tsv")
    ward = folder / "ward.tsv"
    ward.write_text(
        "head\thead_type\trelation\ttail\ttail_type\nP7\tpatient\ttakes\taspirin\tdrug\n"
    )
    assert made.add([terms], format="terms").clean
    assert made.add([ward], format="clinical-triples").clean
    yield made
    made.close()


def quickly(seconds: float, work):
    return computing(work, limit=seconds)


MEGABYTE = {
    "words": "asthma " * 150_000,
    "one word": "a" * 1_000_000,
    "brackets": "(" * 1_000_000,
    "quotes": '"' * 1_000_001,
    "operators": "NOT " * 250_000,
    "chinese": "肺癌" * 500_000,
    "fields": "title:" * 170_000,
}


@pytest.mark.parametrize("kind", list(MEGABYTE))
def test_a_question_of_a_megabyte_is_refused_at_once(kind, library):
    for method in ("words", "concepts"):
        with pytest.raises(LimitError, match="characters"):
            quickly(2, lambda m=method: library.search(MEGABYTE[kind], method=m))
    with pytest.raises(LimitError):
        quickly(2, lambda: library.count(MEGABYTE[kind]))


TEN_KILOBYTES = {
    "words": "asthma fever " * 760,
    "brackets": "(" * 4_990 + "a" + ")" * 4_990,
    "shallow brackets": "(a OR " * 45 + "b" + ")" * 45,
    "nots": "NOT " * 2_400 + "asthma",
    "ors": "a OR " * 1_900 + "b",
    "prefixes": "asth* " * 1_600,
    "phrase": '"' + "fever and cough " * 600 + '"',
    "slop": '"' + "fever cough " * 600 + '"~99',
    "marks": '~!@#$%^&*()[]{}"' * 600,
    "years": "year:" + "2" * 9_000,
    "tags": "[mh]" * 2_400,
    "wide prefix": "aaa*" + "*" * 9_000,
}


@pytest.mark.parametrize("kind", list(TEN_KILOBYTES))
def test_the_longest_question_that_is_read_is_answered_or_refused_in_time(kind, library):
    try:
        quickly(5, lambda: library.search(TEN_KILOBYTES[kind], method="words", k=10))
    except OslerError as error:
        assert error.code.startswith("E1")


@pytest.mark.parametrize("k", [0, -1, 10_001, 10**12])
def test_the_number_of_hits_is_bounded(k, library):
    with pytest.raises(OslerError, match="k is at (least 1|most 10,000)"):
        library.search("asthma", k=k, method="words")


@pytest.mark.parametrize("length", [6, 50, 10**6, 0, -3])
def test_the_length_of_paths_is_bounded(length, library):
    assert len(library.paths(["DIS:1"], ["DIS:2"], max_length=3)) == 1
    with pytest.raises(LimitError):
        library.paths(["DIS:1"], ["DIS:2"], max_length=length)


def test_a_long_question_to_the_records_is_refused_or_answered_in_time(library):
    for question in ("Which drugs does P7 take? " * 4_000, "P7 " * 30_000, "?" * 100_000):
        try:
            quickly(10, lambda q=question: library.ask(q))
        except OslerError as error:
            assert error.code.startswith("E1")


def test_linking_a_long_text_takes_time_in_proportion(library):
    linker = library.linker
    short = "asthma (AS) and fever of unknown origin, not asthma. " * 400
    linker.link(short)
    start = time.thread_time()
    linker.link(short)
    once = time.thread_time() - start
    quickly(30 * once + 0.5, lambda: linker.link(short * 8))


HUB_EDGES = 200_000
"""``make fuzz`` and benchmarks/paths.py go to a million; building the graph is what takes long."""


def test_a_hub_is_not_walked_through():
    hub_paths(HUB_EDGES)


def hub_paths(edges: int) -> None:
    from osler.knowledge.graph import Graph
    from osler.knowledge.paths import paths

    names = [f"N:{n}" for n in range(edges)]
    entities = [Entity(id="HUB:1", name="hub"), *(Entity(id=n, name=n) for n in names)]
    triples = [Triple("HUB:1", "touches", n, "t") for n in names]
    triples += [Triple("N:1", "knows", "N:5", "t"), Triple("N:5", "knows", "N:2", "t")]
    graph = Graph.build(entities, triples)

    def walk() -> None:
        for length in (3, 4, 5):
            found = paths(graph, ["N:1"], ["N:2"], length)
            assert [path.entities for path in found] == [("N:1", "N:5", "N:2")]
            assert any("hub" in line.lower() or "edges" in line for line in found.cut), found.cut
        # From the hub itself, and to everything: still within the limit of results.
        found = paths(graph, ["HUB:1"], names[:2_000], 3)
        assert len(found) <= 10_000

    quickly(5, walk)


# -- regular expressions ---------------------------------------------------------------------------

ATTACKS = [
    "a", " ", "\t", "\n", "0", "A", "aA", "a ", " a", "a.", "a,", "a-", "(", ")", "((a", "[", "]",
    "<", "<!--", "<a", "&", "&a", "\"", "'", "\\", "/", "*", ".", "..", "-", "--", "_", "1.", "1e",
    "0.0", "1/", "1-1", ":", "a:", "=", "|", "a|", "肺", "肺a", "e.g. ", "A. ", "Dr. ", "No ",
    "no ", "not ", "aaaa ", "a a a", "1 mg ", "(a) ", "a (b", "a; ", "2020-01-", "d'a", "<?",
    "<!DOCTYPE a [",
]  # fmt: skip


def patterns() -> dict[str, re.Pattern]:
    """Every regular expression of the package: compiled ones by looking at the modules, those that
    stand in a call by reading the source."""
    found: dict[tuple[object, int], tuple[str, re.Pattern]] = {}
    for info in pkgutil.walk_packages(osler.__path__, "osler."):
        if info.name.startswith(("osler.recipes.", "osler.cli.main")):
            continue
        try:
            module = importlib.import_module(info.name)
        except ImportError:
            continue
        except OslerError:
            continue
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                found.setdefault((value.pattern, value.flags), (f"{info.name}.{name}", value))
    calls = {
        "compile",
        "search",
        "match",
        "fullmatch",
        "sub",
        "subn",
        "findall",
        "finditer",
        "split",
    }
    for path in SRC.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr in calls
                and node.args
                and isinstance(node.args[0], ast.Constant)
                and isinstance(node.args[0].value, str | bytes)
            ):
                try:
                    made = re.compile(node.args[0].value)
                except re.error:
                    continue  # needs flags: the compiled one was found above
                where = f"{path.relative_to(SRC)}:{node.lineno}"
                found.setdefault((made.pattern, made.flags), (where, made))
    return dict(found.values())


def slow_patterns(length: int, limit: float) -> list[str]:
    slow = []
    for where, made in patterns().items():
        binary = isinstance(made.pattern, bytes)
        for attack in ATTACKS:
            text: str | bytes = attack * (length // len(attack)) + "!"
            if binary:
                text = text.encode()  # type: ignore[union-attr]
            try:
                computing(lambda m=made, t=text: (m.search(t), m.match(t)), limit=limit)
            except AssertionError as error:
                slow.append(f"{where}: {attack!r} x {length}: {error}")
                break
    return slow


def test_no_regular_expression_runs_away():
    """What takes the cube of a thousand steps takes seconds; two of ours did."""
    assert len(patterns()) > 100
    assert slow_patterns(1_000, 0.25) == []


def readings() -> dict[str, object]:
    from osler.kinds import Document, Section
    from osler.knowledge.abbreviations import definitions
    from osler.knowledge.linker import Linker
    from osler.retrieve.evidence import best_sentence, highlight
    from osler.retrieve.summaries.summarise import represent
    from osler.store.analyser import analyse
    from osler.text.sentences import sentences
    from osler.text.tokens import terms

    linker = Linker.build([Entity(id="D:1", name="asthma"), Entity(id="D:2", name="fever")])
    weights = {"asthma": 1.0}
    return {
        "link": lambda t: linker.link(f"no fever, asthma{t}x fever (ABC) no asthma{t}"),
        "abbreviations": definitions,
        "sentences": lambda t: list(sentences(t)),
        "terms": lambda t: list(terms(t)),
        "index": analyse,
        "evidence": lambda t: best_sentence(
            Document(id="1", title="asthma", sections=(Section(t),)), weights, None
        ),
        "highlight": lambda t: highlight(t, weights),
        "summary": lambda t: represent(Document(id="1", full_text=(Section(t, f"Ethics{t}\n!"),))),
    }


@pytest.mark.parametrize("what", list(readings()))
def test_no_text_holds_whoever_reads_it(what):
    """Ten thousand characters of each attack, through everything that reads a document's text."""
    read = readings()[what]
    read("warm. up")
    for attack in ATTACKS:
        text = attack * (10_000 // len(attack)) + "!"
        quickly(1, lambda t=text: read(t))


@pytest.mark.parametrize("query", ["a:" * 4_000, "(" * 9_000, "[" * 9_000, "a*" * 4_000])
def test_the_query_parser_ends(query):
    try:
        quickly(2, lambda: parse.parse(query))
    except OslerError as error:
        assert error.code.startswith("E1")


# -- JSON of other people --------------------------------------------------------------------------

ODD_JSON = {
    "too deep": b'{"id": "1", "question": "q", "x": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "not UTF-8": b'{"id": "1", "question": "\xff\xfe"}',
    "no JSON": b"{",
}


def _weights(path: Path) -> object:
    from osler.retrieve.learned import LearnedWeights

    return LearnedWeights.parse(path.read_bytes(), where=path.name)


def _arrays(path: Path) -> object:
    from osler.knowledge import arrays

    folder = path.parent / "arrays"
    arrays.save(folder, "numbers", {"values": np.arange(3)}, {}, {})
    (folder / "manifest.json").write_bytes(path.read_bytes())
    return arrays.load(folder, "numbers")


@pytest.mark.parametrize("odd", ODD_JSON)
@pytest.mark.parametrize(
    "read", [read_answers, read_lists, read_questions, read_queries, _weights, _arrays]
)
def test_json_that_is_too_deep_or_no_text_is_an_error_of_ours(read, odd, tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_bytes(ODD_JSON[odd] + b"\n")
    with pytest.raises(OslerError):
        read(path)
