"""An encoder's folder: where one lies that came with the package, what a folder says of itself, and
the hash of its weights.

Shipped weights lie in ``text/weights/NAME``. A checkout may lack them (they are large files): then
the default is what can be fetched. All of ``encoder.json`` may be left out.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from stat import S_ISREG
from typing import Any, Literal, get_args

import msgspec
import xxhash

from osler.errors import FormatError
from osler.settings import DEFAULT_ENCODER as DEFAULT
from osler.settings import WEIGHTS

__all__ = [
    "DEFAULT",
    "FETCHED",
    "FILE",
    "POOLINGS",
    "SMALL",
    "STATIC",
    "TABLE",
    "Pooling",
    "Wants",
    "default_max_tokens",
    "default_name",
    "default_pooling",
    "graph_hash",
    "read_wants",
    "shipped",
    "weights_file",
    "weights_hash",
]

FILE = "encoder.json"
TABLE = "table.safetensors"
"""The file of a static table."""
SMALL = "osler-small"
STATIC = "osler-static"
FETCHED = "minilm"
_WEIGHTS = Path(__file__).parent / "weights"

Pooling = Literal["mean", "cls", "last-but-one"]
"""How a text's token states become its one vector."""
POOLINGS: tuple[str, ...] = get_args(Pooling)


def shipped(name: str) -> Path | None:
    """The folder of an encoder that came with the package, if its weights are here."""
    if name not in (SMALL, STATIC):
        return None
    given = WEIGHTS.get()
    folder = (Path(given).expanduser() if given else _WEIGHTS) / name
    return folder if (folder / FILE).is_file() else None


def default_name() -> str:
    """Our own encoder where its weights are here, else the one that ``osler fetch`` brings."""
    return SMALL if shipped(SMALL) is not None else FETCHED


class Wants(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How texts are to be given to a model, and what runs it.

    ``graph`` is a ready ONNX graph in the folder; without it the network is built from the weights.
    ``kind`` is what comes out of it: ``states`` of word pieces, to be pooled; the vectors of whole
    ``texts``, which it cuts itself; one score for ``pairs`` of texts; or ``static``, a table of
    vectors that are summed.
    """

    graph: str | None = None
    kind: Literal["states", "texts", "pairs", "static"] = "states"
    pooling: Pooling | None = None
    max_tokens: int | None = None
    query_prefix: str = ""
    passage_prefix: str = ""
    languages: tuple[Literal["en", "zh"], ...] | None = None


def read_wants(folder: Path) -> Wants:
    """The folder's ``encoder.json``, or nothing in particular where it has none."""
    try:
        raw = (folder / FILE).read_bytes()
    except FileNotFoundError:
        return Wants()
    try:
        wants = msgspec.json.decode(raw, type=Wants)
    except msgspec.DecodeError as problem:
        raise FormatError(
            f"{FILE} of {folder.name} cannot be used: {problem}", cure="fetch the encoder again"
        ) from None
    if wants.graph is not None and Path(wants.graph).name != wants.graph:
        raise FormatError(f"{FILE} of {folder.name} names a graph outside of its folder")
    return wants


def _settings(path: Path) -> dict[str, Any]:
    try:
        read = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def default_pooling(folder: Path) -> Pooling:
    """What the folder's pooling settings say, as sentence-transformers writes them; else mean."""
    settings = _settings(folder / "1_Pooling" / "config.json")
    return "cls" if settings.get("pooling_mode_cls_token") else "mean"


def default_max_tokens(folder: Path, limit: int) -> int:
    """The folder's own length, within what the model has positions for."""
    own = _settings(folder / "sentence_bert_config.json").get("max_seq_length")
    return min(own, limit) if isinstance(own, int) and own > 2 else min(512, limit)


def weights_file(folder: Path) -> Path:
    """The safetensors file (or the index of several); pickled weights are never read."""
    for name in ("model.safetensors", "model.safetensors.index.json"):
        if (folder / name).is_file():
            return folder / name
    raise FormatError(
        f"{folder.name} has no model.safetensors",
        cure="convert the weights to safetensors; pickled weights are not loaded",
    )


def weights_hash(folder: Path) -> str:
    """A hash over weights, configuration and tokenizer: all that a vector depends on."""
    weights_file(folder)
    names = sorted(path.name for path in folder.glob("*.safetensors"))
    return _hash(folder, [*names, "config.json", "tokenizer.json", "vocab.txt"])


def graph_hash(folder: Path, graph: str) -> str:
    """The same for a folder with a ready graph; what it wants of its texts is in it too."""
    if not (folder / graph).is_file():
        raise FormatError(f"{folder.name} has no {graph}", cure="fetch the encoder again")
    return _hash(folder, [graph, "encoder.json", "tokenizer.json", "vocab.txt"])


def _hash(folder: Path, names: list[str]) -> str:
    """Who an encoder is, is asked before it is loaded and again when it is: the files are read once
    for as long as they are the same by size, time and place."""
    files = []
    for name in names:
        with suppress(OSError):
            held = (folder / name).stat()
            if S_ISREG(held.st_mode):
                stamp = (held.st_size, held.st_mtime_ns, held.st_ctime_ns, held.st_ino, held.st_dev)
                files.append((name, stamp))
    return _hash_of(folder, tuple(files))


@lru_cache(maxsize=32)
def _hash_of(folder: Path, files: tuple[tuple[str, tuple[int, ...]], ...]) -> str:
    digest = xxhash.xxh3_128()
    for name, (size, *_) in files:
        digest.update(f"\0{name}\0".encode())
        with (folder / name).open("rb") as stream:
            if size:
                # Mapped, not read: weights are hundreds of megabytes, and nobody keeps these bytes.
                with mmap(stream.fileno(), 0, access=ACCESS_READ) as data:
                    digest.update(data)
    return digest.hexdigest()
