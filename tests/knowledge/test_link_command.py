"""``osler link`` and ``osler paths``, and the bad input that must leave the graph as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from osler import Library
from osler.cli.commands import Commands
from osler.cli.link import register
from osler.errors import InputError, UnknownId

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture
def lib(tmp_path: Path) -> Path:
    path = tmp_path / "lib"
    with Library.create(path) as library:
        library.add([FIXTURES / name for name in ("small.obo", "terms.tsv", "typed.tsv")])
    return path


def run(*arguments: str) -> list[str]:
    commands = Commands()
    register(commands)
    result = CliRunner().invoke(commands.app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout.splitlines()


def test_link_shows_place_name_and_negation(lib: Path) -> None:
    lines = run("link", str(lib), "No wheezing chests, but 感冒.")
    assert lines[1].split()[:4] == ["3-18", "wheezing", "chests", "HP:9000002"]
    assert "negated" in lines[1]
    assert "疾病:感冒" in lines[2]
    assert "negated" not in lines[2]


def test_link_as_json_and_limited(lib: Path) -> None:
    text = "wheezing chest in a thoracic disease"
    assert len(run("link", str(lib), text, "--json")) == 2
    (only,) = run("link", str(lib), text, "--json", "--terminology", "MONDO")
    assert '"MONDO:9000001"' in only


def test_link_needs_a_text(lib: Path) -> None:
    with pytest.raises(InputError):
        run("link", str(lib), " ")


def test_paths_by_name(lib: Path) -> None:
    lines = run("paths", str(lib), "--from", "感冒", "--to", "流感")
    assert lines == ["感冒 -[症状]-> 发热 <-[症状]- 流感"]


def test_paths_of_an_unknown_name(lib: Path) -> None:
    with pytest.raises(UnknownId):
        run("paths", str(lib), "--from", "nobody", "--to", "流感")


def test_bad_files_leave_the_graph_as_it_was(lib: Path, tmp_path: Path) -> None:
    missing = tmp_path / "triples.tsv"
    missing.write_text("head\ttail\thead_type\na\tb\tc\n")
    folder = tmp_path / "rf2"
    folder.mkdir()
    (folder / "sct2_Concept_Snapshot_INT_20240101.txt").write_text(
        "id\teffectiveTime\tactive\tmoduleId\tdefinitionStatusId\n1\t2\t1\t3\t4\n"
    )
    with Library.open(lib) as library:
        before = library.digest(), [*library.entities()], [*library.triples()]
        summary = library.add([missing, folder])
        assert "E104 triples.tsv line 1 has no column relation" in summary.failed["triples.tsv"]
        assert "E101 rf2 has no sct2_Description" in summary.failed["rf2"]
        assert (library.digest(), [*library.entities()], [*library.triples()]) == before


def test_folders_are_added_like_files(lib: Path) -> None:
    with Library.open(lib) as library:
        library.add([FIXTURES / "rf2", FIXTURES / "rrf"])
        # UMLS's codes join what SNOMED CT, HPO and MONDO hold.
        assert library.graph.same("UMLS:C9000001") == ["MONDO:9000001", "SCTID:900001"]
        assert "HP:9000002" in library.graph.same("UMLS:C9000002")
        assert "SCTID:900001" in {id for id, _ in library.linker.link("小喘息病")[0].entities}
