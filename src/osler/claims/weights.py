"""The weights that ship: seven small heads in one JSON file, with what they were taught by."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import msgspec

from osler.claims.heads import LinearHead


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """``finder`` finds conclusions; ``trial`` tells more, less or the same in a result; ``answer``
    yes, no or maybe to a question; ``side`` supports or refutes; ``about`` whether a text takes a
    side at all; ``topic`` whether a text is of the paper that a question was asked of; ``vectors``
    yes, no or maybe once more, from what the encoder makes of its sentences, with the fingerprint
    of that encoder."""

    finder: LinearHead
    trial: LinearHead
    answer: LinearHead
    side: LinearHead
    about: LinearHead
    topic: LinearHead
    vectors: LinearHead
    encoder: str = ""
    taught_by: tuple[str, ...] = ()
    version: str = "3"


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """The weights of the package."""
    data = (files("osler.claims") / "weights.json").read_bytes()
    return msgspec.json.decode(data, type=Weights)
