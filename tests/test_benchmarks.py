"""The benchmarks' own arithmetic, and that the page says what the results say."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HERE = ROOT / "benchmarks"
RESULTS = HERE / "results"


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))

    def load(name):
        sys.modules.pop(name, None)
        return importlib.import_module(name)

    yield load
    for name in ("beside", "page", "plots", "run", "install", "scale"):
        sys.modules.pop(name, None)


@pytest.fixture
def beside(module):
    return module("beside")


def row(beside, osler, peers, **more):
    costs = {"osler": beside.Cost(cpu=osler, wall=osler)}
    costs |= {name: beside.Cost(cpu=cost, wall=cost) for name, cost in peers.items()}
    given = {"name": "job", "title": "A job", "task": "some work", "unit": "a piece"} | more
    return beside.Comparison(costs=costs, **given)


def test_ratios_are_taken_within_a_repeat(beside):
    # The machine was ten times slower in the second repeat: the ratio must not see it.
    made = row(beside, [1.0, 10.0, 1.0], {"peer": [2.0, 30.0, 4.0]})
    found = beside.ratios(made)["peer"]
    assert (found.median, found.low, found.high) == (3.0, 2.0, 4.0)


def test_turns_change_who_is_first_and_count_every_repeat(beside):
    order = []
    work = {name: lambda n=name: order.append(n) for name in "abc"}
    costs = beside.turns(work, 3)
    assert "".join(order) == "abcbcacab"
    assert all(len(cost.cpu) == len(cost.wall) == 3 for cost in costs.values())


def test_a_file_of_results_comes_back_as_it_was(beside, tmp_path):
    result = beside.Result(
        name="job",
        command="python benchmarks/job.py",
        comparisons=[row(beside, [1.0], {"peer": [2.0]}, missing={"other": "ImportError: no"})],
        facts={"x": 1.5},
    )
    beside.write(result, tmp_path / "new" / "job.json")
    assert beside.read(tmp_path / "new" / "job.json") == result


def test_an_error_is_told_without_places_of_this_machine(beside):
    told = beside.why_not(OSError("cannot open /home/someone/deep/lib.so: no such file"))
    assert told == "OSError: cannot open lib.so: no such file"


def test_a_command_is_told_without_places_of_this_machine(beside, tmp_path):
    words = ["/x/benchmarks/words.py", str(tmp_path), "/a/b/nfcorpus/qrels.tsv", "--rounds", "3"]
    told = beside.asked([*words, "--data", str(tmp_path), "--json", "/x/y/z.json"])
    assert told == "python benchmarks/words.py LIB nfcorpus/qrels.tsv --rounds 3 --data DIR"


def test_a_peer_that_cannot_take_part_is_noted_with_its_error(beside):
    missing = {}

    def make():
        import a_peer_that_is_not_here  # noqa: F401

    assert beside.attempt(missing, "peer", make) is None
    assert missing == {"peer": "ModuleNotFoundError: No module named 'a_peer_that_is_not_here'"}


def test_a_row_behind_without_a_reason_is_refused(beside, module):
    page = module("page")
    slow = row(beside, [2.0], {"peer": [1.0]})
    with pytest.raises(page.Behind, match="behind peer"):
        page.verdict(slow)
    slow.reason = "it does more"
    assert page.verdict(slow) == "behind: it does more"
    near = row(beside, [1.0, 1.0, 1.0], {"peer": [0.9, 0.95, 1.1]}, reason="it does more")
    assert page.verdict(near) == "level, within the range: it does more"
    noisy = row(beside, [1.0, 1.0, 1.0], {"peer": [0.2, 0.5, 1.3]}, reason="it does more")
    assert page.verdict(noisy) == "behind: it does more"


def test_a_row_beyond_the_bar_is_called_so_even_with_a_reason(beside, module):
    page = module("page")
    slow = row(beside, [3.1], {"peer": [1.0], "slow peer": [9.0]}, reason="it does more")
    assert page.verdict(slow).startswith("BEHIND BY MORE THAN 3 TIMES")


def test_a_floor_and_ways_of_our_own_are_no_peers(beside, module):
    page = module("page")
    made = row(beside, [2.0], {"bare": [1.0], "osler onnx": [1.5], "peer": [3.0]}, floors=["bare"])
    assert made.peers == ["peer"]
    assert page.verdict(made) == "ahead"


def test_a_row_with_no_peer_at_all_says_what_is_missing(beside, module):
    page = module("page")
    alone = row(beside, [1.0], {})
    with pytest.raises(page.Behind, match="no peer"):
        page.verdict(alone)
    alone.missing["peer"] = "ImportError: no"
    assert page.verdict(alone) == "no peer here"
    shown = page.section(alone, beside.Result(name="job", command="python benchmarks/job.py"))
    assert "| peer | missing |  |  | ImportError: no |" in shown


def test_the_page_names_a_command_for_every_table(beside, module):
    page = module("page")
    result = beside.Result(
        name="words",
        command="python benchmarks/words.py",
        comparisons=[row(beside, [1.0, 1.0], {"peer": [2.0, 3.0]})],
        tables=[beside.Table(title="More", head=["a"], rows=[["1"]])],
        cores=2,
        load=0.5,
    )
    text = page.text([result], {"lancedb": "no wheel"})
    assert "| A job | peer | 2.50 (2.00 to 3.00) | 2.50 (2.00 to 3.00) | ahead |" in text
    # On a busy machine the clock is not believed.
    result.load = 7.0
    assert "| A job | peer | 2.50 (2.00 to 3.00) |  | ahead |" in page.text([result], {})
    assert text.count("`python benchmarks/words.py`") == 2
    assert "lancedb: no wheel" in text


def test_every_step_is_a_script_that_writes_its_results(module):
    run = module("run")
    assert len({step.name for step in run.STEPS}) == len(run.STEPS)
    for step in run.STEPS:
        script = HERE / step.arguments[0]
        assert script.exists()
        if not step.results:
            continue
        assert "--json" in script.read_text("utf-8") or "json_option(" in script.read_text("utf-8")


def test_requirements_are_one_peer_a_line(module, tmp_path):
    install = module("install")
    lines = install.wanted(HERE / "requirements.txt")
    assert ["--no-deps", "pyserini"] in lines
    assert lines[0][0].startswith("torch==")
    packaged = (ROOT / "pyproject.toml").read_text("utf-8")
    for peer in ("bm25s", "flashtext", "lancedb", "pykeen", "pyserini", "rustworkx", "txtai"):
        assert [peer] in lines or ["--no-deps", peer] in lines
        assert peer not in packaged, f"{peer} is a peer, not a part of Osler"


def test_scale_calculates_from_what_was_measured_and_leaves_the_rest_open(beside, module):
    scale = module("scale")
    facts = {"documents: read, µs each": 100.0, "documents: read and add, µs each": 400.0}
    facts |= {"documents: truth, B each": 2_000.0}
    grown = beside.Result(name="growth", command="python benchmarks/growth.py", facts=facts)
    made = scale.block({"growth": grown})
    assert "| truth, on the writer's disk | 2.0 GB | 20 GB | 74 GB |" in made
    # 300 microseconds a citation: five minutes a million.
    assert "one core | 5 min | 50 min | 3 h |" in made
    assert "| words | not measured yet | not measured yet | not measured yet |" in made
    assert "`python benchmarks/growth.py" in made


@pytest.mark.skipif(not any(RESULTS.glob("*.json")), reason="no results yet: make bench")
def test_the_page_on_scale_is_what_the_results_say(module):
    scale = module("scale")
    page = (ROOT / "docs" / "explanation" / "scale.md").read_text("utf-8")
    assert page == scale.put(page, scale.block(scale.load(RESULTS)))


@pytest.mark.skipif(not any(RESULTS.glob("*.json")), reason="no results yet: make bench")
def test_the_page_is_what_the_results_say(module):
    page = module("page")
    told = page.not_installed(RESULTS)
    written = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    assert written == page.text(page.load(RESULTS), told), "run: python benchmarks/page.py"
    assert "BEHIND BY MORE" not in written
