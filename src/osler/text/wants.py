"""What an encoder's folder says of itself, in ``encoder.json``: all of it may be left out."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from osler.errors import FormatError
from osler.text.pooling import Pooling

FILE = "encoder.json"


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
